package termtest

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// The geometry of a picture, in pixels. The size of a cell is whole, so that
// lines and blocks of neighbouring cells meet, and its width is 0.6 of the font
// size, the advance of JetBrains Mono and of most monospaced fonts.
const (
	cellWidth  = 9
	cellHeight = 20
	fontSize   = 15
	baseline   = 15
	padding    = 18
	corner     = 10
)

// DefaultFontFamily is the fonts a picture asks for, best first.
const DefaultFontFamily = `'JetBrains Mono','Noto Sans Mono CJK SC','DejaVu Sans Mono',Menlo,Consolas,monospace`

// SVGOptions says how a screen is drawn. The zero value is good.
type SVGOptions struct {
	FontFamily string // a CSS list; "" is DefaultFontFamily
	Title      string // what a screen reader says and a browser shows on hover
	HideCursor bool   // do not draw the cursor, even if it is visible
}

// SVG draws the screen on a rounded window. Words stand at explicit positions
// and are as wide as their cells in any font; lines, blocks and braille are
// drawn as shapes, so that they join. The same screen gives the same bytes.
func (s Screen) SVG(o SVGOptions) []byte {
	if o.FontFamily == "" {
		o.FontFamily = DefaultFontFamily
	}
	d := drawing{screen: s, cursor: s.Cursor.Visible && !o.HideCursor}
	d.open(o.FontFamily, o.Title, func() {})
	for y := range s.Rows {
		d.row(y)
	}
	d.close()
	return d.out.Bytes()
}

// drawing is one picture being drawn.
type drawing struct {
	screen  Screen
	cursor  bool
	spinner string // the text of the cells that turn, in a film
	out     bytes.Buffer
}

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(&d.out, format, args...) }

// open draws the window, and what comes before it: the title, and what head
// writes.
func (d *drawing) open(fontFamily, title string, head func()) {
	s := d.screen
	width, height := s.Cols*cellWidth+2*padding, s.Rows*cellHeight+2*padding
	d.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n",
		width, height, width, height)
	if title != "" {
		d.printf("<title>%s</title>\n", escapeXML(title))
	}
	head()
	d.printf(`<rect width="%d" height="%d" rx="%d" fill="%s"/>`+"\n", width, height, corner, s.Theme.Background)
	d.printf(`<g transform="translate(%d %d)" font-family="%s" font-size="%d" fill="%s" style="font-variant-ligatures:none">`+"\n",
		padding, padding, escapeXML(fontFamily), fontSize, s.Theme.Foreground)
}

func (d *drawing) close() { d.printf("</g>\n</svg>\n") }

// ink is how a cell looks once themes, reverse, faint and the cursor are
// resolved; all colours are RGB.
type ink struct {
	fg, bg       Color
	bold, italic bool
	hidden       bool
}

func (d *drawing) ink(x, y int) ink {
	s := &d.screen
	style := s.Cell(x, y).Style
	fg := s.Theme.resolve(style.Fg, s.Theme.Foreground)
	bg := s.Theme.resolve(style.Bg, s.Theme.Background)
	if style.Has(Reverse) {
		fg, bg = bg, fg
	}
	if style.Has(Faint) {
		fg = fg.mix(bg, 60)
	}
	if d.cursor && s.Cursor.Shape == CursorBlock && d.isUnderCursor(x, y) {
		fg, bg = s.Theme.Background, s.Theme.Foreground
	}
	return ink{fg: fg, bg: bg, bold: style.Has(Bold), italic: style.Has(Italic), hidden: style.Has(Conceal)}
}

// isUnderCursor reports whether the cursor stands on a cell, or on the left half
// of the wide one that it is the right half of.
func (d *drawing) isUnderCursor(x, y int) bool {
	c := d.screen.Cursor
	return y == c.Y && (x == c.X || x == c.X+1 && d.screen.Cell(c.X, y).Width == 2)
}

// row draws backgrounds first, so that no glyph is cut by its neighbour's.
func (d *drawing) row(y int) {
	d.backgrounds(y)
	d.shapes(y)
	d.turns(y)
	d.text(y)
	d.lines(y)
	d.lineCursor(y)
}

func (d *drawing) backgrounds(y int) {
	for x := 0; x < d.screen.Cols; {
		bg, start := d.ink(x, y).bg, x
		for x < d.screen.Cols && d.ink(x, y).bg == bg {
			x++
		}
		if bg != d.screen.Theme.Background {
			d.rect(start*cellWidth, y*cellHeight, (x-start)*cellWidth, cellHeight, bg)
		}
	}
}

func (d *drawing) rect(x, y, w, h int, fill Color) {
	d.printf(`<rect x="%d" y="%d" width="%d" height="%d"%s/>`+"\n", x, y, w, h, d.fill(fill))
}

// fill is the attribute that sets a colour, empty for the one that is inherited.
func (d *drawing) fill(c Color) string {
	if c == d.screen.Theme.Foreground {
		return ""
	}
	return ` fill="` + c.String() + `"`
}

// text draws what is neither blank nor a shape.
func (d *drawing) text(y int) {
	for x := 0; x < d.screen.Cols; {
		cell, k := d.screen.Cell(x, y), d.ink(x, y)
		if k.hidden || cell.Width == 0 || strings.TrimSpace(cell.Text) == "" || isShape(cell.Text) || d.isTurning(x, y) {
			x++
			continue
		}
		if !joins(cell) {
			d.glyph(x, y, cell, k)
			x += cell.Width
			continue
		}
		start, word := x, ""
		for x < d.screen.Cols && joins(d.screen.Cell(x, y)) && d.ink(x, y) == k {
			word += d.screen.Cell(x, y).Text
			x++
		}
		d.printf(`<text x="%d" y="%d" textLength="%d"%s>%s</text>`+"\n",
			start*cellWidth, y*cellHeight+baseline, (x-start)*cellWidth, d.textAttrs(k), word)
	}
}

// joins reports whether a cell may stand in one text with its neighbours: ASCII
// letters and digits, which every monospaced font has at one width and does not
// make ligatures of.
func joins(c Cell) bool {
	if len(c.Text) != 1 {
		return false
	}
	b := c.Text[0]
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// glyph draws one cluster in the middle of its cells, so that the width of the
// fallback font does not matter.
func (d *drawing) glyph(x, y int, c Cell, k ink) {
	middle := strconv.FormatFloat(float64(x*cellWidth)+float64(c.Width*cellWidth)/2, 'f', -1, 64)
	d.printf(`<text x="%s" y="%d" text-anchor="middle"%s>%s</text>`+"\n",
		middle, y*cellHeight+baseline, d.textAttrs(k), escapeXML(c.Text))
}

func (d *drawing) textAttrs(k ink) string {
	attrs := d.fill(k.fg)
	if k.bold {
		attrs += ` font-weight="bold"`
	}
	if k.italic {
		attrs += ` font-style="italic"`
	}
	return attrs
}

// lineCursor draws a cursor that is not a block.
func (d *drawing) lineCursor(y int) {
	c := d.screen.Cursor
	if !d.cursor || c.Y != y {
		return
	}
	switch c.Shape {
	case CursorUnderline:
		d.rect(c.X*cellWidth, (y+1)*cellHeight-2, cellWidth, 2, d.screen.Theme.Foreground)
	case CursorBar:
		d.rect(c.X*cellWidth, y*cellHeight, 2, cellHeight, d.screen.Theme.Foreground)
	case CursorBlock:
	}
}

func escapeXML(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder takes everything
	return b.String()
}
