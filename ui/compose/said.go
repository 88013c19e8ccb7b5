package compose

import (
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/item"
	"belay/ui/panel"
)

// said is what the server says of the chosen item, in lines of a width, and the part of it
// that is seen. The zero value is of no item.
type said struct {
	of    saidOf
	lines []safe.Text
	named int // how many of lines are the name
	top   int
	rows  int // how many lines are seen
}

// saidOf is what the lines depend on.
type saidOf struct {
	name             safe.Text // where the list cuts it
	uri, description string    // foreign
	width            int
}

// take takes an item, with its name where the list shows only a part of that. Another one is
// seen from its beginning.
func (s *said) take(it *mcp.Item, name safe.Text, width int) {
	of := saidOf{name, it.URI, it.Description, width}
	if s.of == of {
		return
	}
	*s = said{of: of}
	if name != "" {
		s.lines = safe.Wrap(name, width, 0)
		s.named = len(s.lines)
	}
	if of.uri != "" {
		s.lines = append(s.lines, safe.Wrap(safe.LineN(of.uri, aboutMost), width, 0)...)
	}
	if of.description != "" {
		s.lines = append(s.lines, safe.Prose(of.description, width, aboutMost)...)
	}
}

// nameWhole is how many columns of a name are told of the chosen item.
const nameWhole = 4000

// page scrolls by what is seen, and reports whether there was anything to scroll to.
func (s *said) page(n int) bool {
	was := s.top
	s.top = max(0, min(s.top+n*max(1, s.rows-1), len(s.lines)-s.rows))
	return s.top != was
}

// draw draws as many lines of the description as fit, and below them which of how many lines
// these are.
func (s *said) draw(frame *panel.Frame, g canvas.Region) {
	s.rows = max(0, min(len(s.lines), g.H()-1))
	s.top = max(0, min(s.top, len(s.lines)-s.rows))
	for y, l := range s.lines[s.top : s.top+s.rows] {
		g.Put(0, y, frame.Glyphs.Quote+" ", frame.Styles.Faint)
		style := frame.Styles.Text
		if s.top+y < s.named {
			style = frame.Styles.Strong
		}
		g.Put(2, y, l, style)
	}
	if all := len(s.lines); s.rows < all {
		part := wording.Thousands(s.top+1) + "-" + wording.Thousands(s.top+s.rows) + " of " + wording.Thousands(all) + " · "
		keys := safe.Text("pgdown reads on")
		if s.top+s.rows == all {
			keys = "pgup goes back"
		}
		g.PutRight(g.W(), g.H()-1, part+keys, frame.Styles.Muted)
	}
}

// page reads on in what is said of the chosen item, as long as there is more of it, and
// then goes on in the list; n is 1, or -1 for the way back.
func (p *Picker) page(n int) {
	if !p.said.page(n) {
		p.move(n * p.height)
	}
}

// linesOf estimates how many lines a description takes on the screen, up to 40.
func linesOf(text string) int {
	const most, width = 40, 70
	n := 0
	for l := range strings.Lines(strings.Trim(text[:min(len(text), most*width)], "\r\n")) {
		n += 1 + len(strings.TrimRight(l, "\r\n"))/width
	}
	return min(n, most)
}

func (p *Picker) drawAbout(frame *panel.Frame, g canvas.Region) {
	it, ok := p.chosen()
	if !ok {
		p.said = said{}
		return
	}
	name := safe.Text("")
	if p.cut {
		name = wording.NameIn(it.Name, nameWhole)
	}
	if p.left(p.order[p.at]) > 0 {
		p.said = said{}
		must := wording.Join(name, "must not be called over HTTP: "+safe.LineN(it.Unfit, 400))
		for y, l := range safe.Wrap(must, g.W()-1, g.H()-1) {
			g.Put(0, y, l, frame.Styles.Warn)
		}
		return
	}
	if it.Kind == mcp.Tools {
		notes := p.notes(frame, &it, g.H())
		for y, n := range notes {
			g.Put(0, y, safe.Cut(n.Text, g.W()), n.Style)
		}
		g = g.Sub(0, len(notes), g.W(), g.H()-len(notes))
	}
	p.said.take(&it, name, g.W()-3)
	p.said.draw(frame, g)
}

// notes are belay's lines about a tool, in h lines.
func (p *Picker) notes(frame *panel.Frame, it *mcp.Item, h int) (notes []panel.Segment) {
	if words, odd := item.Task(it, frame.Status); odd {
		notes = append(notes, panel.Segment{Text: words, Style: frame.Styles.Warn})
	} else if words != "" {
		notes = append(notes, panel.Segment{Text: words, Style: frame.Styles.Muted})
	}
	notes = append(notes, panel.Segment{Text: item.Claims(it), Style: frame.Styles.Muted})
	if names := item.Names(it); names != "" && h > 2+len(notes) {
		notes = append(notes, panel.Segment{Text: names, Style: frame.Styles.Muted})
	}
	return notes
}
