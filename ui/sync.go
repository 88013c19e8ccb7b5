package ui

import (
	"image"
	"time"

	"belay/session"
	"belay/ui/detail"
	"belay/ui/layout"

	tea "charm.land/bubbletea/v2"
)

// sync copies from the session what the next frame shows. It takes the lock
// twice, for a bounded time: first for what changed, then for what is seen. Names that are
// longer than all before may lay the screen out anew: then once more for what is seen.
func (m *Model) sync() tea.Cmd {
	if m.replay.Pull() {
		m.calls.Arrange(m.calls.Filter(), m.calls.Sort())
		m.detail.Anew()
		m.wire.Anew()
	}
	m.snap.now = m.backend.Now()
	inLogin := m.backend.Login()
	m.snap.unrecorded, m.snap.recorded = m.backend.Unrecorded(), m.backend.Recorded() != ""
	m.backend.View(func(s *session.Session) {
		status := s.Status()
		m.snap.status, m.snap.reason = &status, s.Config().Reason
		m.snap.questions = s.Questions()
		m.calls.Pull(s, m.snap.now)
		m.wire.Pull(s)
		if m.welcomes() {
			m.snap.pullOffers(s)
		}
	})
	m.calls.Settle(m.snap.now)
	m.calls.Freeze(m.compose.IsFilling())
	m.wire.Scan()
	m.arrange()
	if m.calls.Learn() {
		m.arrange()
	}
	m.calls.Measure(m.words(), m.lay.Panes[layout.Calls].Dx()-2)
	m.replay.Message = time.Time{}
	if e, ok := m.wire.Selected(); ok && m.focus == layout.Wire {
		m.replay.Message = e.At
	}
	if m.replay.IsRecorded() {
		chosen, noticed := m.calls.Chosen(), m.replay.Notice()
		if m.calls.Chosen() != chosen { // a call that was looked for has been found
			m.arrange()
		}
		return tea.Batch(noticed, m.noticeMinds(), m.status.Refresh(m.backend.View), m.detail.Read())
	}
	return tea.Batch(
		m.questions.Notice(m.snap.questions), m.noticeRenewed(), m.noticeSubsEnded(), m.login.Notice(inLogin), m.noticeEnd(),
		m.noticeMinds(), m.noticeUnrecorded(), m.tasks.Notice(m.backend.NotKept()),
		m.status.Refresh(m.backend.View), m.compose.Suggest(), m.readForms(), m.detail.Read(), m.teller.Follow(),
	)
}

// arrange lays the screen out, and copies what is seen then.
func (m *Model) arrange() {
	names, all := m.calls.Need()
	m.lay = layout.Compute(layout.Input{
		W: m.w, H: m.h, Focus: m.focus, Wire: m.wired, Zoom: m.zoom, DetailOpen: m.detail.IsOpen(),
		Notice: len(m.notice(m.w - 2)), Rows: m.calls.Most(),
		Names: names + frame, All: all + frame, Timeline: detail.WidthFor(m.snap.reason),
	})
	m.calls.Place(callsHeight(m.lay.Panes[layout.Calls], len(m.notice(m.lay.Panes[layout.Calls].Dx()-2))))
	m.backend.View(func(s *session.Session) {
		m.calls.PullRows(s)
		m.detail.Pull(s, m.calls.Chosen())
		m.wire.Pick(s, max(0, m.lay.Panes[layout.Wire].Dy()-2))
		m.compose.Pull(s)
	})
}

// frame is how many columns the frame of a pane takes.
const frame = 2

// callsHeight is how many rows of the table are shown in its pane, below so many lines of a
// notice.
func callsHeight(pane image.Rectangle, notice int) int {
	if pane.Empty() {
		return 1 // the tiny line shows the selected call
	}
	return max(1, pane.Dy()-3-noticeHeight(notice, pane.Dy()-2))
}
