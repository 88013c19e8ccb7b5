package session

import "slices"

// move is the only place where the state of a call changes.
func (s *Session) move(c *call, to State) {
	if !slices.Contains(nextStates[c.state], to) {
		s.broken("call %d: %v may not become %v", c.id, c.state, to)
		return
	}
	if c.state == Running {
		s.incoming.orphanPrompts(c)
	}
	c.unwatch(&s.timers, c.state)
	s.rows.enter(c, to, s.now)
	if !to.Terminal() {
		return
	}
	s.conn.endWait(&s.timers, c) // what has ended waits for nothing
	s.rows.countRound(c, 0)
	if to == Cancelled && c.work() {
		s.after.rememberStopped(c)
	}
	if c.req.isList && s.catalog.lists[c.req.list].page == c.req && (to == Cancelled || to == Dropped) {
		s.catalog.onStopped(c.req.list)
	}
	s.subs.onSubscriptionOver(c)
	s.rows.sweep(s.cfg.FinishedRows)
}
