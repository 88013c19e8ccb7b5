package ui

import (
	"slices"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/layout"
	"belay/ui/panel"
	"belay/ui/write"
)

// tab is a side of the detail pane.
type tab uint8

// The tabs.
const (
	tabAuto tab = iota // what fits the state of the call
	tabCall
	tabResult
	tabTimeline
	tabWire
	tabEnd
)

var tabNames = [...]safe.Text{tabCall: "call", tabResult: "result", tabTimeline: "timeline", tabWire: "wire"}

// entriesMost is how many messages of a call the wire tab lists.
const entriesMost = 1000

// detailPane shows one call.
type detailPane struct {
	open    bool // in the place of the calls, where there is no room for both
	chosen  tab
	call    session.CallID
	rev     uint64
	d       session.Detail
	known   bool
	entries []session.Entry
	asks    []session.PromptID // the prompts that may be for its sake

	doc    *doc.Doc
	built  docKey
	top    int
	height int // of the last frame
	search string
	hit    int // the line that the search stands at
}

// docKey is what the document depends on: when it changes, it is built anew.
type docKey struct {
	call   session.CallID
	rev    uint64
	tab    tab
	width  int
	asks   session.PromptID // the sum of them
	silent bool             // long enough to say so
}

// base is the key of the same document in any revision of the call.
func (k docKey) base() docKey {
	return docKey{call: k.call, tab: k.tab, width: k.width}
}

// pull copies what the pane shows of the selected call, if it changed.
func (p *detailPane) pull(s *session.Session, sel session.CallID) {
	if sel != p.call {
		p.call, p.rev, p.top, p.search = sel, 0, 0, ""
		p.entries = p.entries[:0]
	}
	p.asks = s.PromptsOf(sel)
	r, ok := s.Row(sel)
	if !ok {
		p.known = false
		return
	}
	if p.known && r.Rev == p.rev {
		return
	}
	p.d, p.known = s.Detail(sel)
	p.rev = r.Rev
	if p.tab() == tabWire {
		p.entries = s.CallEntries(p.entries[:0], sel, entriesMost)
	}
}

// tab returns the tab to show: the chosen tab, or else the fitting one.
func (p *detailPane) tab() tab {
	if p.chosen != tabAuto {
		return p.chosen
	}
	switch p.d.State {
	case session.Done, session.Failed:
		return tabResult
	case session.Running, session.Cancelling, session.Cancelled, session.Lost:
		return tabTimeline
	case session.Queued, session.Dropped:
	}
	return tabCall
}

// choose shows a tab from now on.
func (p *detailPane) choose(t tab) {
	p.chosen, p.top, p.rev = t, 0, 0
}

// turn goes n tabs to the right.
func (p *detailPane) turn(n int) {
	p.choose(tab(min(max(int(p.tab())+n, int(tabCall)), int(tabEnd)-1)))
}

// moving reports whether what is shown changes with time alone.
func (p *detailPane) moving() bool {
	return p.known && p.height > 0 && p.d.InFlight() && !p.d.Standing()
}

func (m *Model) drawDetail(g canvas.Region) {
	p := &m.detail
	if !p.known || m.welcomes() {
		in := m.pane(g, layout.Detail, "Welcome", "", "")
		m.drawWelcome(in.Sub(1, 0, in.W()-2, in.H()))
		return
	}
	const around = 9 // corners, the number of the pane, and blanks
	id := "#" + safe.Line(p.d.Wire.String())
	title := wording.Join(id, detailTarget(p.d.Row, g.W()-safe.Width(id)-around))
	in := m.pane(g, layout.Detail, title, "", m.searchTitle())
	m.drawTabs(in.Row(0))
	m.drawState(in.Row(1))
	m.drawDocument(in.Sub(1, 3, in.W()-2, in.H()-3))
}

// detailTarget is what a call calls, in quotes whatever it is: in a title it stands
// alone.
func detailTarget(r session.Row, width int) safe.Text {
	if r.Target != "" {
		return safe.QuotedCut(r.Target, width)
	}
	return wording.NameIn(r.Method, width)
}

