package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/ui/commands"
)

// openPalette is the line behind ":", with the list of the commands. One that is
// disabled stays listed, with its reason.
func (m *Model) openPalette() {
	var all []commands.Command
	byName := map[string]*binding{}
	for _, b := range m.keys.Commands() {
		all = append(all, commands.Command{Name: b.Command, Arg: b.Arg, Help: b.Help, Why: func() string { return b.Reason(m) }})
		byName[b.Command] = b
	}
	m.push(commands.New(m.host, all, &m.input.commands, func(name, arg string) tea.Cmd { return m.run(byName[name], arg) }))
}
