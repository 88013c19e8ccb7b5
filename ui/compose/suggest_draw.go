package compose

import (
	"image"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
	"belay/ui/panel"
)

// suggestRows is how many values are seen at once.
const suggestRows = 6

// DrawSuggestions draws what the server proposes below the line of the cursor, or
// above it where there is more room: within the form, at the left edge of the
// field, and not over the keys at the foot.
func (c *Composer) DrawSuggestions(on *panel.Frame, at image.Point) {
	s := &c.suggestions
	f, ok := c.host.Screen().Top.(*Form)
	if !ok || len(s.found.values) == 0 && s.found.why == "" {
		return
	}
	lines := make([]safe.Text, 0, len(s.found.values))
	w := 24
	for _, v := range s.found.values {
		l := wording.NameIn(v, 60)
		lines = append(lines, l)
		w = max(w, safe.Width(l))
	}
	title, style := safe.Text("ctrl+n takes one"), on.Styles.FrameFocus
	if s.found.why != "" {
		lines, title, style = []safe.Text{safe.Cut(s.found.why, 60)}, "no suggestions", on.Styles.Frame
		w = max(w, safe.Width(lines[0]))
	}
	const frame = 2
	room, left := f.room, f.room.Min.X+f.Fields.Column()
	below, above := room.Max.Y-at.Y-1-frame, at.Y-room.Min.Y-frame
	rows := min(len(lines), suggestRows, max(below, above))
	if rows < 1 {
		return
	}
	box := image.Rect(left, at.Y+1, min(left+w+frame, room.Max.X), at.Y+1+rows+frame)
	if rows > below {
		box = box.Sub(image.Pt(0, rows+frame+1))
	}
	on.Canvas.Region(image.Rect(box.Min.X, box.Min.Y, room.Max.X, box.Max.Y)).Fill(canvas.Style{})
	g := on.Canvas.Region(box)
	in := g.Frame(on.Glyphs.Border, style)
	g.Title(1, title, style)
	top := max(0, min(s.pick-suggestRows/2, len(lines)-rows))
	for y := range rows {
		line := in.Row(y)
		if top+y == s.pick {
			line.Fill(on.Styles.Selected)
		}
		line.Put(0, 0, safe.Cut(lines[top+y], line.W()), on.Styles.Text)
		if top+y == s.pick {
			line.Tint(on.Styles.Selected)
		}
	}
	if more := len(lines) - rows; more > 0 || s.found.more {
		words := wording.Thousands(len(lines))
		if s.found.more {
			words += " and more"
		}
		bottom := on.Canvas.Region(image.Rect(box.Min.X, box.Max.Y-1, box.Max.X, box.Max.Y))
		bottom.Put(2, 0, " "+words+" ", on.Styles.Title)
	}
}
