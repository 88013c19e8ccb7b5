package session

import "belay/session/mcp"

// onHeaderMismatch takes the error that says that the head and the body of a call differ: the
// tools may have changed since they were listed, so that they are fetched again and the call is
// made once more. What only reads is repeated by belay itself, anything else when the user says so
// (HTM-42; basic/transports/streamable-http).
func (s *Session) onHeaderMismatch(c *call, f *mcp.Frame) bool {
	if f.Kind != mcp.FrameError || f.Error.Code != mcp.CodeHeaderMismatch || !s.catalog.mayMirror() || c.Method != "tools/call" ||
		c.Origin != FromUser || c.Raw || c.state != Running || c.rounds.count > 0 || !s.catalog.lists[mcp.Tools].Declared || s.conn.phase != Ready {
		return false
	}
	s.moment(c, MomentView{Dir: In, Kind: MomError, Entry: s.hist.cur})
	c.ownRound()
	s.waitFor(c, wait{kind: roundWait, round: &round{number: c.rounds.count, relist: true, mismatchError: s.results.keepError(c, f)}})
	s.note(c, "the server says that head and body differ: the tools are fetched again")
	s.catalog.lists[mcp.Tools].outdate()
	s.refreshLists()
	return true
}
