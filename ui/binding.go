package ui

import (
	"belay/ui/keymap"

	tea "charm.land/bubbletea/v2"
)

type binding = keymap.Binding[*Model]

// do makes an action of one that takes no argument.
func do(f func(*Model)) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		f(m)
		return nil
	}
}

// cmd makes an action of one that takes no argument and returns a command.
func cmd(f func(*Model) tea.Cmd) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd { return f(m) }
}
