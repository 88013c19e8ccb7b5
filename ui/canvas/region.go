package canvas

import (
	"image"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"belay/internal/safe"
)

// Region is a rectangle of a canvas with coordinates of its own. Drawing
// outside it does nothing. The zero Region is empty.
type Region struct {
	c *Canvas
	r image.Rectangle
}

// W is the width of the region in columns.
func (g Region) W() int { return g.r.Dx() }

// H is the height of the region in rows.
func (g Region) H() int { return g.r.Dy() }

// Bounds is where the region is on the canvas.
func (g Region) Bounds() image.Rectangle { return g.r }

// Cursor is where on the canvas a cursor at (x, y) of the region stands; nil: outside
// of the region there is none.
func (g Region) Cursor(x, y int) *image.Point {
	at := image.Pt(x, y).Add(g.r.Min)
	if !at.In(g.r) {
		return nil
	}
	return &at
}

// Empty reports whether there is no room in the region.
func (g Region) Empty() bool { return g.r.Empty() }

// Sub is the w × h part of the region at (x, y), as far as it is inside.
func (g Region) Sub(x, y, w, h int) Region {
	r := image.Rect(x, y, x+max(w, 0), y+max(h, 0)).Add(g.r.Min)
	return Region{g.c, r.Intersect(g.r)}
}

// Row is one row of the region.
func (g Region) Row(y int) Region { return g.Sub(0, y, g.W(), 1) }

// Inset is the region without n cells at each side.
func (g Region) Inset(n int) Region { return g.Sub(n, n, g.W()-2*n, g.H()-2*n) }

// Put writes t at (x, y) and returns the column behind it. What does not fit
// is not drawn: callers that want to show that something is missing cut the
// text first.
func (g Region) Put(x, y int, t safe.Text, s Style) int {
	if y < 0 || y >= g.H() {
		return x + safe.Width(t)
	}
	ax, ay := g.r.Min.X+x, g.r.Min.Y+y
	rest := string(t)
	for rest != "" {
		if rest[0] < utf8.RuneSelf && (len(rest) == 1 || rest[1] < utf8.RuneSelf) {
			g.cell(ax, ay, glyph(rest[0]), 1, s)
			rest = rest[1:]
			ax++
			continue
		}
		if n := safe.SimpleHead(rest); n > 0 {
			g.cell(ax, ay, g.c.glyph(rest[:n]), 1, s)
			rest = rest[n:]
			ax++
			continue
		}
		cluster, w := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
		rest = rest[len(cluster):]
		w = max(w, ansi.StringWidthWc(cluster))
		if w < 1 {
			continue
		}
		g.cell(ax, ay, g.c.glyph(cluster), w, s)
		ax += w
	}
	return ax - g.r.Min.X
}

func (g Region) cell(ax, ay int, text glyph, w int, s Style) {
	if ax < g.r.Min.X || ax+w > g.r.Max.X {
		return
	}
	g.c.set(ax, ay, text, w, s)
}

// PutRight writes t so that it ends before column x.
func (g Region) PutRight(x, y int, t safe.Text, s Style) {
	g.Put(x-safe.Width(t), y, t, s)
}

// Fill makes every cell of the region a blank of style s.
func (g Region) Fill(s Style) {
	for y := g.r.Min.Y; y < g.r.Max.Y; y++ {
		for x := g.r.Min.X; x < g.r.Max.X; x++ {
			g.c.set(x, y, blank, 1, s)
		}
	}
}

// Repeat writes one character of width 1 over n columns from (x, y).
func (g Region) Repeat(x, y, n int, char string, s Style) {
	if y < 0 || y >= g.H() {
		return
	}
	of := g.c.glyph(char)
	for i := range n {
		g.cell(g.r.Min.X+x+i, g.r.Min.Y+y, of, 1, s)
	}
}

// Tint lays s over the cells of the region: its colors where it has any, and
// its attributes in addition.
func (g Region) Tint(s Style) {
	for y := g.r.Min.Y; y < g.r.Max.Y; y++ {
		for x := g.r.Min.X; x < g.r.Max.X; x++ {
			c := &g.c.cells[y*g.c.w+x]
			if s.FG != 0 {
				c.style.FG = s.FG
			}
			if s.BG != 0 {
				c.style.BG = s.BG
			}
			c.style.Attr |= s.Attr
		}
	}
}
