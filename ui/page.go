package ui

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/dialog"
	"belay/ui/doc"
	"belay/ui/panel"
	"belay/ui/remedy"
	"belay/ui/wire"
	"belay/ui/write"
)

// openMessage shows a message of the wire pane as it was, indented.
func (m *Model) openMessage(e session.Entry) {
	l := m.wire.Line(&e)
	title := l.Arrow + " " + l.Method
	if l.ID != "" {
		title += " #" + l.ID
	}
	if e.Kind == session.EntEvent {
		title = "a note of belay's"
	}
	m.push(&dialog.Page{
		Host:  m.host,
		Title: title,
		Value: e.Raw,
		Name:  "message-" + string(wording.Thousands(int(e.Seq))) + ".json",
		Build: func(d *write.Writer, _ panel.Screen) { m.messageDoc(d, e) },
	})
}

func (m *Model) messageDoc(d *write.Writer, e session.Entry) {
	st := d.Styles
	d.Field("time", wording.Clock(e.Wall), st.Text)
	if e.Kind != session.EntEvent { // which no message stands for
		d.Field("size", wording.Size(e.Size), st.Text)
	}
	for _, word := range wire.Flags(&e) {
		d.Field("marked", safe.Text(word), st.Warn)
	}
	for _, g := range diagnosticsOf(m.backend, e.Seq, m.replay.IsRecorded()) {
		d.Field("wrong", g, st.Bad)
	}
	d.Blank()
	words := e.Raw
	if !d.IsWhole() {
		words = words[:min(len(words), write.MaxBytes)]
	}
	switch {
	case e.Gone:
		d.Add(0, doc.Span{Text: "its bytes are " + wording.Gone(&e), Style: st.Warn})
	case e.Remedy != session.Remedy{}:
		d.Quote(string(words))
		d.Add(0, doc.Span{Text: remedy.Words(remedy.Left(e.Remedy, d.Recorded)), Style: st.Accent})
	case e.Kind == session.EntEvent || e.Kind == session.EntStderr || e.Kind == session.EntInvalid || e.Kind == session.EntOversize:
		d.Quote(string(words))
	default:
		d.JSON(e.Raw)
	}
	if len(e.Raw) > write.MaxBytes {
		d.MarkCut()
	}
}

// diagnosticsOf is what is wrong with a message, with the rule that says so. Of a recorded session nothing
// can be remedied any more.
func diagnosticsOf(b Backend, q session.Seq, isRecorded bool) []safe.Text {
	var out []safe.Text
	b.View(func(s *session.Session) {
		rev := s.Status().Revision
		for _, g := range s.DiagnosticsOf(q) {
			c := g.Cite(rev)
			text := remedy.With(safe.LineN(g.Describe(), 300), remedy.Left(g.Remedy(), isRecorded))
			if c.Page != "" {
				text += " (" + safe.LineN(string(c.Revision)+" "+c.Page+": "+c.Rule, 300) + ")"
			}
			out = append(out, text)
		}
	})
	return out
}
