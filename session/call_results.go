package session

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

// results bounds the bytes of the answers that rows keep for the detail pane:
// half of what the history may hold. The oldest go first; their rows then say
// how much is gone.
//
//shape:machine 3
type results struct {
	*log
	limit int // in bytes
	kept  []keptResult
	bytes int

	unjudged []*call // whose structured content is still to be checked
}

// keptResult is an answer of n bytes that is kept. A call has one at most: a result
// or an error, in time or late. Beside the handle of a task that had ended stands its outcome.
//
//shape:part of results
type keptResult struct {
	c *call
	n int
}

// noHandleWords say of an answer that is no handle of a task why, and what that leaves the user with.
func noHandleWords(c *call, f *mcp.Frame, why string) string {
	switch {
	case f.Task != nil && f.Task.Task.Long:
		return "the task cannot be followed or cancelled: " + why
	case !c.Watch:
		why += ": a task that runs has no name to cancel it by"
	case f.Task != nil && f.Task.Is && f.Task.Task.Wrong == "" && !f.Task.Nested:
		why += ": the answer tells of another task"
	}
	return "invalid response: " + why
}

// take keeps the final answer to a call, and returns how the call ends by it. The note is what
// to say of an error, where the credentials are why.
func (r *results) take(c *call, f *mcp.Frame, credentialsNote rowNote) outcome {
	c.onAnswer(f, r.keep(c, f), r.conn.rev)
	switch f.Kind {
	case mcp.FrameResult:
		switch {
		case f.Shape.Kind != '{':
			return outcome{to: Failed, says: saying("malformed result: not an object")}
		case r.conn.wrongHandle(c, f) != "":
			return outcome{to: Failed, says: saying(noHandleWords(c, f, r.conn.wrongHandle(c, f)))}
		case r.conn.oddResult(f) != "":
			return outcome{to: Failed, says: saying(r.conn.oddResult(f))}
		}
		o := outcome{to: Done}
		if c.toolErr {
			o.to = Failed
		}
		if r.conn.isAugmented(c) && c.task() == nil { // which is allowed (TSK-15, TSK-18; basic/utilities/tasks)
			o.says = saying("the server did not create a task")
		}
		return o
	case mcp.FrameError:
		c.say(credentialsNote)
		return outcome{to: Failed}
	default:
		return outcome{to: Failed, says: problemWords(f)}
	}
}

// failUnanswerable keeps an answer that asks for what cannot be given, and says how the call
// ends by that.
func (r *results) failUnanswerable(c *call, f *mcp.Frame, code mcp.DiagCode, why string) outcome {
	if code != mcp.DiagNone {
		r.diagnose(code, c.id, why, why)
	}
	c.onAnswer(f, r.keep(c, f), r.conn.rev)
	return outcome{to: Failed, says: saying("refused: " + why + " · no answer to it was sent"), told: true}
}

// takeHeld has a call fail by the error that its round was to mend.
func (r *results) takeHeld(c *call, says rowNote) outcome {
	c.onHeld()
	return outcome{to: Failed, says: says, told: true}
}

// takeLate keeps an answer that came after the cancel, and returns the evidence that
// it is.
func (r *results) takeLate(c *call, f *mcp.Frame) cancel.Answer {
	late, a := lateOf(r.now, f, r.keep(c, f), r.conn.rev)
	c.showLate(late)
	return a
}

// invalid returns the reason why belay refuses a result, early or late; empty: the result is
// valid.
func (n *connection) invalid(c *call, f *mcp.Frame) string {
	switch {
	case f.Shape.Kind != '{':
		return "it is not an object"
	case n.wrongHandle(c, f) != "":
		return n.wrongHandle(c, f)
	case n.oddResult(f) != "":
		return strings.TrimPrefix(n.oddResult(f), "invalid response: ")
	case f.Inputs != nil && !n.rev.IsModern():
		return n.tooEarlyForInput()
	}
	return ""
}

// takeLateOutcome keeps the outcome of a task that came after the cancel, and when it began to.
func (r *results) takeLateOutcome(c *call, f *mcp.Frame, began time.Time) {
	if r.takeLate(c, f); c.late.Outcome == nil { // else it goes beside the handle, which is the late answer
		c.late.began = began
	}
}

// takeLateStatus keeps an HTTP status that was the answer after the cancel.
func (r *results) takeLateStatus(c *call, status int, words string) cancel.Answer {
	c.showLate(&LateAnswer{At: r.now, Status: status})
	return cancel.Answer{Status: words}
}

