package report

import (
	"path/filepath"
	"strings"
)

// Format is a way in which reports are written.
type Format uint8

// The formats.
const (
	Markdown Format = iota
	HTML
	JSON
)

// formatWords are the formats as they are named, and as the names of files end.
var formatWords = [...]string{Markdown: "md", HTML: "html", JSON: "json"}

func (f Format) String() string { return formatWords[f] }

// FormatNamed is the format with a name, and false when there is none.
func FormatNamed(word string) (Format, bool) {
	switch strings.ToLower(word) {
	case "md", "markdown":
		return Markdown, true
	case "html", "htm":
		return HTML, true
	case "json":
		return JSON, true
	}
	return 0, false
}

// FormatOf is the format that the name of a file ends with, and false where it ends
// otherwise.
func FormatOf(file string) (Format, bool) {
	return FormatNamed(strings.TrimPrefix(filepath.Ext(file), "."))
}

// As writes the report in a format.
func (r *Report) As(f Format) []byte {
	switch f {
	case HTML:
		return r.HTML()
	case JSON:
		return r.JSON()
	case Markdown:
	}
	return r.Markdown()
}
