package formview

import (
	"strings"

	"belay/internal/form"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
)

// note is what stands below a row.
type note struct {
	lines []safe.Text
	wrong bool
}

// draw draws the note. What is wrong has a glyph, too: colors are not for everyone.
func (n note) draw(p *pen, g canvas.Region, x, y int) {
	style := p.Styles.Muted
	if n.wrong {
		style = p.Styles.Bad
		g.Put(x, y, p.Glyphs.Failed, style)
		x += 2
	}
	for i, l := range n.lines {
		g.Put(x, y+i, l, style)
	}
}

// noteLines is how many lines of a note are shown below the row that has the focus, where the
// form is as high; the others have as many or one where there is no room for all.
const noteLines = 3

// noteAt is the column where a row's note begins: below its value, or where the
// names are long, below its name.
func (f *View) noteAt(r form.Row) int {
	const long = 20
	if f.names > long {
		return r.Depth*indent + indent
	}
	return f.names + 2
}

// note is what is wrong with a row, or what it takes. A field that nobody typed
// into yet is not scolded before sending was tried.
func (f *View) note(r form.Row, width int, on bool) note {
	n := r.Node
	most := f.textLines(on)
	width -= f.noteAt(r) + 1
	var text safe.Text
	why := ""
	switch {
	case r.Part == form.Name:
		why = n.NameProblem()
	case n.IsSet() || f.tried:
		why = n.Problem()
	}
	switch {
	case r.Part == form.Adding:
		return note{}
	case r.Part == form.Name && why == "":
		return note{}
	case why != "":
		text = safe.LineN(why, 300)
	default:
		text = f.words(n, on, max(1, width)*most)
	}
	if text == "" || text == "text" && !on { // which needs no saying
		return note{}
	}
	if why != "" {
		width -= 2 // for the glyph
	}
	return note{safe.Wrap(text, max(1, width), most), why != ""}
}

// textLines is how many lines a text of the server's about a row may take.
func (f *View) textLines(on bool) int {
	if on {
		return max(1, f.noteOn)
	}
	return max(1, f.notes)
}

// words say what a node takes, and what the server says about it. Each text of the server's
// has at most so many columns.
func (f *View) words(n *form.Node, on bool, columns int) safe.Text {
	var parts []safe.Text
	add := func(t safe.Text) {
		if t != "" {
			parts = append(parts, t)
		}
	}
	switch {
	case n.IsPreset():
		add("default")
	case n.Required && !n.IsSet():
		add("required")
	}
	if n.AsJSON() && n.Kind != form.JSON {
		add("written as JSON")
	}
	if n.Kind != form.Object && (n.Kind != form.Variant || !n.IsSet()) {
		if n.Fixed && f.isHidden(n) {
			add("always " + f.hiddenAll())
		} else {
			add(safe.LineN(n.Words(), 160))
		}
	}
	add(safe.LineN(n.Note, 200))
	if n.IsTooLong() {
		add("not checked here: the pattern, as the text is too long")
	}
	switch fits := n.DoesDefaultFit(); {
	case n.IsDefaultTooLong():
		add("the server's default of " + wording.Size(len(n.Default)) + " is too long to be filled in")
	case n.Default != nil && !fits:
		add("the server's default " + f.defaultWords(n, 40) + " does not fit and is ignored")
	case fits && !n.IsSet() && !n.Writes(): // a field of text says it itself
		add("the server's default is " + f.defaultWords(n, columns))
	}
	if n.Title != "" && !hasSameWords(n.Title, n.Name) {
		add(safe.QuotedCut(n.Title, columns))
	}
	if n.About != "" {
		add(safe.QuotedCut(safe.Unbroken(n.About, 4*columns), columns))
	}
	if finds(n) && on && n.Kind == form.Many && !n.Filter.Empty() {
		add("found by " + safe.QuotedCut(n.Filter.String(), 30))
	}
	var t safe.Text
	for i, p := range parts {
		if i > 0 {
			t += " · "
		}
		t += p
	}
	return t
}

// hasSameWords reports whether a title says no more than the name: they differ in
// capitals and in what stands between words.
func hasSameWords(a, b string) bool {
	const long = 200
	if len(a) > long || len(b) > long {
		return false
	}
	words := strings.NewReplacer("_", " ", "-", " ")
	return strings.EqualFold(words.Replace(a), words.Replace(b))
}
