package ui

import (
	"belay/internal/safe"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/layout"
	"belay/ui/spell"
)

// Columns of the wire pane.
const (
	wireTime   = 12
	wireMethod = 12
	wireID     = 6
)

func (m *Model) drawWire(g canvas.Region) {
	in := m.pane(g, layout.Wire, "Wire", m.wireTitle(), m.wireCount())
	for i := range m.wire.entries {
		m.drawEntry(in.Row(i), &m.wire.entries[i])
	}
	if len(m.wire.entries) == 0 && in.H() > 0 {
		text := safe.Text("nothing yet")
		if !m.wire.filter.Empty() {
			text = "no message matches the filter · esc shows all of them"
		}
		g := in.Row(in.H() / 2)
		g.Put((g.W()-safe.Width(text))/2, 0, text, m.styles.Muted)
	}
}

// drawEntry draws one line: time, arrow, method, id, text.
func (m *Model) drawEntry(g canvas.Region, e *session.Entry) {
	st := m.styles
	s := m.wire.lines.of(e)
	x := g.Put(1, 0, spell.Clock(e.At), st.Muted) + 1
	x = g.Put(x, 0, m.arrowOf(e.Dir), m.entryStyle(e)) + 1
	if e.Kind == session.EntEvent {
		g.Put(x, 0, safe.Cut(s.text, g.W()-x-1), st.Muted)
		m.tintEntry(g, e)
		return
	}
	glyph, style := m.entryMark(e, s)
	w := wireMethod
	if g.W() >= 100 {
		w = 22
	}
	g.Put(x, 0, safe.Cut(s.method, w), style)
	x += w + 1
	if id := m.entryID(e, s); id != "" {
		g.Put(x, 0, safe.Cut("#"+id, wireID), st.Muted)
	}
	x += wireID + 1
	if glyph != "" {
		x = g.Put(x, 0, glyph+" ", style)
	}
	g.Put(x, 0, safe.Cut(s.text, g.W()-x-1), textStyle(st.Text, e, st.Muted))
	m.tintEntry(g, e)
}

func textStyle(plain canvas.Style, e *session.Entry, muted canvas.Style) canvas.Style {
	if e.Kind == session.EntStderr || e.Dir == session.Local {
		return muted
	}
	return plain
}

func (m *Model) tintEntry(g canvas.Region, e *session.Entry) {
	if e.Seq == m.wire.sel && m.focus == layout.Wire {
		m.drawSelected(g, true)
	}
}

func (m *Model) arrowOf(d session.Direction) safe.Text {
	switch d {
	case session.Out:
		return m.glyphs.Out
	case session.In:
		return m.glyphs.In
	case session.Local:
	}
	return m.glyphs.Note
}

// entryID is the ID that stands in the line: its own, which is another one for
// each request of a call, or that of the call it belongs to. A prompt's ID is the server's, and not to be taken for one of ours.
func (m *Model) entryID(e *session.Entry, s summary) safe.Text {
	if s.id == "" {
		return safe.Line(m.wire.names[e.Call])
	}
	return s.id
}

// entryStyle colors a line by what it means for the calls.
func (m *Model) entryStyle(e *session.Entry) canvas.Style {
	st := m.styles
	switch {
	case e.Flags&(session.FlagCancel|session.FlagLate) != 0:
		return st.Stop
	case e.Flags&session.FlagAfter != 0, e.Prompt != 0:
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

// entryMark says in a word what is special about a line.
func (m *Model) entryMark(e *session.Entry, s summary) (safe.Text, canvas.Style) {
	style := m.entryStyle(e)
	if s.level != "" {
		return m.levelMark(s.level)
	}
	for _, f := range []struct {
		flag session.EntryFlags
		word safe.Text
	}{
		{session.FlagStale, "[old connection]"},
		{session.FlagUnwritten, "[not written]"},
		{session.FlagLate, "[late, ignored]"},
		{session.FlagAfter, "[after cancel]"},
		{session.FlagProbe, "[probe]"},
		{session.FlagRaw, "[by hand]"},
		{session.FlagDiag, "[!]"},
	} {
		if e.Flags&f.flag != 0 {
			return f.word, style
		}
	}
	return "", style
}
