package formview

import (
	"image"
	"strings"

	"belay/internal/form"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
	"belay/ui/theme"
)

// Spot is a place on the screen that can be clicked.
type Spot struct {
	At image.Rectangle
	Do func() // changes the view
}

// pen draws one frame, and gathers what can be clicked in it.
type pen struct {
	*theme.Looks
	spots []Spot
}

func (p *pen) onClick(at image.Rectangle, do func()) { p.spots = append(p.spots, Spot{at, do}) }

// rawRows is the height of the raw side at least, where there is room to choose.
const rawRows = 14

// Height is how many rows show all of it in so many columns, within reason, where there
// is room for so many.
func (f *View) Height(width, room int) int {
	f.texts = room * 2 / 3
	if f.rawOn {
		const note = 1
		return max(rawRows, note+f.raw.Rows(max(1, width-2), max(1, room)))
	}
	f.names = min(labelWidth(f.form.Rows()), width/3)
	h := len(f.above(width))
	return max(1, h+f.fitNotes(width, room-h))
}

// fitNotes shows all of each text below and in a row where there is room for all rows with
// them, and else first of the row that has the focus, beside which a row of the others stays in
// view. It returns the height of the rows, within reason.
func (f *View) fitNotes(width, room int) (h int) {
	const most, other = 200, 2
	rows, at := f.form.Rows(), f.at()
	f.noteOn = max(noteLines, room)
	for _, f.notes = range []int{f.noteOn, noteLines, 1} {
		enough := room
		if f.notes == 1 {
			enough = most
		}
		h = 0
		for i, r := range rows {
			if h += f.rowHeight(r, width-1, i == at); h > enough {
				break
			}
		}
		if h <= room {
			return h
		}
	}
	if at < 0 {
		return h
	}
	on := f.rowHeight(rows[at], width-1, true)
	value := on - len(f.note(rows[at], width-1, true).lines)
	f.noteOn = max(1, min(noteLines, room-value), room-value-min(h-on, other))
	return h
}

// Draw draws the side that is shown. It returns where the cursor is, nil for
// nowhere, and what can be clicked: of all spots that hold a point each is meant,
// in their order.
func (f *View) Draw(g canvas.Region) (cursor *image.Point, spots []Spot) {
	f.form.Turn()
	f.texts = min(f.texts, g.H()-2)
	p := &pen{Looks: &f.looks}
	if f.rawOn {
		cursor = f.drawRaw(p, g)
	} else {
		cursor = f.drawRows(p, g)
	}
	if f.away {
		cursor = nil
	}
	return cursor, p.spots
}

// Column is where the values stand in the fields that were drawn last, in columns
// from their left edge.
func (f *View) Column() int { return f.names + 1 }

// drawRaw draws the JSON side.
func (f *View) drawRaw(p *pen, g canvas.Region) *image.Point {
	note, style := safe.Text("raw JSON"), p.Styles.Muted
	switch is := f.form.Root.Note; {
	case f.rawWhy != "":
		note, style = p.Glyphs.Failed+" "+safe.LineN(f.rawWhy, 200), p.Styles.Bad
	case is == form.TooLarge:
		note, style = "raw JSON · not checked here: "+safe.Text(is), p.Styles.Warn
	}
	g.Put(0, 0, safe.Cut(note, g.W()), style)
	field := g.Sub(0, 1, g.W(), g.H()-1)
	field.Fill(p.Styles.Input)
	lines, x, y := f.raw.View(field.W()-2, field.H())
	for i, l := range lines {
		field.Put(1, i, l, p.Styles.Input)
	}
	return field.Cursor(1+x, y)
}