// takeIgnored keeps an answer that came before the cancel was written, and elsewhere than
// where it could be taken.
func (r *results) takeIgnored(c *call, was *ignored) cancel.Answer {
	a := was.answer
	a.At, a.Began, a.Bound = was.at, was.began, r.conn.trips.Bound()
	a.Before = !was.began.After(c.stop.WrittenAt())
	c.showLate(&LateAnswer{At: was.at, Err: a.Err, ToolError: a.Failed && a.Large == 0, Malformed: a.Odd})
	return a
}

// noteCompared keeps the head of a request beside its body, where the answer says that
// they differ.
func (r *results) noteCompared(c *call, list []Compared) {
	c.onCompared(list)
}

// noteCache keeps how long a result stays fresh, in the words of its server.
func (r *results) noteCache(c *call, f *mcp.Frame) {
	if f.Kind == mcp.FrameResult && f.Shape.Kind == '{' && r.conn.oddResult(f) == "" {
		c.onCache(f.Cache)
	}
}

// onMissingCapabilities takes error -32021 of a call that lacked capabilities. The call has
// failed; what it lacked is kept for the new call that the user may make.
func (r *results) onMissingCapabilities(c *call, f *mcp.Frame) {
	if f.Error.Code != mcp.CodeMissingCapability || c.Origin != FromUser || !r.conn.rev.IsModern() {
		return
	}
	lacking, says := c.declaration().missingFor(&f.Error)
	c.onMissingCapabilities(lacking)
	r.advise(c, says.text, says.remedy())
}

// keep takes the result or the error of a frame into the keeping of a row.
func (r *results) keep(c *call, f *mcp.Frame) (kept keptAnswer) {
	switch f.Kind {
	case mcp.FrameResult:
		kept.result = r.keepResult(c, f)
	case mcp.FrameError:
		kept.err = r.keepError(c, f)
	default:
	}
	return kept
}

// keepResult takes the result of a frame into the keeping of a row. A hollow result
// counts as large as it was, so that the same results are let go as when it came.
func (r *results) keepResult(c *call, f *mcp.Frame) []byte {
	if f.Hollow != nil {
		c.forgetResult(f.Hollow.Result)
		r.count(c, f.Hollow.Result)
		return nil
	}
	raw := copyPart(f, f.Result)
	r.count(c, len(raw))
	return raw
}

// keepError does so with an error: as it is shown, without what was read of its data.
func (r *results) keepError(c *call, f *mcp.Frame) *mcp.RPCError {
	e := &f.Error
	r.count(c, len(e.Message)+len(e.Data))
	return &mcp.RPCError{
		Code: e.Code, CodeRaw: bytes.Clone(e.CodeRaw[:min(len(e.CodeRaw), sentence.Limit)]),
		Message: e.Message, Bare: e.Bare, Data: copyPart(f, e.Data),
	}
}

// count counts an answer that is kept, and makes room for it.
func (r *results) count(c *call, n int) {
	r.kept = append(r.kept, keptResult{c, n})
	r.bytes += n
	for len(r.kept) > 1 && (!r.kept[0].c.isShown() || r.bytes > r.limit) {
		r.bytes -= r.kept[0].n
		r.kept[0].c.forgetResult(0)
		r.unjudge(r.kept[0].c, "the result is no longer kept")
		r.kept[0] = keptResult{}
		r.kept = r.kept[1:]
	}
}

// awaitCheck has the structured content of a result, which the message at hand brought, wait
// to be checked. Of too many that wait the oldest cannot be checked any more.
func (r *results) awaitCheck(c *call, f *mcp.Frame, schema []byte) {
	if !c.onStructured(f, schema, r.hist.cur) {
		return
	}
	r.unjudged = append(r.unjudged, c)
	if len(r.unjudged) > maxTasks {
		r.unjudge(r.unjudged[0], "too many results wait to be checked")
	}
}

// unjudge gives up a check that nobody has made.
func (r *results) unjudge(c *call, why string) {
	if c.judged != nil && c.judged.conformity == Unjudged {
		r.onJudged(c, Uncheckable, SchemaReport{NotChecked: why})
	}
}

// onJudged takes what a check came to, which is not to be made any more.
func (r *results) onJudged(c *call, to Conformity, report SchemaReport) {
	if at := slices.Index(r.unjudged, c); at >= 0 {
		r.unjudged = slices.Delete(r.unjudged, at, at+1)
	}
	c.onJudged(to, report)
}
