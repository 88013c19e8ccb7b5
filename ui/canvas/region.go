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
			if g.hasRoom(ax, 1) {
				g.c.set(ax, ay, glyph(rest[0]), 1, s)
			}
			rest = rest[1:]
			ax++
			continue
		}
		n, w := safe.SimpleHead(rest), 1
		if n == 0 {
			n, w = cluster(rest)
		}
		if w > 0 && g.hasRoom(ax, w) {
			g.c.set(ax, ay, g.c.glyphOf(rest[:n]), w, s)
		}
		rest = rest[n:]
		ax += w
	}
	return ax - g.r.Min.X
}

// cluster measures the first grapheme cluster of a text, in bytes and in columns.
func cluster(text string) (n, columns int) {
	first, w := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
	return len(first), max(w, ansi.StringWidthWc(first), 0)
}

// hasRoom reports whether w columns from ax on are in the region.
func (g Region) hasRoom(ax, w int) bool { return ax >= g.r.Min.X && ax+w <= g.r.Max.X }

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
	shown := g.c.glyphOf(char)
	for ax := g.r.Min.X + x; ax < g.r.Min.X+x+n; ax++ {
		if g.hasRoom(ax, 1) {
			g.c.set(ax, g.r.Min.Y+y, shown, 1, s)
		}
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
