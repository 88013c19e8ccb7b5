package session

import (
	"bytes"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Walking over JSON that is known to be well-formed. A message is validated
// once, as a whole; after that its parts are found by counting brackets, which
// costs a tenth of reading tokens again. None of this may be used on bytes that
// wellFormed has not seen.

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the end of the string that begins at i.
func skipString(b []byte, i int) int {
	i++
	for {
		q := i + bytes.IndexByte(b[i:], '"')
		esc := q
		for esc > i && b[esc-1] == '\\' {
			esc--
		}
		i = q + 1
		if (q-esc)%2 == 0 {
			return i
		}
	}
}

// skipValue returns the end of the value that begins at i.
func skipValue(b []byte, i int) int {
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		for depth := 0; ; {
			switch b[i] {
			case '"':
				i = skipString(b, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
	}
	for i < len(b) {
		switch b[i] {
		case ',', '}', ']', ' ', '\n', '\t', '\r':
			return i
		}
		i++
	}
	return i
}

// members goes through the members of an object.
type members struct {
	b []byte
	i int
}

// membersOf begins at the first member of the object obj.
func membersOf(obj []byte) members { return members{b: obj, i: 1} }

// next is the name, unescaped, and the raw value of the next member.
func (m *members) next() (name, value []byte, ok bool) {
	i := skipSpace(m.b, m.i)
	if m.b[i] == ',' {
		i = skipSpace(m.b, i+1)
	}
	if m.b[i] == '}' {
		return nil, nil, false
	}
	end := skipString(m.b, i)
	name = unescaped(m.b[i:end])
	i = skipSpace(m.b, end)
	i = skipSpace(m.b, i+1)
	m.i = skipValue(m.b, i)
	return name, m.b[i:m.i:m.i], true
}

// elements goes through the elements of an array.
type elements struct {
	b []byte
	i int
}

// elementsOf begins at the first element of the array arr.
func elementsOf(arr []byte) elements { return elements{b: arr, i: 1} }

func (e *elements) next() (value []byte, ok bool) {
	i := skipSpace(e.b, e.i)
	if e.b[i] == ',' {
		i = skipSpace(e.b, i+1)
	}
	if e.b[i] == ']' {
		return nil, false
	}
	e.i = skipValue(e.b, i)
	return e.b[i:e.i:e.i], true
}

// jsonKind is the kind of a raw value as [Shape] names it: its first byte, with
// every number being '0'.
func jsonKind(value []byte) byte {
	if len(value) == 0 {
		return 0
	}
	switch c := value[0]; c {
	case '-', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return '0'
	default:
		return c
	}
}

var jsonKindWords = map[byte]string{
	'{': "an object", '[': "an array", '"': "a string", '0': "a number", 't': "true", 'f': "false", 'n': "null", 0: "missing",
}

// unescaped is the inside of a string token: a part of the token, or a copy
// when it has escape sequences.
func unescaped(token []byte) []byte {
	if bytes.IndexByte(token, '\\') < 0 {
		return token[1 : len(token)-1]
	}
	text, _ := jsontext.AppendUnquote(nil, token) // what is not Unicode becomes U+FFFD
	return text
}

// decodeText is the value of a string token as a Go string, always valid UTF-8.
func decodeText(token []byte) string {
	inner := unescaped(token)
	if !utf8.Valid(inner) {
		inner = bytes.ToValidUTF8(inner, []byte("\uFFFD"))
	}
	return string(inner)
}

// textOf is decodeText for a value of any kind: false when it is no string.
func textOf(value []byte) (string, bool) {
	if jsonKind(value) != '"' {
		return "", false
	}
	return decodeText(value), true
}

// excerpt is the beginning of foreign bytes, for the detail of a problem.
func excerpt(b []byte) string {
	const limit = 60
	b = bytes.TrimSpace(b)
	if len(b) <= limit {
		return string(bytes.ToValidUTF8(b, []byte("\uFFFD")))
	}
	return string(bytes.ToValidUTF8(b[:limit], nil)) + "…"
}

// countOf is how many elements a value has; 0 when it is no array.
func countOf(value []byte) (n int) {
	if jsonKind(value) != '[' {
		return 0
	}
	for e := elementsOf(value); ; n++ {
		if _, ok := e.next(); !ok {
			return n
		}
	}
}

// at is the member name of a value, raw; nil when the value is no object, or
// has no such member. Of several the last one counts.
func at(value []byte, name string) (found []byte) {
	if jsonKind(value) != '{' {
		return nil
	}
	for m := membersOf(value); ; {
		n, v, ok := m.next()
		if !ok {
			return found
		}
		if string(n) == name {
			found = v
		}
	}
}

// textAt is the member name of a value, and false when it is no string.
func textAt(value []byte, name string) (string, bool) { return textOf(at(value, name)) }
