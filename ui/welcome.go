package ui

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/detail"
	"belay/ui/doc"
	"belay/ui/item"
	"belay/ui/layout"
	"belay/ui/server"
	"belay/ui/write"
)

// welcomes reports whether the detail pane greets: until the user has chosen a
// call, or asked for belay's own, or the connection has failed in one, there is nothing better to
// show.
func (m *Model) welcomes() bool {
	st := m.snap.status
	return !m.replay.Recorded() && !m.calls.Touched() && !m.calls.Unfolded() && m.focus != layout.Detail && (st == nil || st.Phase != session.Disconnected)
}

// drawCalls draws the table of calls, below why there is no connection.
func (m *Model) drawCalls(g canvas.Region) {
	in := m.pane(g, layout.Calls, "Calls", m.calls.Title(), m.calls.Count(m.snap.status.Rows))
	if n := m.noticeHeight(in.H()); n > 0 {
		m.drawNotice(in.Sub(0, 0, in.W(), n))
		in = in.Sub(0, n, in.W(), in.H()-n)
	}
	if in.H() > 0 {
		own, _ := m.keys.Named("own requests")
		m.calls.Draw(m.frame, in, m.words(), m.focus == layout.Calls, footerKey(own))
	}
}

// drawDetail draws the selected call, or a greeting.
func (m *Model) drawDetail(g canvas.Region) {
	if _, known := m.detail.Call(); !known || m.welcomes() {
		in := m.pane(g, layout.Detail, "Welcome", "", "")
		m.drawWelcome(in.Sub(1, 0, in.W()-2, in.H()))
		return
	}
	in := m.pane(g, layout.Detail, m.detail.Title(g.W()), "", m.detail.SearchTitle(m.glyphs.Dots))
	m.detail.Draw(m.frame, in, detail.Outside{Words: m.words(), Prompts: m.snap.prompts, Line: m.wire.Line})
}

// drawWelcome shows the server's name and instructions, and the few keys that matter. They come
// before the empty row at the top.
func (m *Model) drawWelcome(g canvas.Region) {
	d := m.welcome(g, g.H() >= roomyWelcome)
	if g.H()-len(d.Lines) < keysLeast {
		d = m.welcome(g, false)
	}
	switch left := g.H() - len(d.Lines); {
	case left >= keysLeast:
		d.Heading("keys")
		m.writeKeys(d)
	case left >= fewKeys:
		d.Blank()
		m.writeKeys(d)
	}
	d.Draw(g, 0)
}

// welcome is what the greeting says of the server, and of others nearby.
func (m *Model) welcome(g canvas.Region, roomy bool) *write.Writer {
	d := write.To(doc.New(g.W(), g.H()), m.looks(), nil)
	st := m.styles
	if roomy {
		d.Blank()
	}
	d.Add(0, doc.Span{Text: m.link().Self(g.W()), Style: st.Strong})
	d.Add(0, doc.Span{Text: m.link().Words(true), Style: st.Muted})
	if t := m.snap.offerWords(); t != "" {
		d.Add(0, doc.Span{Text: t, Style: st.Muted})
	}
	if server.IDs(m.snap.status) != "" {
		d.Add(0, doc.Span{Text: server.ShortIDs, Style: st.Muted})
	}
	server.Minds(d, m.opts.Minds)
	if text := m.snap.status.Server.Instructions; text != "" && g.H()-len(d.Lines) >= wordsLeast {
		d.Heading("in the server's words")
		mark := m.glyphs.Quote + " "
		room := max(1, min(g.H()-len(d.Lines)-m.nearby.height(g.W()), max(3, g.H()/3)))
		head, more := write.Head(text, welcomeMost, g.W()-safe.Width(mark), room)
		if more > 0 && len(d.Lines)+room+1+m.nearby.height(g.W()) > g.H() { // a line says what is left out
			head, more = write.Head(text, welcomeMost, g.W()-safe.Width(mark), max(1, room-1))
		}
		d.Text(head, doc.Span{Text: mark, Style: st.Faint}, st.Text)
		if more > 0 {
			d.Add(0, doc.Span{Text: wording.Size(more) + " more in the server info", Style: st.Muted})
		}
	}
	m.nearby.write(d)
	return d
}

// writeKeys writes the few keys that matter, as many as there is room for.
func (m *Model) writeKeys(d *write.Writer) {
	st := m.styles
	names := []string{"new call", "cancel request", "cancel with a reason", "open", "server info", "help"}
	if m.replay.Recorded() {
		names = []string{"play", "next message", "message before", "next cancel", "end", "help"}
	}
	for _, name := range names {
		if b, ok := m.keys.Named(name); ok {
			d.Add(7, doc.Span{Text: safe.Pad(footerKey(b), 7), Style: st.KeyName}, doc.Span{Text: safe.Text(b.Help), Style: st.Text})
		}
	}
}

// roomyWelcome is from which height on an empty row at the top is no loss.
const roomyWelcome = 8

// wordsLeast is how many lines must be left for the server's words: an empty one, their
// heading, and one of them.
const wordsLeast = 3

// keysLeast is how many lines must be left for the keys with their heading, fewKeys for some
// without. Else the footer alone has some of them.
const (
	keysLeast = 5
	fewKeys   = 3
)

// welcomeMost is how many bytes of the server's instructions are looked at in each
// frame.
const welcomeMost = 16 << 10

// offerWords counts what the server offers.
func (s *snapshot) offerWords() safe.Text {
	var t safe.Text
	for k, n := range s.offers {
		if n == 0 {
			continue
		}
		if t != "" {
			t += " · "
		}
		t += wording.Count(n, string(item.Kind(mcp.ListKind(k))))
	}
	return t
}
