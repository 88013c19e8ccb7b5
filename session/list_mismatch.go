package session

import "belay/session/mcp"

// onHeaderMismatch takes the error that says that the head and the body of a call
// differ: the tools may have changed since they were listed, so that they are
// fetched again and the call is made once more. What only reads is repeated by
// belay itself, anything else when the user says so (HTM-42).
func (s *Session) onHeaderMismatch(c *call, f *mcp.Frame) bool {
	if f.Kind != mcp.FrameError || f.Error.Code != mcp.CodeHeaderMismatch || !s.catalog.mayMirror() || c.Method != "tools/call" ||
		c.Origin != FromUser || c.Raw || c.state != Running || c.rounds.count > 0 || !s.catalog.lists[mcp.Tools].Declared || s.conn.phase != Ready {
		return false
	}
	s.moment(c, MomentView{Dir: In, Kind: MomError, Entry: s.hist.cur})
	c.rounds.count++
	c.rounds.most++
	s.waitFor(c, wait{kind: roundWait, round: &round{number: c.rounds.count, relist: true, refused: s.results.keepError(c, f)}})
	s.note(c, "the server says that head and body differ: the tools are fetched again")
	s.catalog.lists[mcp.Tools].changed = true
	s.refreshLists()
	s.rows.touch(c)
	return true
}

// onRelisted goes on with the calls that waited for the tools; came says that a
// list came.
func (s *Session) onRelisted(came bool) {
	l := &s.catalog.lists[mcp.Tools]
	if l.changed || l.loading {
		return
	}
	var waits []*call
	for c := s.rows.oldest; c != nil; c = c.next {
		if ro := c.round(); ro != nil && ro.relist {
			waits = append(waits, c)
		}
	}
	for _, c := range waits {
		s.onCallRelisted(c, l, came)
	}
}

func (s *Session) onCallRelisted(c *call, l *list, came bool) {
	ro := c.round()
	ro.relist = false
	var tool *mcp.Item
	for i := range l.Items {
		if l.Items[i].Name == c.target {
			tool = &l.Items[i]
			break
		}
	}
	why, can := "", Remedy{}
	switch {
	case !came:
		why, can = "the tools could not be fetched again: "+l.Problem, l.Remedy
	case tool == nil && s.catalog.mirrors.out[c.target] != "":
		why = "the tool was left out: " + s.catalog.mirrors.out[c.target]
	case tool == nil:
		why = "the server does not list the tool any more"
	case tool.Hints().ReadOnly.On:
		s.note(c, "made again with the fields of the new list, as the tool only reads")
		s.sendRound(c)
		return
	default:
		ro.held = true
		s.advise(c, "head and body differed; the tools were fetched again", Remedy{Kind: RemedyRepeat})
		return
	}
	c.err = ro.refused
	s.abandonWait(c, why)
	s.advise(c, "head and body differ, and "+why, can)
	s.move(c, Failed)
}
