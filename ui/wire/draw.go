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

// Draw draws the rows, and returns that of the selected message, or -1.
func (p *Pane) Draw(g canvas.Region) (selected int) {
	selected = -1
	lines, ids := make([]Line, len(p.entries)), 0
	for i := range p.entries {
		lines[i] = p.Line(&p.entries[i])
		if p.entries[i].Kind != session.EntEvent { // which has no columns
			ids = max(ids, safe.Width(lines[i].ID)+1) // with its sign
		}
	}
	for i := range p.entries {
		p.drawEntry(g.Row(i), &p.entries[i], &lines[i], ids)
		if p.entries[i].Seq == p.sel {
			selected = i
		}
	}
	if len(p.entries) == 0 && g.H() > 0 {
		text := safe.Text("nothing yet")
		if !p.filter.Empty() {
			text = "no message matches the filter · esc shows all of them"
		}
		g.Put((g.W()-safe.Width(text))/2, g.H()/2, text, p.looks.Styles.Muted)
	}
	return selected
}

// drawEntry draws one line: time, arrow, method, id, text.
func (p *Pane) drawEntry(g canvas.Region, e *session.Entry, l *Line, ids int) {
	st := &p.looks.Styles
	x := g.Put(1, 0, wording.Clock(e.Wall), st.Muted) + 1
	x = g.Put(x, 0, l.Arrow, l.Style) + 1
	if e.Kind == session.EntEvent {
		g.Put(x, 0, safe.Cut(l.Text, g.W()-x-1), st.Muted)
		return
	}
	method, id := columns(g.W(), ids)
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
