package session

import (
	"time"

	"belay/session/mcp"
)

// Next hands out the next thing to do, and false when there is nothing to do
// now. A message that was handed out can no longer be taken back: its bytes
// may be on the way.
func (s *Session) Next(now time.Time) (Output, bool) {
	if out, ok := s.nextOp(now); ok {
		return out, true
	}
	if out, ok := s.nextRootCheck(now); ok {
		return out, true
	}
	if p := s.nextPending(); p != nil {
		s.at(now)
		s.carry(p)
		s.journal.output(s.now, p.Output)
		s.onHandedOut(p)
		s.settle()
		return p.Output, true
	}
	if s.conn.phase == Closing && !s.conn.closeSent && (s.cancelsUnaccepted() == 0 || !now.Before(s.timers.At(once(dueClose)))) {
		s.at(now)
		s.link.onCloseHandedOut()
		out := Output{Op: OpClose, X: ExchangeID{Epoch: s.conn.epoch}}
		if s.http.session != "" {
			out.Header = s.http.sessionHeaders()
		}
		s.journal.output(s.now, out)
		return out, true
	}
	return Output{}, false
}

func (s *Session) nextPending() *pending {
	if s.conn.phase == Disconnected || s.conn.closeSent {
		return nil
	}
	var open [numClasses]bool
	for c := range numClasses {
		open[c] = s.mayHandOut(c) && s.http.mayPrecedeServerStream(s.out.queues[c].peek())
	}
	return s.out.take(open)
}

// mayHandOut reports whether outputs of a class may be handed out now: no request but the handshake
// before the connection is ready, and nothing new while it closes (VER-05; basic/lifecycle). What
// completes the handshake goes before the last answers.
func (s *Session) mayHandOut(c class) bool {
	if !s.http.mayPost(c) {
		return false
	}
	switch c {
	case classHandshake:
		return s.conn.phase != Closing || !s.conn.readyAt.IsZero()
	case classRequest:
		return s.conn.phase == Ready
	default:
		return true
	}
}

// onHandedOut notes that the bytes of p are out of the core's hands.
func (s *Session) onHandedOut(p *pending) {
	s.out.handOut(p, s.now, s.unconfirmed.answered > 0)
	if p.Op == OpAbort {
		s.http.onAbortHandedOut(p)
	} else {
		s.logOut(p)
	}
	p.entry = s.hist.cur
	switch {
	case p.req != nil:
		s.outgoing.begin(p.req, s.cfg.Transport == mcp.Stdio)
		switch c := p.req.call; {
		case c == nil:
		case c.state == Queued:
			s.move(c, outcome{to: Running})
			if c.isListen() {
				s.timers.Set(c.due(dueAck), s.now.Add(ackLimit))
			}
			c.startClocks(&s.timers, s.now, s.rows.ruleDue(c, s.conn.trips.Best()))
		case c.isWaiting():
			s.onNextHandedOut(c)
		case c.state.IsTerminal():
			s.outgoing.retire(p.req, s.now) // an unsubscribe that was given up as not written: its answer is evidence
		}
	case p.answers != nil:
		s.incoming.handedOut(p.answers)
	}
}
