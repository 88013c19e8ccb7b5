package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/dialog"
	"belay/ui/panel"
	"belay/ui/remedy"
)

// notice is why there is no connection, or none yet: what happened, what the server said last,
// what to do. It stands above the calls, which stay (VER-17, VER-18; basic/lifecycle). So does the
// offer to restart a server that was rebuilt.
func (m *Model) notice(width int) []panel.Segment {
	st := m.styles
	var out []panel.Segment
	add := func(text safe.Text, style canvas.Style, most int) {
		if text == "" {
			return
		}
		for _, l := range safe.Wrap(text, width-4, most) {
			out = append(out, panel.Segment{Text: "  " + l, Style: style})
		}
	}
	add(m.rebuilt.Words(), st.Info.Bold(), 2)
	if title, came, helps := m.link().Waits(); title != "" {
		add(title, st.Info.Bold(), 2)
		add(came, st.Text, 4)
		add(helps, st.Accent, 4)
		return out
	}
	f := m.snap.status.Failure
	if f == nil || m.snap.status.Phase != session.Disconnected || m.replay.IsRecorded() && f.Kind == session.FailClosed {
		return out
	}
	title, style := failureTitle(f.Kind), st.Bad.Bold()
	if f.Kind == session.FailVersion && m.snap.commonRevision() != "" {
		title = "the server wants another protocol revision"
	}
	if f.Kind == session.FailClosed {
		style = st.Muted.Bold()
	}
	out = append(out, panel.Segment{Text: m.glyphs.Failed + " " + title, Style: style})
	if text := safe.LineN(f.Text, 2000); text != title {
		add(text, st.Text, 4)
	}
	if len(f.Supported) > 0 {
		says := safe.Text("speaks")
		if f.Kind == session.FailRefused { // in one that it lists itself, perhaps
			says = "lists"
		}
		add("the server "+says+" "+revisions(f.Supported)+"; belay speaks "+revisions(mcp.Supported()), st.Text, 2)
	}
	for _, l := range lastLines(f.Stderr, 2) {
		add(m.glyphs.Quote+" "+l, st.Muted, 1)
	}
	if m.replay.IsRecorded() { // what might help then is over
		return out
	}
	if text := remedy.With(safe.LineN(f.Hint, 600), failureRemedy(m.backend, f)); text != "" {
		add(text, st.Accent, 3)
	}
	if common := m.snap.commonRevision(); common != "" {
		add("enter connects with "+safe.Text(common)+", which both speak", st.Accent, 1)
	} else if f.Kind != session.FailClosed {
		add(m.snap.whereToLook(), st.Muted, 1)
	}
	return out
}

// whereToLook says where there is more of a failure, and over HTTP, where belay
// runs nothing, how to try again.
func (s *snapshot) whereToLook() safe.Text {
	if s.status.Transport == mcp.HTTP {
		where := safe.Text("3 shows the wire")
		switch s.status.Failure.Remedy.Kind {
		case session.RemedyReconnect, session.RemedyWait: // which say that already
			return where
		default:
			return "R or :restart tries again · " + where
		}
	}
	return "3 shows the wire, and what the server wrote to stderr"
}

// failureTitle tells the failures apart at a glance.
func failureTitle(k session.FailureKind) safe.Text {
	return [...]safe.Text{
		0:                     "not connected",
		session.FailVersion:   "no protocol revision in common",
		session.FailRefused:   "the server refused the handshake",
		session.FailHandshake: "the server's handshake is broken",
		session.FailTimeout:   "the server does not answer",
		session.FailProcess:   "the server is gone",
		session.FailClosed:    "disconnected",
		session.FailHTTP:      "no connection over HTTP",
		session.FailLogin:     "the server wants a login",
	}[k]
}

func revisions(rs []mcp.Revision) safe.Text {
	var t safe.Text
	for i, r := range rs[:min(len(rs), 6)] {
		if i > 0 {
			t += ", "
		}
		t += wording.NameIn(string(r), 20)
	}
	return t
}

// commonRevision returns a revision of belay's that the server lists beside the refused one; empty: the
// list has no such revision.
func (s *snapshot) commonRevision() mcp.Revision {
	if f := s.status.Failure; f != nil && f.Remedy.Kind == session.RemedyPin {
		return f.Remedy.Revision
	}
	return ""
}

// noticeHeight is how many of h rows a notice of n lines takes, with the rule below it. Where
// there are few rows the notice leaves some to the calls.
func noticeHeight(n, h int) int {
	if n == 0 {
		return 0
	}
	switch {
	case h-n-1 >= 3:
		return n + 1
	case h <= leastUnderNotice:
		return 0
	}
	return max(leastNotice, h-leastUnderNotice)
}

const (
	leastNotice      = 2 // its title, and the rule below that
	leastUnderNotice = 4 // the names of the columns, and a few calls
)

func (m *Model) drawNotice(g canvas.Region) {
	for i, p := range m.notice(g.W()) {
		if i < g.H()-1 {
			g.Put(1, i, p.Text, p.Style)
		}
	}
	g.Repeat(0, g.H()-1, g.W(), string(m.glyphs.Rule), m.styles.Faint)
}

// confirmThen asks once before something that ends the connection, when there is work.
func (m *Model) confirmThen(title safe.Text, do func() tea.Cmd) tea.Cmd {
	s := m.snap.status
	if !endsWork(s) {
		return do()
	}
	m.push(&dialog.Confirm{Host: m.host, Title: title, Lines: func() []safe.Text { return m.workLines(false) }, Yes: do})
	return nil
}

// restart begins a new connection, pinned to a revision if one is named.
func (m *Model) restart(arg string) tea.Cmd {
	return m.confirmThen("Restart", func() tea.Cmd { return m.restartNow(arg) })
}

func (m *Model) restartNow(arg string) tea.Cmd {
	if arg != "" {
		pin := mcp.Revision(arg)
		if arg == "auto" {
			pin = ""
		}
		if _, err := m.backend.Do(session.SetPin{Revision: pin}); err != nil {
			return m.status.Say(panel.Error(err))
		}
	}
	restart := m.backend.Restart
	before := m.snap.status.Epoch
	connected := func(s *session.Session) (safe.Text, bool) {
		st := s.Status()
		return "", st.Epoch > before && st.Phase != session.Connecting
	}
	return tea.Batch(m.status.Say(panel.Said("restarting"+m.glyphs.Dots).While(connected)), func() tea.Msg {
		return panel.Done{Err: restart()}
	})
}

func (m *Model) disconnect() tea.Cmd { return m.confirmThen("Disconnect", m.disconnectNow) }

func (m *Model) disconnectNow() tea.Cmd {
	tell(m.backend, session.Disconnect{Reason: "the user disconnected"})
	return m.status.Say(panel.Said("disconnecting" + m.glyphs.Dots).While(func(s *session.Session) (safe.Text, bool) {
		return "", s.Status().Phase == session.Disconnected
	}))
}

// lastLines are the last n lines of what a server printed.
func lastLines(text string, n int) []safe.Text {
	lines := safe.Block(strings.TrimRight(text, "\n"), 1000)
	if text == "" {
		return nil
	}
	return lines[max(0, len(lines)-n):]
}
