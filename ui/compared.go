package ui

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/doc"
	"belay/ui/write"
)

// comparedDoc shows the head of a request beside what its body says, for a server
// that finds that they differ: field by field, one below the other.
func comparedDoc(d *write.Writer, list []session.Compared) {
	if len(list) == 0 {
		return
	}
	d.Heading("what was sent")
	for _, c := range list {
		d.Add(0, doc.Span{Text: wording.NameIn(c.Field, 200), Style: d.Styles.Strong})
		d.Field("  in head", write.OrNone(wording.NameIn(c.Head, 400)), d.Styles.Text)
		d.Field("  in body", write.OrNone(safe.LineN(c.Body, 400)), d.Styles.Text)
	}
}
