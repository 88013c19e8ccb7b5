package ui

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/doc"
)

// comparedDoc shows the head of a request beside what its body says, for a server
// that finds that they differ: field by field, one below the other.
func (m *Model) comparedDoc(d *doc.Doc, list []session.Compared) {
	if len(list) == 0 {
		return
	}
	m.heading(d, "what was sent")
	for _, c := range list {
		d.Add(0, doc.Span{Text: wording.NameIn(c.Field, 200), Style: m.styles.Strong})
		m.field(d, "  in head", orNone(wording.NameIn(c.Head, 400)), m.styles.Text)
		m.field(d, "  in body", orNone(safe.LineN(c.Body, 400)), m.styles.Text)
	}
}
