package canvas

import (
	"unicode"
	"unicode/utf8"
)

// cell is one column of one row. It has no pointers: a frame has thousands of cells, which are
// cleared, compared and written for each, and the garbage collector need not know of them.
type cell struct {
	glyph glyph
	style Style
}

// glyph is what a cell shows: a character, or one of the texts of its canvas.
type glyph uint32

const (
	none    glyph = 0 // the second column of what is wide
	blank   glyph = ' '
	several glyph = unicode.MaxRune + 1 // and above: a text of several characters, by its index
)

// glyphOf returns the glyph for a text that is drawn as one. It keeps a text of several characters
// until Reset.
func (c *Canvas) glyphOf(text string) glyph {
	if r, size := utf8.DecodeRuneInString(text); size == len(text) {
		return glyph(r)
	}
	c.texts = append(c.texts, text)
	return several + glyph(len(c.texts)-1)
}
