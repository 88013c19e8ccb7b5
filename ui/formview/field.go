package formview

import (
	"image"
	"strings"

	"belay/internal/form"
	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
)

const (
	linesOn    = 8 // of a text that is long, while it has the focus, at least
	linesOff   = 3 // … and while it has not
	optionRows = 4 // of the options that can be ticked
)

// fieldHeight is how many lines the value of a node takes, without its note.
func (f *View) fieldHeight(n *form.Node, width int, on bool) int {
	switch {
	case n.Writes() && n.Input.Empty():
		return len(f.emptyWords(n, max(1, width-f.names-3), f.textLines(on)))
	case n.Writes() && on:
		most := max(linesOn, f.texts)
		rows := n.Input.Rows(max(1, width-f.names-3), most)
		if rows < most && n.Input.Len() > edit.WrapMost {
			rows++ // for its size
		}
		return rows
	case n.Writes():
		return min(n.Input.Height(), linesOff)
	case f.hidesOptions(n):
		return 1
	case n.Kind == form.Many:
		return min(optionRows, max(1, len(flow(n, width-f.names-3))))
	case n.Kind == form.Choice && on && finds(n):
		return 2
	}
	return 1
}

// drawField draws what is in a row, and returns where the cursor is.
func (f *View) drawField(p *pen, g canvas.Region, r form.Row, on bool) *image.Point {
	n := r.Node
	switch {
	case r.Part == form.Name:
		g.Fill(p.Styles.Input)
		if n.Key.Empty() {
			g.Put(1, 0, "its name", p.Styles.Placeholder)
		}
		shown, x := n.Key.View(g.W() - 2)
		g.Put(1, 0, shown, p.Styles.Input)
		return g.Cursor(1+x, 0)
	case r.Part == form.Adding:
		g.Fill(p.Styles.Input)
		g.Put(1, 0, "space adds a member", p.Styles.Placeholder)
		return g.Cursor(1, 0)
	case n.Writes():
		return f.drawText(p, g, n, on)
	case f.hidesOptions(n):
		return f.drawHidden(p, g, n, on)
	case n.Kind == form.Many:
		return drawMany(p, g, n, on)
	case n.Kind == form.Choice, n.Kind == form.Variant:
		return drawChoice(p, g, n, on)
	}
	return drawHolder(p, g, n)
}

// drawText draws a text, a number or JSON: around the cursor where it is typed
// into, and its beginning elsewhere. Of a secret it is how long it is.
func (f *View) drawText(p *pen, g canvas.Region, n *form.Node, on bool) *image.Point {
	g.Fill(p.Styles.Input)
	if n.Input.Empty() {
		for i, l := range f.emptyWords(n, max(1, g.W()-2), max(1, g.H())) {
			g.Put(1, i, l, p.Styles.Placeholder)
		}
		return g.Cursor(1, 0)
	}
	style := p.Styles.Input
	if n.AsJSON() {
		style.FG = p.Styles.JSONNumber.FG
	}
	put := func(y int, line safe.Text) {
		if f.isHidden(n) {
			line = f.hidden(line)
		}
		g.Put(1, y, line, style)
	}
	if !on {
		for i, l := range n.Input.Head(g.W()-2, g.H()) {
			put(i, l)
		}
		drawMore(p, g, n)
		return nil
	}
	h := g.H()
	if drawMore(p, g, n) {
		h = max(1, h-1)
	}
	lines, x, y := n.Input.View(g.W()-2, h)
	for i, l := range lines {
		put(i, l)
	}
	return g.Cursor(1+x, y)
}

// drawMore says how long a text is of which a part is shown, at the end of the
// last row.
func drawMore(p *pen, g canvas.Region, n *form.Node) bool {
	if n.Input.Rows(g.W()-2, g.H()+1) <= g.H() && n.Input.Len() <= edit.WrapMost {
		return false
	}
	size := wording.Count(n.Input.Len(), "character")
	if lines := n.Input.Height(); lines > g.H() {
		size = wording.Count(lines, "line")
	}
	g.PutRight(g.W()-1, g.H()-1, p.Glyphs.Dots+" "+size, p.Styles.Placeholder)
	return true
}

// emptyWords are what stands in a field in which nothing is written, in at most so many lines.
func (f *View) emptyWords(n *form.Node, width, most int) []safe.Text {
	words := safe.Text("unset")
	switch {
	case n.IsSet():
		words = "empty · backspace leaves it out"
	case n.DoesDefaultFit():
		words = "unset · the server's default is " + f.defaultWords(n, width*most)
	}
	return safe.Wrap(words, width, most)
}

