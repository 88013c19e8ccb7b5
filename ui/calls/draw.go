package calls

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/panel"
	"belay/ui/row"
)

// Draw draws the table. Focused says that the table has the keys, and unfold is the key
// that shows the rows that are folded away.
func (p *Pane) Draw(f *panel.Frame, in canvas.Region, w row.Words, focused bool, unfold safe.Text) {
	c := p.columns(in.W())
	drawHead(f, in.Row(0), c)
	for i, r := range p.rows {
		p.drawRow(f, in.Row(i+1), w, c, r, focused)
	}
	if len(p.rows) == 0 && in.H() > 2 {
		p.drawEmpty(f, in.Sub(0, 1, in.W(), in.H()-1))
	}
	if p.own.line {
		p.drawFold(f, in.Row(len(p.rows)+1), unfold)
	}
}

// drawFold draws the line that stands for belay's own rows, and shows them on a click.
func (p *Pane) drawFold(f *panel.Frame, g canvas.Region, key safe.Text) {
	n := p.Folded()
	x := g.Put(1, 0, "+ "+wording.Count(n, "request")+" by belay itself · ", f.Styles.Muted)
	x = g.Put(x, 0, key, f.Styles.KeyName)
	them := safe.Text(" shows them")
	if n == 1 {
		them = " shows it"
	}
	g.Put(x, 0, them, f.Styles.Muted)
	f.OnClick(g.Bounds(), func() tea.Cmd {
		p.idx.Unfold(true)
		return nil
	})
}

// At is the row in a line of the table, and whether a column of it is that of its button.
func (p *Pane) At(line, column, w int) (r session.Row, button, ok bool) {
	if line < 0 || line >= len(p.rows) {
		return r, false, false
	}
	r = p.rows[line]
	p.columns(w).cells(func(x, width int, name string) {
		button = button || name == "" && column >= x && column < x+width
	})
	return r, button && row.HasButton(r), true
}

// Count is which row of how many is selected, or how many of all pass the filter.
func (p *Pane) Count(all int) safe.Text {
	n := p.idx.Len()
	switch {
	case !p.idx.Filter().Empty():
		return wording.Thousands(n) + " of " + wording.Thousands(all)
	case n > len(p.rows):
		return wording.Thousands(p.at+1) + "/" + wording.Thousands(n)
	}
	return ""
}

func drawHead(f *panel.Frame, g canvas.Region, c columns) {
	c.cells(func(x, width int, column string) {
		if column == "TIME" {
			g.PutRight(x+width, 0, "TIME", f.Styles.Head)
			return
		}
		g.Put(x, 0, safe.Text(column), f.Styles.Head)
	})
}

func (p *Pane) drawRow(f *panel.Frame, g canvas.Region, w row.Words, c columns, r session.Row, focused bool) {
	st, over := f.Styles, r.State.IsTerminal()
	method, target := st.Muted, st.Text
	if over {
		target = st.Muted
	}
	own, state := c.fit(w.State(r), safe.Width(row.TargetIn(r, targetSeen)))
	own.cells(func(x, width int, column string) {
		switch column {
		case "ID":
			g.Put(x, 0, safe.Cut(safe.Line(r.Wire.String()), width), st.Muted)
		case "METHOD":
			if r.Target == "" && own.target > 0 { // it may use the room of the target
				width += gap + own.target
			}
			g.Put(x, 0, row.MethodIn(r, width), method)
		case "TARGET":
			if r.Target == "" && own.method == 0 {
				g.Put(x, 0, row.MethodIn(r, width), method)
			}
			g.Put(x, 0, row.TargetIn(r, width), target)
		case "STATE":
			g.Put(x, 0, state.Text(c.wide), state.Style)
		case "TIME":
			g.PutRight(x+width, 0, w.Time(r), st.Muted)
		default:
			drawButton(f, g, x, r)
		}
	})
	if p.marks[r.ID] {
		g.Put(0, 0, f.Glyphs.Mark, st.Mark)
	}
	if r.ID == p.sel {
		f.Select(g, focused)
	}
}

// drawButton draws the cancel button of a row in flight, grey where x would be
// refused. A recording has none.
func drawButton(f *panel.Frame, g canvas.Region, x int, r session.Row) {
	switch {
	case f.Recorded || !row.HasButton(r):
	case row.NoCancel(r) != "":
		g.Put(x, 0, buttonText, f.Styles.KeyOff)
	default:
		g.Put(x, 0, buttonText, f.Styles.Button)
	}
}

// Hides reports whether a filter leaves no row.
func (p *Pane) Hides() bool { return p.sel == 0 && p.idx.Len() == 0 && !p.idx.Filter().Empty() }

// drawEmpty says what an empty table means, and what to press.
func (p *Pane) drawEmpty(f *panel.Frame, g canvas.Region) {
	var text safe.Text
	switch {
	case !p.idx.Filter().Empty():
		text = "no call matches the filter · esc shows all of them"
	case f.Status.Phase == session.Connecting:
		text = "connecting" + f.Glyphs.Dots
	case f.Status.Phase == session.Ready:
		if text = "no calls yet"; !f.Recorded {
			text += " · n makes one"
		}
	default:
		return
	}
	text = safe.Cut(text, g.W()-2)
	g.Put((g.W()-safe.Width(text))/2, g.H()/2, text, f.Styles.Muted)
}
