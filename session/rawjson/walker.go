package rawjson

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// DepthLimit is how deep brackets may be nested.
const DepthLimit = 10_000

// Walker goes over a JSON text once, from its front to its end. It checks the grammar
// of all bytes on its way and gives the parts that the caller asks for. After the
// first error it finds nothing more, and Done reports false.
//
// It is written by hand because a message is walked over for each of the hundred
// thousands a second that a server may send: jsontext takes as long to check a
// notification, and then its members are still to be found; its tokens take twice as
// long. Both are the oracle of the tests.
//
// The grammar is that of RFC 8259. Names may repeat, escapes may be halves of
// surrogate pairs, and bytes in strings that are not UTF-8 are only noted.
type Walker struct {
	text   []byte
	at     int
	depth  int
	begun  bool // the object at hand has had a member
	failed bool
	odd    bool // a string holds bytes that are not UTF-8
}

// Walk begins in front of a text.
func Walk(text []byte) Walker {
	walks(text)
	return Walker{text: text}
}

// Mark is how far a walk has come. It is as true of every other text that begins with the
// bytes that were passed, and goes on with what ended the last of their values.
type Mark struct{ walker Walker }

// Mark marks how far the walk has come.
func (w *Walker) Mark() Mark {
	m := Mark{*w}
	m.walker.text = nil
	return m
}

// Resume goes on from a mark.
func (w *Walker) Resume(m Mark) {
	text := w.text
	*w = m.walker
	w.text = text
}

// IsAt reports whether c is the very next byte.
func (w *Walker) IsAt(c byte) bool { return w.at < len(w.text) && w.text[w.at] == c }

// Kind is the [Kind] of the value that comes next. It does not pass it.
func (w *Walker) Kind() byte { return Kind(w.text[w.Offset():]) }

// Enter steps into the object that comes next, and reports whether an object comes next.
// Anything else is left where it is.
func (w *Walker) Enter() bool { return w.enter('{') }

// Name passes the name of the next member of the object that was entered, and
// gives it unescaped. ok is false when it has left the object instead. The value
// must be passed before the next name.
func (w *Walker) Name() (name []byte, ok bool) {
	if name := w.tightName(); name != nil {
		return name, true
	}
	if !w.another('}') {
		return nil, false
	}
	from := w.at
	plain := w.str()
	token := w.Since(from)
	w.space()
	w.pass(':')
	switch {
	case w.failed:
		return nil, false
	case plain:
		return token[1 : len(token)-1], true
	default:
		return Unescaped(token), true
	}
}

// tightName passes the name of the next member where it is written as most are: without
// space and escapes. Where it is not, or is empty, nothing is passed, and nil is given.
func (w *Walker) tightName() []byte {
	i := w.at
	if w.begun {
		if i == len(w.text) || w.text[i] != ',' {
			return nil
		}
		i++
	}
	if i == len(w.text) || w.text[i] != '"' {
		return nil
	}
	i++
	end := ordinary(w.text, i)
	if end+1 >= len(w.text) || w.text[end] != '"' || w.text[end+1] != ':' || end == i {
		return nil
	}
	w.at, w.begun = end+2, true
	return w.text[i:end:end]
}

// Value passes the value that comes next, and gives it raw; nil when there is none.
func (w *Walker) Value() []byte {
	from := w.Offset()
	if from < len(w.text) && w.text[from] == '"' { // without the way to all the others
		w.str()
	} else {
		w.value()
	}
	if w.failed {
		return nil
	}
	return w.Since(from)
}

// Offset is where the value that comes next begins.
func (w *Walker) Offset() int {
	w.space()
	return w.at
}

// Since gives what was passed since an offset, raw.
func (w *Walker) Since(from int) []byte { return w.text[from:w.at:w.at] }

// Done reports whether the whole text was one value with nothing but space around it.
func (w *Walker) Done() bool { return !w.failed && w.Offset() == len(w.text) }

// IsUTF8 reports whether all strings so far are UTF-8.
func (w *Walker) IsUTF8() bool { return !w.odd }

func (w *Walker) fail() { w.failed, w.at = true, len(w.text) }

func (w *Walker) space() {
	if w.at < len(w.text) && w.text[w.at] <= ' ' { // there rarely is any
		w.at = SkipSpace(w.text, w.at)
	}
}

// pass passes one byte, which must be c.
func (w *Walker) pass(c byte) {
	if w.at == len(w.text) || w.text[w.at] != c {
		w.fail()
		return
	}
	w.at++
}

