package sampling

import (
	"image"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
	"belay/ui/doc"
)

// Height is how many rows it wants in so many columns, where all that is on the
// screen has body rows.
func (v *View) Height(width, body int) int {
	const around, most = 2, 14 // what stands above the text and below it; enough
	text := max(min(max(3, body/6), 8), v.text.Rows(width-3, most))
	if v.rawOn {
		text *= 2
	}
	return around + text
}

// Draw draws the side that is shown, and returns where the cursor is.
func (v *View) Draw(g canvas.Region) *image.Point {
	st := &v.looks.Styles
	note, style := safe.Text("your answer"), st.Title
	switch {
	case v.rawOn && v.rawWhy != "":
		note, style = safe.LineN(v.rawWhy, 200), st.Bad
	case v.rawOn:
		note = "the result as raw JSON"
	case v.req.MaxTokens > 0:
		note += " · about " + wording.Thousands(tokens(v.text.String())) + " of at most " + MaxTokens(v.req) + " tokens"
	}
	g.Put(0, 0, safe.Cut(note, g.W()), style)
	area, rows := &v.text, g.H()-2
	if v.rawOn {
		area, rows = &v.raw, g.H()-1
	}
	field := g.Sub(0, 1, g.W(), max(1, rows))
	field.Fill(st.Input)
	lines, x, y := area.View(field.W()-2, field.H())
	for i, l := range lines {
		field.Put(1, i, l, st.Input)
	}
	if above, all := area.Scrolled(); all > len(lines) {
		part := wording.Thousands(above+1) + "-" + wording.Thousands(above+len(lines)) + " of " + wording.Thousands(all)
		if safe.Width(note)+2+safe.Width(part) <= g.W() {
			g.PutRight(g.W(), 0, part, st.Muted)
		}
	}
	cursor := field.Cursor(1+x, y)
	if v.rawOn {
		return cursor
	}
	if at := v.drawLines(g, 1+field.H()); at != nil {
		cursor = at
	}
	return cursor
}

// drawLines draws the lines beside each other in row y, and returns where the cursor
// is, if it is in one of them.
func (v *View) drawLines(g canvas.Region, y int) (cursor *image.Point) {
	st := &v.looks.Styles
	half := g.W() / numLines
	for i := range v.lines {
		row := g.Sub(i*half, y, half, 1)
		label := st.Text
		if v.focus == i+1 {
			label = st.TitleOn
		}
		x := row.Put(i*2, 0, lineWords[i], label) + 1
		line := row.Sub(x, 0, row.W()-x, 1)
		line.Fill(st.Input)
		shown, x := v.lines[i].View(line.W() - 2)
		line.Put(1, 0, shown, st.Input)
		if v.focus == i+1 {
			cursor = line.Cursor(1+x, 0)
		}
	}
	return cursor
}

// Writing copies the answer, and returns the work of writing the copy whole, to be read only. The work may be
// done beside the screen, whatever becomes of the answer meanwhile.
func (v *View) Writing() func(d *doc.Doc) {
	st := v.looks.Styles
	if v.rawOn {
		raw := v.raw.String()
		return func(d *doc.Doc) { d.Labelled(nil, raw, st.Text) }
	}
	text := v.text.String()
	var lines [numLines]string
	for i := range v.lines {
		lines[i] = v.lines[i].String()
	}
	return func(d *doc.Doc) {
		d.Labelled(nil, text, st.Text)
		for i, l := range lines {
			d.Labelled([]doc.Span{{Text: safe.Pad(lineWords[i], 13), Style: st.Muted}}, l, st.Text)
		}
	}
}
