package rawjson

import (
	"bytes"
	"slices"
)

// Unclosed is a copy of an object without its last bracket, for [AppendMember].
func Unclosed(object []byte) []byte {
	return bytes.TrimRight(bytes.Clone(object[:len(object)-1]), " \t\r\n")
}

// AppendMember appends a member to an object without its last bracket. Name is
// the token, in its quotes.
func AppendMember(dst, name, value []byte) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(append(append(dst, name...), ':'), value...)
}

// Without returns an object without some of its members: the same bytes if it has
// none of them, and nil for no object.
func Without(object []byte, names ...string) []byte {
	object = bytes.TrimSpace(object)
	if len(object) == 0 {
		return nil
	}
	b, dropped := []byte{'{'}, false
	for m := MembersOf(object); ; {
		token := m.NameToken()
		name, value, ok := m.Next()
		switch {
		case !ok && dropped:
			return append(b, '}')
		case !ok:
			return object
		case slices.Contains(names, string(name)):
			dropped = true
		default:
			b = AppendMember(b, token, value)
		}
	}
}
