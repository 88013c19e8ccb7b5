// Package address makes of a server's address what may be seen of it. Nobody
// else decides that.
package address

import "strings"

// Shown is an address as it may be shown and recorded: its scheme, host, port
// and path. Account and fragment are gone, and of a query stands only that there
// is one: all three often hold a key. It reads also what is no sound address, or
// not yet one, as ${HOST} stands in it.
func Shown(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found {
		scheme, rest = "", address
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	if found && isHost(rest[strings.LastIndexByte(rest[:end], '@')+1:end]) {
		rest = rest[strings.LastIndexByte(rest[:end], '@')+1:]
	} else { // the account holds one of the three itself, or the scheme is missing
		rest = rest[strings.LastIndexByte(rest, '@')+1:]
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, _, query := strings.Cut(rest, "?")
	if found {
		rest = scheme + "://" + rest
	}
	if query {
		rest += "?…"
	}
	return rest
}

// isHost says whether a text can be a host with its port, if it has one.
func isHost(text string) bool {
	text = text[strings.LastIndexByte(text, ']')+1:] // of an address of IPv6
	_, port, _ := strings.Cut(withoutReferences(text), ":")
	return strings.Trim(port, "0123456789") == ""
}

// withoutReferences is a text without each ${…} in it.
func withoutReferences(text string) string {
	for {
		before, from, found := strings.Cut(text, "${")
		_, after, closed := strings.Cut(from, "}")
		if !found || !closed {
			return text
		}
		text = before + after
	}
}
