package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/doc"
	"belay/ui/index"
	"belay/ui/layout"
)

// veryFar is more rows than there are.
const veryFar = 1 << 40

// move moves what has the focus by n lines.
func (m *Model) move(n int) {
	if p, ok := m.modal().(*page); ok {
		p.scroll(n)
		return
	}
	switch m.focus {
	case layout.Calls:
		m.calls.move(n)
	case layout.Detail:
		m.detail.scroll(n)
	case layout.Wire:
		m.wire.Move(n)
	case layout.NumPanes:
	}
}

func (m *Model) halfPage() int {
	if p, ok := m.modal().(*page); ok {
		return max(1, p.height/2)
	}
	return max(1, m.lay.Panes[m.focus].Dy()/2)
}

// show gives a pane the focus.
func (m *Model) show(p layout.Pane) {
	m.focus = p
	switch p {
	case layout.Detail:
		m.detail.open = true
		m.calls.touched = true
	case layout.Calls:
		m.detail.open = false
	case layout.Wire:
		m.wired = true
	case layout.NumPanes:
	}
}

// cycle gives the focus to the n-th pane after this one.
func (m *Model) cycle(n int) {
	next := (int(m.focus) + n + int(layout.NumPanes)) % int(layout.NumPanes)
	if layout.Pane(next) == layout.Wire && !m.wired {
		next = (next + n + int(layout.NumPanes)) % int(layout.NumPanes)
	}
	m.show(layout.Pane(next))
}

// back goes back by one level: a search, a filter, the zoom, the
// focus. It never quits.
func (m *Model) back() {
	switch {
	case m.focus == layout.Detail && m.detail.search != "":
		m.detail.search = ""
	case m.zoom != layout.Normal:
		m.zoom = layout.Normal
	case m.focus == layout.Wire && !m.wire.Filter().Empty():
		m.wire.SetFilter(index.Filter{})
	case m.focus != layout.Calls:
		m.show(layout.Calls)
	case len(m.calls.marks) > 0:
		clear(m.calls.marks)
	case !m.calls.idx.Filter().Empty():
		m.calls.arrange(index.Filter{}, m.calls.idx.Sort())
	}
}

// openSelected is enter.
func (m *Model) openSelected() tea.Cmd {
	switch m.focus {
	case layout.Calls:
		if r := m.snap.commonRevision(); r != "" && m.snap.status.Phase == session.Disconnected {
			return m.restart(string(r))
		}
		if cmd, ok := m.openFor(m.calls.sel); ok {
			return cmd
		}
		m.show(layout.Detail)
	case layout.Detail:
		m.detail.nextHit()
	case layout.Wire:
		if e, ok := m.wire.Selected(); ok {
			m.openMessage(e)
		}
	case layout.NumPanes:
	}
	return nil
}

func nothingToOpen(m *Model) string {
	switch {
	case m.focus == layout.Calls && m.calls.idx.Len() == 0:
		return "there is no call to open"
	case m.focus == layout.Wire && m.wire.Count() == 0:
		return "there is no message to open"
	case m.focus == layout.Detail && m.detail.search == "":
		return "enter goes to the next place of a search; / begins one"
	}
	return ""
}

func (m *Model) zoomBy(n int) {
	m.zoom = layout.Zoom(min(max(int(m.zoom)+n, int(layout.Normal)), int(layout.Full)))
}

func (m *Model) toggleWire() {
	m.wired = !m.wired
	if !m.wired && m.focus == layout.Wire {
		m.show(layout.Calls)
	}
}

func (m *Model) toggleFollow() tea.Cmd {
	on := !m.calls.follow
	if m.focus == layout.Wire {
		on = !m.wire.Follows()
		m.wire.Follow(on)
	} else {
		m.calls.follow = on
	}
	if on {
		return m.say("follows the newest", said)
	}
	return m.say("stays where it is", said)
}

func (m *Model) nextSort() tea.Cmd {
	s := (m.calls.idx.Sort() + 1) % index.NumSorts
	m.calls.arrange(m.calls.idx.Filter(), s)
	return m.say("sorted: "+safe.Text(s.String()), said)
}

// askFilter filters the pane that has the focus while the filter is typed.
func (m *Model) askFilter() {
	wire := m.focus == layout.Wire
	apply := func(m *Model, text string) {
		f := index.ParseFilter(text)
		if wire {
			m.wire.SetFilter(f)
			return
		}
		m.calls.arrange(f, m.calls.idx.Sort())
	}
	before := m.calls.idx.Filter().String()
	if wire {
		before = m.wire.Filter().String()
	}
	l := &lineInput{
		label: "/", placeholder: "words that a row must have; !word: must not", history: &m.input.filters,
		changed: apply,
		enter:   func(*Model, string) tea.Cmd { return nil },
		escape:  func(m *Model) { apply(m, before) },
	}
	l.text.Set(before)
	m.push(l)
}

// searchable is what a search looks into.
type searchable interface{ find(text string) }

// askSearch searches what is shown while the text is typed.
func (m *Model) askSearch() {
	var in searchable = &m.detail
	if p, ok := m.modal().(*page); ok {
		in = p
	}
	m.push(&lineInput{
		label: "/", placeholder: "text to find", history: &m.input.searches,
		changed: func(_ *Model, text string) { in.find(text) },
		enter:   func(*Model, string) tea.Cmd { return nil },
		escape:  func(*Model) { in.find("") },
	})
}

func (p *detailPane) find(text string) {
	p.search, p.hit = text, -1
	p.nextHit()
}

// nextHit goes to the next line that has what was searched for, and from the
// last one to the first.
func (p *detailPane) nextHit() {
	if line, ok := following(p.doc, p.search, p.hit); ok {
		p.hit, p.top = line, line
	}
}

// following is the first line behind another that has the text, or the first
// of all.
func following(d *doc.Doc, text string, line int) (int, bool) {
	if d == nil {
		return 0, false
	}
	hits := d.Find(text)
	if len(hits) == 0 {
		return 0, false
	}
	for _, h := range hits {
		if h > line {
			return h, true
		}
	}
	return hits[0], true
}
