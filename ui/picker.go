package ui

import (
	"cmp"
	"image"
	"slices"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/keymap"
	"belay/ui/rank"
	"belay/ui/remedy"
)

// picker chooses what to call. It takes text at once; enter takes the top.
type picker struct {
	catalog session.CatalogView
	listing
	unlisted bool  // what is in the catalog is still to be got ready
	order    []int // of items, best first; what must not be called comes last
	text     edit.Line
	at       int // the position in order
	top      int
	height   int
}

func (m *Model) openPicker() tea.Cmd {
	p := &picker{}
	tell(m.backend, session.Look{})
	m.backend.View(func(s *session.Session) { p.catalog = s.Catalog() })
	p.load()
	m.push(p)
	return nil
}

// pull takes over a catalog that changed while the picker is open.
func (p *picker) pull(s *session.Session) {
	c := s.Catalog()
	if c.Rev == p.catalog.Rev {
		return
	}
	p.catalog = c
	p.load()
}

// listedAtOnce is how many things the picker gets ready between two keys.
const listedAtOnce = 1000

// listing is what of a catalog the picker finds things in.
type listing struct {
	items    []mcp.Item // of all lists, tools first; then what must not be called
	callable int        // how many of items may be called
	texts    []rank.Text
	names    int // columns of the longest name, whatever is typed
}

// load gets what is in the catalog ready, or leaves it to be done beside the screen.
func (p *picker) load() {
	n := 0
	for k := range p.catalog.Lists {
		n += len(p.catalog.Lists[k].Items) + len(p.catalog.Lists[k].Coming) + len(p.catalog.Lists[k].Excluded)
	}
	if p.unlisted = n > listedAtOnce; !p.unlisted {
		p.takeListing(listingOf(&p.catalog))
	}
}

// takeListing takes a listing over. Whoever has moved to an item stays on it, so that enter
// takes no other one.
func (p *picker) takeListing(l listing) {
	was, moved := p.chosen()
	moved = moved && p.at > 0
	p.listing, p.unlisted = l, false
	p.rank()
	if !moved {
		return
	}
	if i := slices.IndexFunc(p.order, func(i int) bool {
		it := &p.items[i]
		return it.Kind == was.Kind && it.Name == was.Name && it.URI == was.URI
	}); i > 0 {
		p.at = i
	}
}

// listingOf gets the things of a catalog ready to be found.
func listingOf(c *session.CatalogView) listing {
	p := listing{names: 12}
	var unfit []mcp.Item
	for k := range c.Lists {
		l := &c.Lists[k]
		p.add(l.Items)
		more := l.More()
		p.add(slices.DeleteFunc(slices.Clone(more), isUnfit))
		unfit = append(unfit, l.Excluded...)
		unfit = append(unfit, slices.DeleteFunc(slices.Clone(more), func(it mcp.Item) bool { return !isUnfit(it) })...)
	}
	p.callable = len(p.items)
	p.add(unfit)
	return p
}

func isUnfit(it mcp.Item) bool { return it.Unfit != "" }

func (p *listing) add(items []mcp.Item) {
	for _, it := range items {
		p.items = append(p.items, it)
		p.names = max(p.names, safe.Width(wording.NameIn(it.Name, 41)))
		p.texts = append(p.texts, rank.Of(it.Name, it.Title, it.Description, it.URI))
	}
}

func (p *picker) rank() {
	p.order = rank.Order(p.text.String(), p.texts)
	slices.SortStableFunc(p.order, func(a, b int) int { return cmp.Compare(p.left(a), p.left(b)) })
	p.at, p.top = 0, 0
}

// left is 1 for an item that must not be called, else 0.
func (p *picker) left(i int) int {
	if i >= p.callable {
		return 1
	}
	return 0
}

func (p *picker) scope() keymap.Scope { return inPicker }

// move moves the choice by n.
func (p *picker) move(n int) {
	p.at = max(0, min(p.at+n, len(p.order)-1))
}

func (p *picker) chosen() (mcp.Item, bool) {
	if p.at >= len(p.order) {
		return mcp.Item{}, false
	}
	return p.items[p.order[p.at]], true
}

func (p *picker) key(_ *Model, k tea.KeyPressMsg) tea.Cmd {
	if _, changed := p.text.Key(fieldKey(k)); changed {
		p.rank()
	}
	return nil
}

