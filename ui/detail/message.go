package detail

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/doc"
	"belay/ui/write"
)

// The wire tab shows the first and the last messages of a call, and of each of them
// so many lines and bytes.
const (
	wireTabHead  = 20
	wireTabTail  = 180
	wireTabLines = 60
	wireTabBytes = 16 << 10
)

// wireTab is every message of the call as it was on the wire.
func (c *content) wireTab(d *write.Writer) {
	all := c.entries
	if len(all) == 0 {
		d.Add(0, doc.Span{Text: "no message of it is kept", Style: d.Styles.Muted})
		return
	}
	for i := range all {
		if skip := len(all) - wireTabHead - wireTabTail; skip > 0 && i >= wireTabHead && i < wireTabHead+skip {
			if i == wireTabHead {
				d.Add(0, doc.Span{Text: d.Glyphs.Other + " " + wording.Count(skip, "message") + " in between · the wire pane has them", Style: d.Styles.Muted})
			}
			continue
		}
		c.entryDoc(d, &all[i])
	}
}

func (c *content) entryDoc(d *write.Writer, e *session.Entry) {
	l := c.line(e)
	d.Add(2,
		doc.Span{Text: wording.Clock(e.Wall) + " ", Style: d.Styles.Muted},
		doc.Span{Text: l.Arrow + " " + l.Method + " ", Style: l.MarkStyle},
		doc.Span{Text: wording.Join(l.Mark, wording.Size(e.Size)), Style: d.Styles.Muted},
	)
	switch {
	case e.Gone:
		d.Add(2, doc.Span{Text: "  its bytes are " + wording.Gone(e), Style: d.Styles.Muted})
	case e.Kind == session.EntNotification && e.Flags&session.FlagCancel == 0:
		d.Add(2, doc.Span{Text: "  " + safe.Cut(safe.BytesN(e.Raw, d.Width()), d.Width()-2), Style: d.Styles.Text})
	default:
		part := d.Part(wireTabLines)
		part.JSON(e.Raw[:min(len(e.Raw), wireTabBytes)])
		for _, l := range part.Lines {
			d.AddLine(l)
		}
		if part.IsCut() || len(e.Raw) > wireTabBytes {
			d.Add(2, doc.Span{Text: "  there is more: enter in the wire pane shows it", Style: d.Styles.Muted})
		}
	}
}
