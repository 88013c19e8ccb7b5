package secret

import (
	"bytes"
	"slices"
)

// cutMark stands where belay has cut a text, directly behind what is left of it: of a
// line on stderr, of a body that is no message, of foreign words in a sentence. A value
// may have been cut in two there, so that a beginning of one before the mark is masked.
const cutMark = "…"

// RedactCut is [Mask.Redact] for the beginning of something longer that has no mark of
// its own at its end.
func (m *Mask) RedactCut(text []byte) []byte {
	if m == nil || len(text) == 0 || isJSON(text) {
		return m.Redact(text)
	}
	return m.Redact(slices.Concat(text, []byte(cutMark)))[:len(text)]
}

// RedactCutMember is [Mask.RedactMember] for such a beginning.
func (m *Mask) RedactCutMember(member, text string) string {
	if m == nil {
		return text
	}
	return m.RedactMember(member, text+cutMark)[:len(text)]
}

// hasBeginning reports whether the beginning of a known value stands before a cut.
func (m *Mask) hasBeginning(text []byte) bool {
	r := reader{mask: m, text: text}
	r.beginnings()
	return len(r.pieces) > 0
}

// beginnings takes the beginnings of known values, in whatever spelling, that stand
// before a cut. What the cut has left of an escape is taken with them.
func (r *reader) beginnings() {
	f := r.mask.known
	if f == nil {
		return
	}
	state, read := uint32(0), 0
	for mark := 0; ; mark += len(cutMark) {
		next := bytes.Index(r.text[mark:], []byte(cutMark))
		if next < 0 {
			return
		}
		from := mark
		mark += next
		whole := max(from, mark-longestEscape)
		whole += len(r.mask.brokenEscape.ReplaceAll(r.text[whole:mark], nil))
		for _, end := range []int{whole, mark} {
			for ; read < end; read++ {
				state = f.step(state, lower(r.text[read]))
			}
			if begun := int(f.deep[state]); begun >= leastSecret {
				r.take(end-begun, mark)
			}
		}
	}
}

// longestEscape is more than an escape takes, in bytes: two of \uXXXX, behind the
// backslashes that escape them.
const longestEscape = deepestQuote + 16
