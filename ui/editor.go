package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// editText gives a text to the user's editor, and what became of it to then. An
// editor that fails, leaves the text as it was, or leaves nothing of it, is told
// of and changes nothing.
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
			switch after {
			case before:
				return m.say("nothing was changed in the editor", said)
			case "": // as a full disk leaves it
				return m.say("the editor left an empty file, and nothing is changed", refused)
			}
			return then(m, after)
		}}
	})
}
