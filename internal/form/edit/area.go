package edit

import (
	"strings"

	"belay/internal/safe"
)

// Area is a field of several lines. The zero Area is empty.
type Area struct {
	Wrap bool // show long lines over several rows; otherwise they scroll sideways

	lines []Line
	row   int
	top   place         // the first row that View shows
	width int           // of the last View
	known map[int][]int // while the text does not change: where the rows of lines begin
}

// Set replaces the text and puts the cursor at its beginning.
func (a *Area) Set(s string) {
	a.lines, a.row, a.top = nil, 0, place{}
	for part := range strings.SplitSeq(s, "\n") {
		a.lines = append(a.lines, Line{Breaks: true, text: []rune(part)})
	}
}

// String is the text.
func (a *Area) String() string {
	parts := make([]string, len(a.lines))
	for i := range a.lines {
		parts[i] = a.lines[i].String()
	}
	return strings.Join(parts, "\n")
}

var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// Insert puts s where the cursor is. Every way to end a line is a line break.
func (a *Area) Insert(s string) {
	for i, part := range strings.Split(newlines.Replace(s), "\n") {
		if i > 0 {
			a.split()
		}
		a.line().Insert(part)
	}
}

func (a *Area) line() *Line {
	if len(a.lines) == 0 {
		a.lines = []Line{{Breaks: true}}
	}
	return &a.lines[a.row]
}

// split breaks the line at the cursor.
func (a *Area) split() {
	l := a.line()
	rest := Line{Breaks: true, text: append([]rune(nil), l.text[l.at:]...)}
	l.text = l.text[:l.at:l.at]
	a.lines = append(a.lines[:a.row+1], append([]Line{rest}, a.lines[a.row+1:]...)...)
	a.row++
}

// join appends the line below row to it.
func (a *Area) join(row int) {
	if row < 0 || row+1 >= len(a.lines) {
		return
	}
	l := &a.lines[row]
	l.at = len(l.text)
	l.text = append(l.text, a.lines[row+1].text...)
	a.lines = append(a.lines[:row+1], a.lines[row+2:]...)
	a.row = row
}

// Empty reports whether there is no text.
func (a *Area) Empty() bool { return len(a.lines) == 0 || len(a.lines) == 1 && a.lines[0].Empty() }

// Height is the number of lines, at least one.
func (a *Area) Height() int { return max(1, len(a.lines)) }

// Rows is how many rows the text takes in so many columns, at most `most`.
func (a *Area) Rows(width, most int) int {
	if !a.Wrap {
		return min(a.Height(), most)
	}
	n := 0
	for i := 0; i < len(a.lines) && n < most; i++ {
		n += len(rowStarts(a.lines[i].text, width-1, most-n))
	}
	return max(1, min(n, most))
}

// exactMost is how many characters are laid out only to know where in them the
// view is.
const exactMost = 5000

// Scrolled says how much of the text is above what [Area.View] showed last, and
// how much there is: in rows, or in lines where that takes long.
func (a *Area) Scrolled() (above, all int) {
	if !a.Wrap || a.Len() > exactMost {
		return a.top.line, a.Height()
	}
	for i := range a.lines {
		if i == a.top.line {
			above = all + a.top.row
		}
		all += len(rowStarts(a.lines[i].text, a.width-1, exactMost))
	}
	return above, all
}

// Len is how many characters there are, line breaks not counted.
func (a *Area) Len() (n int) {
	for i := range a.lines {
		n += len(a.lines[i].text)
	}
	return n
}

// Head is the beginning of the text: its first lines, each as far as it fits. It
// is for a field that nobody types into.
func (a *Area) Head(width, height int) (shown []safe.Text) {
	for i := 0; i < len(a.lines) && i < height; i++ {
		text := a.lines[i].text
		shown = append(shown, safe.Cut(safe.Line(string(text[:min(len(text), 10*max(0, width)+1)])), width))
	}
	return shown
}

// End puts the cursor behind the text.
func (a *Area) End() {
	a.row = a.Height() - 1
	l := a.line()
	l.at = len(l.text)
}

// Move goes n rows down, and says false if there is none there.
func (a *Area) Move(n int) bool {
	a.line()
	before := a.here()
	a.move(n)
	return a.here() != before
}

// Key acts on a key, as [Line.Key] does.
func (a *Area) Key(k Key) (taken, changed bool) {
	l := a.line()
	switch k.Name {
	case "up":
		a.move(-1)
	case "down":
		a.move(1)
	case "pgup":
		a.move(-10)
	case "pgdown":
		a.move(10)
	case "ctrl+home":
		a.row, a.lines[0].at = 0, 0
	case "ctrl+end":
		a.row = len(a.lines) - 1
		a.line().at = len(a.line().text)
	case "enter":
		a.enter()
		return true, true
	case "backspace", "ctrl+h":
		if l.at == 0 {
			a.join(a.row - 1)
			return true, true
		}
		return l.Key(k)
	case "delete", "ctrl+d":
		if l.at == len(l.text) {
			a.join(a.row)
			return true, true
		}
		return l.Key(k)
	default:
		return l.Key(k)
	}
	return true, false
}

// enter breaks the line and indents the new one as the old one is.
func (a *Area) enter() {
	text := a.line().String()
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	a.split()
	a.line().Insert(indent)
}
