package safe

import (
	"iter"
	"strings"
	"unicode/utf8"
)

const (
	// tabStop is the distance of tab stops in a [Block], in columns.
	tabStop = 4
	// blockRunes bounds one line of a [Block], in characters.
	blockRunes = 16 << 10
)

// Block returns s as lines: newlines (also CR LF) and tabs are layout, all
// else is as in [Line]. A newline at the end of s ends its last line and
// starts none; an empty s has no lines. There are at most maxLines lines (one,
// if that is less); if s has more, the last one is ⟨+N lines⟩. A line of more
// than 16,384 characters ends in ⟨+N bytes⟩.
func Block(s string, maxLines int) []Text {
	if s == "" {
		return nil
	}
	s = strings.TrimSuffix(s, "\n")
	looks(len(s))
	total := 1 + strings.Count(s, "\n")
	shown := total
	if most := max(maxLines, 1); total > most {
		shown = most - 1
	}
	var lines []Text
	for range shown {
		line, rest, _ := strings.Cut(s, "\n")
		lines = append(lines, blockLine(strings.TrimSuffix(line, "\r"), blockRunes))
		s = rest
	}
	if shown < total {
		lines = append(lines, Text(counted(total-shown, "line")))
	}
	return lines
}

// Lines yields the lines of s as [Block] writes them, without a limit of their number or
// length, for a caller that searches a text and keeps none of it.
func Lines(s string) iter.Seq[Text] {
	return func(yield func(Text) bool) {
		for line := range strings.Lines(s) {
			looks(len(line))
			if !yield(blockLine(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"), noLimit)) {
				return
			}
		}
	}
}

// blockLine is [LineN] with tabs set out to their stops.
func blockLine(s string, most int) Text {
	if !strings.Contains(s, "\t") {
		return LineN(s, most)
	}
	var out strings.Builder
	column, left := 0, most
	for {
		part, rest, more := strings.Cut(s, "\t")
		var e escaper
		if cut := e.text(part, left); cut > 0 {
			e.count(cut+len(s)-len(part), "byte")
			more = false
		}
		t := e.done()
		out.WriteString(string(t))
		left -= utf8.RuneCountInString(part) + 1
		if !more {
			return Text(out.String())
		}
		column += Width(t)
		gap := tabStop - column%tabStop
		out.WriteString(strings.Repeat(" ", gap))
		column += gap
		if left < 1 && rest != "" {
			out.WriteString(counted(len(rest), "byte"))
			return Text(out.String())
		}
		s = rest
	}
}
