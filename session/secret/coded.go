package secret

import (
	"bytes"
	"iter"
)

// betweenNames are the bytes that end what stands before a name in an address or in
// the body of a form.
const betweenNames = "=?&;,/#: \t\r\n\"'<>()[]{}`\\"

// codedNames are the names in a text that are encoded as in an address: api%5Fkey=…,
// api+key=…. Their values are looked for in the text as it is, where one ends at the
// next &: once it is decoded an & may be a part of it.
func (r *reader) codedNames() iter.Seq[name] {
	return func(yield func(name) bool) {
		for at := 0; ; at++ {
			equals := bytes.IndexByte(r.text[at:], '=')
			if equals < 0 {
				return
			}
			from := max(at, at+equals-longestCoded)
			at += equals
			from += bytes.LastIndexAny(r.text[from:at], betweenNames) + 1
			if !inQuery.isIn(r.text[from:at]) {
				continue
			}
			if n, ok := r.judged(name{end: at, colon: at, sign: "="}, from, string(r.text[from:at])); ok && !yield(n) {
				return
			}
		}
	}
}

// longestCoded is how much is read of a name that is encoded, in bytes.
const longestCoded = 3 * longestName

// decodedName is a name without the escapes of addresses in it.
func decodedName(name string) string {
	if !hasPercents([]byte(name[:min(len(name), longestCoded)])) {
		return name
	}
	text := []byte(name[:min(len(name), longestCoded)])
	for range addressings {
		text = inAddress.unescaped(text)
	}
	return string(text)
}

// decoded takes what is likely to be secret in what a text stands for that holds
// addresses within addresses, or HTML.
func (r *reader) decoded() {
	for _, e := range allWays[:3] {
		if e.isIn(r.text) {
			r.pieces = append(r.pieces, e.layered(r.text, false, func(text []byte) []piece {
				within := r.mask.newReader(text)
				within.likely()
				return within.pieces
			})...)
		}
	}
}
