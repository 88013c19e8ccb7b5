package safe

import (
	"strings"
	"unicode/utf8"
)

// Prose returns s, a description of several lines, as it is to be read: its lines
// (see [Block]), broken at the width, what is broken indented as its beginning is. Empty
// lines at both ends are left out, and so is the indentation that all lines but the
// first share, as it is that of a program. At most `most` bytes are looked at; what is
// left out is named in a last line, as ⟨+N bytes⟩.
func Prose(s string, width, most int) []Text {
	if width < 1 {
		return nil
	}
	head := headOf(s, most)
	rest := len(s) - len(head)
	var out []Text
	for _, line := range Block(dedented(strings.Trim(head, "\r\n")), most+1) {
		text := strings.TrimRight(string(line), " ")
		bare := strings.TrimLeft(text, " ")
		indent := min(len(text)-len(bare), width/2)
		for _, part := range Wrap(Text(bare), width-indent, 0) {
			out = append(out, Text(strings.Repeat(" ", indent))+part)
		}
	}
	if rest > 0 {
		out = append(out, Text(counted(rest, "byte")))
	}
	return out
}

// dedented is s without the indentation that its lines share from the second one on,
// as far as they have text.
func dedented(s string) string {
	lines := strings.Split(s, "\n")
	common := -1
	for _, l := range lines[1:] {
		text := strings.TrimLeft(l, " \t")
		if strings.TrimSpace(text) == "" {
			continue
		}
		if n := len(l) - len(text); common < 0 || n < common {
			common = n
		}
	}
	if common <= 0 {
		return s
	}
	for i, l := range lines[1:] {
		lines[i+1] = l[min(common, len(l)-len(strings.TrimLeft(l, " \t"))):]
	}
	return strings.Join(lines, "\n")
}

// Unbroken is s as one line: each line break is a blank, together with the blanks around
// it. At most `most` bytes of s are looked at, and nothing says what is left out: it
// is for a row that is cut anyway. The text is not safe yet.
func Unbroken(s string, most int) string {
	s = strings.Trim(headOf(s, most), " \t\r\n")
	if !strings.Contains(s, "\n") {
		return s
	}
	var b strings.Builder
	for i, line := range strings.Split(s, "\n") {
		line = strings.Trim(line, " \t\r")
		if i > 0 && line != "" {
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}

// headOf is at most n bytes of s, none of its characters cut in half.
func headOf(s string, n int) string {
	if len(s) <= n {
		looks(len(s))
		return s
	}
	looks(n)
	for i := 0; i < utf8.UTFMax-1 && n > 0 && !utf8.RuneStart(s[n]); i++ {
		n--
	}
	return s[:n]
}
