// Package secret finds secrets and masks them: by the names that fields and variables
// have, by the looks of credentials, and by the values that belay was given. A form
// warns of such fields, and a recording holds none of their values.
//
// What is masked, and how:
//
//   - A value of six bytes and more that belay was given (a variable of the
//     server's, a header field, a token), whatever its name, in any string: as it
//     is, percent-encoded as in an address, in HTML, within JSON within strings, as
//     shells quote it, as Python and JavaScript write its letters, in hexadecimal
//     digits and in base64, where it does not end a line within. One of digits as a
//     number, too, but for what the specification counts. Where a text was cut, six
//     bytes and more of its beginning, too. All of this in upper case as in lower, as
//     headers and programs change it.
//   - A shorter one, and true or false as JSON has them, where its name stands: before
//     it, or in the member beside it, as in {"name": …, "value": …}.
//   - What has the name of a secret, and what looks like a credential, also within
//     addresses, where the name and what is around it may be percent-encoded.
//
// A message stays the message that it was, of the same length, with the same
// members: what the specification calls something is not masked. Everyday words
// are values like others, as nobody can tell a password from one: NODE_ENV=production
// masks each "production", also in the names of members, unless they are the
// specification's. Whoever needs the words does without the mask.
//
// The rules of gitleaks were weighed for the looks of credentials: they are for text, and know
// nothing of the names, the values and the structure of a JSON message.
//
// No library searches for the values. Of those for Aho and Corasick's algorithm
// (petar-dambovaliev/aho-corasick, BobuSumisu/aho-corasick) the one takes 320
// bytes of memory for each text, the other two KiB for each byte of a value, and
// both read a text without any value at a tenth of the speed of finder.
package secret

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"

	"belay/session/rawjson"
)

// Value is something that belay was given and that may be secret.
type Value struct {
	Name string // of the variable or field; empty: it has none
	Text string
}

// Mask hides secrets in recordings: those known by their value, and texts that look like a
// secret. [NewMask] makes one; a nil Mask hides nothing. It is not changed once it is made.
type Mask struct {
	*patterns
	key    string
	values []Value
	known  *finder             // of the values, in all their spellings; nil: there are none
	blanks bool                // one of these has a blank
	quotes bool                // one of these has a single quotation mark
	names  *finder             // of the values that are masked beside their name; nil: there are none
	beside map[string][]string // these values, by their plain names

	numbers map[string]bool // the values that JSON may have as a number, and that are long enough to be looked for
}

// NewMask makes a mask that knows no values. Key is random: what stands in the
// place of an identifier is made with it, so that nobody can try out secrets.
func NewMask(key string) *Mask { return &Mask{patterns: newPatterns(), key: key} }

// With is a mask that knows these values too.
func (m *Mask) With(values ...Value) *Mask {
	all := slices.Clone(m.values)
	have := make(map[Value]bool, len(all))
	for _, v := range all {
		have[v] = true
	}
	for _, v := range values {
		if v.Text != "" && !have[v] {
			have[v], all = true, append(all, v)
		}
	}
	if len(all) == len(m.values) {
		return m
	}
	more := &Mask{patterns: m.patterns, key: m.key, values: all, beside: map[string][]string{}, numbers: map[string]bool{}}
	known := map[string]bool{}
	var spelt, names []word
	for _, v := range all {
		if len(v.Text) >= leastSecret {
			if rawjson.Kind([]byte(v.Text)) == '0' && isLiteral(v.Text) {
				more.numbers[v.Text] = true
			}
			if !known[v.Text] {
				known[v.Text], spelt = true, append(spelt, spellings(v.Text)...)
				more.blanks = more.blanks || strings.Contains(v.Text, " ")
				more.quotes = more.quotes || strings.Contains(v.Text, "'")
			}
		}
		if plain := plainName(v.Name); plain != "" && (len(v.Text) < leastSecret || isLiteral(v.Text)) {
			more.beside[plain] = append(more.beside[plain], v.Text)
			names = append(names, namesOf(v.Name)...)
		}
	}
	if len(spelt) > 0 {
		more.known = newFinder(spelt...)
	}
	if len(names) > 0 {
		more.names = newFinder(names...)
	}
	return more
}

// Counts says how many different values a mask knows, and how it masks them.
type Counts struct {
	Anywhere int `json:"anywhere"`        // in any string, also in base64 and hexadecimal digits
	Beside   int `json:"besideTheirName"` // only where their name stands
}

