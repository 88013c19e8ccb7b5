package session

import (
	"cmp"
	"slices"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
)

// response is what the answer to a call leaves on the row of the call, in time or late.
//
//shape:part of call
type response struct {
	result              []byte
	dropped             int  // bytes of it that are not kept
	hollow              bool // and were not in the recording
	toolErr             bool
	err                 *mcp.RPCError
	errText             string         // its meaning
	missingCapabilities []Capability   // that the server needs, and belay could declare
	compared            []Compared     // head and body of the request whose error says that they differ
	cache               *mcp.CacheHint // nil: it says nothing of that
	judged              *structured    // of its structured content; nil where there is nothing to check
	late                *LateAnswer    // what came after the cancel; nil: nothing did
}

// keptAnswer is what of an answer is kept: the copies that a row may hold.
type keptAnswer struct {
	result []byte
	err    *mcp.RPCError
}

// onAnswer has the row of a call show its answer: a result, which may be the error of a tool,
// or an error, with what that means in a revision. One that asks for input is the error of no
// tool.
func (c *call) onAnswer(f *mcp.Frame, kept keptAnswer, rev mcp.Revision) {
	switch f.Kind {
	case mcp.FrameResult:
		c.result, c.toolErr = kept.result, f.Shape.IsError && f.Inputs == nil
	case mcp.FrameError:
		c.err, c.errText = kept.err, mcp.ErrorText(&f.Error, c.answeredMethod(), rev)
	default:
		return
	}
	c.touch()
}

// answeredMethod is the method by whose meaning an error is read that answers a call. The outcome of
// a completed task is no error: what comes in its place answers tasks/result.
func (c *call) answeredMethod() string {
	if c.task() != nil && c.task().Protocol == task.Core && c.task().Status() == task.Completed {
		return task.Result.Method()
	}
	return c.Method
}

// onHeld has it show the error that the round of its call was to mend.
func (c *call) onHeld() {
	c.err, c.errText = c.wait.round.mismatchError, ""
	c.touch()
}

// lateOf returns what a row shows of an answer that came after the cancel, and the answer as
// evidence of what the server did.
func lateOf(now time.Time, f *mcp.Frame, kept keptAnswer, rev mcp.Revision) (late *LateAnswer, a cancel.Answer) {
	late = &LateAnswer{At: now}
	switch f.Kind {
	case mcp.FrameResult:
		late.Result, late.ToolError = kept.result, f.Shape.IsError
		a.Failed = f.Shape.IsError
		if said := cmp.Or(f.Shape.ErrorTexts, f.BriefTexts()); said != nil {
			a.Texts, a.Whole = said.Texts, said.Whole
		}
		if f.Inputs != nil && rev.IsModern() {
			a.Asks, late.Asks = f.Inputs.Words(), true
		}
	case mcp.FrameError:
		late.Err = kept.err
		a.Err = late.Err
		a.Texts, a.Whole = f.Error.Beside()
	default:
		a = oddAnswer(f)
		late.Malformed = a.Odd
	}
	return late, a
}

// showLate has it show the first answer that came after the cancel, and no later one. The outcome of a
// task whose handle is that answer goes beside it.
func (c *call) showLate(late *LateAnswer) {
	switch {
	case c.late == nil:
		c.late = late
	case c.late.awaitsOutcome():
		with := *c.late
		with.Outcome, c.late = late, &with
	default:
		return
	}
	c.touch()
}

// onStructured has it await a check of its structured content by the schema of the tool, and
// reports whether there is something to check. The entry is that of the message that brought it.
func (c *call) onStructured(f *mcp.Frame, schema []byte, entry Seq) bool {
	if schema == nil || f.Shape.IsError || f.Shape.Members[mcp.MemStructured] == 0 {
		return false
	}
	c.judged = &structured{conformity: Unjudged, schema: schema, entry: entry}
	c.touch()
	return true
}

// onJudged has it show what a check of that came to.
func (c *call) onJudged(to Conformity, report SchemaReport) {
	c.judged.conformity, c.judged.report, c.judged.schema = to, report, nil
	c.touch()
}

// onCompared has it show head and body of a request beside each other, where they differ.
func (c *call) onCompared(list []Compared) {
	if len(list) > 0 {
		c.compared = list
		c.touch()
	}
}

// onCache has it show how long its result stays fresh, in the words of the server, if results
// of its kind may be kept.
func (c *call) onCache(hint mcp.CacheHint) {
	if cacheable[c.Method] && hint.HasTTL() {
		c.cache = &hint
		c.touch()
	}
}

// onMissingCapabilities has it know the capabilities that the server needs, if it named any.
func (c *call) onMissingCapabilities(missing []Capability) {
	if len(missing) > 0 {
		c.missingCapabilities = missing
		c.touch()
	}
}

// lateAnswer is what came after the cancel, for a view; nil: nothing did. How long after the last
// byte of the cancel it began changes: that byte may be reported after it.
func (c *call) lateAnswer() *LateAnswer {
	if c.late == nil {
		return nil
	}
	late := *c.late
	if !late.began.IsZero() {
		late.After = c.stop.Lag(late.began)
		return &late
	}
	if !c.stop.HasAnswer() {
		return c.late
	}
	l := c.stop.Lateness()
	late.After, late.Crossed, late.Unaccepted, late.SaysCancelled = l.After, l.Crossed, l.Unaccepted, l.SaysCancelled
	return &late
}

// forgetResult drops the bytes of an answer; a short message of an error stays.
// What views share is not changed, but replaced. Of an answer whose payload was hollow when
// it came, only so many bytes are counted.
func (c *call) forgetResult(hollow int) {
	if hollow > 0 { // the row changes by the answer itself, as it did when the answer was whole
		c.dropped, c.hollow = c.dropped+hollow, true
		return
	}
	c.touch()
	n := len(c.result)
	c.result = nil
	c.late = c.late.forget(&n)
	c.err = c.err.Forget(&n)
	switch {
	case c.stop == nil:
	case c.late != nil:
		c.stop.Forget(new(int)) // the error is the late answer's, and counted with that
	default: // of a subscription, whose answer is not shown as a late one
		c.stop.Forget(&n)
	}
	c.dropped += n
}

// oddAnswer is an answer that is neither a result nor an error, or one over the
// limit, of which nothing else is known.
func oddAnswer(f *mcp.Frame) cancel.Answer {
	if f.Kind != mcp.FrameOversize {
		both := func(p mcp.Problem) bool { return p.Code == mcp.DiagBothResultError }
		return cancel.Answer{Odd: true, Both: slices.ContainsFunc(f.Problems, both)}
	}
	return cancel.Answer{Large: f.Size, Failed: f.IsError}
}
