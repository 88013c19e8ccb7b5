package wire

import (
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/canvas"
)

// The widths of the columns.
const (
	methodWidth     = 12
	methodWidthWide = 22 // where there is room
	idWidth         = 6
)

// Draw draws the rows, and returns that of the selected message, or -1.
func (p *Pane) Draw(g canvas.Region) (selected int) {
	selected = -1
	for i := range p.entries {
		p.drawEntry(g.Row(i), &p.entries[i])
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
func (p *Pane) drawEntry(g canvas.Region, e *session.Entry) {
	st, l := &p.looks.Styles, p.Line(e)
	x := g.Put(1, 0, wording.Clock(e.Wall), st.Muted) + 1
	x = g.Put(x, 0, l.Arrow, l.Style) + 1
	if e.Kind == session.EntEvent {
		g.Put(x, 0, safe.Cut(l.Text, g.W()-x-1), st.Muted)
		return
	}
	w := methodWidth
	if g.W() >= 100 {
		w = methodWidthWide
	}
	g.Put(x, 0, safe.Cut(l.Method, w), l.MarkStyle)
	x += w + 1
	if l.ID != "" {
		g.Put(x, 0, idWords(l.ID), st.Muted)
	}
	x += idWidth + 1
	if l.Mark != "" {
		x = g.Put(x, 0, l.Mark+" ", l.MarkStyle)
	}
	text := st.Text
	if e.Kind == session.EntStderr || e.Dir == session.Local {
		text = st.Muted
	}
	g.Put(x, 0, safe.Cut(l.Text, g.W()-x-1), text)
}

// idWords returns an ID for its column. A text is quoted, and the quotation is
// closed where it is cut.
func idWords(id safe.Text) safe.Text {
	t := safe.Cut("#"+id, idWidth)
	if t != "#"+id && strings.HasPrefix(string(id), `"`) {
		return safe.Cut("#"+id, idWidth-1) + `"`
	}
	return t
}
