package secret

import (
	"bytes"

	"belay/session/rawjson"
)

// hideTextLiteral puts in the place of a number, true or false that stands as a member in a text
// what leaves that JSON: a string of asterisks as hideLiteral does, and where its quotation marks
// find no room, as they have backslashes in the text, a zero or null.
func (h *hiding) hideTextLiteral(p piece) {
	text := h.text[p.from:p.to]
	kind := rawjson.Kind(text)
	if kind != '0' && kind != 't' && kind != 'f' || !isJSON(text) {
		return
	}
	const most = 64 // bytes of blanks and marks
	behind := bytes.TrimLeft(h.text[p.to:min(len(h.text), p.to+most)], space)
	before, ok := bytes.CutSuffix(bytes.TrimRight(h.text[max(0, p.from-most):p.from], space), []byte(":"))
	if !ok || len(behind) == 0 || bytes.IndexByte([]byte(`,}]\`), behind[0]) < 0 {
		return
	}
	before = bytes.TrimRight(before, space)
	quote := quoteBefore(before, len(before))
	if quote == "" || bytes.HasSuffix(before[:len(before)-len(quote)], []byte(`\`)) { // not all of its backslashes were read
		return
	}
	out := h.out[p.from:p.to]
	switch {
	case len(out) >= 2*len(quote):
		copy(out, quote)
		copy(out[len(out)-len(quote):], quote)
	case kind != '0':
		copy(out, "null ")
	case len(out) == 1:
		out[0] = '0'
	case len(out) == 2:
		copy(out, "-0")
	default:
		copy(out, "0."+string(bytes.Repeat([]byte("0"), len(out)-2)))
	}
}
