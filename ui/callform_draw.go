package ui

import (
	"image"

	"belay/internal/safe"
	"belay/ui/canvas"
	"belay/ui/doc"
)

func (f *callForm) draw(m *Model) *image.Point {
	w := min(92, m.lay.Body.Dx()-4)
	g := m.box(w, f.wanted(m, w), safe.Text(f.method)+" "+safe.LineN(f.name, 60), m.styles.FrameFocus)
	g = g.Sub(1, 0, g.W()-2, g.H())
	m.drawHints(g.Row(g.H()-1), 0, f.scope())
	y := f.drawAbout(m, g)
	body := g.Sub(0, y, g.W(), g.H()-y-1)
	f.room = body.Bounds()
	if !f.optsOn {
		return f.formView.draw(m, body)
	}
	rest := max(body.H()-callOptionRows, min(3, f.height(g.W())))
	if f.away {
		rest = min(rest, max(0, body.H()-callOptionRows))
	}
	at := f.formView.draw(m, body.Sub(0, 0, g.W(), rest))
	if o := f.drawOptions(m, body.Sub(0, rest, g.W(), body.H()-rest)); o != nil {
		return o
	}
	return at
}

// wanted is the height that shows everything, as far as there is room.
func (f *callForm) wanted(m *Model, w int) int {
	h := f.height(w-2) + 5
	if f.about == "" {
		h -= 3
	}
	if n := len(f.headNotes(m)); n > 0 {
		h += n + 1
	}
	if f.optsOn {
		h += callOptionRows
	}
	return min(max(h, 10), m.lay.Body.Dy()-2)
}

// drawAbout shows the server's description, marked as its words.
func (f *callForm) drawAbout(m *Model, g canvas.Region) (y int) {
	if g.H() < 10 {
		return 0
	}
	if f.about != "" {
		for _, l := range safe.Wrap(safe.LineN(f.about, 600), g.W()-2, 2) {
			g.Put(0, y, m.glyphs.Quote, m.styles.Faint)
			g.Put(2, y, l, m.styles.Muted)
			y++
		}
		y++
	}
	notes := f.headNotes(m)
	for _, n := range notes {
		g.Put(0, y, safe.Cut(n.Text, g.W()), n.Style)
		y++
	}
	if len(notes) > 0 {
		y++
	}
	return y
}

// headNotes say which parameters go out in the head of the request, where
// proxies and logs see them (HTM-26, HTM-56).
func (f *callForm) headNotes(m *Model) (notes []doc.Span) {
	var all, secret safe.Text
	for _, mi := range f.mirrors {
		one := safe.LineN(mi.Name(), 40) + " as " + safe.LineN(mi.Header, 40)
		if all != "" {
			all += ", "
		}
		all += one
		if mi.Secret {
			if secret != "" {
				secret += ", "
			}
			secret += safe.LineN(mi.Name(), 40)
		}
	}
	if all != "" {
		notes = append(notes, doc.Span{Text: "in the head, too: " + all, Style: m.styles.Muted})
	}
	if secret != "" {
		notes = append(notes, doc.Span{Text: "looks like a secret, and a head is seen by proxies and logs: " + secret, Style: m.styles.Warn})
	}
	return notes
}

// callOptionRows is the height of the options: a heading and a row for each.
const callOptionRows = 1 + numOptions

// drawOptions draws the options of the call, each with what it takes behind it.
func (f *callForm) drawOptions(m *Model, g canvas.Region) *image.Point {
	const labels, width = 14, 12
	var cursor *image.Point
	g.Put(0, 0, "options of the call", m.styles.Title)
	for o := range f.opts {
		label, style := m.styles.Text, m.styles.Muted
		on := f.away && f.opt == o
		if on {
			label = m.styles.TitleOn
		}
		g.Put(0, o+1, optionWords[o].label, label)
		hint := optionWords[o].hint
		if f.optWhys[o] != "" {
			hint, style = safe.Text(f.optWhys[o]), m.styles.Bad
		}
		at := labels + width + 2
		g.Put(at, o+1, safe.Cut(hint, g.W()-at), style)
		field := g.Sub(labels, o+1, width, 1)
		field.Fill(m.styles.Input)
		shown, x := f.opts[o].View(field.W() - 2)
		field.Put(1, 0, shown, m.styles.Input)
		if on {
			cursor = cursorAt(field, x)
		}
	}
	return cursor
}
