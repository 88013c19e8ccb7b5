package secret

import (
	"bytes"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// nestings is how deep JSON may stand within strings of JSON for a secret to be
// found in it; addressings is how deep an address may stand within addresses, and markups
// how often a text may be written as one of HTML.
const nestings, addressings, markups = 4, 2, 2

// escaping is a way to write a text with escapes in it.
type escaping struct {
	marks    string // an escape begins with one of these bytes
	deepest  int    // how often a text is looked for that was written so several times
	isIn     func(text []byte) bool
	appendTo func(out, text []byte) (_ []byte, size int) // like [appendEscape]
}

var (
	inJSON = escaping{`\`, nestings, func(text []byte) bool { return bytes.IndexByte(text, '\\') >= 0 }, appendEscape}
	// inAddress is percent-encoding (RFC 3986, section 2.1), of whatever bytes and in
	// either case: no two libraries agree on what must be encoded. inQuery is that of
	// forms, where a blank is a plus.
	inAddress = escaping{"%", addressings, hasPercents, appendPercent}
	inQuery   = escaping{"%+", addressings, func(text []byte) bool { return bytes.IndexByte(text, '+') >= 0 || hasPercents(text) }, appendPercent}
	// inMarkup is that of HTML and XML, by names and by numbers.
	inMarkup = escaping{"&", markups, hasEntities, appendEntity}
	// inLooseMarkup is that of browsers, to which many an entity is one without its
	// semicolon. It is a way of its own: what a text holds beside entities with one may look
	// like these, as &copy= in an address.
	inLooseMarkup = escaping{"&", markups, hasLooseEntities, appendLooseEntity}
)

// layered looks for pieces in a text, in what the escapes of JSON in it stand for,
// in what those in that stand for, and so on. Plain says that the text itself is
// looked through, too, where it has escapes. The pieces are those of the text, in
// order, and do not overlap.
func layered(text []byte, plain bool, look func([]byte) []piece) []piece {
	return inJSON.layered(text, plain, look)
}

// layered is the function of that name for escapes of any kind.
func (e *escaping) layered(text []byte, plain bool, look func([]byte) []piece) []piece {
	layers, pieces := [][]byte{text}, [][]piece{nil}
	for n := 0; ; n++ {
		escaped := e.isIn(layers[n])
		if n > 0 || plain || !escaped {
			pieces[n] = union(look(layers[n]))
		}
		if !escaped || n == e.deepest {
			break
		}
		layers, pieces = append(layers, e.unescaped(layers[n])), append(pieces, nil)
	}
	for n := len(layers) - 1; n > 0; n-- {
		pieces[n-1] = union(append(pieces[n-1], e.escapedPieces(layers[n-1], pieces[n])...))
	}
	return pieces[0]
}

// union puts pieces in order, and makes one of those that touch each other.
func union(pieces []piece) []piece {
	slices.SortFunc(pieces, func(a, b piece) int { return a.from - b.from })
	all := pieces[:0]
	for _, p := range pieces {
		if n := len(all); n > 0 && p.from <= all[n-1].to {
			all[n-1].to = max(all[n-1].to, p.to)
		} else if p.from < p.to {
			all = append(all, p)
		}
	}
	return all
}

// unescaped is a text with what the escapes in it stand for.
func (e *escaping) unescaped(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for {
		plain := bytes.IndexAny(text, e.marks)
		if plain < 0 {
			return append(out, text...)
		}
		var size int
		out, size = e.appendTo(append(out, text[:plain]...), text[plain:])
		text = text[plain+size:]
	}
}

// escapedPieces are the pieces of a text that those of its unescaped text come
// from, with whole escapes.
func (e *escaping) escapedPieces(text []byte, pieces []piece) []piece {
	all := make([]piece, 0, len(pieces))
	at := 0 // in the unescaped text
	begun := -1
	for e := (escapes{of: e, text: text}); len(all) < len(pieces) && e.next(); at += len(e.out) {
		for len(all) < len(pieces) {
			p := pieces[len(all)]
			if begun < 0 && p.from < at+len(e.out) {
				begun = e.place(p.from-at, false)
			}
			if begun < 0 || p.to > at+len(e.out) {
				break
			}
			all, begun = append(all, piece{begun, e.place(p.to-at, true)}), -1
		}
	}
	return all
}

// escapes goes through a text, by turns what has no escapes and one of them.
type escapes struct {
	of       *escaping
	text     []byte
	from, to int    // what was read last
	out      []byte // what it stands for
	isEscape bool
	few      [8]byte
}

func (e *escapes) next() bool {
	e.from = e.to
	rest := e.text[e.from:]
	if len(rest) == 0 {
		return false
	}
	if e.isEscape = strings.IndexByte(e.of.marks, rest[0]) >= 0; e.isEscape {
		var size int
		e.out, size = e.of.appendTo(e.few[:0], rest)
		e.to += size
		return true
	}
	plain := bytes.IndexAny(rest, e.of.marks)
	if plain < 0 {
		plain = len(rest)
	}
	e.to, e.out = e.from+plain, rest[:plain]
	return true
}

// place is where in the text something stands that is in what was read last.
func (e *escapes) place(at int, isEnd bool) int {
	switch {
	case !e.isEscape:
		return e.from + at
	case isEnd:
		return e.to
	default:
		return e.from
	}
}

// appendPercent is [appendEscape] for addresses.
func appendPercent(out, text []byte) (_ []byte, size int) {
	if text[0] == '+' {
		return append(out, ' '), 1
	}
	if c, ok := percent(text); ok {
		return append(out, c), 3
	}
	return append(out, text[0]), 1
}

// percent reads %XX.
func percent(text []byte) (byte, bool) {
	if len(text) < 3 || text[0] != '%' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[1:3]), 16, 8)
	return byte(n), err == nil
}

// hasPercents reports whether a text has an escape of addresses.
func hasPercents(text []byte) bool {
	for {
		at := bytes.IndexByte(text, '%')
		if at < 0 {
			return false
		}
		text = text[at:]
		if _, ok := percent(text); ok {
			return true
		}
		text = text[1:]
	}
}

// longestEntity is the length of the longest entity of HTML, with its marks.
const longestEntity = 34

// entity is how long the entity is that the text begins with; 0: it begins with none.
func entity(text []byte) int {
	for at := 1; at < min(len(text), longestEntity); at++ {
		switch c := text[at]; {
		case c == ';' && at > 1:
			return at + 1
		case c == '#' && at == 1, isLetterOrDigit(c):
		default:
			return 0
		}
	}
	return 0
}

// appendEntity is [appendEscape] for HTML.
func appendEntity(out, text []byte) (_ []byte, size int) {
	if n := entity(text); n > 0 {
		if means := html.UnescapeString(string(text[:n])); len(means) != n { // an entity is longer than what it stands for
			return append(out, means...), n
		}
	}
	return append(out, text[0]), 1
}

// hasEntities reports whether a text has what looks like an entity of HTML.
func hasEntities(text []byte) bool {
	for {
		at := bytes.IndexByte(text, '&')
		if at < 0 {
			return false
		}
		if text = text[at:]; entity(text) > 0 {
			return true
		}
		text = text[1:]
	}
}

// looseEntity is what the entity stands for that the text begins with, whether or not it
// ends in a semicolon, and how long it is; 0: it begins with none.
func looseEntity(text []byte) (means string, size int) {
	if n := entity(text); n > 0 {
		if means = html.UnescapeString(string(text[:n])); len(means) != n {
			return means, n
		}
	}
	end := 1
	for end < min(len(text), longestEntity) && (isLetterOrDigit(text[end]) || end == 1 && text[end] == '#') {
		end++
	}
	if end < 3 {
		return "", 0
	}
	// What is behind the entity stays, and the entity stands for one letter.
	means = html.UnescapeString(string(text[:end]))
	if len(means) == end {
		return "", 0
	}
	_, one := utf8.DecodeRuneInString(means)
	return means[:one], end - (len(means) - one)
}

// appendLooseEntity is [appendEscape] for HTML as browsers read it.
func appendLooseEntity(out, text []byte) (_ []byte, size int) {
	if means, n := looseEntity(text); n > 0 {
		return append(out, means...), n
	}
	return append(out, text[0]), 1
}

// hasLooseEntities reports whether a text has an entity of HTML, with a semicolon or
// without.
func hasLooseEntities(text []byte) bool {
	for {
		at := bytes.IndexByte(text, '&')
		if at < 0 {
			return false
		}
		text = text[at:]
		if _, n := looseEntity(text); n > 0 {
			return true
		}
		text = text[1:]
	}
}

func isLetterOrDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
