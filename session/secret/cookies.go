package secret

import (
	"bytes"
	"strings"
)

// A header of cookies has more than one secret: Cookie lists pairs, and Set-Cookie has a pair and its
// attributes (RFC 6265, 4.1 and 4.2). No pair says of itself that it is secret.

// isCookies reports whether a name is that of a header of cookies.
func (n name) isCookies() bool {
	return n.quote == "" && n.colon == n.end && (strings.HasSuffix(strings.TrimRight(n.plain, "0123456789"), "cookie") || strings.HasSuffix(n.plain, "cookies"))
}

// cookies is where the pairs end that begin at a place behind the name of such a header: at the end of
// its line, or of the string in which the header stands. 0: no pair begins there.
func (r *reader) cookies(n name, begin int) int {
	inAddress := n.from > 0 && (r.text[n.from-1] == '?' || r.text[n.from-1] == '&')
	if !n.isCookies() || inAddress || !beginsPair(r.text[begin:]) {
		return 0
	}
	around := quoteBefore(r.text, n.from)
	for at := begin; at < len(r.text); at++ {
		switch c := r.text[at]; {
		case c == '\r' || c == '\n':
			return at
		case c == '\'' && around != "'":
			// It may be a part of a value.
		case c == '"' || c == '\'' || c == '\\':
			value, quote := quoteAt(r.text, at)
			if quote == "" {
				if isLineEscape(r.text[at:]) {
					return at
				}
				continue
			}
			if quote == around || r.text[at-1] != '=' || value == len(r.text) || bytes.IndexByte(shuts, r.text[value]) >= 0 {
				return at
			}
			to := closing(r.text, value, quote)
			if line := bytes.IndexAny(r.text[value:to], "\r\n"); line >= 0 {
				return value + line
			}
			at = min(to+len(quote), len(r.text)) - 1
		}
	}
	return len(r.text)
}

// beginsPair reports whether a text begins with the name of a cookie and the sign behind it.
func beginsPair(text []byte) bool {
	text = text[:min(len(text), longestName)]
	at := bytes.IndexByte(text, '=')
	return at > 0 && !bytes.ContainsAny(text[:at], " \t\r\n\"'\\;,:<>(){}[]")
}

// quoteBefore is the quotation mark right before a place, with the backslashes before it; empty: there
// is none.
func quoteBefore(text []byte, at int) string {
	if at == 0 || text[at-1] != '"' && text[at-1] != '\'' {
		return ""
	}
	from := at - 1
	for from > 0 && text[from-1] == '\\' && at-from <= deepestQuote {
		from--
	}
	return string(text[from:at])
}

// isLineEscape reports whether a text begins with the end of a line as it is written in JSON, or in
// JSON within that.
func isLineEscape(text []byte) bool {
	text = bytes.TrimLeft(text[:min(len(text), deepestQuote+1)], `\`)
	return len(text) > 0 && (text[0] == 'n' || text[0] == 'r')
}
