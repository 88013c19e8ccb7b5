// Package sentence puts foreign names and texts into belay's own sentences: cut, in
// quotes, and told apart from the words around them. Control characters stay, as the
// screen is what replaces them.
package sentence

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limit bounds what is kept of foreign text in a sentence, in bytes.
const Limit = 400

// Clip is foreign text of [Limit] bytes at most, and a mark where it was cut.
func Clip(text string) string {
	if len(text) > Limit {
		return text[:Limit] + "…"
	}
	return text
}

// lookalikes are characters that a reader may take for a double quote, which ends a
// quotation. (Package safe, which does the same on the screen, has the same list.)
const lookalikes = "\u02ba\u02dd\u02ee\u05f4\u201c\u201d\u201e\u201f\u2033\u2036\u275d\u275e\u2e42\u3003\u301d\u301e\u301f\uff02\U0001f676\U0001f677\U0001f678"

// escaping puts a backslash before each of these characters.
func escaping(chars string) *strings.Replacer {
	var pairs []string
	for _, r := range chars {
		pairs = append(pairs, string(r), `\`+string(r))
	}
	return strings.NewReplacer(pairs...)
}

var quoting, quotingMore = escaping(`\"` + lookalikes), escaping(lookalikes)

// Quoted is foreign text between double quotes. Its control characters are left
// for the screen to show.
func Quoted(text string) string {
	if isASCII(text) && !strings.ContainsAny(text, `\"`) {
		return `"` + text + `"`
	}
	return `"` + quoting.Replace(text) + `"`
}

// longestCut is how many columns a text takes that [QuotedCut] leaves whole.
const longestCut = 57

// QuotedCut is [Quoted] of a name or a command line, which is cut where it is long. The mark of the
// cut is within the quotes.
func QuotedCut(text string) string {
	n := 0
	for i, r := range text {
		if n += columns(r); n > longestCut {
			return Quoted(text[:i] + "…")
		}
	}
	return Quoted(text)
}

// columns is about how many columns a character takes on the screen, which writes out what cannot be seen.
func columns(r rune) int {
	switch {
	case !unicode.IsPrint(r):
		return len("U+202E") + 2
	case r >= utf8.RuneSelf:
		return 2
	}
	return 1
}

// isASCII reports whether a text is ASCII, and so has none of the lookalikes.
func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Repeats reports whether foreign text says no more than words of belay's that stand before it: it is
// the same, but for case, the blanks around it and how it ends.
func Repeats(text, words string) bool {
	const around = " \t\r\n.:!\"'"
	return len(text) <= 2*len(words)+len(around) && strings.EqualFold(strings.Trim(text, around), strings.Trim(words, around))
}

// listMost is how many texts of a list are told.
const listMost = 8

// QuotedList is foreign texts, each in quotes and clipped, and how many more there are.
func QuotedList(texts []string) string {
	var b strings.Builder
	for i, text := range texts[:min(len(texts), listMost)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(Quoted(Clip(text)))
	}
	if more := len(texts) - listMost; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

// List is foreign texts of which there are n, without quotes: the beginning in [Limit] bytes, cut as by
// [Clip], and how many more there are. The others are not looked at.
func List(texts iter.Seq[string], n int) string {
	var b strings.Builder
	told := 0
	for text := range texts {
		if told++; told > 1 {
			b.WriteString(", ")
		}
		if room := max(0, Limit-b.Len()); len(text) > room {
			b.WriteString(text[:room] + "…")
			break
		}
		b.WriteString(text)
	}
	if more := n - told; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

// EscapeLookalikes marks in a text with quotes of its own, such as JSON, what looks
// like one of them and is none.
func EscapeLookalikes(text string) string {
	if isASCII(text) {
		return text
	}
	return quotingMore.Replace(text)
}

// JSON is a foreign JSON value within one of belay's sentences. The quotes of its strings keep
// their words apart from the sentence; a value above [Limit] is cut, and quoted as a whole.
func JSON(raw []byte) string {
	if len(raw) > Limit {
		return Quoted(Clip(string(raw[:Limit+1]))) // it may be as long as a message
	}
	return EscapeLookalikes(string(raw))
}

// LongestName is the length above which a foreign name in a sentence is quoted and cut.
const LongestName = 48

// Name is a foreign name within one of belay's sentences. It is quoted, so that it is
// not taken for words of the sentence, but for names of methods and addresses (SEC-23).
// Control bytes are the screen's business.
func Name(name string) string {
	if len(name) <= LongestName && IsPlainInSentence(name) {
		return name
	}
	if len(name) > LongestName {
		name = strings.ToValidUTF8(name[:LongestName], "") + "…"
	}
	return EscapeLookalikes(strconv.Quote(name))
}

// IsPlain reports whether a foreign name may stand without quotes in a column, a label
// or a field of its own. Such a name is made of ASCII letters, digits and the marks
// that names of methods, tools and addresses have. It has no blank, sign or bracket,
// so it is never two words and nothing that belay draws; and it does not end as a
// label or a sentence does.
func IsPlain(name string) bool {
	named := false // by a letter or digit, and not by marks alone
	for i := range len(name) {
		switch c := name[i]; {
		case isAlphanumeric(c):
			named = true
		case c == '_', c == '/', c == '.', c == '-':
		case strings.IndexByte(":{}?=&%+~@#", c) >= 0 && named:
		default:
			return false
		}
	}
	return named && strings.IndexByte(":.?", name[len(name)-1]) < 0
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
}

// IsPlainInSentence reports whether a foreign name may stand without quotes within a sentence
// of belay's. A plain name with a slash may: methods and addresses have a slash, and
// words do not. A tool's name must not make `cancelled #6 tools/call connected` of a
// sentence, and no list holds every word that can be misread.
func IsPlainInSentence(name string) bool {
	return IsPlain(name) && (strings.Contains(name, "/") || wordMethods[name])
}

// wordMethods are the methods of the specification whose names are words.
var wordMethods = map[string]bool{"initialize": true, "ping": true}

// Count is a number with its word: "1 entry", "2 entries".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Size is a number of bytes for people. The units are decimal.
func Size(n int) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d bytes", n)
}
