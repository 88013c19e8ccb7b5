package prompt

import (
	"belay/internal/safe"
	"belay/ui/doc"
	"belay/ui/write"
)

// writeLocked writes the rest of a question that has ended without an answer: the text typed
// so far, and the server's request. As one text it scrolls with the same keys whatever the
// size of the screen and of the fields.
func (a *question) writeLocked(d *write.Writer) {
	if fields, ok := a.fields(); ok {
		fields.writeTyped(d)
	}
	if len(d.Lines) > 0 {
		d.Heading("what the server wanted")
	}
	a.body.write(d)
}

func (s *samplingAsk) writeTyped(d *write.Writer) { writeAnswer(d, s.fields) }

func (f *formAsk) writeTyped(d *write.Writer) { writeAnswer(d, f.fields) }

// writeAnswer writes what the user typed, below a heading.
func writeAnswer(d *write.Writer, fields interface {
	Raw() bool
	Write(d *doc.Doc)
},
) {
	words := safe.Text("your answer")
	if fields.Raw() {
		words += ", as raw JSON"
	}
	d.Heading(words)
	fields.Write(d.Doc)
}
