package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/dialog"
	"belay/ui/index"
	"belay/ui/layout"
	"belay/ui/panel"
)

// veryFar is more rows than there are.
const veryFar = 1 << 40

// move moves what has the focus by n lines.
func (m *Model) move(n int) {
	if p, ok := m.modal().(*dialog.Page); ok {
		p.Scroll(n)
		return
	}
	switch m.focus {
	case layout.Calls:
		m.calls.Move(n)
	case layout.Detail:
		m.detail.Scroll(n)
	case layout.Wire:
		m.wire.Move(n)
	case layout.NumPanes:
	}
}

// moveBy moves what has the focus as a key says.
func (m *Model) moveBy(key string) tea.Cmd {
	m.move(linesOf(key, m.halfPage()))
	return nil
}

// linesOf says by how many lines a key moves, where half a page has so many.
func linesOf(key string, half int) int {
	switch key {
	case "j", "down":
		return 1
	case "k", "up":
		return -1
	case "g", "home":
		return -veryFar
	case "G", "end":
		return veryFar
	case "ctrl+d", "pgdown":
		return half
	case "ctrl+u", "pgup":
		return -half
	}
	return 0
}

func (m *Model) halfPage() int {
	if p, ok := m.modal().(*dialog.Page); ok {
		return max(1, p.Height()/2)
	}
	return max(1, m.lay.Panes[m.focus].Dy()/2)
}

// show gives a pane the focus.
func (m *Model) show(p layout.Pane) {
	m.focus = p
	switch p {
	case layout.Detail:
		m.detail.Show(true)
		m.calls.Touch()
	case layout.Calls:
		m.detail.Show(false)
	case layout.Wire:
		if !m.wired.In(m.w) {
			m.wired = layout.On
		}
	case layout.NumPanes:
	}
}

// cycle gives the focus to the n-th pane after this one.
func (m *Model) cycle(n int) {
	next := (int(m.focus) + n + int(layout.NumPanes)) % int(layout.NumPanes)
	if layout.Pane(next) == layout.Wire && !m.wired.In(m.w) {
		next = (next + n + int(layout.NumPanes)) % int(layout.NumPanes)
	}
	m.show(layout.Pane(next))
}

// back goes back by one level: a search, a filter, the zoom, the
// focus. It never quits.
func (m *Model) back() {
	switch {
	case m.focus == layout.Detail && m.detail.IsSearching():
		m.detail.Find("")
	case m.zoom != layout.Normal:
		m.zoom = layout.Normal
	case m.focus == layout.Wire && !m.wire.Filter().Empty():
		m.wire.SetFilter(index.Filter{})
	case m.focus != layout.Calls:
		m.show(layout.Calls)
	case len(m.calls.Marked()) > 0:
		clear(m.calls.Marked())
	case !m.calls.Filter().Empty():
		m.calls.Arrange(index.Filter{}, m.calls.Sort())
	}
}

// openSelected is enter.
func (m *Model) openSelected() tea.Cmd {
	switch m.focus {
	case layout.Calls:
		if m.replay.IsRecorded() {
			m.show(layout.Detail)
			return nil
		}
		if r := m.snap.commonRevision(); r != "" && m.snap.status.Phase == session.Disconnected {
			return m.restart(string(r))
		}
		if cmd, ok := m.questions.OpenFor(m.calls.Chosen()); ok {
			return cmd
		}
		m.show(layout.Detail)
	case layout.Detail:
		m.detail.NextHit()
	case layout.Wire:
		if e, ok := m.wire.Selected(); ok {
			m.openMessage(e)
		}
	case layout.NumPanes:
	}
	return nil
}

func (m *Model) zoomBy(n int) {
	m.zoom = layout.Zoom(min(max(int(m.zoom)+n, int(layout.Normal)), int(layout.Full)))
}

func (m *Model) toggleWire() {
	if !m.wired.In(m.w) {
		m.wired = layout.On
		return
	}
	m.wired = layout.Off
	if m.focus == layout.Wire {
		m.show(layout.Calls)
	}
}

func (m *Model) toggleFollow() tea.Cmd {
	on := !m.calls.Follows()
	if m.focus == layout.Wire {
		on = !m.wire.Follows()
		m.wire.Follow(on)
	} else {
		m.calls.Follow(on)
	}
	if on {
		return m.status.Say(panel.Said("follows the newest"))
	}
	return m.status.Say(panel.Said("stays where it is"))
}

func (m *Model) nextSort() tea.Cmd {
	s := (m.calls.Sort() + 1) % index.NumSorts
	m.calls.Arrange(m.calls.Filter(), s)
	return m.status.Say(panel.Said("sorted: " + safe.Text(s.String())))
}

// askFilter filters the pane that has the focus while the filter is typed.
func (m *Model) askFilter() {
	wire := m.focus == layout.Wire
	apply := func(text string) {
		f := index.ParseFilter(text)
		if wire {
			m.wire.SetFilter(f)
			return
		}
		m.calls.Arrange(f, m.calls.Sort())
	}
	before := m.calls.Filter().String()
	if wire {
		before = m.wire.Filter().String()
	}
	l := &dialog.Line{
		Host:  m.host,
		Label: "/", Placeholder: "words that a row must have; !word: must not", History: &m.input.filters,
		Hint:    "enter keeps · esc drops it",
		Changed: apply,
		Enter:   func(string) tea.Cmd { return nil },
		Escape:  func() { apply(before) },
	}
	l.Text.Set(before)
	m.push(l)
}

// searchable is what a search looks into.
type searchable interface{ Find(text string) }

// askSearch searches what is shown while the text is typed.
func (m *Model) askSearch() {
	var in searchable = m.detail
	if p, ok := m.modal().(*dialog.Page); ok {
		in = p
	}
	m.push(&dialog.Line{
		Host:  m.host,
		Label: "/", Placeholder: "text to find", History: &m.input.searches,
		Changed: func(text string) { in.Find(text) },
		Enter:   func(string) tea.Cmd { return nil },
		Escape:  func() { in.Find("") },
	})
}
