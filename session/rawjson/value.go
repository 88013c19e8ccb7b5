package rawjson

import (
	"bytes"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Kind is the kind of a raw value: its first byte, one of {["tfn, with every
// number being '0'; 0 when there is no value.
func Kind(value []byte) byte {
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

var kindWords = map[byte]string{
	'{': "an object", '[': "an array", '"': "a string", '0': "a number", 't': "true", 'f': "false", 'n': "null", 0: "missing",
}

// KindWord is a [Kind] in words: "a number".
func KindWord(kind byte) string { return kindWords[kind] }

// KindWords is what kind of value this is, in words: "a number".
func KindWords(value []byte) string { return kindWords[Kind(value)] }

// Unescaped is the inside of a string token: a part of the token, or a copy
// when it has escape sequences.
func Unescaped(token []byte) []byte {
	if bytes.IndexByte(token, '\\') < 0 {
		return token[1 : len(token)-1]
	}
	text, _ := jsontext.AppendUnquote(nil, token) // what is not Unicode becomes U+FFFD
	return text
}

// DecodeText is the value of a string token, always valid UTF-8.
func DecodeText(token []byte) string { return Name(Unescaped(token)) }

// Name is a name that [Members.Next] gave, or other unescaped text, always valid
// UTF-8.
func Name(text []byte) string {
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	return string(text)
}

// Text is [DecodeText] for a value of any kind: false when it is no string.
func Text(value []byte) (string, bool) {
	if Kind(value) != '"' {
		return "", false
	}
	return DecodeText(value), true
}

// TextAt is the member name of a value, and false when it is no string.
func TextAt(value []byte, name string) (string, bool) { return Text(At(value, name)) }

// Count is how many elements a value has; 0 when it is no array.
func Count(value []byte) (n int) {
	if Kind(value) != '[' {
		return 0
	}
	for e := ElementsOf(value); ; n++ {
		if _, ok := e.Next(); !ok {
			return n
		}
	}
}

// Texts are the strings in a list, of the first ones at most so many.
func Texts(value []byte, most int) (all []string) {
	if Kind(value) != '[' {
		return nil
	}
	for e := ElementsOf(value); len(all) < most; {
		v, ok := e.Next()
		if !ok {
			break
		}
		if s, ok := Text(v); ok {
			all = append(all, s)
		}
	}
	return all
}

// Excerpt is the beginning of foreign bytes, for the detail of a problem.
func Excerpt(b []byte) string {
	const limit = 60
	b = bytes.TrimSpace(b)
	if len(b) <= limit {
		return Name(b)
	}
	return string(bytes.ToValidUTF8(b[:limit], nil)) + "…"
}

// AppendQuote appends text as a JSON string. What is not UTF-8 is replaced.
func AppendQuote[T ~string | ~[]byte](dst []byte, text T) []byte {
	dst, _ = jsontext.AppendQuote(dst, text) // fails only on what it then has replaced
	return dst
}
