package secret

import "bytes"

// inQuotes is how shells write a quotation mark of a text in single ones, within which
// nothing can be escaped: they end, the mark stands by itself, and they begin again. bash
// writes that mark behind a backslash, dash and Python's shlex in double ones.
var inQuotes = escaping{"'", 1, hasRequotes, appendRequote}

// requote reads both, the latter with one mark and more in its middle: where the marks that
// it stands for begin and end, and how long it is. Size 0: the text begins with neither.
func requote(text []byte) (from, to, size int) {
	switch {
	case bytes.HasPrefix(text, []byte(`'\''`)):
		return 2, 3, 4
	case bytes.HasPrefix(text, []byte(`'"'`)):
		to := 2
		for to < len(text) && text[to] == '\'' {
			to++
		}
		if bytes.HasPrefix(text[to:], []byte(`"'`)) {
			return 2, to, to + 2
		}
	}
	return 0, 0, 0
}

// appendRequote is [appendEscape] for single quotation marks of shells.
func appendRequote(out, text []byte) (_ []byte, size int) {
	if from, to, size := requote(text); size > 0 {
		return append(out, text[from:to]...), size
	}
	return append(out, text[0]), 1
}

// hasRequotes reports whether a text has a quotation mark as shells write it in single
// ones.
func hasRequotes(text []byte) bool {
	for {
		at := bytes.IndexByte(text, '\'')
		if at < 0 {
			return false
		}
		if text = text[at:]; len(text) < 4 {
			return false
		}
		if _, _, size := requote(text); size > 0 {
			return true
		}
		text = text[1:]
	}
}
