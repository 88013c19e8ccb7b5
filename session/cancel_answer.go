package session

import (
	"slices"
	"time"

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

// oddAnswer is an answer that is neither a result nor an error, or one over the
// limit, of which nothing else is known.
func oddAnswer(f *mcp.Frame) cancel.Answer {
	if f.Kind != mcp.FrameOversize {
		both := func(p mcp.Problem) bool { return p.Code == mcp.DiagBothResultError }
		return cancel.Answer{Odd: true, Both: slices.ContainsFunc(f.Problems, both)}
	}
	return cancel.Answer{Large: f.Size, Failed: f.IsError}
}

// noteAnswer has the attempt take an answer that comes with the message at hand.
func (w *exchanges) noteAnswer(c *call, a cancel.Answer) {
	a.At, a.Began, a.Bound, a.Tool = w.now, w.began, w.conn.trips.Bound(), c.target
	e := w.via
	a.ToCancel = e != nil && e.role == roleCancel && e.p == c.stop.out
	c.stop.Answered(a)
}

// takeAfterCancel takes a message for a call after its cancel, its answer aside: one
// whose first byte came later than the cancel's last byte. It reports false for any
// other, which is a message like those before. The row is never revived (PRG-20).
func (a *afterCancel) takeAfterCancel(c *call, text string) bool {
	if c.stop == nil || !c.stop.IsAfter(a.began) {
		return false
	}
	c.stop.Heard(a.now, a.began, a.conn.trips.Bound(), text)
	a.hist.mark(FlagAfter)
	a.diagnoseAfterCancel(c, "a message")
	a.rows.touch(c)
	return true
}

// noteStray has the attempt of a cancelled call take a stray, which is the entry of the
// history, and shows it in the timeline.
func (r *rows) noteStray(c *call, now, began time.Time, stray cancel.Stray, entry Seq) {
	if !c.stop.Strayed(now, began, stray) {
		return
	}
	text := stray.What + " came"
	if stray.Detail != "" {
		text += ": " + stray.Detail
	}
	momentAt(c, now, MomentView{Dir: In, Kind: MomNote, Text: text, Entry: entry})
	r.touch(c)
}
