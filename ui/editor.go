package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// editText gives a text to the user's editor, and what became of it to then. An
// editor that fails, or leaves the text as it was, is told of and changes
// nothing.
func (m *Model) editText(before, ending string, then func(m *Model, after string) tea.Cmd) tea.Cmd {
	e := m.backend.Editor([]byte(before), ending)
	return m.exec(e, func(err error) tea.Msg {
		if err != nil {
			return doneMsg{err: err}
		}
		after := string(e.Text())
		if !strings.HasSuffix(before, "\n") { // editors end the last line
			after = strings.TrimSuffix(after, "\n")
		}
		return doneMsg{then: func(m *Model) tea.Cmd {
			if after == before {
				return m.say("nothing was changed in the editor", said)
			}
			return then(m, after)
		}}
	})
}
