package ui

import (
	"image"

	"belay/internal/safe"
	"belay/ui/canvas"
)

// suggestRows is how many values are seen at once.
const suggestRows = 6

// drawSuggestions draws what the server proposes below the cursor, or above it
// where there is more room.
func (m *Model) drawSuggestions(at image.Point) {
	s := &m.input.suggest
	if _, ok := m.modal().(*callForm); !ok || len(s.found.values) == 0 && s.found.why == "" {
		return
	}
	lines := make([]safe.Text, 0, len(s.found.values))
	w := 24
	for _, v := range s.found.values {
		l := safe.Cut(safe.LineN(v, 200), 60)
		lines = append(lines, l)
		w = max(w, safe.Width(l))
	}
	title, style := safe.Text("ctrl+n takes one"), m.styles.FrameFocus
	if s.found.why != "" {
		lines, title, style = []safe.Text{safe.Cut(s.found.why, 60)}, "no suggestions", m.styles.Frame
		w = max(w, safe.Width(lines[0]))
	}
	rows := min(len(lines), suggestRows)
	body := m.lay.Body
	box := image.Rect(at.X-1, at.Y+1, at.X+w+1, at.Y+rows+3)
	if box.Max.Y > body.Max.Y {
		box = box.Sub(image.Pt(0, rows+3))
	}
	if over := box.Max.X - body.Max.X; over > 0 {
		box = box.Sub(image.Pt(over, 0))
	}
	g := m.canvas.Region(box.Intersect(body))
	g.Fill(canvas.Style{})
	in := g.Frame(m.glyphs.Border, style)
	g.Title(1, title, style)
	top := max(0, min(s.pick-suggestRows/2, len(lines)-rows))
	for y := range rows {
		line := in.Row(y)
		if top+y == s.pick {
			line.Fill(m.styles.Selected)
		}
		line.Put(0, 0, lines[top+y], m.styles.Text)
		if top+y == s.pick {
			line.Tint(m.styles.Selected)
		}
	}
	if more := len(lines) - rows; more > 0 || s.found.more {
		words := thousands(len(lines))
		if s.found.more {
			words += " and more"
		}
		bottom := m.canvas.Region(image.Rect(box.Min.X, box.Max.Y-1, box.Max.X, box.Max.Y))
		bottom.Put(2, 0, " "+words+" ", m.styles.Title)
	}
}
