package canvas

import "belay/internal/safe"

// Border are the characters of a frame, each of width 1.
type Border struct {
	Horizontal, Vertical                       string
	TopLeft, TopRight, BottomLeft, BottomRight string
}

// The borders that belay draws.
var (
	Round = Border{"─", "│", "╭", "╮", "╰", "╯"}
	Plain = Border{"-", "|", "+", "+", "+", "+"}
)

// Frame draws a border around the region and returns what is inside it. A
// region too small for a frame is returned empty.
func (g Region) Frame(b Border, s Style) Region {
	w, h := g.W(), g.H()
	if w < 2 || h < 2 {
		return g.Sub(0, 0, 0, 0)
	}
	g.Repeat(1, 0, w-2, b.Horizontal, s)
	g.Repeat(1, h-1, w-2, b.Horizontal, s)
	for y := 1; y < h-1; y++ {
		g.Repeat(0, y, 1, b.Vertical, s)
		g.Repeat(w-1, y, 1, b.Vertical, s)
	}
	g.Repeat(0, 0, 1, b.TopLeft, s)
	g.Repeat(w-1, 0, 1, b.TopRight, s)
	g.Repeat(0, h-1, 1, b.BottomLeft, s)
	g.Repeat(w-1, h-1, 1, b.BottomRight, s)
	return g.Inset(1)
}

// Title writes t into the top border of a framed region, with a blank on both
// sides, from column x on. It returns the column behind it. What does not fit
// between the corners is cut.
func (g Region) Title(x int, t safe.Text, s Style) int {
	t = safe.Cut(t, g.W()-x-4)
	if t == "" {
		return x
	}
	return g.Put(x, 0, " "+t+" ", s)
}

// Thumb shows at the right edge of a region which part of n lines is seen in it:
// those from top on. Where all are seen it draws nothing.
func (g Region) Thumb(top, n int, glyph safe.Text, s Style) {
	h := g.H()
	if n <= h || h < 3 {
		return
	}
	size := max(1, h*h/n)
	at := top * (h - size) / max(1, n-h)
	for y := at; y < at+size; y++ {
		g.Put(g.W()-1, y, glyph, s)
	}
}
