// Package secret knows what is secret: by the names that fields and variables
// have, by what credentials look like, and by the values that belay was given. A
// form warns of such fields, and a recording holds none of their values.
package secret

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
)

// Mask hides secrets in what is recorded: those that are known by their value,
// and what looks like one. The zero Mask knows none by value; a nil one hides
// nothing. It is not changed once it is made.
type Mask struct {
	values []string
	known  *finder // of the values; nil: there are none
}

// leastSecret is the length in bytes from which a value is looked for wherever
// it may be. Anything may hold a shorter one by chance.
const leastSecret = 6

// With is a mask that knows these values too. Those under six bytes are not
// looked for.
func (m *Mask) With(values ...string) *Mask {
	all := slices.Clone(m.values)
	for _, v := range values {
		for _, spelt := range spellings(v) {
			if len(spelt) >= leastSecret && !slices.Contains(all, spelt) {
				all = append(all, spelt)
			}
		}
	}
	if len(all) == len(m.values) {
		return m
	}
	return &Mask{values: all, known: newFinder(false, all...)}
}

// Redact replaces secrets by asterisks, as many bytes as they had, so that
// lengths and structure stay (LOG-13, SEC-24). Where an ID looks like one, two
// that differ still do afterwards: otherwise a redacted recording could be
// replayed to other states. It returns its argument when there is no secret.
func (m *Mask) Redact(text []byte) []byte {
	if m == nil || len(text) == 0 {
		return text
	}
	h := hiding{text: text, out: text}
	h.isMessage = text[0] == '{' || text[0] == '['
	if m.known != nil {
		m.known.hide(&h)
	}
	hideLikely(&h)
	return h.out
}

// RedactText is [Mask.Redact] for a string.
func (m *Mask) RedactText(text string) string {
	if m == nil {
		return text
	}
	return string(m.Redact([]byte(text)))
}

// RedactID is [Mask.Redact] for the token of an ID alone.
func (m *Mask) RedactID(id string) string {
	const before = `"id":`
	return m.RedactText(before + id)[len(before):]
}

// hiding is a text while its secrets are hidden. It is copied before the first.
type hiding struct {
	text, out []byte
	isMessage bool // of JSON
}

// hide masks a piece of the text. Asterisks are masked already.
func (h *hiding) hide(from, to int) {
	from, to = wholeEscapes(h.text, from, to)
	if from >= to || len(bytes.Trim(h.text[from:to], "*")) == 0 {
		return
	}
	if &h.out[0] == &h.text[0] {
		h.out = bytes.Clone(h.text)
	}
	for at := from; at < to; at++ {
		h.out[at] = '*'
	}
	if quote := bytes.LastIndexByte(h.text[:from], '"'); quote >= 0 && idMember.Match(h.text[max(0, quote-64):quote]) {
		copy(h.out[max(from, to-8):to], fingerprint(h.text[from:to]))
	}
}

// idMember is what stands before an ID or a token.
var idMember = regexp.MustCompile(`"(?:id|requestId|progressToken)"\s*:\s*$`)

// fingerprint is short and tells nothing of a secret, but which one it is.
func fingerprint(secret []byte) string {
	h := fnv.New32a()
	h.Write(secret)
	return fmt.Sprintf("%08x", h.Sum32())
}

// wholeEscapes widens a piece of a text so that it cuts no escape of JSON: what
// is left of one would be wrong.
func wholeEscapes(text []byte, from, to int) (int, int) {
	for _, cut := range []*int{&from, &to} {
		for start := *cut - 1; start >= 0 && start > *cut-6; start-- {
			if text[start] != '\\' {
				continue
			}
			run := start
			for run > 0 && text[run-1] == '\\' {
				run--
			}
			if (start-run)%2 == 1 { // the second of a pair
				continue
			}
			size := 2
			if start+1 < len(text) && text[start+1] == 'u' {
				size = 6
			}
			switch end := min(start+size, len(text)); {
			case end <= *cut:
			case cut == &from:
				from = start
			default:
				to = end
			}
			break
		}
	}
	return from, to
}
