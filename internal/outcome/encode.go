package outcome

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// Encode is a value as JSON in lines, with a line break at the end. What a terminal or the
// runner of a CI would obey, or nobody could see, stands in its strings as \u…; a byte that is
// no UTF-8 becomes U+FFFD, as readers of JSON have it.
func Encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(v) // of texts, numbers, and JSON that was found well-formed
	return plain(b.Bytes())
}

// plain escapes what a terminal or a runner would obey. In well-formed JSON that stands in strings
// only, line breaks aside.
func plain(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '[' && bytes.HasSuffix(out, []byte("##")): // a command to the runner of a CI
			out = append(out, `\u005b`...)
		case r == utf8.RuneError && n == 1:
			out = append(out, `\ufffd`...)
		case r == '\n' || r >= ' ' && r < 0x7f || r > 0x7f && unicode.IsPrint(r) && !unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Me, r):
			out = append(out, text[:n]...)
		case r > 0xffff:
			r -= 0x10000
			out = appendUnit(appendUnit(out, 0xd800+r>>10), 0xdc00+r&0x3ff)
		default:
			out = appendUnit(out, r)
		}
		text = text[n:]
	}
	return out
}

func appendUnit(out []byte, unit rune) []byte {
	hex := strconv.FormatInt(int64(unit), 16)
	out = append(out, `\u0000`[:6-len(hex)]...)
	return append(out, hex...)
}
