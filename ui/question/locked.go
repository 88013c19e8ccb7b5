package question

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

func (s *samplingAsk) writeTyped(d *write.Writer) { writeAnswer(d, s.fields, s.touched()) }

func (f *formAsk) writeTyped(d *write.Writer) { writeAnswer(d, f.fields, f.touched()) }

// writeAnswer writes what the user typed, below a heading, or the fields as they were where
// nothing was typed.
func writeAnswer(d *write.Writer, fields interface {
	IsRaw() bool
	Write(d *doc.Doc)
}, typed bool,
) {
	words := safe.Text("your answer")
	switch {
	case !typed:
		words = "nothing was typed"
	case fields.IsRaw():
		words += ", as raw JSON"
	}
	d.Heading(words)
	fields.Write(d.Doc)
}
