package secret

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// leastSecret is the length in bytes from which a value is looked for wherever
// it may be. Anything may hold a shorter one by chance.
const leastSecret = 6

// mostCoded is the length in bytes up to which a value is looked for in codes,
// too: that takes ten times its memory. Of longer ones the lines are values of
// their own.
const mostCoded = 8 << 10

// spellings are the ways in which a value may be written, apart from the escapes
// of JSON and of addresses around it: as it is, within JSON, and these, and what
// Go's library makes of it for an address, in hexadecimal digits and in base64.
// The finder takes upper and lower case of ASCII for the same. Other letters are
// looked for as they are, all in upper case, with ß as SS too, and all in lower.
func spellings(value string) []word {
	var all []word
	if !isASCII(value) {
		all = append(all, word{text: strings.ToUpper(value)}, word{text: strings.ToUpper(strings.ReplaceAll(value, "ß", "ss"))}, word{text: strings.ToLower(value)})
	}
	var seen []string
	for i, spelt := range []string{value, quoted(value), url.QueryEscape(value), url.PathEscape(value)} {
		if slices.Contains(seen, spelt) {
			continue
		}
		seen = append(seen, spelt)
		if i < 2 {
			all = append(all, word{text: spelt})
		}
		if len(spelt) <= mostCoded {
			all = append(all, coded(spelt)...)
		}
	}
	return all
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// quoted is the inside of a string of JSON, as most programs write it.
func quoted(value string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // a string can be encoded
	line := strings.TrimSuffix(b.String(), "\n")
	return line[1 : len(line)-1]
}

// coded are the codes of a value: hexadecimal digits, and base64 in both alphabets, wherever
// in three bytes it begins. Of base64 these are the digits that depend on the value alone; the
// two digits at the ends, which hold a part of the value, are masked with them. Padding is not
// looked for: it says nothing.
func coded(value string) []word {
	digits := hex.EncodeToString([]byte(value))
	all := []word{{text: digits}}
	for before := range 3 {
		bits := 8 * (before + len(value))
		begin, end := (8*before+5)/6, bits/6 // of whole digits
		for _, code := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := code.EncodeToString(append(make([]byte, before), value...))
			all = append(all, word{text: text[begin:end], left: 8*before%6 != 0, right: bits%6 != 0})
		}
	}
	return all
}

// isBase64 reports whether a byte is a digit of base64, in either alphabet.
func isBase64(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}
