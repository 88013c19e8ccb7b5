package secret

import "bytes"

// What stands right behind a name and an equals sign is an assignment of a shell, a flag with its
// value, or a part of an address or of a form. In an address it ends where the next part begins;
// elsewhere it is a word of whatever it is made of, up to what looks like another assignment.

// signs tell a name from its value, as programs and languages write them. One that begins with another
// comes first.
var signs = [...]string{":=", ":", "===", "==", "=>", "=", "->", string(wideColon)}

// wideColon is the colon of Chinese and Japanese, which is no letter.
var wideColon = []byte("：")

// isAssigned reports whether a value that begins at a place stands right behind the name and an equals
// sign.
func (r *reader) isAssigned(n name, begin int) bool {
	return n.sign == "=" && begin == n.colon+1 && n.quote == "" && r.text[n.end] != ' ' && r.text[n.end] != '\t'
}

// signAt reads the sign at a place; empty: there is none.
func signAt(text []byte, at int) string {
	for _, s := range signs {
		if len(text)-at >= len(s) && string(text[at:at+len(s)]) == s {
			return s
		}
	}
	return ""
}

// paintEnd is where the sequences end that begin at a place and by which a terminal paints: a log in
// color has them between a name and its value.
func paintEnd(text []byte, at int) int {
	for {
		paint, ok := bytes.CutPrefix(text[at:], []byte("\x1b["))
		if !ok {
			return at
		}
		digits := len(paint) - len(bytes.TrimLeft(paint, "0123456789;"))
		if digits == len(paint) || paint[digits] != 'm' {
			return at
		}
		at += len("\x1b[") + digits + len("m")
	}
}

// bold is what stands around a name in Markdown.
var bold = []byte("**")

// dressEnd is where the marks end that stand around a name which begins at a place, and are neither
// quotation marks nor its sign: color, those of Markdown, and the brackets of a list as PHP prints it.
func (r *reader) dressEnd(from, at int) int {
	switch {
	case at == len(r.text):
		return at
	case r.text[at] == ']' && from > 0 && r.text[from-1] == '[':
		return at + 1
	case bytes.HasPrefix(r.text[at:], bold):
		return at + len(bold)
	}
	return paintEnd(r.text, at)
}

// assigned is where the value ends that is assigned at a place to a name.
func (r *reader) assigned(n name, begin int) (end int) {
	if n.isInAddress(r.text) {
		end = len(r.text)
		if at := bytes.IndexAny(r.text[begin:], " \t\r\n&;#\"'<>\\"); at >= 0 {
			end = begin + at
		}
		r.steps -= end - begin
		return end
	}
	end = r.nextAssignment(begin)
	word := *r // that ends there
	word.text = r.text[:end]
	end = word.valueEnd(begin, quoteBefore(r.text, n.from), false)
	r.steps = word.steps
	return begin + len(withoutClosers(r.text[begin:end]))
}

// nextAssignment is where another assignment begins in the word at a place, or that word ends.
func (r *reader) nextAssignment(begin int) (end int) {
	defer func() { r.steps -= end - begin }()
	for at := begin; at < len(r.text); at++ {
		switch r.text[at] {
		case ' ', '\t', '\r', '\n':
			return at
		case ',', ';', '&', '|':
			if r.beginsAssignment(at + 1) {
				return at
			}
		}
	}
	return len(r.text)
}

// longestPaint is more than such a sequence takes, in bytes.
const longestPaint = 24

// paintBegin is where the sequence begins that ends at a place; the place itself, where none does.
func paintBegin(text []byte, end int) int {
	least := max(0, end-longestPaint)
	at := bytes.LastIndex(text[least:end], []byte("\x1b["))
	if at < 0 || paintEnd(text[:end], least+at) != end {
		return end
	}
	return least + at
}

// unpainted is where a name begins whose first bytes may be the end of such a sequence.
func unpainted(text []byte, from, end int) int {
	least := max(0, from-longestPaint)
	if at := bytes.LastIndex(text[least:from], []byte("\x1b[")); at >= 0 {
		if begin := paintEnd(text[:end], least+at); begin > from {
			return begin
		}
	}
	return from
}

// isInAddress reports whether a name is that of a part of an address.
func (n name) isInAddress(text []byte) bool {
	return n.from > 0 && (text[n.from-1] == '?' || text[n.from-1] == '&')
}

// beginsAssignment reports whether a name stands at a place, with an equals sign behind it.
func (r *reader) beginsAssignment(at int) bool {
	from := at
	for at < min(len(r.text), from+longestName) && isOfName(r.text[at]) {
		at++
	}
	return from < at && at < len(r.text) && r.text[at] == '='
}

// withoutClosers is a value without the marks of the sentence and the brackets at its end that
// stand around it.
func withoutClosers(value []byte) []byte {
	for len(value) > 0 {
		switch c := value[len(value)-1]; c {
		case ',', ';', '.', '`':
		case ')', ']', '}', '>':
			open := map[byte]byte{')': '(', ']': '[', '}': '{', '>': '<'}[c]
			if bytes.IndexByte(value, open) >= 0 {
				return value
			}
		default:
			return value
		}
		value = value[:len(value)-1]
	}
	return value
}
