package ui

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/detail"
	"belay/ui/item"
	"belay/ui/layout"
)

// welcomes reports whether the detail pane greets: until the user has chosen a
// call, or asked for belay's own, or one of these or the connection has failed, there is nothing
// better to show.
func (m *Model) welcomes() bool {
	st := m.snap.status
	return !m.replay.IsRecorded() && !m.calls.WasTouched() && !m.calls.IsUnfolded() && !m.calls.IsAmiss() && m.focus != layout.Detail && (st == nil || st.Phase != session.Disconnected)
}

// drawCalls draws the table of calls, below why there is no connection.
func (m *Model) drawCalls(g canvas.Region) {
	in := m.pane(g, layout.Calls, "Calls", m.calls.Title(), m.calls.Count(m.snap.status.Rows))
	if n := noticeHeight(len(m.notice(in.W())), in.H()); n > 0 {
		m.drawNotice(in.Sub(0, 0, in.W(), n))
		in = in.Sub(0, n, in.W(), in.H()-n)
	}
	if in.H() > 0 {
		own, _ := m.keys.Named("own requests")
		m.calls.Draw(m.frame, in, m.words(), m.focus == layout.Calls, footerKey(own))
	}
}

// drawDetail draws the selected call, or a greeting; nothing, where a filter leaves no call.
func (m *Model) drawDetail(g canvas.Region) {
	_, known := m.detail.Call()
	if !m.welcomes() && m.calls.Hides() {
		m.pane(g, layout.Detail, "Call", "", "")
		return
	}
	if !known || m.welcomes() {
		in := m.pane(g, layout.Detail, "Welcome", "", "")
		m.drawWelcome(in.Sub(1, 0, in.W()-2, in.H()))
		return
	}
	in := m.pane(g, layout.Detail, m.detail.Title(g.W()), "", m.detail.SearchTitle(m.glyphs.Dots))
	m.detail.Draw(m.frame, in, detail.Outside{Words: m.words(), Questions: m.snap.questions, Line: m.wire.Line})
}

// drawWelcome greets.
func (m *Model) drawWelcome(g canvas.Region) {
	names := []string{"new call", "cancel request", "cancel with a reason", "open", "server info", "help"}
	if m.replay.IsRecorded() {
		names = []string{"play", "next message", "message before", "next cancel", "end", "help"}
	}
	greets := greeting{looks: m.looks(), link: m.link(), offers: m.snap.offerWords(), minds: m.opts.Minds, nearby: &m.nearby}
	for _, name := range names {
		if b, ok := m.keys.Named(name); ok {
			greets.keys = append(greets.keys, b)
		}
	}
	greets.draw(g)
}

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
