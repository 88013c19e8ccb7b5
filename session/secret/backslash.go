package secret

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// appendEscape appends what the escape at the beginning of the text stands for, and says
// how long that is. What is none stays as it is. The escapes are those of JSON, and what
// other programs write to stderr: a backslash before any mark or blank, as of shells, and
// the numbers of Python, JavaScript and C for a letter or a byte.
func appendEscape(out, text []byte) (_ []byte, size int) {
	if len(text) < 2 {
		return append(out, '\\'), 1
	}
	if isMark(text[1]) && !bytes.HasPrefix(text[1:], []byte(threeDots)) { // these may have cut the escape
		return append(out, text[1]), 2
	}
	if at := strings.IndexByte("bfnrt", text[1]); at >= 0 {
		return append(out, "\b\f\n\r\t"[at]), 2
	}
	if r, size := letterEscape(text); size > 0 {
		if low, more := letterEscape(text[size:]); more > 0 {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return utf8.AppendRune(out, both), size + more
			}
		}
		return utf8.AppendRune(out, r), size
	}
	if _, size := byteEscape(text); size > 0 {
		return appendBytes(out, text)
	}
	return append(out, '\\'), 1
}

// isMark reports whether a byte is punctuation of ASCII or a blank, before which a
// backslash of a shell says that it stands for itself.
func isMark(c byte) bool {
	return c == ' ' || c == '\t' || '!' <= c && c <= '~' && !isLetterOrDigit(c)
}

// letterEscape reads \uXXXX, \u{X…} and \UXXXXXXXX; size 0: the text begins with none.
func letterEscape(text []byte) (_ rune, size int) {
	if len(text) < 2 || text[0] != '\\' {
		return 0, 0
	}
	from, to := 2, 0
	switch text[1] {
	case 'u':
		if to = 6; len(text) > 2 && text[2] == '{' {
			digits := text[3:min(len(text), 3+mostDigits+1)]
			from, to = 3, 3+bytes.IndexByte(digits, '}')
			size = 1
		}
	case 'U':
		to = 10
	}
	if to <= from || to > len(text) {
		return 0, 0
	}
	n, err := strconv.ParseUint(string(text[from:to]), 16, 31)
	if err != nil {
		return 0, 0
	}
	return rune(n), to + size
}

// mostDigits is the most of hexadecimal digits that a letter has in \u{X…}.
const mostDigits = 6

// byteEscape reads \xXX and \OOO, whose digits are octal; size 0: the text begins with none.
func byteEscape(text []byte) (_ byte, size int) {
	if len(text) < 4 || text[0] != '\\' {
		return 0, 0
	}
	from, base := 1, 8
	if text[1] == 'x' {
		from, base = 2, 16
	}
	n, err := strconv.ParseUint(string(text[from:4]), base, 8)
	if err != nil {
		return 0, 0
	}
	return byte(n), 4
}

// isCutEscape reports whether a text begins with a cut, or with what one has left of the
// number of a byte.
func isCutEscape(text []byte) bool {
	c := cuts{text: text[:min(len(text), len(`\xX`+cutMark))]}
	return c.next() && (c.from == 0 || text[0] == '\\')
}

// appendBytes is [appendEscape] for a number of a byte. A letter beyond ASCII has one for
// each of its bytes (b'\xc3\xa9' of Python), or one for itself ('\xe9').
func appendBytes(out, text []byte) (_ []byte, size int) {
	var few [utf8.UTFMax]byte
	letter := few[:0]
	for !utf8.FullRune(letter) {
		c, n := byteEscape(text[size:])
		if n == 0 {
			break
		}
		letter, size = append(letter, c), size+n
	}
	r, _ := utf8.DecodeRune(letter)
	isCut := !utf8.FullRune(letter) && isCutEscape(text[size:])
	if r != utf8.RuneError || isCut {
		return append(out, letter...), size
	}
	_, size = byteEscape(text)
	return utf8.AppendRune(out, rune(letter[0])), size
}