// drawRows draws the rows that fit, the one with the focus among them.
func (f *View) drawRows(p *pen, g canvas.Region) *image.Point {
	rows := f.form.Rows()
	if len(rows) == 0 {
		f.drawNothing(p, g)
		return nil
	}
	g = f.drawAbove(p, g)
	at := max(0, f.at())
	f.names = min(labelWidth(rows), g.W()/3)
	f.fitNotes(g.W(), g.H())
	f.scrollTo(rows, at, g)
	var cursor *image.Point
	y := 0
	for i := f.top; i < len(rows) && y < g.H(); i++ {
		on := i == at && !f.away
		h := f.rowHeight(rows[i], g.W()-1, i == at)
		place := g.Sub(0, y, g.W()-1, h)
		p.onClick(place.Bounds(), func() {
			f.away = false
			f.goTo(rows[i])
		})
		if c := f.drawRow(p, place, rows[i], on); on {
			cursor = c
		}
		y += h
	}
	shown := f.shown(rows, g)
	g.Thumb(f.top*g.H()/shown, len(rows)*g.H()/shown, p.Glyphs.ThumbOn, p.Styles.Faint)
	return cursor
}

// shown counts the rows that fit.
func (f *View) shown(rows []form.Row, g canvas.Region) int {
	n, y, at := 0, 0, f.at()
	for i := f.top; i < len(rows); i++ {
		if y += f.rowHeight(rows[i], g.W()-1, i == at); y > g.H() {
			break
		}
		n++
	}
	return max(1, n)
}

// scrollTo sets top so that the row with the focus is in view, and no room is
// left at the end while there are rows before the first.
func (f *View) scrollTo(rows []form.Row, at int, g canvas.Region) {
	heightOf := func(i int) int { return f.rowHeight(rows[i], g.W()-1, i == at) }
	f.top = min(f.top, at)
	y := 0
	first := at
	for i := at; i >= 0; i-- {
		if y += heightOf(i); y > g.H() {
			break
		}
		first = i
	}
	f.top = max(f.top, first)
	y = 0
	last := len(rows)
	for i := len(rows) - 1; i >= 0; i-- {
		if y += heightOf(i); y > g.H() {
			break
		}
		last = i
	}
	f.top = min(f.top, last)
}

// remark is a line above the fields, about all of them.
type remark struct {
	text  safe.Text
	wrong bool // about the value; otherwise about the schema
}

// above returns the faults of the value as a whole, the faults of its schema, and
// the rules that belay cannot check.
func (f *View) above(width int) (lines []remark) {
	root := f.form.Root
	add := func(t safe.Text, wrong bool, most int) {
		for _, l := range safe.Wrap(t, max(1, width-2), most) {
			lines = append(lines, remark{l, wrong})
		}
	}
	if root.Note != "" && len(f.form.Rows()) > 0 {
		add(safe.LineN(root.Note, 200), false, 2)
	}
	var rest safe.Text
	for _, what := range f.form.Unchecked() {
		if rest != "" {
			rest += "; "
		}
		rest += safe.LineN(what, 100)
	}
	if rest != "" {
		add("not checked here: "+rest, false, 2)
	}
	if why, lacks := f.form.Whole(); why != "" && (f.tried || !lacks) && root.Kind == form.Object {
		add(safe.LineN(why, 200), true, 2)
	}
	return lines
}

// drawAbove draws the remarks, and returns what is left below them.
func (f *View) drawAbove(p *pen, g canvas.Region) canvas.Region {
	was := remark{wrong: true}
	for i, l := range f.above(g.W()) {
		glyph, style := safe.Text("!"), p.Styles.Warn
		if l.wrong {
			glyph, style = p.Glyphs.Failed, p.Styles.Bad
		}
		if i == 0 || l.wrong != was.wrong {
			g.Put(0, 0, glyph, style)
		}
		was = l
		g.Put(2, 0, l.text, style)
		g = g.Sub(0, 1, g.W(), g.H()-1)
	}
	return g
}

