package session

import (
	"belay/session/cancel"
	"belay/session/mcp"
)

// What comes for a call after its cancel, as evidence: it never revives the row.

// onLateAnswer takes an answer that came for a call whose cancel was handed out.
func (s *Session) onLateAnswer(c *call, f *mcp.Frame) {
	if c.stop.HasAnswer() {
		return
	}
	late := &LateAnswer{At: s.now}
	var answer cancel.Answer
	switch f.Kind {
	case mcp.FrameResult:
		late.Result, late.ToolError = s.results.keepResult(c, f), f.Shape.IsError
		answer.Failed, answer.Text, answer.Whole = f.Shape.IsError, f.Shape.ErrorText, f.Shape.ErrorWhole
	case mcp.FrameError:
		late.Err = s.results.keepError(c, f)
		answer.Err = late.Err
	default:
		answer = oddAnswer(f)
		late.Malformed = answer.Odd
	}
	s.http.noteAnswer(c, answer)
	late.After = c.stop.Lateness()
	c.late = late
	s.after.diagnoseAfterCancel(c, "an answer")
	s.moment(c, MomentView{Dir: In, Kind: MomLate, Entry: s.hist.cur})
	s.hist.mark(FlagLate)
	s.logCancel(c, CancelAnswered)
}

// noteAnswer has the attempt take an answer that comes with the message at hand.
func (w *exchanges) noteAnswer(c *call, a cancel.Answer) {
	a.At, a.Began, a.Bound, a.Tool = w.now, w.began, w.conn.trips.Bound(), c.target
	e := w.via
	a.ToCancel = e != nil && e.role == roleCancel && e.p == c.stop.out
	c.stop.Answered(a)
}
