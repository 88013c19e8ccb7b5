package session

import (
	"math"
	"slices"
	"time"

	"belay/session/mcp"
)

// cancelWritten begins the grace: the time in which an answer is still of
// interest starts with the cancel's last byte.
func (s *Session) cancelWritten(c *call, entry Seq) {
	st := c.stop
	st.written, st.due = s.now, s.now.Add(s.cfg.Grace)
	if s.awaitsTaking(st) {
		st.due = s.now.Add(max(s.cfg.Grace, undeliveredAfter-s.now.Sub(st.wanted)))
	}
	kind := MomCancelSent
	if st.signal == abort {
		kind = MomClosing
	}
	if st.signal == unsubscribe {
		kind = MomUnsubscribe
	}
	s.moment(c, Moment{Dir: Out, Kind: kind, Text: st.reason, Entry: entry})
	s.logCancel(c, CancelSent)
	if c.state == Cancelling {
		s.arm(c)
	} else {
		// Too late to be told as delivered, but what comes now is evidence.
		s.unsure.add(c)
	}
	s.rows.touch(c)
}

// stopFires is what happens when a call that is being cancelled is due.
func (s *Session) stopFires(c *call) {
	st := c.stop
	switch {
	case !st.graceOver.IsZero() && st.probe.x.refused(): // its body does not end
		s.probeAnswered(st.probe, statusWords(st.probe.x.head, End{}))
	case !st.graceOver.IsZero():
		st.probeLate = s.now
		s.moment(c, Moment{Dir: Local, Kind: MomProbeLate})
		s.end(c)
	case st.written.IsZero(), st.refused != "", s.awaitsTaking(st):
		s.undelivered(c)
	default:
		s.graceEnds(c)
	}
}

// graceEnds asks the server whether it still answers at all, unless that is
// switched off.
func (s *Session) graceEnds(c *call) {
	st := c.stop
	st.graceOver = s.now
	s.listened(c)
	s.moment(c, Moment{Dir: Local, Kind: MomGrace})
	if s.cfg.NoProbe || s.conn.phase != Ready {
		s.end(c)
		return
	}
	st.probe = s.probeFor(st)
	st.due = st.probe.since.Add(probeLimit)
	s.moment(c, Moment{Dir: Out, Kind: MomProbe, Text: st.probe.method})
	s.arm(c)
}

// listened judges how the grace ended: whether what came after the cancel means
// that the work goes on, and whether a silence means anything.
func (s *Session) listened(c *call) {
	st, until := c.stop, s.now
	if s.resuming(c.req) {
		st.awayAt = c.req.downAt
		if at := c.req.resumeAt; !at.IsZero() {
			st.awayFor = at.Sub(st.awayAt)
		}
	}
	if !st.awayAt.IsZero() {
		until = st.awayAt
	}
	awaited := c.req.beat.awaited()
	if !st.sure.IsZero() && until.Sub(st.sure) <= max(lastStretch, awaited) {
		st.working = true
	}
	// Bytes are told every half second as long as they come: they have a beat of their own.
	if !st.grew.IsZero() && until.Sub(st.grew) <= lastStretch {
		st.working = true
	}
	if b := c.req.beat; b != nil && !st.working && st.awayAt.IsZero() && s.now.Sub(b.last) <= awaited {
		st.pause, st.silence = b.longest(), s.now.Sub(b.last)
	}
}

func probeMethod(r mcp.Revision) string {
	if r.Modern() {
		return "server/discover"
	}
	return "ping"
}

// probeFor is the probe that a cancelled row waits for. The one that is out
// serves every row whose grace ends meanwhile, unless it is late already, or
// left before the row's cancel: then its answer would not tell that the server
// has read the cancel.
func (s *Session) probeFor(st *stop) *request {
	if p := s.probe; p != nil && (p.order == 0 || p.order > st.order) && s.now.Before(p.since.Add(probeLimit)) {
		return p
	}
	s.probe = s.ping()
	return s.probe
}

// probeAnswered settles every row that waited for the probe, also those that
// gave it up as late. That the answer may be an error does not matter: the
// server read what was written before it. One without a message is told by its
// status.
func (s *Session) probeAnswered(r *request, status string) {
	if s.probe == r {
		s.probe = nil
	}
	// A row waits for one probe; two are out when the first is late.
	for c := s.rows.oldest; c != nil; {
		next := c.next
		if c.state == Cancelling && c.stop.probe == r {
			c.stop.readAt, c.stop.readBy = s.now, status
			text := r.method
			if status != "" {
				text += ": " + status
			}
			s.moment(c, Moment{Dir: In, Kind: MomProbeAnswer, Text: text})
			s.end(c)
		}
		c = next
	}
}

// end closes a cancelled call. The verdict may still grow.
func (s *Session) end(c *call) {
	st := c.stop
	if st.probeLate.IsZero() && st.readAt.IsZero() && st.order != 0 && st.order < s.conn.answered && !s.unaccepted(st) {
		st.readAt = s.now
	}
	if st.signal == abort {
		s.withdraw(st.out) // it is closed below
	}
	if st.refused != "" {
		c.annotate(c.note, Remedy{}) // it is too late for that
	}
	s.move(c, Cancelled)
	s.logCancel(c, CancelEnded)
	if !st.answered() && st.readAt.IsZero() && !st.written.IsZero() {
		s.unsure.add(c)
	}
	s.retireRequest(c)
	s.leaves(c)
}

// retireRequest keeps the ID of a call that ended for late answers only.
func (s *Session) retireRequest(c *call) {
	if c.req != nil {
		s.ours.retire(c.req, s.now)
		s.letGo(c.req)
	}
}

// unsure are the calls that ended without knowing whether the server read
// their cancel. First is the lowest order of those cancels: the answers to
// everything that was written before, which may be many, settle nothing.
type unsure struct {
	calls []*call
	first uint64
}

func (u *unsure) add(c *call) {
	if len(u.calls) == 0 || c.stop.order < u.first {
		u.first = c.stop.order
	}
	u.calls = append(u.calls, c)
}

// serverRead notes that the server answered the request with this order: on
// stdio it has therefore read everything that was written before, which settles
// rows that ended without knowing it.
func (s *Session) serverRead(order uint64) {
	s.conn.answered = max(s.conn.answered, order)
	if len(s.unsure.calls) == 0 || order <= s.unsure.first {
		return
	}
	s.unsure.first = math.MaxUint64
	s.unsure.calls = slices.DeleteFunc(s.unsure.calls, func(c *call) bool {
		if c.stop.order >= order || s.unaccepted(c.stop) {
			s.unsure.first = min(s.unsure.first, c.stop.order)
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
	if s.cfg.Transport == mcp.Stdio {
		return min(s.conn.shortest, boundCap)
	}
	return s.conn.shortest
}
