package chooser

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/canvas"
)

// roomy is the height from which on the list has empty lines around it.
const roomy = 16

// View draws the list.
func (l *List) View() tea.View {
	v := tea.View{AltScreen: true, WindowTitle: "belay"}
	if l.ended { // an empty last frame, as that of the screen
		return v
	}
	l.canvas.Reset(l.w, l.h)
	g := l.canvas.All()
	gap := 0
	if l.h >= roomy {
		gap = 1
	}
	g.Put(1, 0, safe.Cut(l.opts.Title, g.W()-2), l.styles.Strong)
	if count := l.count(); safe.Width(l.opts.Title)+safe.Width(count)+4 <= g.W() {
		g.PutRight(g.W()-1, 0, count, l.styles.Muted)
	}
	field := g.Sub(1, 1+gap, g.W()-2, 1)
	cursor := l.drawField(field)
	notes := l.notesIn(g.Sub(1, 0, g.W()-2, max(1, g.H()/4)))
	foot := g.H() - 2 - len(notes) // the line about what is chosen, and the keys
	top := 2 + 2*gap
	l.height = max(0, foot-gap-top)
	l.drawList(g.Sub(0, top, g.W(), l.height))
	if len(l.order) > 0 && l.height > 0 {
		g.Put(1, foot, safe.Cut("from "+l.choices[l.order[l.at]].From, g.W()-2), l.styles.Muted)
	}
	for y, note := range notes {
		g.Put(1, foot+1+y, note, l.styles.Warn)
	}
	l.drawKeys(g.Row(g.H() - 1))
	if at := field.Cursor(1+cursor, 0); at != nil {
		v.Cursor = tea.NewCursor(at.X, at.Y)
	}
	v.SetContent(l.canvas.String())
	return v
}

// count is how many of all are listed.
func (l *List) count() safe.Text {
	all := wording.Thousands(len(l.choices))
	if len(l.order) == len(l.choices) {
		return all
	}
	return wording.Thousands(len(l.order)) + " of " + all
}

func (l *List) drawField(g canvas.Region) (cursor int) {
	g.Fill(l.styles.Input)
	if l.text.Empty() {
		g.Put(1, 0, "type a part of its name", l.styles.Placeholder)
		return 0
	}
	shown, cursor := l.text.View(g.W() - 2)
	g.Put(1, 0, shown, l.styles.Input)
	return cursor
}

// notesIn are the notes as far as there is room for them.
func (l *List) notesIn(g canvas.Region) (out []safe.Text) {
	for i, note := range l.opts.Notes {
		if left := len(l.opts.Notes) - i; len(out) == g.H()-1 && left > 1 {
			return append(out, safe.Cut("and "+wording.Thousands(left)+" more", g.W()))
		}
		out = append(out, safe.Cut(note, g.W()))
	}
	return out
}

func (l *List) drawList(g canvas.Region) {
	if len(l.order) == 0 {
		g.Put(1, 0, safe.Cut("nothing has that name", g.W()-2), l.styles.Muted)
		return
	}
	l.scroll(g.H())
	names := min(l.names, max(min(namesUsual, g.W()/2), g.W()-around-l.abouts))
	for y := range g.H() {
		if l.top+y >= len(l.lines) {
			break
		}
		row, what := g.Row(y), l.lines[l.top+y]
		if what.pos < 0 {
			row.Put(1, 0, safe.Cut(what.heading, row.W()-2), l.styles.Muted)
			continue
		}
		c := &l.choices[l.order[what.pos]]
		style := l.styles.Strong
		if what.pos == l.at {
			row.Fill(l.styles.Selected)
			row.Put(0, 0, l.glyphs.Bar, l.styles.Selected)
			style = l.styles.Selected
			row.Put(5+names, 0, safe.Cut(c.About, row.W()-names-around), style)
		} else {
			row.Put(5+names, 0, safe.Cut(c.About, row.W()-names-around), l.styles.Text)
		}
		row.Put(3, 0, wording.NameIn(c.Name, names), style)
	}
	g.Thumb(l.top, len(l.lines), l.glyphs.ThumbOn, l.styles.Strong)
}

// around is what is around the names and the texts beside them: the bar, a gap, and margins.
const around = 7

// scroll brings what would be taken into view, with the heading right above it.
func (l *List) scroll(h int) {
	at := l.at
	for i := range l.lines { // the headings above it
		if l.lines[i].pos == l.at {
			at = i
			break
		}
	}
	first := at
	if at > 0 && l.lines[at-1].pos < 0 && h > 1 {
		first--
	}
	l.top = max(0, min(l.top, first), at-h+1)
}

func (l *List) drawKeys(g canvas.Region) {
	x := 1
	put := func(key, word safe.Text) {
		if x+safe.Width(key)+1+safe.Width(word) > g.W() {
			return
		}
		x = g.Put(x, 0, key, l.styles.KeyName)
		x = g.Put(x+1, 0, word, l.styles.Muted) + 2
	}
	hints := keys().Footer(l.scope())
	for i, b := range hints {
		put(safe.Text(b.KeyText()), safe.Text(b.Key.Help().Desc))
		if i == 0 {
			put(l.glyphs.Up+l.glyphs.Down, "choose")
		}
	}
}
