package session

import "belay/session/negotiate"

// handshakeTimeout gives up on an opening that is not answered: the connection
// is closed, and no cancel is ever sent for it (TMO-11). Where only server/discover
// was not answered, the handshake follows, and where only initialize was not, the revision
// without one. A connection that is settled, or left, goes on as it was.
func (s *Session) handshakeTimeout(c *call) {
	c.stopClocks(&s.timers)
	if s.conn.phase != Connecting {
		return
	}
	if s.conn.era.discover == c && s.conn.era.Pin() == "" {
		s.onDiscoverTimeout(c)
		return
	}
	if c == s.conn.era.shake {
		step, words := s.conn.era.OnMute(s.now), "not answered within "+c.Idle.String()
		switch step.Do {
		case negotiate.GiveUp:
			s.link.remember()
		case negotiate.BeginAgain:
			s.follow(c, step, words)
			return
		default: // the server has answered server/discover, by a result or by a list of its revisions
			told := ": server/discover is asked once more, in "
			if step.Do == negotiate.UseModern {
				told = ": the server is spoken to in the revision in which it has answered server/discover, "
			}
			s.passOver(c, words+told+string(step.Revision))
			s.move(c, outcome{to: Failed})
			s.retireRequest(c)
			s.follow(c, step, words)
			return
		}
	}
	s.link.fail(s.link.unanswered(c.Method, c.Idle))
}
