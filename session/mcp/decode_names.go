package mcp

import (
	"bytes"
	"unicode/utf8"

	"belay/session/rawjson"
)

// interner keeps short strings that come again and again (progress tokens,
// method names, loggers), so that a flood of messages allocates nothing. It is
// a cache of fixed size: a string that collides with another takes its place.
type interner struct {
	slots [256]string
}

// internLimit keeps long strings out, so that the cache holds 16 KiB at most.
const internLimit = 64

// text is the text of a string token that says what it means: it has no escape
// sequence, and is UTF-8. It reports false for other tokens. What is in the cache was
// looked at before.
func (in *interner) text(token []byte) (string, bool) {
	inner := token[1 : len(token)-1]
	if len(inner) > internLimit {
		if !isPlain(inner) {
			return "", false
		}
		return string(inner), true
	}
	h := uint32(2166136261)
	for _, c := range inner {
		h = (h ^ uint32(c)) * 16777619
	}
	slot := &in.slots[(h^h>>16)%uint32(len(in.slots))]
	if *slot != string(inner) {
		if !isPlain(inner) {
			return "", false
		}
		*slot = string(inner)
	}
	return *slot, true
}

// isPlain reports whether the inside of a string token is its text.
func isPlain(inner []byte) bool {
	return bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner)
}

// method is the name in a string token. Those that come in floods take no slot.
func (in *interner) method(token []byte) string {
	switch string(token) {
	case `"notifications/progress"`:
		return "notifications/progress"
	case `"notifications/message"`:
		return "notifications/message"
	case `"notifications/cancelled"`:
		return "notifications/cancelled"
	case `"ping"`:
		return "ping"
	}
	return in.string(token)
}

// string is the value of a string token.
func (in *interner) string(token []byte) string {
	if s, ok := in.text(token); ok {
		return s
	}
	return rawjson.DecodeText(token)
}