// defaultWords are the server's default of a node, in at most so many columns.
func (f *View) defaultWords(n *form.Node, most int) safe.Text {
	if f.isHidden(n) {
		return f.hiddenAll()
	}
	return safe.BytesN(n.Default, most)
}

// hidesOptions reports whether a node is a choice whose options are not shown.
func (f *View) hidesOptions(n *form.Node) bool {
	return (n.Kind == form.Choice || n.Kind == form.Many) && f.isSecret(n) && f.isHidden(n)
}

// drawHidden draws a choice whose options are not shown: whether one is chosen.
func (f *View) drawHidden(p *pen, g canvas.Region, n *form.Node, on bool) *image.Point {
	g.Fill(p.Styles.Input)
	words, style := safe.Text(unset), p.Styles.Placeholder
	if n.IsSet() {
		words, style = f.hiddenAll(), p.Styles.Input
	}
	at := g.Put(1, 0, words, style)
	if on {
		g.Put(at, 0, " · alt+s shows the options", p.Styles.Placeholder)
	}
	return g.Cursor(1, 0)
}

// drawHolder draws what stands for an object or a list: how much is in it.
func drawHolder(p *pen, g canvas.Region, n *form.Node) *image.Point {
	words, style := safe.Text(""), p.Styles.Muted
	switch {
	case !n.IsSet() && n.Kind == form.Object && n.Adds() != n:
		words = "unset · " + p.Glyphs.Out + " fills it in"
	case !n.IsSet() && n.Kind == form.Object:
		words = "unset · " + p.Glyphs.Out + " fills it in, space adds a member"
	case !n.IsSet():
		words = "unset · space adds an item"
	case n.Kind == form.List:
		words = wording.Count(len(n.Kids()), "item") + " · space adds one"
	case n.Adds() == n:
		words = "space adds a member"
	default:
		set := 0
		for _, kid := range n.Kids() {
			if kid.IsSet() {
				set++
			}
		}
		words = wording.Thousands(set) + " of " + wording.Thousands(len(n.Kids())) + " filled in"
	}
	if !n.IsSet() {
		g.Fill(p.Styles.Input)
		style = p.Styles.Placeholder
	}
	g.Put(1, 0, safe.Cut(words, g.W()-2), style)
	return g.Cursor(1, 0)
}

// drawChoice draws the options in a row, the chosen one marked, or only that one
// when there are too many. It returns where it is: nothing is typed here, but a
// magnifier follows the cursor.
func drawChoice(p *pen, g canvas.Region, n *form.Node, on bool) *image.Point {
	g.Fill(p.Styles.Input)
	style := p.Styles.Placeholder
	names, chosen := choices(n)
	var cursor *image.Point
	at := 1
	put := func(t safe.Text, i int, picked bool) {
		if picked {
			cursor = g.Cursor(1+at, 0)
		}
		from := at
		at = g.Put(at, 0, choiceText(t, picked), choiceStyle(p, picked, style)) + 1
		p.onClick(g.Sub(from, 0, at-1-from, 1).Bounds(), func() { n.Choose(i) })
	}
	if !n.Required || chosen < 0 {
		put(safe.Text(unset), -1, chosen < 0)
	}
	if names == nil || at+choiceWidth(names) > g.W() {
		if chosen >= 0 {
			cursor = g.Cursor(1+at, 0)
			g.Put(at, 0, safe.Cut(choiceText(optionText(choiceName(n, chosen), 60), true), g.W()-at-20), choiceStyle(p, true, style))
		}
		words := p.Glyphs.In + " " + p.Glyphs.Out + " choose"
		if finds(n) {
			words = "type to find one"
		}
		g.PutRight(g.W()-1, 0, words, style)
		if on && finds(n) && g.H() > 1 {
			return drawFound(p, g, n)
		}
		return cursor
	}
	for i, name := range names {
		put(optionText(name, 30), i, i == chosen)
	}
	return cursor
}

// choices are the names of the options or variants, nil when they are many, and
// which is chosen, or -1.
func choices(n *form.Node) (names []string, chosen int) {
	if n.Kind == form.Variant {
		for _, v := range n.Variants[:min(len(n.Variants), 30)] {
			names = append(names, v.Name)
		}
		if len(n.Variants) > 30 {
			names = nil
		}
		return names, n.Branch()
	}
	chosen = -1
	if n.IsSet() {
		chosen = n.Choice()
	}
	if n.IsInline() {
		for i := range n.Options {
			names = append(names, n.Options[i].Title)
		}
	}
	return names, chosen
}

