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

// Formats are the names of the formats of a report.
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

// silenced takes the commands of a CI's runner out of a text. A runner takes a command from the middle
// of a line where it begins with two number signs and a bracket; bracket is what stands for that bracket
// in the format.
func silenced(b []byte, bracket string) []byte {
	return []byte(strings.ReplaceAll(string(b), "##[", "##"+bracket))
}