// Counts counts the values that the mask knows. Those that are too short and have
// no name are not masked.
func (m *Mask) Counts() (c Counts) {
	seen := map[Value]bool{}
	for _, v := range m.values {
		long := len(v.Text) >= leastSecret
		if v.Name = plainName(v.Name); long {
			v.Name = ""
		}
		switch {
		case seen[v], !long && v.Name == "":
		case long:
			c.Anywhere++
		default:
			c.Beside++
		}
		seen[v] = true
	}
	return c
}

// Redact replaces secrets by asterisks, as many bytes as they had, so that lengths and structure
// stay (LOG-13, SEC-24; server/utilities/logging). Where an identifier holds one, two that differ
// still do afterwards: otherwise a redacted recording could be replayed to other states. It
// returns its argument when there is no secret.
func (m *Mask) Redact(text []byte) []byte {
	if m == nil || len(text) == 0 || !m.mayHold(text) {
		return text
	}
	h := hiding{mask: m, text: text, out: text}
	at := bytes.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) && r != '\uFEFF' })
	if at >= 0 && (text[at] == '{' || text[at] == '[') && isJSON(text[at:]) {
		h.message(at)
		return h.out
	}
	for _, p := range layered(text, true, m.secrets) {
		h.hide(p, false)
	}
	return h.out
}

// RedactText is [Mask.Redact] for a string.
func (m *Mask) RedactText(text string) string {
	if m == nil {
		return text
	}
	return string(m.Redact([]byte(text)))
}

// RedactToken is [Mask.Redact] for the value of a member of a message, a token of
// JSON. Numbers stay.
func (m *Mask) RedactToken(member string, token []byte) []byte {
	switch {
	case m == nil:
		return token
	case !isJSON(token):
		return []byte(m.RedactMember(member, string(token)))
	case rawjson.Kind(token) != '"':
		return token
	}
	h := hiding{mask: m, text: token, out: token}
	p := place{member: member}
	if m.names != nil {
		p.beside = m.beside[plainName(member)]
	}
	h.value(p, 1, len(token)-1)
	return h.out
}

// RedactMember is [Mask.Redact] for what is the value of a member, as it is and
// with no escapes.
func (m *Mask) RedactMember(member, text string) string {
	if m == nil || text == "" {
		return text
	}
	h := hiding{mask: m, text: []byte(text)}
	h.out = h.text
	if p := (place{member: member}); !p.isWord(m.patterns, h.text) {
		h.hideIn(p, 0, len(text), h.pieces(p, h.text, true, len(text)))
	}
	return string(h.out)
}

// piece is a part of a text.
type piece struct{ from, to int }

// hiding is a text while its secrets are hidden. It is copied before the first.
type hiding struct {
	mask      *Mask
	text, out []byte
}

// hide masks a piece of the text. Asterisks are masked already.
func (h *hiding) hide(p piece, identifies bool) {
	if p.from >= p.to {
		return
	}
	secret := h.text[p.from:p.to]
	if len(bytes.Trim(secret, "*")) == 0 {
		return
	}
	h.own()
	for at := p.from; at < p.to; at++ {
		h.out[at] = '*'
	}
	if identifies {
		copy(h.out[max(p.from, p.to-8):p.to], h.mask.fingerprint(secret))
		return
	}
	h.hideTextLiteral(p)
}

// own copies the text, once.
func (h *hiding) own() {
	if &h.out[0] == &h.text[0] {
		h.out = bytes.Clone(h.text)
	}
}

// fingerprint is short and tells nothing of a secret but which one it is.
func (m *Mask) fingerprint(secret []byte) string {
	h := hmac.New(sha256.New, []byte(m.key))
	h.Write(secret)
	return hex.EncodeToString(h.Sum(nil)[:4])
}

// plainName is a name as it is compared with others: without case and without
// what joins its words.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name[:min(len(name), longestName)])
}

// namesOf are the ways in which a name may be written: DB_PIN, db-pin, dbPin.
func namesOf(name string) []word {
	name = strings.ToLower(name[:min(len(name), longestName)])
	parts := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var all []word
	for _, spelt := range []string{name, strings.Join(parts, ""), strings.Join(parts, "_"), strings.Join(parts, "-")} {
		if len(spelt) > 1 {
			all = append(all, word{text: spelt})
			continue
		}
		for _, behind := range []string{"=", ":", `"`, `'`, `\`, " "} {
			all = append(all, word{text: spelt + behind})
		}
	}
	return all
}