func (p *picker) paste(_ *Model, text string) tea.Cmd {
	p.text.Insert(text)
	p.rank()
	return nil
}

func (p *picker) close(m *Model) tea.Cmd {
	m.pop(p)
	return nil
}

// rest are the lines of the picker that are no items: the text field, a rule, the
// lines about the chosen item, an empty line, the keys and the frame.
func (p *picker) rest(m *Model) int {
	if m.lay.Body.Dy() < 20 {
		return 7
	}
	return 9
}

func (p *picker) draw(m *Model) *image.Point {
	w := min(100, m.lay.Body.Dx()-4)
	g := m.box(w, min(m.lay.Body.Dy()-2, max(len(p.items), 8)+p.rest(m)), "New call", m.styles.FrameFocus)
	field := g.Sub(1, 0, g.W()-2, 1)
	field.Fill(m.styles.Input)
	shown, cursor := p.text.View(field.W() - 2)
	if p.text.Empty() {
		field.Put(1, 0, "type a name", m.styles.Placeholder)
	} else {
		field.Put(1, 0, shown, m.styles.Input)
	}
	p.height = max(0, g.H()-p.rest(m)+1)
	p.drawItems(m, g.Sub(1, 1, g.W()-2, p.height))
	y := 1 + p.height
	g.Repeat(1, y, g.W()-2, string(m.glyphs.Rule), m.styles.Faint)
	p.drawAbout(m, g.Sub(1, y+1, g.W()-2, g.H()-y-2))
	m.drawHints(g.Row(g.H()-1), 1, inPicker)
	return field.Cursor(1+cursor, 0)
}

// problems says which lists could not be had, or are not whole yet.
func (p *picker) problems(m *Model) safe.Text {
	var t safe.Text
	for k, l := range p.catalog.Lists {
		var is safe.Text
		switch {
		case l.Loading && len(l.Coming) > 0:
			is = wording.Thousands(len(l.Coming)) + " came, the rest is being fetched" + m.glyphs.Dots
		case l.Problem == "":
			continue
		case l.Stale:
			is = "stale, " + remedy.With(safe.LineN(l.Problem, 200), l.Remedy)
		default:
			is = remedy.With(safe.LineN(l.Problem, 200), l.Remedy)
		}
		if t != "" {
			t += " · "
		}
		t += kindName(mcp.ListKind(k)) + "s: " + is
	}
	return t
}

// whole reports whether all lists were fetched to their ends.
func (p *picker) whole() bool {
	for k := range p.catalog.Lists {
		if l := &p.catalog.Lists[k]; l.Loading || l.Problem != "" {
			return false
		}
	}
	return true
}

func (p *picker) drawItems(m *Model, g canvas.Region) {
	if t := p.problems(m); t != "" && len(p.order) > 0 && g.H() > 1 {
		g.Put(1, 0, safe.Cut(t, g.W()-2), m.styles.Bad)
		g = g.Sub(0, 1, g.W(), g.H()-1)
	}
	if len(p.order) == 0 {
		g.Put(1, 0, p.emptyWords(m), m.styles.Muted)
		return
	}
	p.top = max(min(p.top, p.at), p.at-g.H()+1)
	m.drawThumb(g, p.top, len(p.order))
	nameWidth := min(p.names, 40, g.W()/2)
	for y := range g.H() {
		i := p.top + y
		if i >= len(p.order) {
			return
		}
		it := p.items[p.order[i]]
		row := g.Row(y)
		kind, kindStyle, nameStyle, aboutStyle := kindName(it.Kind), m.styles.Muted, m.styles.Strong, m.styles.Muted
		about := twinWords(&it)
		if text := oneOf(it.Description, it.Title, it.URI); text != "" {
			about += m.glyphs.Quote + " " + safe.LineN(text, row.W())
		}
		if is := faultOf(&it); is != "" {
			about, aboutStyle = twinWords(&it)+is, m.styles.Warn
		}
		if p.left(p.order[i]) > 0 {
			kind, kindStyle, nameStyle, about = "left out", m.styles.Warn, m.styles.Muted, safe.LineN(it.Unfit, row.W())
		}
		row.Put(1, 0, kind, kindStyle)
		row.Put(11, 0, wording.NameIn(it.Name, nameWidth), nameStyle)
		row.Put(13+nameWidth, 0, safe.Cut(about, row.W()-nameWidth-14), aboutStyle)
		if i == p.at {
			m.drawSelected(row, true)
		}
	}
}

