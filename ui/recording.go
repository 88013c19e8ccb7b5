package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/panel"
)

// noticeUnrecorded tells at once, and once of each recording, that it does not go on.
// The header keeps a mark of it, and the page of the server the reason.
func (m *Model) noticeUnrecorded() tea.Cmd {
	if m.snap.unrecorded == m.unrecorded || m.w <= 0 || m.h <= 0 {
		return nil
	}
	if m.unrecorded = m.snap.unrecorded; m.unrecorded == "" { // another one was begun
		return nil
	}
	return m.status.Say(panel.Failed(m.snap.unrecordedWords()))
}

// Mind is a message to the model: a sentence that the user must not miss, of something that
// came about after the screen had begun.
type Mind string

// noticeMinds tells at once, and each once, what the user must not miss: what was
// written before the screen began is behind it. The header keeps a mark of
// it, and the greeting and the page of the server the words.
func (m *Model) noticeMinds() tea.Cmd {
	news := m.opts.Minds[m.minded:]
	if len(news) == 0 || m.w <= 0 || m.h <= 0 {
		return nil
	}
	m.minded = len(m.opts.Minds)
	return m.status.Say(panel.Failed(safe.LineN(strings.Join(news, "; "), 400)))
}

func (s *snapshot) unrecordedWords() safe.Text { return safe.LineN(s.unrecorded, 400) }