// value passes the value at hand.
func (w *Walker) value() {
	if w.at == len(w.text) {
		w.fail()
		return
	}
	switch w.text[w.at] {
	case '"':
		w.str()
	case '{':
		w.enter('{')
		for _, ok := w.Name(); ok; _, ok = w.Name() {
			w.space()
			w.value()
		}
	case '[':
		w.enter('[')
		for w.another(']') {
			w.value()
		}
	case 't':
		w.literal("true")
	case 'f':
		w.literal("false")
	case 'n':
		w.literal("null")
	default:
		w.number()
	}
}

func (w *Walker) enter(bracket byte) bool {
	w.space()
	switch {
	case w.at == len(w.text) || w.text[w.at] != bracket:
		return false
	case w.depth == DepthLimit:
		w.fail()
		return false
	}
	w.at++
	w.depth++
	w.begun = false
	return true
}

// another comes to what is next between brackets, past the comma that is due, or
// passes the closing bracket, and reports whether there is something.
func (w *Walker) another(closing byte) bool {
	if i := w.at + 1; w.begun && i < len(w.text) && w.text[i-1] == ',' && w.text[i] > ' ' { // as most are written
		w.at = i
		return true
	}
	w.space()
	switch {
	case w.at == len(w.text):
		w.fail()
		return false
	case w.text[w.at] == closing:
		w.at++
		w.depth--
		w.begun = true // what surrounds it has had a member now
		return false
	case w.begun:
		w.pass(',')
		w.space()
	}
	w.begun = true
	return !w.failed
}

func (w *Walker) literal(word string) {
	if !bytes.HasPrefix(w.text[w.at:], []byte(word)) {
		w.fail()
		return
	}
	w.at += len(word)
}

func (w *Walker) number() {
	if w.text[w.at] == '-' {
		w.at++
	}
	if w.at < len(w.text) && w.text[w.at] == '0' {
		w.at++
	} else {
		w.digits()
	}
	if w.at < len(w.text) && w.text[w.at] == '.' {
		w.at++
		w.digits()
	}
	if w.at < len(w.text) && w.text[w.at]|0x20 == 'e' {
		w.at++
		if w.at < len(w.text) && (w.text[w.at] == '+' || w.text[w.at] == '-') {
			w.at++
		}
		w.digits()
	}
}

// digits passes one digit or more.
func (w *Walker) digits() {
	i := w.at
	for i < len(w.text) && w.text[i]-'0' < 10 {
		i++
	}
	if i == w.at {
		w.fail()
		return
	}
	w.at = i
}

// str passes a string, and reports whether the string is written without escapes.
func (w *Walker) str() (plain bool) {
	w.pass('"')
	i := ordinary(w.text, w.at)
	if i < len(w.text) && w.text[i] == '"' { // as in most strings
		w.at = i + 1
		return true
	}
	w.at = i
	return w.oddStr()
}

// oddStr passes the rest of a string, from the first byte that needs a second look, and
// reports whether the string is written without escapes.
func (w *Walker) oddStr() (plain bool) {
	plain = true
	for ; ; w.at = ordinary(w.text, w.at) {
		if w.at == len(w.text) {
			w.fail()
			return false
		}
		switch c := w.text[w.at]; {
		case c == '"':
			w.at++
			return plain
		case c == '\\':
			plain = false
			w.escape()
		case c < ' ':
			w.fail()
		default:
			r, n := utf8.DecodeRune(w.text[w.at:])
			w.odd = w.odd || r == utf8.RuneError && n == 1
			w.at += n
		}
	}
}

// escape passes an escape sequence.
func (w *Walker) escape() {
	rest := w.text[w.at+1:]
	switch {
	case len(rest) > 0 && bytes.IndexByte([]byte(`"\/bfnrt`), rest[0]) >= 0:
		w.at += 2
	case len(rest) > 4 && rest[0] == 'u' && isHex(rest[1]) && isHex(rest[2]) && isHex(rest[3]) && isHex(rest[4]):
		w.at += 6
	default:
		w.fail()
	}
}

func isHex(c byte) bool { return c-'0' < 10 || c|0x20-'a' < 6 }

// ordinary returns where the bytes of a string end that need no second look: it stops
// at a quote, a backslash, a control character and at what is not ASCII. It takes
// eight bytes at a time: the highest bit of each tells.
func ordinary(b []byte, i int) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(b); i += 8 {
		v := binary.LittleEndian.Uint64(b[i:])
		quote, backslash, control := v^ones*'"', v^ones*'\\', v
		// A borrow may mark the bytes behind the first that is marked, never that one.
		if stop := ((quote - ones) | (backslash - ones) | (control - ones*' ') | v) & high; stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
	}
	for i < len(b) && b[i] >= ' ' && b[i] < utf8.RuneSelf && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}
