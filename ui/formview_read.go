package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/form"
)

// formText is a locked form written out: every value whole, to be scrolled.
type formText struct {
	doc    *doc.Doc
	starts []int // the line where each row begins
	top    int
	height int // of what was drawn last
}

// readLines bounds a locked form in lines.
const readLines = 50_000

// browse takes the keys that scroll a locked form, or go from field to field in
// it, and says whether k is one. Nothing is ever changed by them.
func (f *formView) browse(k tea.KeyPressMsg) bool {
	t := &f.text
	page := max(1, t.height-1)
	switch k.String() {
	case "up":
		f.read(-1)
	case "down":
		f.read(1)
	case "pgup":
		f.read(-page)
	case "pgdown":
		f.read(page)
	case "home", "ctrl+home":
		f.read(-readLines)
	case "end", "ctrl+end":
		f.read(readLines)
	case "tab":
		f.read(t.rowAfter() - t.top)
	case "shift+tab":
		f.read(t.rowBefore() - t.top)
	default:
		return false
	}
	return true
}

// read scrolls a locked form by n lines, and says false when there is no more
// that way.
func (f *formView) read(n int) bool {
	t := &f.text
	if t.doc == nil {
		return false
	}
	before := t.top
	t.top = max(0, min(t.top+n, len(t.doc.Lines)-t.height))
	return t.top != before
}

// rowAfter is the line of the row that begins behind the first line shown.
func (t *formText) rowAfter() int {
	for _, at := range t.starts {
		if at > t.top {
			return at
		}
	}
	return t.top
}

// rowBefore is the line of the row that begins before the first line shown.
func (t *formText) rowBefore() int {
	before := 0
	for _, at := range t.starts {
		if at < t.top {
			before = at
		}
	}
	return before
}

// readable is the locked form written for a width. What had the focus is in view
// at first.
func (f *formView) readable(m *Model, width int) *formText {
	t := &f.text
	if t.doc != nil && t.doc.Width() == width {
		return t
	}
	first := t.doc == nil
	*t = formText{doc: doc.New(width, readLines), top: t.top}
	if f.rawOn {
		writeLines(t.doc, nil, f.raw.String(), m.styles.Text)
		return t
	}
	at := f.at()
	f.names = f.labelWidth(width)
	for i, r := range f.form.Rows() {
		if i == at && first {
			t.top = len(t.doc.Lines)
		}
		t.starts = append(t.starts, len(t.doc.Lines))
		f.writeRow(m, t.doc, r)
	}
	if t.doc.Cut() {
		t.doc.AddLast(doc.Line{{Text: "there is more, which is not shown", Style: m.styles.Warn}})
	}
	return t
}

// drawRead draws a locked form.
func (f *formView) drawRead(m *Model, g canvas.Region) {
	if !f.rawOn && len(f.form.Rows()) == 0 {
		f.drawNothing(m, g)
		return
	}
	t := f.readable(m, g.W()-1)
	t.height = g.H()
	f.read(0)
	t.doc.Draw(g, t.top)
	m.drawThumb(g, t.top, len(t.doc.Lines))
}

// writeRow writes one row: its name, and the whole of what is in it.
func (f *formView) writeRow(m *Model, d *doc.Doc, r form.Row) {
	st := m.styles
	depth := safe.Text(strings.Repeat(string(m.glyphs.ThumbOff)+" ", r.Depth))
	names := max(3, f.names-indent*r.Depth)
	mark := []doc.Span{{Text: depth, Style: st.Faint}, {Text: safe.Pad(safe.Cut(label(r), names-1), names+1), Style: st.Text}}
	n := r.Node
	plain := func(t safe.Text, style canvas.Style) {
		d.Add(f.names+1, append(mark, doc.Span{Text: t, Style: style})...)
	}
	switch {
	case r.Part == form.Adding:
	case r.Part == form.Name:
		writeLines(d, mark, n.Key.String(), st.Text)
	case !n.Set():
		plain("unset", st.Muted)
	case n.Writes() && n.Input.Empty():
		plain("empty", st.Muted)
	case n.Writes():
		writeLines(d, mark, n.Input.String(), st.Text)
	case n.Kind == form.Choice, n.Kind == form.Variant:
		_, chosen := choices(n)
		plain(safe.Line(choiceName(n, chosen)), st.Text)
	case n.Kind == form.Many:
		plain(ticked(n), st.Text)
	case n.Kind == form.List:
		plain(counted(len(n.Kids()), "item"), st.Muted)
	default:
		plain("", st.Muted)
	}
}

// writeLines writes a text behind mark, each of its lines wrapped.
func writeLines(d *doc.Doc, mark []doc.Span, text string, style canvas.Style) {
	hang := 0
	for _, s := range mark {
		hang += safe.Width(s.Text)
	}
	for line := range strings.SplitSeq(text, "\n") {
		if d.Full() {
			d.Blank() // tells the document that it was cut
			return
		}
		d.Add(hang, append(mark[:len(mark):len(mark)], doc.Span{Text: safe.Line(line), Style: style})...)
		mark = []doc.Span{{Text: safe.Text(strings.Repeat(" ", hang))}}
	}
}

// ticked are the options of a node that are chosen.
func ticked(n *form.Node) (t safe.Text) {
	for i := range n.Options {
		if !n.Picked(i) {
			continue
		}
		if t != "" {
			t += ", "
		}
		t += safe.Line(n.Options[i].Title)
	}
	if t == "" {
		return "none"
	}
	return t
}
