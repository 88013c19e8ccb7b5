package tasks

import (
	"strings"
	"unicode/utf8"

	"belay/internal/safe"
)

// quotes are what an ID may stand between, and how each of them ends: as the screen shows an ID, and
// as it is pasted from elsewhere.
var quotes = map[rune]rune{'"': '"', '\'': '\'', '`': '`', '“': '”', '„': '“'}

// idOf reads the ID that was typed after a command: as it is, or between quotes, in which a backslash
// makes the next character stand for itself. Why says why that is none; empty: it is one.
func idOf(typed string) (id string, why safe.Text) {
	typed = strings.TrimSpace(typed)
	first, size := utf8.DecodeRuneInString(typed)
	last := quotes[first]
	if typed == "" {
		return "", "which task? :task ID"
	}
	if last == 0 {
		return typed, ""
	}
	var b strings.Builder
	escaped := false
	for at, r := range typed[size:] {
		switch {
		case escaped:
			escaped = false
			b.WriteRune(r)
		case r == '\\':
			escaped = true
		case r == last && size+at+utf8.RuneLen(r) < len(typed):
			return "", "the ID ends at its second quote, and more follows: within quotes, \\ stands before a quote of the ID's own"
		case r == last && b.Len() == 0:
			return "", "which task? there is nothing between the quotes"
		case r == last:
			return b.String(), ""
		default:
			b.WriteRune(r)
		}
	}
	return "", "the quote before the ID is not closed"
}
