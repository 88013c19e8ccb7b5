package wire

import (
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/canvas"
)

// The widths of the columns. What there is beyond textLeast columns of text goes to the
// methods first, of which the specification has none longer, and then to the IDs, as far as
// those in view need it. The column has room for idShort at least, so that it rarely moves.
const (
	methodLeast = 12
	methodMost  = 26
	idShort     = 4
	idLeast     = 6
	idMost      = 12
	textLeast   = 42
)

// columns returns the widths of the methods and of the IDs in a pane that is so wide. Ids is
// how wide the widest ID in view is.
func columns(width, ids int) (method, id int) {
	const others = 1 + 12 + 1 + 2 + 1 + 1 + 1 // margins, the time, the arrow, the gaps
	ids = min(idMost, max(idShort, ids))
	id = min(idLeast, ids)
	spare := max(0, width-others-methodLeast-id-textLeast)
	method = min(methodMost, methodLeast+spare)
	return method, min(ids, id+spare-(method-methodLeast))
}

// widths are how wide what stands in the columns is at most, of the rows in view.
type widths struct{ arrow, method, id, text int }

// add takes a row into account.
func (w *widths) add(l *Line) {
	text := safe.Width(l.Text)
	if l.Mark != "" {
		text += safe.Width(l.Mark) + 1
	}
	*w = widths{
		max(w.arrow, safe.Width(l.Arrow)), max(w.method, safe.Width(l.Method)),
		max(w.id, safe.Width(l.ID)+1), max(w.text, text), // the ID with its sign
	}
}

// columns returns the widths of the methods and of the IDs. Room that no text of a row in
// view takes goes to a method or an ID that would be cut.
func (w widths) columns(width int) (method, id int) {
	method, id = columns(width, w.id)
	const others = 1 + 12 + 1 + 1 + 1 + 1 + 1 // margins, the time, the gaps
	spare := width - others - w.arrow - method - id - w.text
	more := max(0, min(spare, w.method-method))
	method += more
	return method, id + max(0, min(spare-more, w.id-id))
}

// Draw draws the rows, and returns that of the selected message, or -1.
func (p *Pane) Draw(g canvas.Region) (selected int) {
	selected = -1
	lines, widest := make([]Line, len(p.entries)), widths{}
	for i := range p.entries {
		lines[i] = p.Line(&p.entries[i])
		if p.entries[i].Kind != session.EntEvent { // which has no columns
			widest.add(&lines[i])
		}
	}
	method, id := widest.columns(g.W())
	for i := range p.entries {
		p.drawEntry(g.Row(i), &p.entries[i], &lines[i], method, id)
		if p.entries[i].Seq == p.sel {
			selected = i
		}
	}
	if len(p.entries) == 0 && g.H() > 0 {
		text := safe.Text("nothing yet")
		switch {
		case p.IsBehind():
			text = "no message matches the filter so far · esc shows all of them"
		case !p.filter.Empty():
			text = "no message matches the filter · esc shows all of them"
		}
		g.Put((g.W()-safe.Width(text))/2, g.H()/2, text, p.looks.Styles.Muted)
	}
	return selected
}

// drawEntry draws one line: time, arrow, method, id, text, with columns of these widths.
func (p *Pane) drawEntry(g canvas.Region, e *session.Entry, l *Line, method, id int) {
	st := &p.looks.Styles
	x := g.Put(1, 0, wording.Clock(e.Wall), st.Muted) + 1
	x = g.Put(x, 0, l.Arrow, l.Style) + 1
	if e.Kind == session.EntEvent {
		g.Put(x, 0, safe.Cut(l.Text, g.W()-x-1), st.Muted)
		return
	}
	g.Put(x, 0, safe.Cut(l.Method, method), l.MarkStyle)
	x += method + 1
	if l.ID != "" {
		g.Put(x, 0, idWords(l.ID, id), st.Muted)
	}
	x += id + 1
	if l.Mark != "" {
		x = g.Put(x, 0, l.Mark+" ", l.MarkStyle)
	}
	text := st.Text
	if e.Kind == session.EntStderr || e.Dir == session.Local {
		text = st.Muted
	}
	g.Put(x, 0, safe.Cut(l.Text, g.W()-x-1), text)
}

// idWords returns an ID for its column, which is so wide. A text is quoted, and the
// quotation is closed where it is cut.
func idWords(id safe.Text, width int) safe.Text {
	t := safe.Cut("#"+id, width)
	if t != "#"+id && strings.HasPrefix(string(id), `"`) {
		return safe.Cut("#"+id, width-1) + `"`
	}
	return t
}