// optionText is the name of an option or a variant. One that is called as the
// option that belay adds is quoted.
func optionText(name string, most int) safe.Text {
	if strings.EqualFold(name, unset) {
		return safe.Quoted(name)
	}
	return wording.NameIn(name, most)
}

// unset is the option that takes the value away.
const unset = "unset"

func choiceName(n *form.Node, i int) string {
	if n.Kind == form.Variant {
		return n.Variants[i].Name
	}
	return n.Options[i].Title
}

func choiceWidth(names []string) int {
	w := 0
	for _, name := range names {
		w += safe.Width(optionText(name, 30)) + 3
	}
	return w
}

// drawFound draws what was typed to find an option, and what it finds.
func drawFound(p *pen, g canvas.Region, n *form.Node) *image.Point {
	found := n.Found()
	row := g.Row(1)
	shown, x := n.Filter.View(20)
	row.Put(1, 0, shown, p.Styles.Input)
	at := max(x, safe.Width(shown)) + 3
	total := wording.Thousands(len(found)) + " found"
	end := row.W() - safe.Width(total) - 2
	from := 0
	for i, o := range found {
		if o == n.Cursor() {
			from = max(0, i-1)
		}
	}
	for _, o := range found[min(from, len(found)):] {
		name := optionText(n.Options[o].Title, 30)
		if at+safe.Width(name)+2 > end {
			break
		}
		on := n.Kind == form.Choice && n.IsPicked(o) || n.Kind == form.Many && o == n.Cursor()
		at = row.Put(at, 0, choiceText(name, on), choiceStyle(p, on, p.Styles.Placeholder)) + 1
	}
	row.PutRight(row.W()-1, 0, total, p.Styles.Placeholder)
	return row.Cursor(1+x, 0)
}

// tick is where an option that can be ticked stands.
type tick struct {
	option, x int
	name      safe.Text
}

// flow lays options out in lines of a width, each with a box before it. With a
// filter only those that it finds are there.
func flow(n *form.Node, width int) [][]tick {
	const enough = 400
	var lines [][]tick
	x := 0
	for i, o := range n.Found() {
		if i > enough {
			break
		}
		t := tick{o, x, optionText(n.Options[o].Title, min(40, max(4, width-6)))}
		w := safe.Width(t.name) + 6
		if len(lines) == 0 || x+w > width+2 {
			lines = append(lines, nil)
			t.x, x = 0, 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], t)
		x += w
	}
	return lines
}

// drawMany draws the options with a box each, the ticked ones marked.
func drawMany(p *pen, g canvas.Region, n *form.Node, on bool) *image.Point {
	g.Fill(p.Styles.Input)
	lines := flow(n, g.W()-2)
	from := 0
	for i, l := range lines {
		for _, t := range l {
			if t.option == n.Cursor() && i >= g.H() {
				from = i - g.H() + 1
			}
		}
	}
	cursor := g.Cursor(1, 0)
	for y := 0; y < g.H() && from+y < len(lines); y++ {
		for _, t := range lines[from+y] {
			box, style := safe.Text("[ ]"), p.Styles.Placeholder
			if n.IsPicked(t.option) {
				box, style = "[x]", choiceStyle(p, true, style)
			}
			name := style
			if on && t.option == n.Cursor() {
				name = inField(p, p.Styles.TitleOn)
				cursor = g.Row(y).Cursor(1+t.x+1, 0)
			}
			g.Put(1+t.x, y, box, style)
			end := g.Put(5+t.x, y, t.name, name)
			p.onClick(g.Sub(1+t.x, y, end-1-t.x, 1).Bounds(), func() {
				n.Mark(t.option)
				n.Toggle()
			})
		}
	}
	if len(lines) == 0 {
		g.Put(1, 0, "no option has that in its name · backspace", p.Styles.Placeholder)
	}
	return cursor
}

func choiceText(t safe.Text, on bool) safe.Text {
	if on {
		return "[" + t + "]"
	}
	return " " + t + " "
}

func choiceStyle(p *pen, on bool, off canvas.Style) canvas.Style {
	if on {
		return inField(p, p.Styles.Accent.Bold())
	}
	return off
}

// inField is a style on the ground of a field, which without color is a line under it.
func inField(p *pen, s canvas.Style) canvas.Style {
	s.BG, s.Attr = p.Styles.Input.BG, s.Attr|p.Styles.Input.Attr
	return s
}
