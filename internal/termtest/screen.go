package termtest

import (
	"slices"
	"strings"
)

// Attr is a set of text attributes.
type Attr uint8

// The attributes of a cell.
const (
	Bold Attr = 1 << iota
	Faint
	Italic
	Blink
	RapidBlink
	Reverse
	Conceal
	Strikethrough
)

// Underline is the kind of line under a cell.
type Underline uint8

// The kinds of underline, as SGR 4:n numbers them.
const (
	UnderlineNone Underline = iota
	UnderlineSingle
	UnderlineDouble
	UnderlineCurly
	UnderlineDotted
	UnderlineDashed
)

// Style is how a cell is drawn. Styles are comparable with ==.
type Style struct {
	Fg, Bg         Color
	Attrs          Attr
	Underline      Underline
	UnderlineColor Color
}

// Has reports whether all of the attributes in a are set.
func (s Style) Has(a Attr) bool { return s.Attrs&a == a }

// Cell is one place of the screen. Cells are comparable with ==.
type Cell struct {
	Text  string // one grapheme cluster; " " when blank, "" in the right half of a wide one
	Width int    // columns it takes: 1 or 2, and 0 in the right half of a wide one
	Style Style
	Link  string // target of the hyperlink (OSC 8) that the cell belongs to
}

// CursorShape is how the cursor is drawn.
type CursorShape uint8

// The shapes of a cursor.
const (
	CursorBlock CursorShape = iota
	CursorUnderline
	CursorBar
)

// Cursor is where the next character would go, counted from 0.
type Cursor struct {
	X, Y    int
	Visible bool
	Shape   CursorShape
}

// Screen is a copy of what a terminal shows at one moment. It does not change
// and needs no lock.
type Screen struct {
	Cols, Rows int
	Cursor     Cursor
	Title      string // as set by OSC 0 or 2, unfiltered
	AltScreen  bool   // the alternate screen is shown
	Modes      []int  // DEC private modes that the program has switched on or left on, ascending
	Clipboard  string // the last text put on the clipboard (OSC 52), decoded
	Bells      int    // how often the bell rang
	Kitty      int    // the flags of the kitty keyboard protocol that the program has set; 0: none
	Theme      Theme  // with the default colours that OSC 10 and 11 set

	cells []Cell
}

// Cell is the cell in column x of row y, counted from 0; outside of the screen
// it is the zero Cell.
func (s Screen) Cell(x, y int) Cell {
	if x < 0 || y < 0 || x >= s.Cols || y >= s.Rows {
		return Cell{}
	}
	return s.cells[y*s.Cols+x]
}

// With returns the screen with another text in one cell. The cell must be on the
// screen, and the text as wide as the old one.
func (s Screen) With(x, y int, text string) Screen {
	s.cells = slices.Clone(s.cells)
	s.cells[y*s.Cols+x].Text = text
	return s
}

// HasMode reports whether DEC private mode n is on, such as 2004 for bracketed
// paste or 1006 for SGR mouse reports.
func (s Screen) HasMode(n int) bool {
	_, found := slices.BinarySearch(s.Modes, n)
	return found
}

// Line is the text of row y without the blanks at its end.
func (s Screen) Line(y int) string { return s.LineFrom(0, y) }

// LineFrom is the text of row y from column x on, without the blanks at its end.
func (s Screen) LineFrom(x, y int) string {
	if x < 0 || x >= s.Cols || y < 0 || y >= s.Rows {
		return ""
	}
	var b strings.Builder
	row := s.cells[y*s.Cols+x : (y+1)*s.Cols]
	for x := range row { // not by their values: copies of whole cells are slow
		b.WriteString(row[x].Text)
	}
	return strings.TrimRight(b.String(), " ")
}

// Lines is the text of every row, without the blanks at the ends.
func (s Screen) Lines() []string {
	lines := make([]string, s.Rows)
	for y := range lines {
		lines[y] = s.Line(y)
	}
	return lines
}

// String is the rows joined by newlines, without the blank ones at the bottom.
func (s Screen) String() string {
	return strings.TrimRight(strings.Join(s.Lines(), "\n"), "\n")
}

// Contains reports whether text is on the screen, in one row unless it holds
// newlines itself.
func (s Screen) Contains(text string) bool { return strings.Contains(s.String(), text) }

// Find is the place of the first cell of text, searched row by row; text that
// holds a newline is never found.
func (s Screen) Find(text string) (x, y int, ok bool) {
	for y := range s.Rows {
		i := strings.Index(s.Line(y), text)
		if i < 0 {
			continue
		}
		for x, at := 0, 0; x < s.Cols; x++ {
			at += len(s.Cell(x, y).Text)
			if at > i {
				return x, y, true
			}
		}
	}
	return 0, 0, false
}

// StyleOf is the style of the first cell of text.
func (s Screen) StyleOf(text string) (style Style, ok bool) {
	x, y, ok := s.Find(text)
	return s.Cell(x, y).Style, ok
}
