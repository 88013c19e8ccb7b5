package ui

import (
	"bytes"
	"strings"

	"belay/ui/doc"
)

// docText is a document without its styles.
func docText(d *doc.Doc) []byte {
	if d == nil {
		return nil
	}
	var b bytes.Buffer
	for _, l := range d.Lines {
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	return b.Bytes()
}
