package session

import (
	"fmt"

	"belay/session/mcp"
	"belay/session/negotiate"
)

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
		default: // the server has answered server/discover
			s.passOver(c, fmt.Sprintf("%s: the server is spoken to in %s, in which it has answered server/discover", words, step.Revision))
			s.move(c, outcome{to: Failed})
			s.retireRequest(c)
			s.follow(c, step, words)
			return
		}
	}
	hint := "is it an MCP server that speaks over stdin and stdout? " + hintStderr
	if s.cfg.Transport == mcp.HTTP {
		hint = hintEndpoint
	}
	if words := s.link.nonJSONWords(); words != "" {
		hint = words
	}
	s.link.fail(&Failure{Kind: FailTimeout, Text: fmt.Sprintf("no answer to %s within %v", c.Method, c.Idle), Hint: hint})
}
