package secret

import (
	"bytes"
	"strings"
)

// What begins a line or a string and has a colon behind it is a field of a header or a pair of
// YAML, and no sentence: what it has is secret whatever it is made of. As one word that holds of
// any name. Several words may be a sentence all the same ("Password: enter the one that you
// chose"), unless the name is that of a header or of a phrase.

// bullets are what may stand before a name that begins a line: the blanks and marks of YAML, of
// lists, of comments, and those of curl before the fields that it sends and gets.
const bullets = " \t->+<*#"

// opens are what stands before a quotation mark that begins a string.
var opens = []byte(":,[{(= \t\r\n")

// leads reports whether a name begins a line or a string. Around is the opening quotation mark
// of that string; empty: there is none.
func (r *reader) leads(from int) (around string, ok bool) {
	if around = quoteBefore(r.text, from); around != "" {
		return around, true
	}
	from = paintBegin(r.text, from)
	for from > 0 && strings.IndexByte(bullets, r.text[from-1]) >= 0 {
		from--
	}
	if around = quoteBefore(r.text, from); around != "" { // which may end a string as well
		from -= len(around)
		return around, from == 0 || bytes.IndexByte(opens, r.text[from-1]) >= 0
	}
	return "", from == 0 || r.text[from-1] == '\n' || r.text[from-1] == '\r'
}

// begins is leads for a name.
func (r *reader) begins(n name) bool {
	_, ok := r.leads(n.from)
	return ok
}

// isField reports whether a name is written as that of a header is, and as no word of a sentence
// is: with a hyphen.
func (n name) isField(text []byte) bool {
	return bytes.IndexByte(bytes.TrimLeft(text[n.from:min(n.end, n.from+longestName)], "-"), '-') > 0
}

// isPhrase reports whether a name is that of several words.
func (n name) isPhrase() bool {
	for _, w := range []string{"phrase", "mnemonic", "seed"} {
		if strings.Contains(n.plain, w) {
			return true
		}
	}
	return false
}

func (n name) isAuthorization() bool { return strings.HasSuffix(n.plain, "authorization") }

// line takes what stands behind a name that begins a line or a string, and reports whether there
// is anything that is no sentence.
func (r *reader) line(n name, begin int) bool {
	around, ok := r.leads(n.from)
	if !ok || n.quote != "" || r.isAssigned(n, begin) {
		return false
	}
	isWhole := n.isPhrase() || n.isField(r.text) || n.isAuthorization()
	end := r.valueEnd(begin, around, isWhole)
	value := r.text[begin:end]
	if len(bytes.Trim(value, "{}[]()|>+-,")) == 0 { // of more than one line
		return false
	}
	if n.isAuthorization() {
		scheme, credentials, _ := bytes.Cut(value, []byte(" "))
		switch credentials = bytes.TrimSpace(credentials); {
		case len(credentials) == 0:
		case schemes[strings.ToLower(string(scheme[:min(len(scheme), longestName)]))]:
			begin = end - len(bytes.TrimLeft(value[len(scheme):], " \t"))
		case bytes.IndexByte(credentials, ' ') >= 0 && bytes.IndexByte(credentials, '=') < 0: // no parameters of a scheme
			return false
		}
	} else if !isWhole && !r.isAlone(end) {
		return false
	}
	r.take(begin, end)
	r.taken = piece{begin, end}
	return true
}

// isAlone reports whether a word that ends at a place is all that its line or its string has, or
// all but a comment and other pairs.
func (r *reader) isAlone(end int) bool {
	at := blanks(r.text, end)
	if at == end || at == len(r.text) || bytes.IndexByte([]byte("\r\n#\"'\\"), r.text[at]) >= 0 {
		return true
	}
	most := min(len(r.text), at+longestName)
	from := at
	for at < most && isOfName(r.text[at]) {
		at++
	}
	return from < at && at < most && (r.text[at] == ':' || r.text[at] == '=')
}

// valueEnd is where a value without quotation marks ends that begins at a place: the word, or
// with isWhole the line, or the end of the string around it. Where the quotation mark of that string
// is not known, any mark ends the value that has no value behind it.
func (r *reader) valueEnd(begin int, around string, isWhole bool) (end int) {
	defer func() { r.steps -= end - begin }()
	for at := begin; at < len(r.text); at++ {
		switch c := r.text[at]; c {
		case '\r', '\n':
			return r.trimmed(begin, at)
		case ' ', '\t':
			if !isWhole {
				return at
			}
		case '\\':
			behind, quote := quoteAt(r.text, at)
			switch {
			case quote == "":
				if isLineEscape(r.text[at:]) {
					return r.trimmed(begin, at)
				}
			case around == "" && r.isShut(behind), around != "" && len(quote) <= len(around):
				return r.trimmed(begin, at)
			default:
				at = behind - 1
			}
		case '"', '\'':
			if _, _, size := requote(r.text[at:]); size > 0 && around == "'" {
				at += size - 1
				continue
			}
			if around != "" && c == around[len(around)-1] || r.isShut(at+1) {
				return r.trimmed(begin, at)
			}
		}
	}
	return r.trimmed(begin, len(r.text))
}

// trimmed is the end of a text without the blanks at its end.
func (r *reader) trimmed(from, to int) int {
	return from + len(bytes.TrimRight(r.text[from:to], " \t"))
}

// isShut reports whether a quotation mark before a place ends a string.
func (r *reader) isShut(at int) bool {
	return at >= len(r.text) || bytes.IndexByte(shuts, r.text[at]) >= 0 || r.text[at] == '\\' || r.text[at] == ')'
}
