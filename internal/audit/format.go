package audit

import "strings"

// Format is a way in which a report is written.
type Format uint8

// The formats.
const (
	Text Format = iota
	JSON
	JUnit
	Markdown
	HTML
)

var formatWords = [...]string{"text", "json", "junit", "markdown", "html"}

// Formats are their names.
func Formats() []string { return formatWords[:] }

// FormatNamed is the format with a name, and false when there is none.
func FormatNamed(word string) (Format, bool) {
	for i, w := range formatWords {
		if w == strings.ToLower(word) {
			return Format(i), true
		}
	}
	return 0, false
}

// As writes the report in a format, for the level at which it fails.
func (r *Report) As(f Format, on FailOn, width int) []byte {
	switch f {
	case JSON:
		return r.json(on)
	case JUnit:
		return r.junit(on)
	case Markdown:
		return r.Markdown(on)
	case HTML:
		return r.html(on)
	case Text:
	}
	return r.text(on, width)
}

// silenced is a text in which the runner of a CI finds no command of its own: those that
// begin with two number signs and a bracket it takes from the middle of a line. In is what
// stands for the bracket in the format.
func silenced(b []byte, bracket string) []byte {
	return []byte(strings.ReplaceAll(string(b), "##[", "##"+bracket))
}