func (f *View) drawNothing(p *pen, g canvas.Region) {
	if f.unread != nil {
		words := wording.Size(len(f.unread.schema)) + " of schema are being read" + p.Glyphs.Dots + " · ctrl+g takes the JSON meanwhile"
		g.Put(0, 0, safe.Cut(words, g.W()), p.Styles.Muted)
		return
	}
	g = f.drawAbove(p, g)
	words, style := safe.Text("there is nothing to fill in · ctrl+g shows the JSON"), p.Styles.Muted
	if note := f.form.Root.Note; note != "" {
		what := safe.Text("broken: ")
		if strings.HasPrefix(note, form.NoDialect) || strings.HasPrefix(note, form.NotShown) || note == form.TooLarge {
			what = ""
		}
		words, style = "! "+what+safe.LineN(note, 200)+" · ctrl+g takes the "+safe.Text(f.form.Noun())+" as JSON", p.Styles.Warn
	}
	for y, l := range safe.Wrap(words, g.W(), 3) {
		g.Put(0, y, l, style)
	}
}

// indent is how far a level of nesting is indented.
const indent = 2

// labelWidth is the width of the column in which the names stand, where there is room for it: it takes
// a third of the width at most.
func labelWidth(rows []form.Row) int {
	const enough = 400 // rows that are measured
	n := 8
	for i, r := range rows {
		if i > enough {
			break
		}
		n = max(n, indent*r.Depth+safe.Width(label(r, labelMost))+2)
	}
	return n
}

// labelMost is how wide a label is at most.
const labelMost = 40

// caption is what stands before a row: the name of a member, or words of belay's.
type caption struct {
	name string // foreign
	says safe.Text
}

func captionOf(r form.Row) caption {
	n := r.Node
	switch {
	case r.Part == form.Name:
		return caption{says: "member"}
	case r.Part == form.Adding:
		return caption{says: "more"}
	case n.Up() == nil && n.Kind == form.Variant:
		return caption{says: "(kind)"}
	case n.IsExtra() || n.Up() == nil:
		return caption{says: "value"}
	case n.IsMovable():
		return caption{says: wording.Thousands(n.Index()+1) + "."}
	case n.Up().Kind == form.Variant:
		return caption{says: "value"}
	}
	return caption{name: n.Name}
}

// in is the caption in at most width columns.
func (c caption) in(width int) safe.Text {
	if c.says != "" {
		return safe.Cut(c.says, width)
	}
	return wording.NameMiddleIn(c.name, min(width, labelMost))
}

// label is what stands before a row, in at most width columns.
func label(r form.Row, width int) safe.Text { return captionOf(r).in(width) }

// rowHeight is how many lines a row takes.
func (f *View) rowHeight(r form.Row, width int, on bool) int {
	if r.Part != form.Value {
		return 1 + len(f.note(r, width, on).lines)
	}
	return f.fieldHeight(r.Node, width, on) + len(f.note(r, width, on).lines)
}

// drawRow draws one row: its name and value, and below them the value's fault or
// else a hint. It returns the place of the cursor.
func (f *View) drawRow(p *pen, g canvas.Region, r form.Row, on bool) *image.Point {
	style := p.Styles.Text
	if on {
		style = p.Styles.TitleOn
	}
	for i := range r.Depth {
		for y := range g.H() {
			g.Put(i*indent, y, p.Glyphs.ThumbOff, p.Styles.Faint)
		}
	}
	at := r.Depth * indent
	end := g.Put(at, 0, label(r, max(3, f.names-at-1)), style)
	if r.Node.Required && r.Part == form.Value && r.Node.Up() != nil && !r.Node.IsMovable() {
		g.Put(end, 0, "*", p.Styles.Warn)
	}
	left := max(f.names+1, end+2)
	h := 1
	if r.Part == form.Value {
		h = f.fieldHeight(r.Node, g.W(), on)
	}
	f.note(r, g.W(), on).draw(p, g, f.noteAt(r), h)
	return f.drawField(p, g.Sub(left, 0, g.W()-left, h), r, on)
}
