package compose

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/panel"
)

// aboutRows is how many lines of a description are seen at least, if it has so many,
// and aboutMost how many bytes of it there are to scroll: the page of the server has all
// of it.
const (
	aboutRows = 2
	aboutMost = 20_000
)

// about is the server's description of what is called, in lines of a width.
type about struct {
	text    string // foreign
	width   int
	wrapped []safe.Text
	top     int
	rows    int // how many lines are seen
}

func (a *about) lines(width int) []safe.Text {
	if a.wrapped == nil || a.width != width {
		a.width, a.wrapped = width, safe.Prose(a.text, max(1, width), aboutMost)
	}
	return a.wrapped
}

// isLong reports whether there is more of it than was seen at once.
func (a *about) isLong() bool { return a.rows > 0 && len(a.wrapped) > a.rows }

// page scrolls by what is seen.
func (a *about) page(n int) { a.top += n * max(aboutRows, a.rows-1) }

// height is the number of rows of the description with the line below it.
func (a *about) height() int {
	if a.text == "" {
		return 0
	}
	return a.rows + 1
}

// fit says how many lines are seen, where there is room for so many. The fields come
// first: it takes a sixth where they need all, and at most two thirds.
func (a *about) fit(width, room, all int) {
	a.rows = min(len(a.lines(width)), max(a.least(width, all), min(room, all*2/3)))
}

// least is how many lines are seen where the fields need all.
func (a *about) least(width, all int) int {
	return min(len(a.lines(width)), max(aboutRows, all/6))
}

// drawAbout shows the server's description, marked as its words, and what goes
// out in the head.
func (f *Form) drawAbout(frame *panel.Frame, g canvas.Region) (y int) {
	if f.about.text != "" {
		y = f.about.draw(frame, g) + 1
	}
	notes := f.headNotes()
	for _, n := range notes {
		g.Put(0, y, safe.Cut(n.Text, g.W()), n.Style)
		y++
	}
	if len(notes) > 0 {
		y++
	}
	return y
}

// draw draws the part that is seen, and in the line below it how much that is. It
// returns where that line is.
func (a *about) draw(frame *panel.Frame, g canvas.Region) (y int) {
	lines := a.lines(g.W() - 2)
	a.top = max(0, min(a.top, len(lines)-a.rows))
	for _, l := range lines[a.top:min(len(lines), a.top+a.rows)] {
		g.Put(0, y, frame.Glyphs.Quote, frame.Styles.Faint)
		g.Put(2, y, l, frame.Styles.Muted)
		y++
	}
	if a.isLong() {
		part := wording.Thousands(a.top+1) + "-" + wording.Thousands(a.top+y) + " of " + wording.Thousands(len(lines)) + " · pgdown scrolls"
		g.PutRight(g.W(), y, part, frame.Styles.Faint)
	}
	return y
}

// headNotes say which parameters go out in the head of the request, where proxies and logs see
// them (HTM-26, HTM-56; basic/transports/streamable-http).
func (f *Form) headNotes() (notes []doc.Span) {
	const most = 8
	var all, secret safe.Text
	secrets := 0
	add := func(t *safe.Text, n int, one func() safe.Text) {
		switch {
		case n == 0:
			*t = one()
		case n < most:
			*t += ", " + one()
		case n == most:
			*t += " and more"
		}
	}
	for i := range f.mirrors {
		mi := &f.mirrors[i]
		add(&all, i, func() safe.Text { return wording.NameIn(mi.Name(), 40) + " as " + wording.NameIn(mi.Header, 40) })
		if mi.Secret {
			add(&secret, secrets, func() safe.Text { return wording.NameIn(mi.Name(), 40) })
			secrets++
		}
	}
	if all != "" {
		notes = append(notes, doc.Span{Text: "in the head, too: " + all, Style: f.c.host.Screen().Styles.Muted})
	}
	if secret != "" {
		notes = append(notes, doc.Span{Text: "looks like a secret, and a head is seen by proxies and logs: " + secret, Style: f.c.host.Screen().Styles.Warn})
	}
	return notes
}
