package commands

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/panel"
	"belay/ui/scope"
)

// What the list is drawn with: the most columns of a name, the most lines of a
// description, and the rows of the frame with the keys.
const (
	nameMost  = 40
	linesMost = 8
	frameRows = 3
)

// line is a line of the list.
type line struct {
	item       int // the position in order
	name, help safe.Text
}

// lines sets the list out. A name that is too long for its column stands in a line of
// its own, and a description is wrapped.
func (p *Palette) lines(names, width int) (lines []line, first, last int) {
	for pos, i := range p.order {
		c := &p.all[i]
		name, help := c.usage(), safe.Text(c.Help)
		if why := c.Why(); why != "" {
			help += " (now: " + safe.Text(why) + ")"
		}
		if pos == p.at {
			first = len(lines)
		}
		if safe.Width(name) > names {
			lines = append(lines, line{item: pos, name: name})
			name = ""
		}
		for _, l := range safe.Wrap(help, max(1, width-names-3), linesMost) {
			lines = append(lines, line{pos, name, l})
			name = ""
		}
		if pos == p.at {
			last = len(lines) - 1
		}
	}
	return lines, first, last
}

// names is the width of the column of names.
func (p *Palette) names(width int) (n int) {
	for i := range p.all {
		if w := safe.Width(p.all[i].usage()); w <= width/3 {
			n = max(n, w)
		}
	}
	return min(n, nameMost)
}

// drawList draws the commands that fit, with the chosen one in view.
func (p *Palette) drawList(f *panel.Frame) {
	body := f.Layout.Body
	names := p.names(f.W)
	lines, first, last := p.lines(names, f.W-4)
	h := min(max(len(lines), 1), body.Dy()-frameRows)
	if h < 1 {
		return
	}
	at := image.Rect(body.Min.X, body.Max.Y-h-frameRows, body.Min.X+f.W, body.Max.Y)
	in := f.BoxAt(at, "Commands", f.Styles.FrameFocus)
	g := f.Canvas.Region(at)
	count := wording.Thousands(len(p.order)) + " of " + wording.Thousands(len(p.all))
	g.Title(g.W()-safe.Width(count)-4, count, f.Styles.Title)
	f.Hint(in.Row(h), 1, scope.Commands)
	in = in.Sub(0, 0, in.W(), h)
	if len(lines) == 0 {
		in.Put(1, 0, "no command has that in its name or description", f.Styles.Muted)
		return
	}
	p.height = h
	p.top = max(0, min(p.top, first, len(lines)-h), last-h+1)
	if last-first >= h {
		p.top = first
	}
	f.Thumb(in, p.top, len(lines))
	for y := range h {
		l := lines[p.top+y]
		row := in.Row(y)
		nameStyle, helpStyle := f.Styles.KeyName, f.Styles.Text
		if p.all[p.order[l.item]].off() > 0 {
			nameStyle, helpStyle = f.Styles.KeyOff, f.Styles.Muted
		}
		row.Put(1, 0, safe.Cut(l.name, in.W()-2), nameStyle)
		row.Put(names+3, 0, l.help, helpStyle)
		if l.item == p.at {
			f.Select(row, true)
		}
		f.OnClick(row.Bounds(), func() tea.Cmd { return p.click(l.item) })
	}
}

// click chooses a command, and takes the one that is chosen already.
func (p *Palette) click(item int) tea.Cmd {
	if item == p.at {
		return p.take()
	}
	p.at, p.moved = item, true
	return nil
}

func (p *Palette) pageDown() { p.move(max(1, p.height/2)) }

func (p *Palette) pageUp() { p.move(-max(1, p.height/2)) }
