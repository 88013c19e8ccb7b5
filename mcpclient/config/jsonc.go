package config

import (
	"bytes"

	"belay/session/rawjson"
)

// plainJSON makes JSON of JSON with comments and trailing commas, which is what
// VS Code and Cursor read: each of these becomes spaces. Nothing moves, so an
// offset into the result is an offset into the file. Anything that is wrong
// stays wrong, for the decoder to find.
//
// The libraries for this format give an error as a finished text, which quotes
// the value that it stumbled over, and do not take a comment that ends with the
// file.
func plainJSON(file []byte) []byte {
	b := bytes.Clone(file)
	if bytes.HasPrefix(b, utf8Mark) {
		blank(b[:len(utf8Mark)])
	}
	comma := -1 // where the last comma is, if nothing but space came after it
	value := false
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '"':
			i += rawjson.StringLen(b[i:])
			comma, value = -1, true
		case bytes.HasPrefix(b[i:], []byte("//")), bytes.HasPrefix(b[i:], []byte("/*")):
			n, ok := commentLen(b[i:])
			if !ok {
				return b
			}
			blank(b[i : i+n])
			i += n
		case c == ',':
			comma = -1
			if value { // [,] is no trailing comma
				comma = i
			}
			value = false
			i++
		case c == '}' || c == ']':
			if comma >= 0 {
				b[comma] = ' '
			}
			comma, value = -1, true
			i++
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			i++
		default:
			comma, value = -1, c != '{' && c != '[' && c != ':'
			i++
		}
	}
	return b
}

var utf8Mark = []byte("\xef\xbb\xbf")

// commentLen is how many bytes the comment at the start of b has; a block that
// does not end is none.
func commentLen(b []byte) (n int, ok bool) {
	if b[1] == '/' {
		if end := bytes.IndexAny(b, "\r\n"); end >= 0 {
			return end, true
		}
		return len(b), true
	}
	end := bytes.Index(b[2:], []byte("*/"))
	return end + 4, end >= 0
}

// blank overwrites all but the ends of lines.
func blank(b []byte) {
	for i, c := range b {
		if c != '\n' && c != '\r' {
			b[i] = ' '
		}
	}
}
