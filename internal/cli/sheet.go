package cli

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"belay/internal/safe"
)

// sheet is what is shown before a question. Whatever stands in it, the question
// is not pushed off the terminal: what is too long is folded, with a count, and
// shown whole on demand.
type sheet struct {
	head string // lines of belay's own
	rows []row
	tail string // the same
}

// row is a label with what stands behind it.
type row struct {
	label  string
	pieces []piece // apart by spaces
}

// piece is a part of a row.
type piece struct {
	text  string
	kind  pieceKind
	after string // belay's own, without a space between
}

// pieceKind says whose words a piece holds, and how they are set.
type pieceKind uint8

const (
	own    pieceKind = iota // belay's own
	word                    // of a command line: in quotes where it needs them
	quoted                  // foreign, in quotes
	bare                    // foreign, as it is
)

func (s *sheet) add(label string, pieces ...piece) { s.rows = append(s.rows, row{label, pieces}) }

// each makes a piece of each text.
func each(kind pieceKind, texts []string) []piece {
	var out []piece
	for _, t := range texts {
		out = append(out, piece{text: t, kind: kind})
	}
	return out
}

// foldMark begins the line that stands for folded text. Foreign words with this
// mark stand in quotes, so that no server can imitate a fold.
const foldMark = "⟨"

func omitted(n int, what string) safe.Text {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return safe.Text(foldMark + "+" + digits + "\u00a0" + what + "⟩") // in one line
}

// set is a piece as it is shown: all of it, or with most > 0 at most so many of
// its characters.
func (p piece) set(most int) safe.Text {
	if p.kind == own {
		return safe.Text(p.text + p.after)
	}
	chars := []rune(p.text)
	if left := len(chars) - most; most > 0 && left > 0 {
		head := most - most/3
		return safe.Quoted(string(chars[:head])) + omitted(left, "characters") + safe.Quoted(string(chars[head+left:])) + safe.Text(p.after)
	}
	inert := p.kind == word && plainWord().MatchString(p.text) || p.kind == bare && !strings.Contains(p.text, foldMark)
	if inert {
		return safe.Line(p.text) + safe.Text(p.after)
	}
	return safe.Quoted(p.text) + safe.Text(p.after)
}

// indent is where the text behind a label begins.
const indent = 13

// lines sets a row in lines of a width: all of it, or with most > 0 in at most so
// many lines, as far as belay's own words allow.
func (r row) lines(width, most int) []string {
	width -= indent
	longest, n := 0, len(r.pieces)
	if most > 0 {
		longest, n = max(20, width*most/3), min(n, width*most) // a piece takes a column at least
		n -= sort.Search(n-1, func(fewer int) bool { return len(safe.Wrap(r.text(longest, n-fewer), width, most+1)) <= most })
	}
	text := r.text(longest, n)
	var out []string
	label := r.label
	for _, line := range safe.Wrap(text, width, 0) {
		out = append(out, fmt.Sprintf("  %-*s%s", indent-2, label, line))
		label = ""
	}
	return out
}

// text is the row with n of its foreign pieces, taken from both ends, none of them
// longer than that; longest 0: as long as they are.
func (r row) text(longest, n int) safe.Text {
	foreign := 0
	for _, p := range r.pieces {
		if p.kind != own {
			foreign++
		}
	}
	from, to := n-n/3, foreign-n/3 // left out
	var parts []string
	at := 0
	for _, p := range r.pieces {
		switch {
		case p.kind == own, n >= foreign, at < from, at >= to:
			parts = append(parts, string(p.set(longest)))
		case at == from:
			parts = append(parts, string(omitted(to-from, "more")))
		}
		if p.kind != own {
			at++
		}
	}
	return safe.Text(strings.Join(parts, " "))
}

// set is the sheet in lines. No row has more than most, as far as that goes; 0: as
// many as it takes.
func (s *sheet) set(width, most int) []string {
	lines := append(strings.Split(s.head, "\n"), "")
	for _, r := range s.rows {
		lines = append(lines, r.lines(width, most)...)
	}
	lines = append(lines, "")
	return append(append(lines, strings.Split(s.tail, "\n")...), "")
}

// fitted is the sheet in fewer lines than a height, if that can be, and whether
// something is folded for it. With height 0 nothing is.
func (s *sheet) fitted(width, height int) (lines []string, folded bool) {
	long := 0
	for _, r := range s.rows {
		for _, p := range r.pieces {
			long += len(p.text) / utf8Max
		}
	}
	var whole []string
	if height <= 0 || long <= width*height {
		whole = s.set(width, 0)
		if height <= 0 || len(whole) < height {
			return whole, false
		}
	}
	for _, most := range []int{10, 7, 5, 4, 3, 2, 1} {
		if lines = s.set(width, most); len(lines) < height {
			break
		}
	}
	return lines, !slices.Equal(lines, whole)
}

// utf8Max is how many bytes a character takes at most.
const utf8Max = 4

// page writes lines, and stops before any of them leaves the terminal. It reports
// whether the user wanted to see all of them.
func (t *ttyPrompter) page(lines []string) bool {
	for done := 0; ; {
		most := len(lines) - done
		if t.height > 0 {
			most = min(most, max(t.height-1, 1))
		}
		for _, line := range lines[done : done+most] {
			_, _ = fmt.Fprintln(t.out, line)
		}
		if done += most; done == len(lines) {
			return true
		}
		answer, err := t.line(fmt.Sprintf("enter: go on, q: enough (%d of %d lines) ", done, len(lines)))
		if err != nil || strings.TrimSpace(answer) != "" {
			return false
		}
	}
}

// allows shows a sheet and asks; only y is yes.
func (t *ttyPrompter) allows(s *sheet, question string) bool {
	for {
		lines, folded := s.fitted(t.width, t.height)
		t.page(lines)
		if !folded {
			return t.yes(question + " [y/N] ")
		}
		answer, err := t.line(question + " [y/N, w: all of it] ")
		switch answer = strings.ToLower(strings.TrimSpace(answer)); {
		case err == nil && answer == "w":
			if t.page(s.set(t.width, 0)) {
				_, _ = t.line("enter: back to the question ")
			}
		default:
			return err == nil && isYes(answer)
		}
	}
}
