package question

import (
	"belay/internal/safe"
	"belay/ui/doc"
	"belay/ui/panel"
	"belay/ui/write"
)

// writingLocked is the work of writing the rest of a question that has ended without an answer: a copy of the
// text typed so far, and the server's request. As one text it scrolls with the same keys whatever the size of
// the screen and of the fields.
func (a *question) writingLocked() panel.Build {
	typed := func(*write.Writer) {}
	if fields, ok := a.fields(); ok {
		typed = fields.writingTyped()
	}
	body := a.body
	return func(d *write.Writer, _ panel.Screen) {
		typed(d)
		if len(d.Lines) > 0 {
			d.Heading("what the server wanted")
		}
		body.write(d)
	}
}

func (s *samplingAsk) writingTyped() func(d *write.Writer) {
	return writingAnswer(s.fields, s.touched())
}

func (f *formAsk) writingTyped() func(d *write.Writer) {
	return writingAnswer(f.fields, f.touched())
}

// writingAnswer is the work of writing a copy of the user's answer, below a heading, or of the fields as they
// were where nothing was typed.
func writingAnswer(fields interface {
	IsRaw() bool
	Writing() func(d *doc.Doc)
}, typed bool,
) func(d *write.Writer) {
	words := safe.Text("your answer")
	switch {
	case !typed:
		words = "nothing was typed"
	case fields.IsRaw():
		words += ", as raw JSON"
	}
	answer := fields.Writing()
	return func(d *write.Writer) {
		d.Heading(words)
		answer(d.Doc)
	}
}
