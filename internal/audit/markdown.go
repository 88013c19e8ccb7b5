package audit

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"belay/internal/safe"
)

// Markdown writes the report for GitHub and its like, also as the summary of a step.
func (r *Report) Markdown(on FailOn) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# How the server cancels: %s", r.Grade())
	if early := r.Observed.Stopped; early != "" {
		fmt.Fprintf(&b, ": %s", quiet(reason(early)))
	}
	b.WriteString("\n\n")
	for _, p := range r.heading() {
		fmt.Fprintf(&b, "- **%s**: %s\n", p.Name, quiet(p.Text))
	}
	fmt.Fprintf(&b, "\n%s. Exit code %d with `--fail-on %s`.\n\n", r.Counts(), r.Exit(on), on)
	b.WriteString("| | check | level | tried | what was seen |\n| --- | --- | --- | --- | --- |\n")
	for i := range r.Lines {
		l := &r.Lines[i]
		level := linked(l.Duty.Level.String(), l.Duty.Address(r.Observed.Revision))
		fmt.Fprintf(&b, "| %s %s | %s | %s | %s | %s |\n", outcomeMarks[l.Outcome], l.Outcome, l.Check.Name(), level, l.tries(), quiet(l.Why))
	}
	return silenced([]byte(b.String()), "&#91;")
}

// plain is text in which no reader of Markdown finds anything but text.
var plain = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\pL\pN](?:[\pL\pN×]|[,;:%()/–-]|[.]| )*$`)
})

// quiet is a text in which nothing is markup, a link or a mention of anybody: it stands as it
// is, or as code, in which each sign is written as a number.
func quiet(t safe.Text) string {
	s := string(t)
	if plain().MatchString(s) && !strings.Contains(s, "//") && !strings.Contains(s, "--") && !strings.Contains(s, "www.") {
		return s
	}
	var b strings.Builder
	b.WriteString("<code>")
	for _, c := range s {
		if c < 0x80 && c != ' ' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			fmt.Fprintf(&b, "&#%d;", c)
		} else {
			b.WriteRune(c)
		}
	}
	b.WriteString("</code>")
	return b.String()
}
