package session

// A server that fails on the probe, or hangs up on it, may be of either era: it is
// greeted, as anything but an error of the modern era leads to the handshake.

// leavesUnclear notes what became of the first probe of a connection, where that
// says nothing of the era.
func (s *Session) leavesUnclear(why string) {
	if e := &s.conn.era; !e.renegotiated && e.refused == nil {
		e.unclear = why
	}
}

// hungUp takes the end of an exchange on which the server hung up on the probe.
func (s *Session) hungUp(c *call, end End) {
	why := "not answered: " + end.words()
	s.conn.era.probe = nil
	s.leavesUnclear(why)
	s.fallBack(c, why)
}

// mayGreet says whether the handshake follows the end e of the probe's exchange.
// A server that could not be asked at all cannot be greeted either, and one that
// fails may be what the user has pinned it to.
func (s *Session) mayGreet(e *exchange) bool {
	pinned := s.conn.era.pin != ""
	if !e.opened {
		return e.started && !pinned
	}
	status := e.head.Status
	return judge(nil, status) != findNothing && status/100 != 3 && !(pinned && passing(status))
}
