package edit

import (
	"sort"
	"unicode"

	"belay/internal/safe"
)

// WrapMost is how many characters a line may have to be shown over several
// rows; a longer one is scrolled sideways, as looking at all of it for each
// frame would take too long.
const WrapMost = 20_000

// place is a row of the screen: the how manieth of which line.
type place struct{ line, row int }

func (p place) before(q place) bool { return p.line < q.line || p.line == q.line && p.row < q.row }

// rowStarts are where the rows of a line begin, each at most width columns wide,
// and at least the first `most` of them. Rows end behind a space where there is one.
func rowStarts(text []rune, width, most int) []int {
	starts := []int{0}
	if width < 1 || len(text) > WrapMost {
		return starts
	}
	measure := func(from, to int) int { return safe.Width(safe.Line(string(text[from:to]))) }
	for from := 0; ; {
		to := min(from+width, len(text))
		w := measure(from, to)
		for w < width && to < len(text) {
			to = min(to+max(1, width-w), len(text))
			w = measure(from, to)
		}
		if w > width && to > from+1 { // one character more than to is too many then
			to = from + 1 + sort.Search(to-from-1, func(n int) bool { return measure(from, from+2+n) > width })
		}
		if to == len(text) || len(starts) >= most {
			return starts
		}
		for to > from+1 && unicode.Is(unicode.M, text[to]) {
			to--
		}
		for i := to; i > from; i-- {
			if text[i-1] == ' ' {
				to = i
				break
			}
		}
		starts = append(starts, to)
		from = to
	}
}

// rows are where the rows of the line i begin.
func (a *Area) rows(i int) []int {
	if !a.Wrap {
		return []int{0}
	}
	if starts, ok := a.known[i]; ok {
		return starts
	}
	starts := rowStarts(a.lines[i].text, a.width-1, WrapMost) // the cursor needs a column behind the last character
	if a.known != nil {
		a.known[i] = starts
	}
	return starts
}

// here is the row with the cursor.
func (a *Area) here() place {
	starts, row := a.rows(a.row), 0
	for row+1 < len(starts) && starts[row+1] <= a.line().at {
		row++
	}
	return place{a.row, row}
}

// up is the row above p, and false when p is the first.
func (a *Area) up(p place) (place, bool) {
	switch {
	case p.row > 0:
		return place{p.line, p.row - 1}, true
	case p.line > 0:
		return place{p.line - 1, len(a.rows(p.line-1)) - 1}, true
	}
	return p, false
}

// down is the row below p, and false when p is the last.
func (a *Area) down(p place) (place, bool) {
	switch {
	case p.row+1 < len(a.rows(p.line)):
		return place{p.line, p.row + 1}, true
	case p.line+1 < len(a.lines):
		return place{p.line + 1, 0}, true
	}
	return p, false
}

// span is the part of its line that a row shows.
func (a *Area) span(p place) (from, to int) {
	starts := a.rows(p.line)
	row := min(p.row, len(starts)-1)
	if row+1 < len(starts) {
		return starts[row], starts[row+1]
	}
	return starts[row], len(a.lines[p.line].text)
}

// move goes n rows down, to the same column as far as there is one.
func (a *Area) move(n int) {
	a.known = map[int][]int{}
	defer func() { a.known = nil }()
	p := a.here()
	from, _ := a.span(p)
	column := a.line().at - from
	step := a.down
	if n < 0 {
		n, step = -n, a.up
	}
	for range n {
		next, ok := step(p)
		if !ok {
			break
		}
		p = next
	}
	a.row = p.line
	from, to := a.span(p)
	if to < len(a.line().text) {
		to-- // behind it is the next row
	}
	a.line().at = min(from+column, to)
}

// View is the part of the text that is shown in width × height cells, and
// where the cursor is in it.
func (a *Area) View(width, height int) (shown []safe.Text, x, y int) {
	a.line() // there is always one
	if height < 1 || width < 1 {
		return nil, 0, 0
	}
	a.width = width
	a.known = map[int][]int{}
	defer func() { a.known = nil }()
	here := a.here()
	first := here
	for range height - 1 {
		above, ok := a.up(first)
		if !ok {
			break
		}
		first = above
	}
	switch {
	case a.top.before(first), a.top.line >= len(a.lines):
		a.top = first
	case here.before(a.top):
		a.top = here
	}
	p := a.top
	for len(shown) < height {
		if p == here {
			x, y = 0, len(shown)
		}
		text, at := a.drawn(p, p == here)
		if p == here {
			x = at
		}
		shown = append(shown, text)
		next, ok := a.down(p)
		if !ok {
			break
		}
		p = next
	}
	return shown, x, y
}

// drawn is a row as it is shown, and the column of the cursor if it is there.
func (a *Area) drawn(p place, here bool) (text safe.Text, cursor int) {
	l := &a.lines[p.line]
	if len(a.rows(p.line)) == 1 {
		if here {
			return l.View(a.width)
		}
		return safe.Cut(safe.LineN(l.String(), a.width+1), a.width), 0
	}
	from, to := a.span(p)
	text = safe.Cut(safe.Line(string(l.text[from:to])), a.width)
	if here {
		cursor = min(safe.Width(safe.Line(string(l.text[from:l.at]))), a.width-1)
	}
	return text, cursor
}
