package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
)

// noticeUnrecorded tells at once, and once, that the recording does not go on.
// The header keeps a mark of it, and the page of the server the reason.
func (m *Model) noticeUnrecorded() tea.Cmd {
	if m.snap.unrecorded == "" || m.unrecorded || m.w <= 0 || m.h <= 0 {
		return nil
	}
	m.unrecorded = true
	return m.say(m.unrecordedWords(), failed)
}

func (m *Model) unrecordedWords() safe.Text { return safe.LineN(m.snap.unrecorded, 400) }
