package ui

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/layout"
	"belay/ui/row"
)

func (m *Model) drawCalls(g canvas.Region) {
	in := m.pane(g, layout.Calls, "Calls", m.callsTitle(), m.callsCount())
	if n := m.noticeHeight(in.H()); n > 0 {
		m.drawNotice(in.Sub(0, 0, in.W(), n))
		in = in.Sub(0, n, in.W(), in.H()-n)
	}
	if in.H() < 1 {
		return
	}
	rows := m.calls.rows
	c := m.calls.columns(in.W())
	m.drawHead(in.Row(0), c)
	for i, r := range rows {
		m.drawRow(in.Row(i+1), c, r)
	}
	if len(rows) == 0 && in.H() > 2 {
		m.drawEmpty(in.Sub(0, 1, in.W(), in.H()-1))
	}
}

func (m *Model) callsCount() safe.Text {
	n, all := m.calls.idx.Len(), m.snap.status.Rows
	switch {
	case !m.calls.idx.Filter().Empty():
		return wording.Thousands(n) + " of " + wording.Thousands(all)
	case n > len(m.calls.rows):
		return wording.Thousands(m.calls.at+1) + "/" + wording.Thousands(n)
	}
	return ""
}

func (m *Model) drawHead(g canvas.Region, c columns) {
	c.cells(func(x, width int, column string) {
		if column == "TIME" {
			g.PutRight(x+width, 0, "TIME", m.styles.Head)
			return
		}
		g.Put(x, 0, safe.Text(column), m.styles.Head)
	})
}

func (m *Model) drawRow(g canvas.Region, c columns, r session.Row) {
	st, over := m.styles, r.State.Terminal()
	method, target := st.Muted, st.Text
	if over {
		target = st.Muted
	}
	state := m.words().State(r)
	c.borrow(state.Width(c.wide)).cells(func(x, width int, column string) {
		switch column {
		case "ID":
			g.Put(x, 0, safe.Cut(safe.Line(r.Wire.String()), width), st.Muted)
		case "METHOD":
			if r.Target == "" { // it may use the room of the target
				width += gap + c.target
			}
			g.Put(x, 0, wording.NameIn(r.Method, width), method)
		case "TARGET":
			if r.Target == "" && c.method == 0 {
				g.Put(x, 0, wording.NameIn(r.Method, width), method)
			}
			g.Put(x, 0, wording.NameIn(r.Target, width), target)
		case "STATE":
			g.Put(x, 0, state.Text(c.wide), state.Style)
		case "TIME":
			g.PutRight(x+width, 0, m.words().Time(r), st.Muted)
		default:
			m.drawButton(g, x, r)
		}
	})
	if m.calls.marks[r.ID] {
		g.Put(0, 0, m.glyphs.Mark, st.Mark)
	}
	if r.ID == m.calls.sel {
		m.drawSelected(g, m.focus == layout.Calls)
	}
}

// drawSelected marks the row that the keys act on.
func (m *Model) drawSelected(g canvas.Region, focused bool) {
	if !focused {
		g.Tint(m.styles.SelectedDim)
		return
	}
	g.Tint(m.styles.Selected)
	bar := m.styles.Accent
	bar.BG = m.styles.Selected.BG
	g.Put(0, 0, m.glyphs.Bar, bar)
}

// drawButton draws the cancel button of a row in flight, grey where x would be
// refused.
func (m *Model) drawButton(g canvas.Region, x int, r session.Row) {
	switch {
	case !row.HasButton(r):
	case row.NoCancel(r) != "":
		g.Put(x, 0, buttonText, m.styles.KeyOff)
	default:
		g.Put(x, 0, buttonText, m.styles.Button)
	}
}

// drawEmpty says what an empty table means, and what to press.
func (m *Model) drawEmpty(g canvas.Region) {
	var text safe.Text
	switch {
	case !m.calls.idx.Filter().Empty():
		text = "no call matches the filter · esc shows all of them"
	case m.snap.connecting():
		text = "connecting" + m.glyphs.Dots
	case m.snap.status.Phase == session.Ready:
		text = "no calls yet · n makes one"
	default:
		return
	}
	text = safe.Cut(text, g.W()-2)
	g.Put((g.W()-safe.Width(text))/2, g.H()/2, text, m.styles.Muted)
}