// taskWords say why a call of a tool that is shown will hardly succeed.
const taskWords = "needs a task, which belay does not speak yet"

// faultOf returns the fault of a listed tool, or the reason why belay cannot call
// it, or "".
func faultOf(it *mcp.Item) safe.Text {
	is := brokenSchema(it)
	switch {
	case is != "":
	case it.NeedsTask:
		is = "! " + taskWords
	case it.NameFault != "":
		is = "! its name " + safe.Text(it.NameFault)
	}
	return is
}

// twinWords tell tools of one name apart.
func twinWords(it *mcp.Item) safe.Text {
	if it.Twins == 0 {
		return ""
	}
	return wording.Thousands(it.Twin) + " of " + wording.Thousands(it.Twins) + " of this name · "
}

// namesOf are all that a tool is called, beside the name that calls it: none of it
// proves what it is (SRV-21).
func namesOf(it *mcp.Item) safe.Text {
	if it.Title == "" || it.Title == it.Name && it.AnnTitle == "" {
		return ""
	}
	t := "title " + safe.QuotedCut(it.Title, 40)
	if it.AnnTitle != "" {
		t += " · in its annotations " + safe.QuotedCut(it.AnnTitle, 40)
	}
	return t
}

// brokenSchema says what is wrong with the schema of a tool, or "".
func brokenSchema(it *mcp.Item) safe.Text {
	is := it.BrokenSchema()
	if is == "" {
		return ""
	}
	return "! broken: its inputSchema is " + safe.Text(is)
}

func oneOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

func kindName(k mcp.ListKind) safe.Text {
	return [...]safe.Text{mcp.Tools: "tool", mcp.Prompts: "prompt", mcp.Resources: "resource", mcp.Templates: "template"}[k]
}

// emptyWords say why the list is empty.
func (p *picker) emptyWords(m *Model) safe.Text {
	if m.snap.connecting() {
		return "belay is still connecting" + m.glyphs.Dots + " this list fills in by itself"
	}
	if p.unlisted {
		return "what the server offers is being listed" + m.glyphs.Dots
	}
	if !p.text.Empty() && p.whole() {
		return "nothing has that name · :send takes any method"
	}
	if !p.text.Empty() {
		t := safe.Text("nothing that came has that name")
		if why := p.problems(m); why != "" {
			return t + " · " + why
		}
		return t + " · the lists are being fetched" + m.glyphs.Dots
	}
	for _, l := range p.catalog.Lists {
		if l.Loading {
			return "the lists are being fetched" + m.glyphs.Dots
		}
	}
	for _, l := range p.catalog.Lists {
		if l.Problem != "" {
			return remedy.With(safe.LineN(l.Problem, 200), l.Remedy)
		}
	}
	return "the server offers nothing to call · :reload tools asks it anyway"
}

func (p *picker) drawAbout(m *Model, g canvas.Region) {
	it, ok := p.chosen()
	if !ok {
		return
	}
	if p.left(p.order[p.at]) > 0 {
		for y, l := range safe.Wrap("must not be called over HTTP: "+safe.LineN(it.Unfit, 400), g.W()-1, g.H()-1) {
			g.Put(0, y, l, m.styles.Warn)
		}
		return
	}
	text := it.Description
	if it.URI != "" {
		const most = 2000
		text = it.URI[:min(len(it.URI), most)] + " " + text[:min(len(text), most)]
	}
	if it.Kind == mcp.Tools {
		var notes []segment
		if it.NeedsTask {
			notes = append(notes, segment{taskWords, m.styles.Warn})
		}
		notes = append(notes, segment{claimWords(&it), m.styles.Muted})
		if names := namesOf(&it); names != "" && g.H() > 2+len(notes) {
			notes = append(notes, segment{names, m.styles.Muted})
		}
		for y, n := range notes {
			g.Put(0, y, safe.Cut(n.Text, g.W()), n.Style)
		}
		g = g.Sub(0, len(notes), g.W(), g.H()-len(notes))
	}
	for y, l := range safe.Wrap(safe.LineN(text, 600), g.W()-3, g.H()-1) {
		g.Put(0, y, m.glyphs.Quote+" ", m.styles.Faint)
		g.Put(2, y, l, m.styles.Text)
	}
}
