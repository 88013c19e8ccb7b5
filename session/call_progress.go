package session

import (
	"math"

	"belay/session/cancel"
	"belay/session/mcp"
)

// onProgress takes notifications/progress: accepted for a running call when it
// is a finite number that grows; counted after a cancel; diagnosed otherwise
// (PRG-04, PRG-05, PRG-10, PRG-20, PRG-21).
func (s *Session) onProgress(f *mcp.Frame) {
	n := &f.Progress
	r, ended := s.outgoing.requestOf(n.Token)
	switch {
	case !n.Valid:
		s.diagnose(mcp.DiagProgressMalformed, 0, "", "")
		s.http.takeStrayProgress(n)
		return
	case r == nil:
		token := n.Token.String()
		s.diagnose(mcp.DiagProgressToken, 0, token, token)
		s.http.takeStrayProgress(n)
		return
	case r.call == nil:
		return
	}
	c := r.call
	s.hist.belongs(c.id)
	if !s.http.progressMayCome(r) {
		return
	}
	if r == c.req {
		r.pace.Record(s.now, r.written)
	}
	stopped := c.stop != nil && r == c.req && (c.state == Cancelling || c.state == Cancelled)
	if stopped {
		text := progressText(n.Value, n.Total, n.HasTotal, n.Message)
		if s.after.takeAfterCancel(c, "progress "+progressWords(n)) {
			s.moment(c, MomentView{Dir: In, Kind: MomAfter, Text: f.Method, Value: text, Entry: s.hist.cur})
			return
		}
	}
	if stopped && c.state == Cancelled && r.answered == 0 && !c.stop.IsNothing() { // its cancel is not written yet, and the row has ended
		c.line.progress(s.now, &progress{value: n.Value, total: n.Total, hasTotal: n.HasTotal, message: shortString(n.Message)}, s.hist.cur)
		s.rows.touch(c)
		return
	}
	if c.state.Terminal() || !stopped && ended && !c.goesOnAsTask() || c.task != nil && c.task.Status().Terminal() {
		s.diagnose(mcp.DiagProgressAfter, c.id, "", c.name())
		return
	}
	s.accept(c, n)
}

func (s *Session) accept(c *call, n *mcp.ProgressNote) {
	p := &c.progress
	s.rows.touch(c)
	switch {
	case math.IsNaN(n.Value) || math.IsInf(n.Value, 0) || n.Value < 0:
		p.refused++
		s.diagnose(mcp.DiagProgressValue, c.id, "", "progress "+number(n.Value))
		return
	case p.count > 0 && n.Value <= p.value:
		p.refused++
		s.diagnose(mcp.DiagProgressOrder, c.id, "", number(p.value)+" → "+number(n.Value))
		return
	}
	p.count++
	p.value = n.Value
	p.hasTotal = n.HasTotal && n.Total > 0 && !math.IsInf(n.Total, 0) && !math.IsNaN(n.Total)
	p.total = 0
	if p.hasTotal {
		p.total = n.Total
		if n.Value > n.Total {
			s.diagnose(mcp.DiagProgressValue, c.id, "", number(n.Value)+" of "+number(n.Total))
		}
	}
	p.message = append(p.message[:0], shortString(n.Message)...)
	if n.Message != nil && !s.conn.rev.ProgressMessages() {
		s.diagnose(mcp.DiagProgressMessage, c.id, "", "")
	}
	c.resetIdle(&s.timers, s.now)
	c.line.progress(s.now, p, s.hist.cur)
	if c.Rules.AtFraction > 0 && c.state == Running {
		if share, ok := p.view().Fraction(); ok && share >= c.Rules.AtFraction {
			s.stopCall(c, cancel.ByRule, c.Rules.Reason)
		}
	}
}
