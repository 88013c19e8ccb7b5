package formview

import (
	"slices"
	"strings"

	"belay/internal/form"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/theme"
	"belay/ui/write"
)

// rowsMost bounds the rows of a copy: a document has no more lines.
const rowsMost = write.MaxLines

// Writing copies the rows of the form, or its raw JSON, and returns the work of writing the copy whole, to be
// read only. Secrets are masked in it. The work may be done beside the screen, whatever becomes of the form
// meanwhile.
func (f *View) Writing() func(d *doc.Doc) {
	st := f.looks.Styles
	if f.rawOn {
		raw := f.raw.String()
		return func(d *doc.Doc) { d.Labelled(nil, raw, st.Text) }
	}
	rows := f.form.Rows()
	names := labelWidth(rows)
	taken := make([]taken, 0, min(len(rows), rowsMost))
	for _, r := range rows[:cap(taken)] {
		taken = append(taken, f.take(r))
	}
	looks := f.looks
	return func(d *doc.Doc) {
		for i := range taken {
			if d.IsCut() {
				return
			}
			taken[i].write(d, &looks, min(names, d.Width()/3))
		}
		if len(rows) > len(taken) {
			d.MarkCut()
		}
	}
}

// taken is the copy of a row. Nothing of it changes any more.
type taken struct {
	caption
	depth int
	kind  takenKind
	words safe.Text // belay's own
	text  string    // the typed text, or the name of the chosen option; foreign
	of    *form.Type
	picks []int // of its options
}

// takenKind tells the contents of rows apart.
type takenKind uint8

const (
	isWords takenKind = iota
	isTyped
	isChosen
	isTicked
	isNothing
)

// take copies a row. No field has the focus in a copy, so that no secret is shown.
func (f *View) take(r form.Row) taken {
	n := r.Node
	t := taken{caption: captionOf(r), depth: r.Depth, of: n.Type}
	switch {
	case r.Part == form.Adding:
		t.kind = isNothing
	case r.Part == form.Name:
		t.kind, t.text = isTyped, n.Key.String()
	case !n.IsSet():
		t.words = "unset"
	case n.Writes() && n.Input.Empty():
		t.words = "empty"
	case f.holdsSecret(n):
		t.words = f.hiddenAll()
	case n.Writes():
		t.kind, t.text = isTyped, n.Input.String()
	case n.Kind == form.Choice, n.Kind == form.Variant:
		_, chosen := choices(n)
		t.kind, t.text = isChosen, choiceName(n, chosen)
	case n.Kind == form.Many:
		t.kind, t.picks = isTicked, n.Picks()
	case n.Kind == form.List:
		t.words = wording.Count(len(n.Kids()), "item")
	}
	return t
}

// write writes the row: its name in a column of a width, and the whole of its contents.
func (t *taken) write(d *doc.Doc, looks *theme.Looks, column int) {
	st := looks.Styles
	depth := safe.Text(strings.Repeat(string(looks.Glyphs.ThumbOff)+" ", t.depth))
	names := max(3, column-indent*t.depth)
	mark := []doc.Span{{Text: depth, Style: st.Faint}, {Text: safe.Pad(t.in(names-1), names+1), Style: st.Text}}
	plain := func(t safe.Text, style canvas.Style) {
		d.Add(column+1, append(mark, doc.Span{Text: t, Style: style})...)
	}
	switch t.kind {
	case isNothing:
	case isTyped:
		d.Labelled(mark, t.text, st.Text)
	case isChosen:
		d.Read(min(len(t.text), optionMost))
		plain(optionText(t.text, optionMost), st.Text)
	case isTicked:
		plain(ticked(d, t.of.Options, t.picks), st.Text)
	case isWords:
		plain(t.words, st.Muted)
	}
}

// optionMost is how many characters of the name of an option are read.
const optionMost = 1000

// tickedMost is how many of the options that are chosen are named.
const tickedMost = 200

// ticked are the chosen options, in their own order, as far as the document may read them.
func ticked(d *doc.Doc, options []form.Option, picks []int) (t safe.Text) {
	picks = slices.Sorted(slices.Values(picks))
	for i, o := range picks {
		if i > 0 {
			t += ", "
		}
		if i == tickedMost {
			return t + wording.Thousands(len(picks)-i) + " more"
		}
		title := options[o].Title
		if d.Read(min(len(title), optionMost)); d.IsFull() {
			return t
		}
		t += optionText(title, optionMost)
	}
	if t == "" {
		return "none"
	}
	return t
}
