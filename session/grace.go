package session

import (
	"slices"
	"time"
)

// cancelWritten begins the grace: the time in which an answer is still of
// interest starts with the cancel's last byte.
func (s *Session) cancelWritten(c *call) {
	st := c.stop
	st.written = s.now
	s.moment(c, Moment{Dir: Out, Kind: MomCancelSent, Text: st.reason})
	s.logCancel(c, CancelSent)
	if c.state == Cancelling {
		s.arm(c)
	} else {
		// Too late to be told as delivered, but what comes now is evidence.
		s.unsure = append(s.unsure, c)
	}
	s.rows.touch(c)
}

// stopDue is when the next thing happens to a call that is being cancelled.
func (s *Session) stopDue(c *call) time.Time {
	st := c.stop
	switch {
	case !st.graceOver.IsZero():
		return st.graceOver.Add(probeLimit)
	case !st.written.IsZero():
		return st.written.Add(s.cfg.Grace)
	}
	return st.wanted.Add(undeliveredAfter)
}

// stopFires is what happens then.
func (s *Session) stopFires(c *call) {
	st := c.stop
	switch {
	case !st.graceOver.IsZero():
		st.probeLate = s.now
		s.moment(c, Moment{Dir: Local, Kind: MomProbeLate})
		s.end(c)
	case st.written.IsZero():
		st.notDelivered = s.now
		s.end(c)
	default:
		s.graceEnds(c)
	}
}

// graceEnds asks the server whether it still answers at all, unless that is
// switched off. One probe serves every row whose grace ends while it is out.
func (s *Session) graceEnds(c *call) {
	st := c.stop
	st.graceOver = s.now
	st.working = !st.last.IsZero() && s.now.Sub(st.last) <= lastStretch
	s.moment(c, Moment{Dir: Local, Kind: MomGrace})
	if s.cfg.NoProbe || s.conn.phase != Ready {
		s.end(c)
		return
	}
	s.sendProbe()
	st.probe = s.probe
	s.moment(c, Moment{Dir: Out, Kind: MomProbe, Text: s.probe.method})
	s.arm(c)
}

func probeMethod(r Revision) string {
	if r.Modern() {
		return "server/discover"
	}
	return "ping"
}

func (s *Session) sendProbe() {
	if s.probe != nil {
		return
	}
	r := &request{id: s.ours.issue(), method: probeMethod(s.conn.rev), probe: true}
	p := &pending{class: classAnswer, req: r, method: r.method, kind: EntRequest}
	p.Data, _ = AppendRequest(nil, r.id, r.method, nil, ID{})
	r.out = s.enqueue(p)
	s.probe = r
}

// probeAnswered settles every row that waited for the probe, also those that
// gave it up as late. That the answer may be an error does not matter: the
// server read what was written before it.
func (s *Session) probeAnswered(r *request) {
	if s.probe == r {
		s.probe = nil
	}
	for c := s.rows.oldest; c != nil; {
		next := c.next
		if c.state == Cancelling && c.stop.probe == r {
			c.stop.readAt = s.now
			s.moment(c, Moment{Dir: In, Kind: MomProbeAnswer, Text: r.method})
			s.end(c)
		}
		c = next
	}
}

// end closes a cancelled call. The verdict may still grow.
func (s *Session) end(c *call) {
	st := c.stop
	if st.probeLate.IsZero() && st.readAt.IsZero() && st.order != 0 && st.order < s.conn.answered {
		st.readAt = s.now
	}
	s.move(c, Cancelled)
	s.logCancel(c, CancelEnded)
	if !st.answered() && st.readAt.IsZero() && !st.written.IsZero() {
		s.unsure = append(s.unsure, c)
	}
	s.retireRequest(c)
}

// retireRequest keeps the ID of a call that ended for late answers only.
func (s *Session) retireRequest(c *call) {
	if c.req != nil {
		s.ours.retire(c.req, s.now)
	}
}

// serverRead notes that the server answered the request with this order: on
// stdio it has therefore read everything that was written before, which settles
// rows that ended without knowing it.
func (s *Session) serverRead(order uint64) {
	s.conn.answered = max(s.conn.answered, order)
	s.unsure = slices.DeleteFunc(s.unsure, func(c *call) bool {
		if c.stop.order == 0 || c.stop.order >= order {
			return false
		}
		c.stop.readAt = s.now
		s.moment(c, Moment{Dir: In, Kind: MomProbeAnswer, Text: "something written later"})
		s.rows.touch(c)
		return true
	})
}

// bound is the time after a cancel in which an answer may have been on its way
// already: the shortest round trip of this epoch.
func (s *Session) bound() time.Duration {
	if s.conn.shortest == 0 {
		return boundUnknown
	}
	if s.cfg.Transport == Stdio {
		return min(s.conn.shortest, boundCap)
	}
	return s.conn.shortest
}
