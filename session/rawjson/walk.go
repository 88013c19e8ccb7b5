package rawjson

import "bytes"

// Walked is told of each text that is about to be walked over. Tests set it, to count
// that a message is walked once; it is nil otherwise.
var Walked func(text []byte)

func walks(text []byte) {
	if Walked != nil {
		Walked(text)
	}
}

// SkipSpace returns where the white space that begins at i ends.
func SkipSpace(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
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

// StringLen returns how many bytes the string at the start of b has. The text need not
// be well-formed: a string without an end has all that is left.
func StringLen(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
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

// Members goes through the members of an object, in the order in which they
// stand there.
type Members struct {
	b []byte
	i int
}

// MembersOf begins at the first member of the object obj.
func MembersOf(obj []byte) Members {
	walks(obj)
	return Members{b: obj, i: 1}
}

// next is where the name of the next member begins, or the closing bracket.
func (m Members) next() int {
	i := SkipSpace(m.b, m.i)
	if m.b[i] == ',' {
		i = SkipSpace(m.b, i+1)
	}
	return i
}

// Next is the name, unescaped, and the raw value of the next member.
func (m *Members) Next() (name, value []byte, ok bool) {
	i := m.next()
	if m.b[i] == '}' {
		return nil, nil, false
	}
	end := skipString(m.b, i)
	name = Unescaped(m.b[i:end])
	i = SkipSpace(m.b, end)
	i = SkipSpace(m.b, i+1)
	m.i = skipValue(m.b, i)
	return name, m.b[i:m.i:m.i], true
}

// NameToken is the name of the member that Next will give, as it is written, in
// its quotes; nil when there is none.
func (m Members) NameToken() []byte {
	i := m.next()
	if m.b[i] != '"' {
		return nil
	}
	end := skipString(m.b, i)
	return m.b[i:end:end]
}

// End is the offset in the object of what follows the value that Next gave last.
func (m Members) End() int { return m.i }

// Elements goes through the elements of an array.
type Elements struct {
	b []byte
	i int
}

// ElementsOf begins at the first element of the array arr.
func ElementsOf(arr []byte) Elements {
	walks(arr)
	return Elements{b: arr, i: 1}
}

// Next is the raw value of the next element.
func (e *Elements) Next() (value []byte, ok bool) {
	i := SkipSpace(e.b, e.i)
	if e.b[i] == ',' {
		i = SkipSpace(e.b, i+1)
	}
	if e.b[i] == ']' {
		return nil, false
	}
	e.i = skipValue(e.b, i)
	return e.b[i:e.i:e.i], true
}

// End is the offset in the array of what follows the element that Next gave last.
func (e Elements) End() int { return e.i }

// At is the member name of a value, raw; nil when the value is no object, or
// has no such member. Of several the last one counts.
func At(value []byte, name string) (found []byte) {
	if Kind(value) != '{' {
		return nil
	}
	for m := MembersOf(value); ; {
		n, v, ok := m.Next()
		if !ok {
			return found
		}
		if string(n) == name {
			found = v
		}
	}
}
