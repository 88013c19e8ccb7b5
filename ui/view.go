package ui

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
	"belay/ui/layout"
)

// draw makes the frame from what sync copied. It reads the model only.
func (m *Model) draw() tea.View {
	if m.leave.over {
		// An empty last frame: some terminals that have grown meanwhile put what
		// was on the alternate screen above the shell.
		return tea.View{AltScreen: true}
	}
	m.canvas.Reset(m.w, m.h)
	m.hitAreas = m.hitAreas[:0]
	v := tea.View{AltScreen: true, WindowTitle: windowTitle()}
	if !m.opts.NoMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if m.lay.Mode == layout.Tiny {
		m.drawTiny(m.canvas.All())
	} else {
		m.drawHeader(m.canvas.Region(m.lay.Header))
		m.drawPanes()
		m.drawFooter(m.canvas.Region(m.lay.Footer))
	}
	if n := len(m.stack); n > 0 && m.lay.Mode != layout.Tiny {
		if _, line := m.stack[n-1].(*lineInput); !line || n > 1 {
			m.canvas.Region(m.lay.Body).Tint(m.styles.Behind)
		}
	}
	m.boxed = false
	for _, d := range m.stack {
		m.hitAreas = m.hitAreas[:0] // it covers what is below it
		if at := d.draw(m); at != nil {
			v.Cursor = tea.NewCursor(at.X, at.Y)
			m.drawSuggestions(*at)
		}
	}
	m.drawToast()
	v.SetContent(m.canvas.String())
	return v
}

// windowTitle names the program, and never what a server says.
func windowTitle() string { return "belay" }

func (m *Model) drawPanes() {
	for p, draw := range [layout.NumPanes]func(canvas.Region){
		layout.Calls: m.drawCalls, layout.Detail: m.drawDetail, layout.Wire: m.drawWire,
	} {
		if g := m.canvas.Region(m.lay.Panes[p]); !g.Empty() {
			draw(g)
		}
	}
}

// drawWire draws the wire pane in its frame.
func (m *Model) drawWire(g canvas.Region) {
	var count safe.Text
	if n := m.wire.Count(); n > 0 {
		count = wording.Thousands(n)
	}
	in := m.pane(g, layout.Wire, "Wire", m.wire.Title(), count)
	if row := m.wire.Draw(in); row >= 0 && m.focus == layout.Wire {
		m.drawSelected(in.Row(row), true)
	}
}

// pane frames a pane and writes its name, what is special about it, and a
// remark at the right. It returns the region inside.
func (m *Model) pane(g canvas.Region, p layout.Pane, name, extra, right safe.Text) canvas.Region {
	frame, title := m.styles.Frame, m.styles.Title
	if m.focus == p && len(m.stack) == 0 {
		frame, title = m.styles.FrameFocus, m.styles.TitleOn
	}
	in := g.Frame(m.glyphs.Border, frame)
	x := g.Title(1, safe.Text(rune('1'+p))+" "+name, title)
	if extra != "" {
		x = g.Title(x, extra, m.styles.Warn)
	}
	if w := safe.Width(right); right != "" && g.W()-w-4 > x {
		g.Title(g.W()-w-4, right, m.styles.Title)
	}
	return in
}

// box is a frame for a dialog in the middle of the screen, and the region
// inside it.
func (m *Model) box(w, h int, title safe.Text, style canvas.Style) canvas.Region {
	var r image.Rectangle
	if m.lay.Mode == layout.Tiny {
		r = image.Rect(0, 0, m.w, m.h)
	} else {
		r = m.lay.Center(w+2, h+2)
		m.clearScraps(r)
	}
	g := m.canvas.Region(r)
	g.Fill(canvas.Style{})
	in := g.Frame(m.glyphs.Border, style)
	bold := style
	bold.Attr |= canvas.Bold
	g.Title(1, title, bold)
	return in
}

// The room beside a box, and above or below it, in which the panes behind it
// still say something: a line of a table, or a few of them.
const (
	leastBeside = 20
	leastAbove  = 3
)

// clearScraps clears what the first box of a frame leaves of the panes, where
// that is too little to be read. A further box lies over the one before, which
// stays.
func (m *Model) clearScraps(box image.Rectangle) {
	if m.boxed {
		return
	}
	m.boxed = true
	body := m.lay.Body
	for _, scrap := range []image.Rectangle{
		image.Rect(body.Min.X, box.Min.Y, box.Min.X, box.Max.Y),
		image.Rect(box.Max.X, box.Min.Y, body.Max.X, box.Max.Y),
		image.Rect(body.Min.X, body.Min.Y, body.Max.X, box.Min.Y),
		image.Rect(body.Min.X, box.Max.Y, body.Max.X, body.Max.Y),
	} {
		if beside := scrap.Min.Y == box.Min.Y; beside && scrap.Dx() < leastBeside || !beside && scrap.Dy() < leastAbove {
			m.canvas.Region(scrap).Fill(canvas.Style{})
		}
	}
}
