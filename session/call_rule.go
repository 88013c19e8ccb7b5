package session

import (
	"bytes"
	"strconv"
	"time"

	"belay/session/mcp"
)

// Rules cancel a call by themselves. The first rule that comes true counts, once; its cancel
// is chosen by the same table as the user's own. A call that has been answered is never
// cancelled: a rule that has not come true by then is over.
type Rules struct {
	After      time.Duration `json:"after,omitempty"`      // this long after it was sent; 0: never
	AtFraction float64       `json:"atFraction,omitempty"` // at this share of its progress, 0 < x ≤ 1; 0: never
	AtProgress float64       `json:"atProgress,omitempty"` // at this progress or more, whatever its total is; 0: never

	// OnMessage is on the first message that is known to belong to the call, and is not an
	// answer to it: progress of its token, a log message on its stream, a question on its
	// stream or, on stdio, while no other call of the user's is in flight. The cancel leaves
	// when that message has been handled.
	OnMessage bool `json:"onMessage,omitempty"`

	// AtAnswer is at the moment of the answer, so that the cancel and the answer cross: when
	// the server is expected to answer, or else when the first bytes of the answer have come.
	// The server is expected to take as long as for the user's latest call with the same
	// method and the same parameters that it answered with a result at once, without a round
	// or a task. The cancel leaves by the shortest round trip of the connection earlier than
	// that answer had come, so that it reaches the server as the server answers. Where there
	// was no such call, or the server takes longer this time, the cancel leaves as soon as
	// belay is told that a part of a message has come and not its end: over HTTP on the
	// exchange of the call, on stdio while no other call of the user's is in flight. Short
	// answers come whole. Then nothing is sent, the call is done, and its note says so: the
	// next call like it is timed by this one.
	AtAnswer bool `json:"atAnswer,omitempty"`

	Reason string `json:"reason,omitempty"` // empty: the session's default
}

// ruleKind is a rule, or a way in which AtAnswer comes true.
type ruleKind uint8

const (
	ruleNone ruleKind = iota
	ruleAfter
	ruleFraction
	ruleProgress
	ruleMessage
	ruleAnswer // when the answer is expected
	rulePart   // with its first bytes
)

// byProgress is the rule that comes true at a progress.
func (r *Rules) byProgress(p progress) ruleKind {
	if r.AtFraction == 0 && r.AtProgress == 0 {
		return ruleNone
	}
	share, ok := ProgressView{Count: p.count, Value: p.value, Total: p.total, HasTotal: p.hasTotal}.Fraction()
	if ok && r.AtFraction > 0 && share >= r.AtFraction {
		return ruleFraction
	}
	if r.AtProgress > 0 && p.count > 0 && p.value >= r.AtProgress {
		return ruleProgress
	}
	return ruleNone
}

// byPart is the rule that comes true with a part of a message that may be the answer.
func (r *Rules) byPart(part messagePart) ruleKind {
	if r.AtAnswer && part.size > 0 {
		return rulePart
	}
	return ruleNone
}

// words tell of a rule that has come true.
func (r *Rules) words(k ruleKind, took time.Duration) string {
	switch k {
	case ruleAfter:
		return "cancelled after " + r.After.String() + ", as set"
	case ruleFraction:
		return "cancelled at " + strconv.FormatFloat(r.AtFraction*100, 'g', 4, 64) + "%, as set"
	case ruleProgress:
		return "cancelled at progress " + number(r.AtProgress) + ", as set"
	case ruleMessage:
		return "cancelled on its first message, as set"
	case ruleAnswer:
		return "cancelled at the moment of its answer, as set: after " + took.Round(time.Millisecond).String() + ", by the call before"
	case rulePart:
		return "cancelled at the moment of its answer, as set: its first bytes have come"
	case ruleNone:
	}
	return ""
}

// byMessage is the call that the message at hand belongs to, if a rule cancels it on its
// first one; nil: there is none. An answer is no such message.
func (a *afterCancel) byMessage(f *mcp.Frame, via *exchange) (c *call) {
	switch f.Kind {
	case mcp.FrameNotification, mcp.FrameBatch:
		if e := a.hist.get(a.hist.cur); e != nil && e.call != 0 {
			c = a.rows.get(e.call)
		}
	case mcp.FrameRequest:
		if c = via.owner(); c == nil && mcp.AsksUser(f.Method) {
			c = a.soleAsker()
		}
	default:
	}
	if c == nil || !c.Rules.OnMessage || c.state != Running {
		return nil
	}
	return c
}

// likeLimit is how many rows are looked at for a call like another one.
const likeLimit = 500

// answerDue is how long after a call was handed out its answer is expected, less the time
// on the way; 0: no rule wants to know, or no call like it was answered.
func (r *rows) answerDue(c *call, trip time.Duration) time.Duration {
	if !c.Rules.AtAnswer {
		return 0
	}
	for id, old := range r.table.Before(c.id) {
		if id < c.id-likeLimit {
			break
		}
		if old.state != Done || old.Origin != FromUser || old.Method != c.Method || !bytes.Equal(old.Params, c.Params) {
			continue
		}
		if old.rounds.count == 0 && old.goesOn == nil && old.sub == nil {
			return max(1, old.ended.Sub(old.req.handed)-trip)
		}
	}
	return 0
}

// ruleDue is how long after a call was handed out a rule of time stops it; 0: none does.
func (r *rows) ruleDue(c *call, trip time.Duration) time.Duration {
	answer := r.answerDue(c, trip)
	if c.Rules.After > 0 && (answer == 0 || c.Rules.After <= answer) {
		return c.Rules.After
	}
	return answer
}

// byClock is the rule whose time has come.
func (r *rows) byClock(c *call, trip time.Duration) ruleKind {
	if r.ruleDue(c, trip) == c.Rules.After {
		return ruleAfter
	}
	return ruleAnswer
}

// NextIsTimed ends the note of a call whose answer was there before the rule of the call came true. It tells of a
// later call, which there is in a session only.
const NextIsTimed = "; the next call like it is timed by it"

// missedAnswer tells of a call whose answer was there before its rule came true; empty:
// there is nothing to tell.
func (c *call) missedAnswer() rowNote {
	if !c.Rules.AtAnswer || c.state != Done || c.stop != nil || c.remark != (rowNote{}) {
		return rowNote{}
	}
	return saying("its answer was there before the cancel was due: nothing was sent" + NextIsTimed)
}
