package ui

import (
	"belay/internal/safe"
	"belay/ui/doc"
)

// writeLocked writes what is left of a question that has ended without an
// answer: what was typed into it, and what the server wanted. As one text it
// scrolls with the same keys whatever the size of the screen and of the fields.
func (p *promptPanel) writeLocked(m *Model, d *doc.Doc) {
	a := p.ask
	a.body.writeTyped(m, d)
	if len(d.Lines) > 0 {
		m.heading(d, "what the server wanted")
	}
	a.body.write(m, a, d)
}

func (u *urlAsk) writeTyped(*Model, *doc.Doc) {}

func (s *samplingAsk) writeTyped(m *Model, d *doc.Doc) {
	if s.rawOn {
		m.heading(d, "your answer, as raw JSON")
		d.Labelled(nil, s.raw.String(), m.styles.Text)
		return
	}
	m.heading(d, "your answer")
	d.Labelled(nil, s.text.String(), m.styles.Text)
	for i := range s.lines {
		mark := []doc.Span{{Text: safe.Pad(sampleWords[i], 13), Style: m.styles.Muted}}
		d.Labelled(mark, s.lines[i].String(), m.styles.Text)
	}
}

func (f *formAsk) writeTyped(m *Model, d *doc.Doc) {
	words := safe.Text("your answer")
	if f.fields.Raw() {
		words += ", as raw JSON"
	}
	m.heading(d, words)
	f.fields.Write(d)
}
