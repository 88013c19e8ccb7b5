package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/session"
	"belay/session/mcp"
	"belay/ui/layout"
)

// snapshot is what was copied from the session for the frame, besides what the
// panes keep themselves.
type snapshot struct {
	now        time.Time
	status     *session.Status // never changed: documents are made of it beside the screen
	prompts    []session.PromptView
	unrecorded string             // why the recording does not go on
	check      session.SchemaTask // the next one to be made; of call 0: none
	offers     [mcp.NumLists]int  // while the welcome shows them
}

func (s *snapshot) connecting() bool { return s.status.Phase == session.Connecting }

func (s *snapshot) pullOffers(from *session.Session) {
	c := from.Catalog()
	for k := range c.Lists {
		s.offers[k] = max(len(c.Lists[k].Items), len(c.Lists[k].Coming))
	}
}

// sync copies from the session what the next frame shows. It takes the lock
// twice, for a bounded time: first for what changed, then for what is seen.
func (m *Model) sync() tea.Cmd {
	m.lay = layout.Compute(layout.Input{
		W: m.w, H: m.h, Focus: m.focus, Wire: m.wired, Zoom: m.zoom, DetailOpen: m.detail.Open(),
	})
	m.snap.now = m.backend.Now()
	inLogin := m.backend.Login()
	m.snap.unrecorded = m.backend.Unrecorded()
	m.backend.View(func(s *session.Session) {
		status := s.Status()
		m.snap.status = &status
		m.snap.prompts = s.Prompts()
		m.calls.Pull(s)
		m.wire.Pull(s)
		if m.welcomes() {
			m.snap.pullOffers(s)
		}
	})
	m.wire.Scan()
	m.calls.Still(m.compose.Filling())
	m.calls.Settle(m.snap.now, m.callsHeight())
	m.backend.View(func(s *session.Session) {
		m.calls.PullRows(s)
		m.detail.Pull(s, m.calls.Chosen())
		m.snap.check, _ = s.NextCheck()
		m.wire.Pick(s, m.wireHeight())
		m.compose.Pull(s)
	})
	m.calls.Measure(m.words())
	return tea.Batch(m.prompts.Notice(m.snap.prompts), m.noticeRenewed(), m.noticeSubsEnded(), m.login.Notice(inLogin), m.noticeEnd(), m.noticeMinds(), m.noticeUnrecorded(), m.refreshToast(), m.compose.Suggest(), m.readForms(), m.detail.Read(), m.checkNext())
}

// callsHeight is how many rows of the table are shown.
func (m *Model) callsHeight() int {
	r := m.lay.Panes[layout.Calls]
	if r.Empty() {
		return 1 // the tiny line shows the selected call
	}
	return max(1, r.Dy()-3-m.noticeHeight(r.Dy()-2))
}

func (m *Model) wireHeight() int { return max(0, m.lay.Panes[layout.Wire].Dy()-2) }
