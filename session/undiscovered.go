package session

import "belay/session/mcp"

// A server of the modern era must know server/discover. One that does not, and
// then refuses initialize with a list of modern revisions, has shown what it is
// all the same: it is used, only that it never said what it can do (VER-26).

// listsModern is the newest modern revision of belay's that a refused handshake
// lists, or empty.
func listsModern(refused *Failure) mcp.Revision {
	var newest mcp.Revision
	for _, r := range refused.Supported {
		if modernOurs(r) && r > newest {
			newest = r
		}
	}
	return newest
}

// undiscovered makes a connection ready with a server that has shown its
// revision, but did not answer server/discover as it must; why says what it did
// instead. It is asked for all of its lists.
func (s *Session) undiscovered(c *call, rev mcp.Revision, why string) {
	s.diagnose(mcp.DiagNoDiscover, c.id, "", "it was "+why)
	s.event("the server speaks " + string(rev) + ", but does not know server/discover: what it can do is not known")
	s.conn.era.found = FoundListed
	s.redeclare(rev)
	s.agreed(rev, mcp.ServerInfo{Unsaid: true, Has: mcp.Capabilities{Tools: true, Prompts: true, Resources: true}})
}
