package session

import (
	"belay/session/cancel"
	"belay/session/mcp"
)

// What comes for a call after its cancel, as evidence: it never revives the row.

// onLateAnswer takes an answer that came for a call whose cancel was handed out. Handle is the status of
// the task that had ended, where the answer is its handle; else empty.
func (s *Session) onLateAnswer(c *call, f *mcp.Frame, handle string) {
	if c.stop.HasAnswer() {
		return
	}
	a := s.results.takeLate(c, f)
	switch {
	case f.Kind != mcp.FrameResult:
	case handle != "":
		a.Handle, c.late.Handle = handle, true
	default:
		a.Invalid = s.conn.invalid(c, f)
		c.late.Malformed = a.Invalid != ""
	}
	s.http.noteAnswer(c, a)
	s.after.diagnoseAfterCancel(c, "an answer")
	s.hist.mark(FlagLate)
	s.tellStage(c, CancelAnswered, MomentView{Dir: In, Kind: MomLate, Entry: s.hist.cur}, 0)
}

// noteAnswer has the attempt take an answer that comes with the message at hand.
func (xs *exchanges) noteAnswer(c *call, a cancel.Answer) {
	a.At, a.Began, a.Bound, a.Tool = xs.now, xs.began, xs.conn.trips.Bound(), c.target
	if at := c.stop.WrittenAt(); !at.IsZero() {
		a.Stopped = xs.hist.pauses.between(at.Sub(xs.hist.origin), xs.began.Sub(xs.hist.origin))
	}
	e := xs.via
	a.ToCancel = e != nil && e.role == roleCancel && e.p == c.stop.out
	c.touchStop().Answered(a)
}
