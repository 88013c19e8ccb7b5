package secret

import (
	"bytes"
	"regexp"
	"strings"
)

// nameHints are without which no name is that of a secret, in lower case.
var nameHints = []string{
	"pass", "pwd", "secret", "token", "key", "auth", "cookie", "credential", "bearer", "jwt", "connection", "session", "sig", "sid", "kennwort", "contrase",
	"wachtwoord", "phrase", "card", "security", "account", "karten", "mnemonic", "totp", "geheimnis", "pin", "otp", "cvv", "cvc", "csc", "ssn", "iban", "mfa",
	"puk", "senha",
}

// looksRandom says whether a value in a text can hardly be words or a number.
func looksRandom(value []byte) bool {
	return len(value) >= leastSecret && !words.Match(value) && !number.Match(value)
}

var (
	words  = regexp.MustCompile(`^\p{L}+(?:[-_./:]+\p{L}+)*[.!?…:]*$`)
	number = regexp.MustCompile(`^[0-9.,:+-]+$`)
)

// hideNamed masks the value behind a name of a secret, of which a hint stands
// from … end: in JSON, also within its strings, and in text as name=value, as
// name: value and in the query of an address. It returns from where on to look
// further.
func hideNamed(h *hiding, from, end int) int {
	for from > 0 && inName(h.text[from-1]) {
		from--
	}
	for end < len(h.text) && inName(h.text[end]) {
		end++
	}
	name := string(h.text[from:min(end, from+longestName)])
	if name == "progressToken" { // there may be a flood of it
		return end
	}
	plain := strings.Join(wordsOf(name), "")
	inQuery := from > 0 && (h.text[from-1] == '?' || h.text[from-1] == '&')
	if !Named(name) && !(inQuery && NamedInAddress(name)) {
		return end
	}
	at, shut := quoteAt(h.text, end) // of the name
	colon := blanks(h.text, at)
	if colon == len(h.text) || h.text[colon] != ':' && h.text[colon] != '=' {
		return end
	}
	begin := blanks(h.text, colon+1)
	value, open := quoteAt(h.text, begin)
	if shut == "" && (open == `"` && h.isMessage || value == len(h.text) || bytes.IndexByte(shuts, h.text[value]) >= 0) {
		open = "" // it closes the string in which the name stands
	}
	switch {
	case open != "":
		to := closing(h.text, value, open)
		if plain != "token" || looksRandom(h.text[value:to]) {
			h.hide(value, to)
		}
	case shut != "":
		if begin < len(h.text) && (h.text[begin] == '{' || h.text[begin] == '[') {
			hideWithin(h, begin, shut)
		}
	case h.text[colon] == '=' && begin == end+1:
		h.hide(begin, bareEnd(h.text, begin))
	default:
		to := bareEnd(h.text, begin)
		if strings.HasSuffix(plain, "authorization") && !looksRandom(h.text[begin:to]) { // its scheme
			begin = blanks(h.text, to)
			to = bareEnd(h.text, begin)
		}
		if looksRandom(h.text[begin:to]) {
			h.hide(begin, to)
		}
	}
	return end
}

// shuts are what stands behind a quotation mark that ends a string.
var shuts = []byte(",:}] \t\r\n")

func inName(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

func blanks(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	return at
}

// quoteAt reads a quotation mark with the backslashes before it, as it stands in
// a string of JSON within one; empty, and at, where there is none.
func quoteAt(text []byte, at int) (behind int, quote string) {
	mark := at
	for mark < len(text) && text[mark] == '\\' {
		mark++
	}
	if mark < len(text) && (text[mark] == '"' || text[mark] == '\'' && mark == at) {
		return mark + 1, string(text[at : mark+1])
	}
	return at, ""
}

// closing is where the string ends whose opening quotation mark was quote: at the
// next one with as many backslashes, or with fewer, where more ends than that.
func closing(text []byte, at int, quote string) int {
	mark, most := quote[len(quote)-1], len(quote)-1
	for ; at < len(text); at++ {
		run := at
		for run < len(text) && text[run] == '\\' {
			run++
		}
		if run == len(text) {
			break
		}
		if c := text[run]; (c == mark || c == '"') && run-at <= most {
			return at
		}
		at = run
	}
	return len(text)
}

// bareEnd is where a value without quotes ends.
func bareEnd(text []byte, at int) int {
	if end := bytes.IndexAny(text[at:], " \t\r\n&;,\"'<>()[]{}`\\"); end >= 0 {
		return at + end
	}
	return len(text)
}

// hideWithin masks the strings in the array or object that begins at a place,
// except names, and except all of a JSON Schema: it describes a secret and holds
// none. Quote is how quotation marks stand there.
func hideWithin(h *hiding, begin int, quote string) {
	depth := 0
	var found []piece
	for at := begin; at < len(h.text); at++ {
		switch c := h.text[at]; {
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				at = len(h.text)
			}
		case bytes.HasPrefix(h.text[at:], []byte(quote)):
			from := at + len(quote)
			to := closing(h.text, from, quote)
			at = to + len(quote) - 1
			next := blanks(h.text, min(at+1, len(h.text)))
			isName := next < len(h.text) && h.text[next] == ':'
			switch text := string(h.text[from:to]); {
			case !isName:
				found = append(found, piece{from, to})
			case text == "type" && schemaType.Match(h.text[next:]), text == "$ref", text == "enum", text == "anyOf", text == "oneOf":
				return
			}
		}
	}
	for _, p := range found {
		h.hide(p.from, p.to)
	}
}

// schemaType is what stands behind the name "type" in a JSON Schema.
var schemaType = regexp.MustCompile(`^:\s*\[?\s*\\*"(?:string|number|integer|boolean|object|array|null)\\*"`)
