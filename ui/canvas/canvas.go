// Package canvas is the grid of cells that belay draws its screen on.
//
// A component gets a [Region], a rectangle with coordinates of its own, and
// cannot draw outside it, whatever it is given: that is what keeps the frame
// whole when a server sends names that are too long, too wide or too clever
// (requirements SEC-22 and SEC-23). Text comes in as [safe.Text] only.
//
// A frame of 140×40 is drawn and encoded in a fraction of a millisecond,
// because a cell is written in place instead of strings being cut and joined.
//
// The buffer of github.com/charmbracelet/ultraviolet, on which Bubble Tea draws, was weighed
// and not taken: its cells take any string, where [Region.Put] takes a [safe.Text] and nothing
// else, it has no regions with coordinates of their own, and it has had no release.
package canvas

import (
	"image"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"belay/internal/safe"
)

// Color is an index into a [Palette]. Zero is the terminal's own color.
type Color uint8

// Attr are the attributes of a cell.
type Attr uint8

// The attributes.
const (
	Bold Attr = 1 << iota
	Faint
	Italic
	Underline
	Reverse
	Strike
)

// Style is how a cell looks. The zero Style is the terminal's own.
type Style struct {
	FG, BG Color
	Attr   Attr
}

// Bold is the style with bold letters.
func (s Style) Bold() Style {
	s.Attr |= Bold
	return s
}

// Canvas is a grid of cells. Make one with [New].
type Canvas struct {
	w, h    int
	cells   []cell
	texts   []string // of the cells that show more than one character
	palette *Palette
	ascii   bool
	out     []byte // the encoded rows, kept for the next frame
	last    string // what String returned last
}

// New returns an empty canvas that encodes colors with p. With ascii, encoding
// replaces every character beyond ASCII.
func New(p *Palette, ascii bool) *Canvas {
	return &Canvas{palette: p, ascii: ascii}
}

// SetPalette changes the colors of what is encoded from now on.
func (c *Canvas) SetPalette(p *Palette) { c.palette = p }

// Palette is the palette in use.
func (c *Canvas) Palette() *Palette { return c.palette }

// Reset makes the canvas w × h empty cells.
func (c *Canvas) Reset(w, h int) {
	w, h = max(w, 0), max(h, 0)
	c.w, c.h = w, h
	if cap(c.cells) < w*h {
		c.cells = make([]cell, w*h)
	}
	c.cells = c.cells[:w*h]
	for i := range c.cells {
		c.cells[i] = cell{glyph: blank}
	}
	clear(c.texts) // they would keep what servers said
	c.texts = c.texts[:0]
}

// All is the region that covers the canvas.
func (c *Canvas) All() Region { return c.Region(image.Rect(0, 0, c.w, c.h)) }

// Region is the part of the canvas within r.
func (c *Canvas) Region(r image.Rectangle) Region {
	return Region{c: c, r: r.Canon().Intersect(image.Rect(0, 0, c.w, c.h))}
}

// set writes one glyph of the given width (1 or more) at a cell. A wide glyph that this
// cuts in half becomes a blank.
func (c *Canvas) set(x, y int, g glyph, width int, s Style) {
	row := c.cells[y*c.w : (y+1)*c.w]
	if row[x].glyph == none { // the second half of what stands to the left
		for i := x - 1; i >= 0; i-- {
			wide := row[i].glyph != none
			row[i].glyph = blank
			if wide {
				break
			}
		}
	}
	row[x] = cell{g, s}
	for i := x + 1; i < x+width; i++ {
		row[i] = cell{none, s}
	}
	for i := x + width; i < len(row) && row[i].glyph == none; i++ {
		row[i].glyph = blank
	}
}

// String encodes the canvas: rows end in a newline but the last, and blanks
// at the end of a row are left out. A frame that is like the one before is the
// same string: frames are the most of what belay allocates, and each collection
// of garbage that they bring about holds up a key.
func (c *Canvas) String() string {
	out := c.out[:0]
	for y := range c.h {
		if y > 0 {
			out = append(out, '\n')
		}
		out = c.encodeRow(out, c.cells[y*c.w:(y+1)*c.w])
	}
	c.out = out
	if string(c.out) != c.last {
		c.last = string(c.out)
	}
	return c.last
}

// encodeRow appends a row to out.
func (c *Canvas) encodeRow(out []byte, row []cell) []byte {
	end := len(row)
	for end > 0 && row[end-1] == (cell{glyph: blank}) {
		end--
	}
	var cur Style
	for i := range row[:end] {
		if row[i].style != cur {
			cur = row[i].style
			out = append(out, c.palette.sgr(cur)...)
		}
		switch g := row[i].glyph; {
		case g == none:
		case g < utf8.RuneSelf:
			out = append(out, byte(g))
		case c.ascii:
			out = append(out, c.asciiFor(row, i)...)
		case g < several:
			out = utf8.AppendRune(out, rune(g))
		default:
			out = append(out, c.texts[g-several]...)
		}
	}
	if cur != (Style{}) {
		out = append(out, reset...)
	}
	return out
}

// asciiFor replaces what row[i] shows by ASCII of the same width.
func (c *Canvas) asciiFor(row []cell, i int) string {
	width := 1
	for i+width < len(row) && row[i+width].glyph == none {
		width++
	}
	if g := row[i].glyph; g < several {
		return asciiOf(string(rune(g)), width)
	}
	return asciiOf(c.texts[row[i].glyph-several], width)
}

func asciiOf(cluster string, width int) string {
	if cluster[0] < 0x80 && width == 1 {
		return cluster[:1] // a letter without its marks
	}
	if s, ok := asciiGlyphs[cluster]; ok && width == 1 {
		return s
	}
	return strings.Repeat("?", width)
}

// ASCII writes t as a canvas that is ASCII only would show it.
func ASCII(t safe.Text) string {
	var b strings.Builder
	for rest := string(t); rest != ""; {
		cluster, w := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
		rest = rest[len(cluster):]
		if cluster[0] < 0x80 && len(cluster) == 1 {
			b.WriteString(cluster)
			continue
		}
		b.WriteString(asciiOf(cluster, w))
	}
	return b.String()
}

// asciiGlyphs are the characters that belay itself and package safe write.
var asciiGlyphs = map[string]string{
	"…": "~", "·": "-", "→": ">", "←": "<", "↑": "^", "↓": "v", "⟨": "<", "⟩": ">",
	"⏎": "$", "⇥": "^", "◌": "o", "“": `"`, "”": `"`, "×": "x", "–": "-", "—": "-",
	"≤": "<", "≥": ">",
}
