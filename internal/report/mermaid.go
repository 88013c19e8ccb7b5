package report

import (
	"fmt"
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
)

// labelWide is how wide a line of a label of a diagram is, in columns; labelMost is how many lines
// it has: what a note tells of a process stands behind its command line, which may be long.
const (
	labelWide = 72
	labelMost = 4
)

// mermaid is the sequence of a call's messages as Mermaid draws it.
func mermaid(c *Call) string {
	var b strings.Builder
	b.WriteString("sequenceDiagram\n    participant C as belay\n    participant S as server\n")
	for i := range c.Steps {
		s := &c.Steps[i]
		text := mermaidLabel(s.timed())
		switch {
		case s.Way == Out && s.Kind == Stop:
			fmt.Fprintf(&b, "    C-xS: %s\n", text)
		case s.Way == Out:
			fmt.Fprintf(&b, "    C->>S: %s\n", text)
		case s.Way == In && s.Kind == After:
			fmt.Fprintf(&b, "    S--xC: %s\n", text)
		case s.Way == In:
			fmt.Fprintf(&b, "    S-->>C: %s\n", text)
		default:
			fmt.Fprintf(&b, "    Note over C,S: %s\n", text)
		}
	}
	if t := verdictWords(c); t != "" {
		fmt.Fprintf(&b, "    Note over C,S: %s\n", mermaidLabel(t))
	}
	return b.String()
}

func verdictWords(c *Call) safe.Text {
	if c.Cancel == nil || c.Cancel.Verdict == "" {
		return ""
	}
	return c.State
}

// mermaidLabel is a text as a label, in lines.
func mermaidLabel(t safe.Text) string {
	var lines []string
	for _, line := range safe.Wrap(t, labelWide, labelMost) {
		lines = append(lines, mermaidText(line))
	}
	return strings.Join(lines, "<br/>")
}

// mermaidText is a text as it may stand behind the colon of a message: letters, digits
// and a few marks as they are, and all else by its number, so that nothing ends the
// statement, begins a comment, a formula or a tag, or is one of Mermaid's own marks.
func mermaidText(t safe.Text) string {
	var b strings.Builder
	for _, r := range string(t) {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune(" .,/_-()·…", r),
			r >= 0x3041 && r <= 0x30ff, r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}

// timed is a step with its time. What was folded has none of its own.
func (s *Step) timed() safe.Text {
	if s.Folded > 0 {
		return s.Text
	}
	return wording.Join(wording.Precise(s.At), s.Text)
}
