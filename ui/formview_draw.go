package ui

import (
	"image"

	"belay/internal/safe"
	"belay/ui/canvas"
	"belay/ui/form"
)

// height is what shows all of it.
func (f *formView) height(int) int {
	if f.rawOn {
		return 12
	}
	return max(1, 2*len(f.form.Fields))
}

// draw draws the side that is shown, and returns where the cursor is.
func (f *formView) draw(m *Model, g canvas.Region) *image.Point {
	at := (*image.Point)(nil)
	if f.rawOn {
		at = f.drawRaw(m, g)
	} else {
		at = f.drawFields(m, g)
	}
	if f.locked || f.away {
		return nil
	}
	return at
}

// drawRaw draws the JSON side.
func (f *formView) drawRaw(m *Model, g canvas.Region) *image.Point {
	note, style := safe.Text("raw JSON"), m.styles.Muted
	switch {
	case f.rawWhy != "":
		note, style = safe.LineN(f.rawWhy, 200), m.styles.Bad
	case f.form.Schema.Nested != "":
		note = "raw JSON, because " + safe.LineN(f.form.Schema.Nested, 120)
	}
	g.Put(0, 0, safe.Cut(note, g.W()), style)
	field := g.Sub(0, 1, g.W(), g.H()-1)
	field.Fill(m.styles.Input)
	lines, x, y := f.raw.View(field.W()-2, field.H())
	for i, l := range lines {
		field.Put(1, i, l, m.styles.Input)
	}
	at := image.Pt(1+x, y).Add(field.Bounds().Min)
	return &at
}

// drawFields draws the fields that fit, the one with the focus among them.
func (f *formView) drawFields(m *Model, g canvas.Region) *image.Point {
	rows := max(1, g.H()/2)
	f.top = max(min(f.top, f.focus), f.focus-rows+1)
	labels := f.labelWidth(g.W())
	var cursor *image.Point
	y := 0
	for i := f.top; i < len(f.form.Fields) && y+1 < g.H(); i++ {
		at := f.drawField(m, g.Sub(0, y, g.W(), 2), i, labels)
		if i == f.focus {
			cursor = at
		}
		y += 2
	}
	if len(f.form.Fields) == 0 {
		g.Put(0, 0, "there is nothing to fill in", m.styles.Muted)
	}
	if n := f.form.Extra(); n > 0 && y < g.H() {
		g.Put(0, y, thousands(n)+" more in the raw JSON (ctrl+g)", m.styles.Warn)
	}
	return cursor
}

func (f *formView) labelWidth(w int) int {
	n := 8
	for i := range f.form.Fields {
		n = max(n, safe.Width(safe.LineN(f.form.Fields[i].Name, 40))+2)
	}
	return min(n, w/3)
}

// drawField draws one field: its name, what is in it, and below that what is
// wrong with it, or what it takes.
func (f *formView) drawField(m *Model, g canvas.Region, i, labels int) *image.Point {
	label := m.styles.Text
	if i == f.focus && !f.away {
		label = m.styles.TitleOn
	}
	field := g.Sub(labels+1, 0, g.W()-labels-1, 1)
	x := &f.form.Fields[i]
	name := safe.Cut(safe.LineN(x.Name, labels+1), labels-1)
	end := g.Put(0, 0, name, label)
	if x.Required {
		g.Put(end, 0, "*", m.styles.Warn)
	}
	note, noteStyle := f.note(m, x)
	g.Put(labels+2, 1, safe.Cut(note, g.W()-labels-2), noteStyle)
	return drawValue(m, field, x)
}

func cursorAt(field canvas.Region, x int) *image.Point {
	at := image.Pt(1+x, 0).Add(field.Bounds().Min)
	return &at
}

// note is what stands below a field. A field that nobody typed into yet is not
// scolded before sending was tried.
func (f *formView) note(m *Model, x *form.Field) (safe.Text, canvas.Style) {
	if p := x.Problem(); p != "" && (x.Set() || f.tried) {
		return safe.LineN(p, 200), m.styles.Bad
	}
	text := safe.LineN(x.Words(), 120)
	if x.Required && !x.Set() {
		text = "required · " + text
	}
	if about := oneOf(x.About, x.Title); about != "" {
		text += " · " + safe.QuotedCut(about, 200)
	}
	return text, m.styles.Muted
}

// drawValue draws what is in a field, and returns where the cursor is.
func drawValue(m *Model, g canvas.Region, x *form.Field) *image.Point {
	g.Fill(m.styles.Input)
	switch {
	case x.Held():
		g.Put(1, 0, safe.Cut(safe.BytesN(x.Raw(), g.W()), g.W()-18), m.styles.Placeholder)
		g.PutRight(g.W()-1, 0, "ctrl+g edits it", m.styles.Placeholder)
		return cursorAt(g, 0)
	case x.Kind == form.Other:
		g.Put(1, 0, "unset · ctrl+g writes it as JSON", m.styles.Placeholder)
		return cursorAt(g, 0)
	case x.Choice():
		return drawChoice(m, g, x)
	case !x.Set():
		g.Put(1, 0, safe.Cut(unsetWords(x), g.W()-2), m.styles.Placeholder)
		return cursorAt(g, 0)
	case x.Input.Empty():
		g.Put(1, 0, "empty · backspace leaves it out", m.styles.Placeholder)
		return cursorAt(g, 0)
	}
	shown, at := x.Input.View(g.W() - 2)
	g.Put(1, 0, shown, m.styles.Input)
	return cursorAt(g, at)
}

func unsetWords(x *form.Field) safe.Text {
	if len(x.Default) > 0 {
		return "unset · the server's default is " + safe.BytesN(x.Default, 60)
	}
	return "unset"
}

// drawChoice draws the options in a row, the chosen one marked, and returns where
// that is: nothing is typed here, but a magnifier follows the cursor.
func drawChoice(m *Model, g canvas.Region, x *form.Field) *image.Point {
	var cursor *image.Point
	style := m.styles.Placeholder
	picked, ok := x.Picked()
	at := 1
	if !x.Required {
		if !ok {
			cursor = cursorAt(g, at)
		}
		at = g.Put(at, 0, choiceText("unset", !ok), choiceStyle(m, !ok, style)) + 1
	}
	width := 0
	for _, o := range x.Options {
		width += safe.Width(safe.LineN(o, 30)) + 3
	}
	if at+width > g.W() { // too many to show: only the one that is chosen
		if ok {
			cursor = cursorAt(g, at)
			g.Put(at, 0, safe.Cut(choiceText(safe.LineN(picked, 60), true), g.W()-at-12), choiceStyle(m, true, style))
		}
		g.PutRight(g.W()-1, 0, m.glyphs.In+" "+m.glyphs.Out+" choose", style)
		return cursor
	}
	for _, o := range x.Options {
		on := ok && o == picked
		if on {
			cursor = cursorAt(g, at)
		}
		at = g.Put(at, 0, choiceText(safe.LineN(o, 30), on), choiceStyle(m, on, style)) + 1
	}
	return cursor
}

func choiceText(t safe.Text, on bool) safe.Text {
	if on {
		return "[" + t + "]"
	}
	return " " + t + " "
}

func choiceStyle(m *Model, on bool, off canvas.Style) canvas.Style {
	if on {
		s := bold(m.styles.Accent)
		s.BG = m.styles.Input.BG
		return s
	}
	return off
}
