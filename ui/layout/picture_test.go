package layout

import (
	"image"
	"strings"
)

// picture draws the layout at a fraction of its size, one character for
// every cols × rows cells: h header, 1 2 3 the panes, f footer.
func (l Layout) picture(cols, rows int) string {
	area := l.Header.Union(l.Body).Union(l.Footer)
	var b strings.Builder
	for y := area.Min.Y; y < area.Max.Y; y += rows {
		for x := area.Min.X; x < area.Max.X; x += cols {
			b.WriteByte(l.letter(image.Pt(x, y)))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (l Layout) letter(at image.Point) byte {
	switch {
	case at.In(l.Header):
		return 'h'
	case at.In(l.Footer):
		return 'f'
	}
	if p, ok := l.PaneAt(at); ok {
		return '1' + byte(p)
	}
	return ' '
}
