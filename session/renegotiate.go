package session

import (
	"slices"

	"belay/session/mcp"
	"belay/session/rawjson"
)

// renegotiate asks the server once more what it speaks: in mid-session it
// refuses the revision that was agreed on, as one does that was replaced by a
// newer build. Calls in flight are kept, and new ones wait. It is done once a
// connection; the call that was refused is not made again by itself (VER-55).
func (s *Session) renegotiate(c *call, f *mcp.Frame) {
	e := &s.conn.era
	if s.conn.phase != Ready || !s.conn.rev.Modern() || c.Origin == FromHandshake {
		return
	}
	rev := mutual(rawjson.Strings(f.Error.Data, "supported"), e.pin)
	switch {
	case e.renegotiated:
		s.advise(c, "the server refuses the revision once more", anew(s.cfg.Transport))
		return
	case rev == "":
		s.note(c, "the server refuses the revision that it had agreed to, and lists none that belay may use")
		return
	case !rev.Modern():
		s.advise(c, "the server refuses the revision that it had agreed to", Remedy{Kind: RemedyRestartIn, Revision: rev})
		return
	}
	e.renegotiated, e.secondProbe = true, false
	s.advise(c, "the server refuses the revision that it had agreed to: negotiated anew", Remedy{Kind: RemedyRepeat})
	s.event("version changed: negotiating anew")
	s.conn.phase = Connecting
	found := FoundListed
	if e.pin != "" {
		found = FoundPinned
	}
	s.discover(rev, found)
}

// leftEra ends a connection on which a server that was modern is not so any
// more: what is in flight cannot be taken over a handshake.
func (s *Session) leftEra(why string) {
	s.fail(&Failure{
		Kind: FailVersion, Text: "the server has changed its revision in mid-session, and then server/discover was " + why,
		Remedy: anew(s.cfg.Transport),
	})
}

// mutual is the newest revision that both sides speak, of those that the server
// lists; a pin leaves that one only. Empty: there is none.
func mutual(listed []string, pin mcp.Revision) mcp.Revision {
	for _, r := range mcp.Supported() {
		if slices.Contains(listed, string(r)) && (pin == "" || r == pin) {
			return r
		}
	}
	return ""
}