// drawTabs writes the tabs and underlines the one that is shown.
func (m *Model) drawTabs(g canvas.Region) {
	tabPlaces(func(t tab, x int) {
		style := m.styles.Tab
		if t == m.detail.tab() {
			style = m.styles.TabOn
		}
		g.Put(x, 0, tabNames[t], style)
	})
}

// tabPlaces calls f with the column at which each tab begins.
func tabPlaces(f func(t tab, x int)) {
	x := 1
	for t := tabCall; t < tabEnd; t++ {
		f(t, x)
		x += safe.Width(tabNames[t]) + 2
	}
}

// drawState is the state of the call, its progress, its time, and the button
// that stops it.
func (m *Model) drawState(g canvas.Region) {
	r := m.detail.d.Row
	s := m.words().State(r)
	right := g.W() - 1
	if hasButton(r) {
		style := m.styles.Button
		if noCancel(r) != "" {
			style = m.styles.KeyOff
		}
		label := safe.Text("[x] cancel")
		right -= safe.Width(label)
		g.Put(right, 0, label, style)
		right -= 2
	}
	x := max(g.Put(1, 0, s.Text(true), s.Style), 1+s.Planned(true)) + 2
	if x+8 < right {
		x = g.Put(x, 0, m.words().Time(r), m.styles.Muted) + 2
	}
	if f, ok := r.Progress.Fraction(); ok && r.InFlight() && right-x > 12 {
		x = m.drawBar(g, x, min(20, right-x), f) + 2
	}
	if r.AfterCount > 0 {
		if t := wording.Thousands(r.AfterCount) + " after cancel"; x+safe.Width(t) < right {
			g.Put(x, 0, t, m.styles.Warn)
		}
	}
}

// drawBar draws a progress bar of w columns.
func (m *Model) drawBar(g canvas.Region, x, w int, f float64) int {
	full := int(f * float64(w))
	g.Repeat(x, 0, full, string(m.glyphs.Full), m.styles.Info)
	g.Repeat(x+full, 0, w-full, string(m.glyphs.Empty), m.styles.Faint)
	return x + w
}

// drawDocument draws the document of the pane, and builds the document if another
// was built last.
func (m *Model) drawDocument(g canvas.Region) {
	p := &m.detail
	p.height = g.H()
	if g.Empty() {
		return
	}
	key := docKey{call: p.call, rev: p.rev, tab: p.tab(), width: g.W() - 2, silent: m.silent()}
	for _, id := range p.asks {
		key.asks += id
	}
	if p.doc == nil || key != p.built {
		d := m.layOut(paneKey{key}, key.width, m.detailBuild())
		if p.doc == nil || key.base() != p.built.base() || !m.beside.laysOut(paneKey{key}) {
			p.doc = d // what was laid out before stays until all of this is
		}
		p.built = key
	}
	p.top = max(0, min(p.top, len(p.doc.Lines)-g.H()))
	p.doc.Draw(g, p.top)
	p.doc.Highlight(g, p.top, p.search, m.styles.Match)
	m.drawThumb(g, p.top, len(p.doc.Lines))
}

// drawThumb shows at the right edge which part of n lines is seen.
func (m *Model) drawThumb(g canvas.Region, top, n int) {
	g.Thumb(top, n, m.glyphs.ThumbOn, m.styles.Faint)
}

// scroll moves the document by n lines.
func (p *detailPane) scroll(n int) { p.top = max(0, p.top+n) }

func (m *Model) searchTitle() safe.Text {
	p := &m.detail
	if p.search == "" || p.doc == nil {
		return ""
	}
	hits := p.doc.Find(p.search)
	if len(hits) == 0 {
		return "not found"
	}
	i, _ := slices.BinarySearch(hits, p.hit)
	return wording.Thousands(min(i+1, len(hits))) + " of " + wording.Count(len(hits), "line")
}

// detailBuild writes the document of the pane, as its call is now.
func (m *Model) detailBuild() panel.Build {
	still := m.still()
	return func(w *write.Writer, _ panel.Screen) { still.callDoc(w) }
}
