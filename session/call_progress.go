package session

import (
	"belay/session/mcp"
)

// onProgress takes notifications/progress: accepted for a running call when it is a finite number
// that grows; counted after a cancel; diagnosed otherwise (PRG-04, PRG-05, PRG-10, PRG-20, PRG-21;
// basic/utilities/progress).
func (s *Session) onProgress(f *mcp.Frame) {
	n := &f.Progress
	r, ended := s.outgoing.requestOf(n.Token)
	switch {
	case !n.Valid:
		s.diagnose(mcp.DiagProgressMalformed, 0, "", "")
		s.http.takeStrayProgress(n)
		return
	case r == nil:
		name := s.outgoing.strangerOf(n.Token).name
		s.diagnose(mcp.DiagProgressToken, 0, name, name)
		s.http.takeStrayProgress(n)
		return
	case r.call == nil:
		return
	}
	c := r.call
	s.hist.setCall(c.id)
	if !s.http.mayProgressCome(r) {
		return
	}
	if r == c.req {
		r.progressPace.Record(s.now, r.written)
	}
	taskOver := c.task() != nil && c.task().Status().IsTerminal()
	stopped := c.stop != nil && r == c.req && (c.state == Cancelling || c.state == Cancelled)
	if stopped {
		text := progressText(n.Value, n.Total, n.HasTotal, n.Message)
		if s.after.takeAfterCancel(c, "progress "+progressWords(n)) {
			if taskOver {
				s.diagnose(mcp.DiagProgressAfter, c.id, "", c.name())
			}
			s.moment(c, MomentView{Dir: In, Kind: MomAfter, Text: f.Method, Value: text, Entry: s.hist.cur})
			return
		}
	}
	if stopped && c.state == Cancelled && r.answer.kind == 0 && !c.stop.HasNoRequest() { // its cancel is not written yet, and the row has ended
		s.progressMoment(c, noted(n))
		return
	}
	if c.state == Lost && c.goesOnAsTask() { // nobody waits for its task, which works on
		s.progressMoment(c, noted(n))
		return
	}
	if c.state.IsTerminal() || !stopped && ended && !c.goesOnAsTask() || taskOver {
		s.diagnose(mcp.DiagProgressAfter, c.id, "", c.name())
		return
	}
	s.accept(c, n)
}

// accept takes progress of a call that runs, as far as it is right. Its timeline tells of all.
func (s *Session) accept(c *call, n *mcp.ProgressNote) {
	code, detail, counts := c.takeProgress(n)
	if code != mcp.DiagNone {
		s.diagnose(code, c.id, "", detail)
	}
	if !counts {
		s.progressMoment(c, noted(n))
		return
	}
	if n.Message != nil && !s.conn.rev.HasProgressMessages() {
		s.diagnose(mcp.DiagProgressMessage, c.id, "", "")
	}
	c.resetIdle(&s.timers, s.now)
	s.progressMoment(c, c.progress)
	s.stopByRule(c, c.Rules.byProgress(c.progress))
}
