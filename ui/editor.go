package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/ui/panel"
)

// editText gives a text to the user's editor. An editor that fails, leaves the text as
// it was, or leaves nothing of it, is told of and changes nothing.
func (m *Model) editText(w panel.Edit) tea.Cmd {
	e := m.backend.Editor([]byte(w.Text), w.Ending)
	return m.exec(e, func(err error) tea.Msg {
		if err != nil {
			return panel.Done{Err: err}
		}
		after := string(e.Text())
		if !strings.HasSuffix(w.Text, "\n") { // editors end the last line
			after = strings.TrimSuffix(after, "\n")
		}
		return panel.Done{Then: func() tea.Cmd {
			switch after {
			case w.Text:
				return m.status.Say(panel.Said("nothing was changed in the editor"))
			case "": // as a full disk leaves it
				return m.status.Say(panel.Refused("the editor left an empty file, and nothing is changed"))
			}
			return w.Take(after)
		}}
	})
}
