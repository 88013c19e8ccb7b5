package formview

import (
	"slices"
	"strings"

	"belay/internal/form"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
	"belay/ui/doc"
)

// Write writes the whole of what is in the form, to be read only: of a secret, that it is there. No
// field has the focus there, so that none is shown.
func (f *View) Write(d *doc.Doc) {
	if f.rawOn {
		d.Labelled(nil, f.raw.String(), f.looks.Styles.Text)
		return
	}
	f.names = f.labelWidth(d.Width())
	for _, r := range f.form.Rows() {
		if d.IsCut() {
			return
		}
		f.writeRow(d, r)
	}
}

// writeRow writes one row: its name, and the whole of what is in it.
func (f *View) writeRow(d *doc.Doc, r form.Row) {
	st := f.looks.Styles
	depth := safe.Text(strings.Repeat(string(f.looks.Glyphs.ThumbOff)+" ", r.Depth))
	names := max(3, f.names-indent*r.Depth)
	mark := []doc.Span{{Text: depth, Style: st.Faint}, {Text: safe.Pad(label(r, names-1), names+1), Style: st.Text}}
	n := r.Node
	plain := func(t safe.Text, style canvas.Style) {
		d.Add(f.names+1, append(mark, doc.Span{Text: t, Style: style})...)
	}
	switch {
	case r.Part == form.Adding:
	case r.Part == form.Name:
		d.Labelled(mark, n.Key.String(), st.Text)
	case !n.IsSet():
		plain("unset", st.Muted)
	case n.Writes() && n.Input.Empty():
		plain("empty", st.Muted)
	case f.holdsSecret(n):
		plain(f.hiddenAll(), st.Muted)
	case n.Writes():
		d.Labelled(mark, n.Input.String(), st.Text)
	case n.Kind == form.Choice, n.Kind == form.Variant:
		_, chosen := choices(n)
		plain(optionText(choiceName(n, chosen), 1000), st.Text)
	case n.Kind == form.Many:
		plain(ticked(n), st.Text)
	case n.Kind == form.List:
		plain(wording.Count(len(n.Kids()), "item"), st.Muted)
	default:
		plain("", st.Muted)
	}
}

// tickedMost is how many of the options that are chosen are named.
const tickedMost = 200

// ticked are the options of a node that are chosen, in their own order.
func ticked(n *form.Node) (t safe.Text) {
	picks := slices.Sorted(slices.Values(n.Picks()))
	for i, o := range picks {
		if i > 0 {
			t += ", "
		}
		if i == tickedMost {
			return t + wording.Thousands(len(picks)-i) + " more"
		}
		t += optionText(n.Options[o].Title, 1000)
	}
	if t == "" {
		return "none"
	}
	return t
}
