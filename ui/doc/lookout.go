package doc

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// lookout looks for a text, in small letters, in the lines of a document as they come, also
// where it stands across the end of a line that was wrapped.
type lookout struct {
	text []byte
	take func(l Line, hit bool) // takes each line in turn, and whether the text begins in it

	lines  []Line // those that are not taken yet,
	starts []int  // where each of them begins in
	words  []byte // their text in small letters
}

// newLookout looks for a text that is not empty.
func newLookout(text string, take func(l Line, hit bool)) *lookout {
	return &lookout{text: appendLower(nil, text), take: take}
}

// batch is how many bytes are looked through at once, or more where the text is long.
const batch = 1 << 10

// add looks at the next line.
func (o *lookout) add(l Line) {
	switch l.joint() {
	case glued:
	case apart:
		o.end()
	case aside:
		o.end()
		o.take(l, false)
		return
	case spaced:
		o.words = append(o.words, ' ')
	}
	o.lines, o.starts = append(o.lines, l), append(o.starts, len(o.words))
	for _, s := range l.words() {
		o.words = appendLower(o.words, string(s.Text))
	}
	if len(o.words) >= batch+2*len(o.text) {
		o.settle(len(o.words) - len(o.text) + 1)
	}
}

// end says that the text of the last line ends there.
func (o *lookout) end() {
	o.settle(len(o.words) + 1)
	clear(o.lines)
	o.lines, o.starts, o.words = o.lines[:0], o.starts[:0], o.words[:0]
}

// settle hands on the lines that end before a place in the text.
func (o *lookout) settle(before int) {
	next, n := -1, 0 // where the text is found next, and how many lines are done
	for ; n < len(o.lines); n++ {
		end := len(o.words) + 1
		if n+1 < len(o.lines) {
			end = o.starts[n+1]
		}
		if end > before {
			break
		}
		if from := o.starts[n]; next < from {
			next = len(o.words)
			if i := bytes.Index(o.words[from:], o.text); i >= 0 {
				next = from + i
			}
		}
		o.take(o.lines[n], next < min(end, len(o.words)))
	}
	if n == 0 || n == len(o.lines) {
		return
	}
	gone := o.starts[n]
	o.words = o.words[:copy(o.words, o.words[gone:])]
	o.starts = o.starts[:copy(o.starts, o.starts[n:])]
	for i := range o.starts {
		o.starts[i] -= gone
	}
	rest := copy(o.lines, o.lines[n:])
	clear(o.lines[rest:])
	o.lines = o.lines[:rest]
}

// appendLower appends a text in small letters.
func appendLower(b []byte, text string) []byte {
	for i := range len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			return append(b, strings.ToLower(text[i:])...)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return b
}
