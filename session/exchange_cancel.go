package session

import (
	"fmt"

	"belay/session/mcp"
)

// Cancelling over HTTP. In the handshake revisions the notification is a POST
// of its own, which must not overtake the one it cancels and is delivered only
// when the server accepts it; in the stateless one the exchange itself is
// closed (CXL-12 … CXL-16).

// cancelByPost queues the notification, or keeps it until the call's own body
// is written.
func (s *Session) cancelByPost(c *call, p *pending) {
	c.stop.out = p
	if s.cfg.Transport == mcp.HTTP && c.req.written.IsZero() {
		p.held = true
		return
	}
	s.enqueue(p)
}

// cancelByClosing closes the exchange of a call, which is all that stops it.
func (s *Session) cancelByClosing(c *call) {
	p := &pending{class: classCancel, cancels: c, method: "close"}
	p.Op, p.X, p.Call = OpAbort, c.req.x.x, c.id
	c.stop.out = s.enqueue(p)
}

// releaseCancel queues the cancel that waited for its call to be written.
func (s *Session) releaseCancel(c *call) {
	if c == nil || c.stop == nil || c.stop.out == nil || !c.stop.out.held || c.stop.out.gone {
		return
	}
	c.stop.out.held = false
	s.enqueue(c.stop.out)
}

// unbegun says whether nothing of a call's body was written yet, though it was
// handed out: then closing its exchange is enough, and nothing was sent.
func (s *Session) unbegun(c *call) bool {
	return s.cfg.Transport == mcp.HTTP && c.state == Running && c.req.x != nil && !c.req.x.started && c.req.x.role == roleRequest
}

// dropUnbegun ends such a call. One with a request before this one was not
// dropped: that was sent, and answered, but nothing runs.
func (s *Session) dropUnbegun(c *call) {
	s.abort(c.req.x)
	if c.rounds.count > 0 {
		c.stop.nothing = true
		c.note = "the request that was to follow was not sent"
		s.ours.retire(c.req, s.now)
		s.logCancel(c, CancelWanted)
		s.move(c, Cancelling)
		s.end(c)
		return
	}
	c.note = "dropped before its body was sent: nothing went out"
	s.logCancel(c, CancelDropped)
	s.ours.retire(c.req, s.now)
	s.move(c, Dropped)
}

// cancelOut says whether the POST of a call's cancel is on the way.
func (s *Session) cancelOut(c *call) bool {
	for _, e := range s.web.open {
		if e.role == roleCancel && e.p.cancels == c {
			return true
		}
	}
	return false
}

// cancelTaken takes the head of the answer to a cancel: accepted, or refused.
// A refusal changes no state but the verdict (HTL-10, HTL-52).
func (s *Session) cancelTaken(e *exchange) {
	c := e.p.cancels
	st := c.stop
	switch {
	case e.head.ok():
		st.taken = true
		if c.state == Cancelling && !st.written.IsZero() && st.graceOver.IsZero() {
			st.due = st.written.Add(s.cfg.Grace)
			s.arm(c)
		}
		s.takenOddly(e)
		if c.state == Cancelling && c.req.x == nil && !s.resuming(c.req) && !st.written.IsZero() && st.graceOver.IsZero() && s.web.carrier == streamable {
			s.graceEnds(c) // its own exchange has ended before
		}
	case e.head.Status == statusNotFound && e.session:
		s.cancelRefused(c, "the server has ended the session (HTTP 404)")
		s.sessionEnded()
	default:
		s.cancelRefused(c, fmt.Sprintf("HTTP %d", e.head.Status))
	}
}

// cancelEnded is the end of the POST of a cancel. Nothing is posted twice.
func (s *Session) cancelEnded(e *exchange, end End) {
	if !e.opened {
		s.cancelRefused(e.p.cancels, end.words())
	}
}

func (s *Session) cancelRefused(c *call, why string) {
	st := c.stop
	if st.answered() || !st.notDelivered.IsZero() || st.taken {
		return
	}
	st.refused = why
	s.moment(c, Moment{Dir: In, Kind: MomNote, Text: "the cancel was not accepted: " + why})
	st.notDelivered = s.now
	if c.state == Cancelling {
		s.end(c)
		return
	}
	s.rows.touch(c)
}

// awaitsTaking says whether a cancel over HTTP was written and neither accepted
// nor refused yet.
func (s *Session) awaitsTaking(st *stop) bool {
	return s.cfg.Transport == mcp.HTTP && st.signal == notify && !s.conn.rev.Modern() && !st.taken && st.refused == ""
}

// cancelsUnaccepted counts the cancels that a closing connection waits for:
// those that wait for their call to be written as well.
func (s *Session) cancelsUnaccepted() int {
	n := s.out.cancels
	for c := s.rows.oldest; c != nil; c = c.next {
		if c.state == Cancelling && c.stop.out != nil && c.stop.out.held && !c.stop.out.gone {
			n++
		}
	}
	for _, e := range s.web.open {
		if e.role == roleCancel && !e.opened {
			n++
		}
	}
	return n
}
