package session

import (
	"fmt"

	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
)

// mirrors is what the tools of the latest list want in the head.
type mirrors struct {
	of  map[string][]mcp.Mirror // by the name of the tool
	out map[string]string       // tools that must not be called over HTTP, and why
}

// mayMirror reports whether parameters are repeated in the head: only over HTTP,
// and in a revision that has it (HTM-35).
func (g *catalog) mayMirror() bool { return g.cfg.Transport == mcp.HTTP && g.conn.rev.Modern() }

// learnTools takes what calls need of the tools of a page: the rest of their list
// may never come. What this connection does not repeat in the head is left out of
// them.
func (g *catalog) learnTools(l *list, page []mcp.Item) {
	g.learnOutputs(page)
	switch m := &g.mirrors; {
	case g.mayMirror():
		for i := range page {
			m.learn(&page[i])
		}
		return
	case g.conn.rev.Modern():
		g.diagnoseUnfit(l, page)
	}
	for i := range page {
		page[i].Mirrors, page[i].Unfit = nil, ""
	}
}

func (m *mirrors) learn(it *mcp.Item) {
	if m.of == nil {
		*m = mirrors{of: map[string][]mcp.Mirror{}, out: map[string]string{}}
	}
	delete(m.of, it.Name)
	delete(m.out, it.Name)
	switch {
	case it.Unfit != "":
		m.out[it.Name] = it.Unfit
	case len(it.Mirrors) > 0:
		m.of[it.Name] = it.Mirrors
	}
}

// sortTools keeps the tools of a list that may be called, and sets the others
// apart (HTM-33, HTM-34, HTM-40).
func (g *catalog) sortTools(l *list) {
	if !g.mayMirror() {
		if l.unfit > unfitTold {
			g.event(fmt.Sprintf("%d more tools would be left out over HTTP", l.unfit-unfitTold))
		}
		return
	}
	g.mirrors = mirrors{of: map[string][]mcp.Mirror{}, out: map[string]string{}}
	kept := l.Items[:0]
	l.Excluded = nil
	for _, it := range l.Items {
		if it.Unfit != "" {
			l.Excluded = append(l.Excluded, it)
			g.mirrors.out[it.Name] = it.Unfit
			g.diagnose(mcp.DiagToolHeader, 0, it.Name+"\x00"+it.Unfit, sentence.Name(it.Name)+": "+it.Unfit)
			continue
		}
		kept = append(kept, it)
		if len(it.Mirrors) == 0 {
			continue
		}
		g.mirrors.of[it.Name] = it.Mirrors
		for _, m := range it.Mirrors {
			if m.Secret {
				g.diagnose(mcp.DiagMirrorSecret, 0, it.Name+"\x00"+m.Header, fmt.Sprintf("%s of %s goes out as %s", sentence.Name(m.Name()), sentence.Name(it.Name), sentence.Name(m.Header)))
			}
		}
	}
	clear(l.Items[len(kept):])
	l.Items = kept
}

// unfitTold bounds the tools that are told of where HTTP would leave them out.
const unfitTold = 5

// diagnoseUnfit tells of tools that HTTP would leave out: stdio has no head.
func (g *catalog) diagnoseUnfit(l *list, page []mcp.Item) {
	for i := range page {
		it := &page[i]
		if it.Unfit == "" {
			continue
		}
		if l.unfit++; l.unfit <= unfitTold {
			g.event(fmt.Sprintf("%s would be left out over HTTP: %s", sentence.Name(it.Name), it.Unfit))
		}
	}
}

// exclusionOf says why a call of a tool is refused. What the user typed as a
// request goes out as it was typed.
func (g *catalog) exclusionOf(spec *CallSpec) string {
	if spec.Method != "tools/call" || spec.Raw || len(g.mirrors.out) == 0 {
		return ""
	}
	return g.mirrors.out[targetOf(spec.Method, spec.Params)]
}

// paramHeaders are the fields for the parameters of a call, by the schema that
// was fetched last, and why some do not go out; a tool that was not listed has
// none (HTM-40, HTM-41).
func (g *catalog) paramHeaders(spec *CallSpec, tool string) (fields []Header, left []string) {
	list := g.mirrors.of[tool]
	if len(list) == 0 {
		return nil, nil
	}
	arguments, _ := rawjson.Lookup(spec.Params, "arguments")
	return mirrored(list, arguments)
}

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
