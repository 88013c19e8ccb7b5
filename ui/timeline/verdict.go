package timeline

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/doc"
	"belay/ui/remedy"
)

// verdict is what follows from the timeline: the verdict, what it means, and the
// evidence.
func (p *picture) verdict(state doc.Span) {
	d, c := p.d, p.c
	d.Blank()
	d.Add(2, state)
	text := wording.Verdict(c)
	switch {
	case c.CancelRejected:
		text = remedy.With(safe.LineN(c.Note, 400), remedy.Left(c.Remedy, p.looks.Recorded))
	case c.State != session.Cancelled:
		text = ""
	}
	if text != "" {
		d.Add(2, doc.Span{Text: "  " + text, Style: p.looks.Styles.Text})
	}
	if p.cancel > 0 {
		d.Point(p.cancel, len(d.Lines))
	}
	for _, e := range c.Evidence {
		at := safe.PadLeft(wording.Precise(e.At.Sub(c.Created)), timeColumn)
		d.Add(timeColumn+2, doc.Span{Text: at + "  ", Style: p.looks.Styles.Muted}, doc.Span{Text: safe.LineN(e.Text, 600), Style: p.looks.Styles.Muted})
	}
}
