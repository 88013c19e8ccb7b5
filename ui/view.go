package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
	"belay/ui/dialog"
	"belay/ui/layout"
	"belay/ui/panel"
)

// draw makes the frame from what sync copied. It reads the model only.
func (m *Model) draw() tea.View {
	if m.leave.over {
		// An empty last frame: some terminals that have grown meanwhile put what
		// was on the alternate screen above the shell.
		return tea.View{AltScreen: true}
	}
	m.canvas.Reset(m.w, m.h)
	m.frame = m.newFrame()
	v := tea.View{AltScreen: true, WindowTitle: windowTitle(), ProgramStatus: m.teller.Status(m.login.Waits()), ReportFocus: m.teller.Notifies()}
	if !m.opts.NoMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if m.lay.Mode == layout.Tiny {
		m.drawTiny(m.canvas.All())
	} else {
		m.drawHeader(m.canvas.Region(m.lay.Header))
		m.drawPanes()
		if m.modal() == nil { // a dialog has its keys at its foot
			m.status.Hints = 1 + hintsWidth(m.hints(m.scope()))
			m.drawHints(m.status.Beside(m.canvas.Region(m.lay.Footer)), 1, m.scope())
		} else if typesOnly(m.stack) { // the line has the place of the hints, and leaves nothing beside it
			m.status.Hints = m.w
		}
	}
	if n := len(m.stack); n > 0 && m.lay.Mode != layout.Tiny {
		if _, line := m.stack[n-1].(*dialog.Line); !line || n > 1 {
			m.canvas.Region(m.lay.Body).Tint(m.styles.Behind)
		}
	}
	for _, d := range m.stack {
		m.frame.Cover()
		m.frame.Hint = m.drawHints
		if d != m.modal() { // its keys do nothing, or something else
			m.frame.Hint = drawNoHints
		}
		v.Cursor = nil
		if at := d.Draw(m.frame); at != nil {
			v.Cursor = tea.NewCursor(at.X, at.Y)
			m.compose.DrawSuggestions(m.frame, *at)
		}
	}
	m.drawStatus()
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
		m.frame.Select(in.Row(row), true)
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

// newFrame is what a frame is drawn with.
func (m *Model) newFrame() *panel.Frame {
	kept := 0
	if top := m.modal(); top != nil && isStatusSeen(top, m.lay.Mode == layout.Tiny) {
		kept = m.status.Below(m.w, m.h)
	}
	return &panel.Frame{Screen: m.screen(), Canvas: m.canvas, Kept: kept, Hint: m.drawHints, Keys: m.keyWords, LayOut: m.layOut}
}
