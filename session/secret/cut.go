package secret

import (
	"bytes"
	"slices"
)

// cutMark stands where belay has cut a text, directly behind what is left of it: of a
// line on stderr, of a body that is no message, of foreign words in a sentence. A value
// may have been cut in two there, so that a beginning of one before the mark is masked.
const cutMark = "…"

// threeDots stand where many a program has cut a text.
const threeDots = "..."

// CutReason is how long the reason of a cancel is, in bytes, that belay may have cut: without a
// mark, as the server gets it so.
const CutReason = 997

// reasonMember is what stands in a message with a reason.
var reasonMember = []byte(`"reason"`)

// mayBeCut reports whether the value that stands in a place, of so many bytes, may be a beginning.
func (p place) mayBeCut(size int) bool { return p.member == "reason" && !p.free && size >= CutReason }

// pieces are those to be masked in the value that stands in a place, as it is written. Size is how
// long it is without its escapes.
func (h *hiding) pieces(p place, value []byte, plain bool, size int) []piece {
	if !p.mayBeCut(size) {
		return layered(value, plain, h.mask.secrets)
	}
	all := layered(slices.Concat(value, []byte(cutMark)), plain, h.mask.secrets)
	for i := range all {
		all[i].to = min(all[i].to, len(value))
	}
	return all
}

// cuts goes through the marks of cuts in a text.
type cuts struct {
	text       []byte
	dots, mark int // where the next of each is, or the end of the text
	from, to   int // what was found last
}

// next finds the next mark, and reports whether there is one. Each kind is looked for once it
// was passed alone: a text may be full of one of them.
func (c *cuts) next() bool {
	find := func(at *int, mark string) {
		if *at >= c.to && c.to > 0 {
			return
		}
		if *at = len(c.text); c.to < len(c.text) {
			if n := bytes.Index(c.text[c.to:], []byte(mark)); n >= 0 {
				*at = c.to + n
			}
		}
	}
	find(&c.dots, threeDots)
	find(&c.mark, cutMark)
	c.from, c.to = c.mark, c.mark+len(cutMark)
	if c.dots < c.mark {
		c.from, c.to = c.dots, c.dots+len(threeDots)
	}
	return c.from < len(c.text)
}

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
	for c := (cuts{text: r.text}); ; {
		from := c.to
		if !c.next() {
			return
		}
		mark := c.from
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
