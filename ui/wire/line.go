package wire

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/canvas"
)

// Line is what a message is shown as where there is but a line for it.
type Line struct {
	Arrow  safe.Text    // which way it went
	Style  canvas.Style // what it means for the calls
	Method safe.Text    // or what it is, when it has none

	// ID is the message's own, or that of the call that the message belongs to; empty:
	// none. Each request of a call has another ID. A question's ID is the server's, and
	// not to be taken for one of ours.
	ID safe.Text

	Mark      safe.Text // what is special about it, in a sign or a word; mostly empty
	MarkStyle canvas.Style
	Text      safe.Text // what is worth knowing of it at a glance
}

// Line makes the line of a message.
func (p *Pane) Line(e *session.Entry) Line {
	s := p.lines.of(e)
	l := Line{Arrow: p.arrow(e.Dir), Style: p.style(e), Method: s.method, ID: s.id, Text: s.text}
	if l.ID == "" {
		l.ID = safe.Line(p.names[e.Call])
	}
	if s.bare && s.text != "" {
		l.Text = p.looks.Glyphs.Quote + " " + s.text
	}
	if s.level != "" {
		l.Mark, l.MarkStyle = p.levelMark(s.level)
	} else {
		l.Mark, l.MarkStyle = wording.Flag(e.Flags), l.Style
	}
	return l
}

func (p *Pane) arrow(d session.Direction) safe.Text {
	switch d {
	case session.Out:
		return p.looks.Glyphs.Out
	case session.In:
		return p.looks.Glyphs.In
	case session.Local:
	}
	return p.looks.Glyphs.Note
}

func (p *Pane) style(e *session.Entry) canvas.Style {
	st := &p.looks.Styles
	switch {
	case e.Flags&(session.FlagCancel|session.FlagLate) != 0:
		return st.Stop
	case e.Flags&session.FlagAfter != 0, e.Question != 0:
		return st.Warn
	case e.Kind == session.EntError, e.Kind == session.EntInvalid, e.Kind == session.EntOversize:
		return st.Bad
	case e.Flags&(session.FlagProbe|session.FlagStale) != 0, e.Dir == session.Local:
		return st.Muted
	case e.Kind == session.EntResult:
		return st.OK
	case e.Kind == session.EntRequest:
		return st.Info
	}
	return st.Text
}
