package ui

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/ui/layout"
	"belay/ui/question"
)

// wheelLines is how far one notch of the wheel goes.
const wheelLines = 3

// wheel scrolls what is under the pointer.
func (m *Model) wheel(at tea.Mouse) tea.Cmd {
	n := wheelLines
	switch at.Button {
	case tea.MouseWheelUp:
		n = -n
	case tea.MouseWheelDown:
	default:
		return nil
	}
	if m.modal() != nil {
		switch d := m.modal().(type) {
		case interface{ Scroll(n int) }:
			d.Scroll(n)
		}
		return nil
	}
	p, ok := m.lay.PaneAt(image.Pt(at.X, at.Y))
	if !ok {
		return nil
	}
	before := m.focus
	m.focus = p
	m.move(n)
	m.focus = before
	return nil
}

// clickSpots does what the places are for that hold a point, the outer ones first.
// It says false when there is none.
func (m *Model) clickSpots(pt image.Point) (cmd tea.Cmd, hit bool) {
	if p, ok := m.modal().(*question.Panel); ok && p.IsGuarded() {
		return p.Guard(), true
	}
	var cmds []tea.Cmd
	for _, s := range m.frame.Areas() {
		if pt.In(s.At) {
			hit = true
			cmds = append(cmds, s.Do())
		}
	}
	return tea.Batch(cmds...), hit
}

// click selects a row, a tab, a message or a field, chooses options, and presses
// buttons and the keys at the foot.
func (m *Model) click(at tea.Mouse) tea.Cmd {
	m.status.Clear()
	if at.Button != tea.MouseLeft {
		return nil
	}
	pt := image.Pt(at.X, at.Y)
	if cmd, hit := m.clickSpots(pt); hit || m.modal() != nil {
		return cmd
	}
	p, ok := m.lay.PaneAt(pt)
	if !ok {
		return nil
	}
	in := m.lay.Panes[p].Inset(1)
	m.show(p)
	if !pt.In(in) {
		return nil
	}
	pt = pt.Sub(in.Min)
	switch p {
	case layout.Calls:
		return m.clickCall(pt, in.Dx(), in.Dy())
	case layout.Detail:
		return m.detail.Click(pt, in.Dx())
	case layout.Wire:
		if shown := m.wire.Shown(); pt.Y < len(shown) {
			m.wire.Select(shown[pt.Y].Seq)
		}
	case layout.NumPanes:
	}
	return nil
}

func (m *Model) clickCall(pt image.Point, w, h int) tea.Cmd {
	r, button, ok := m.calls.At(pt.Y-noticeHeight(len(m.notice(w)), h)-1, pt.X, w)
	if !ok {
		return nil
	}
	m.calls.Choose(r.ID)
	if button && !m.replay.IsRecorded() {
		return m.cancelRow(r, "")
	}
	return nil
}
