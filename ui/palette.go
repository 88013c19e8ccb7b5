package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/commands"
	"belay/ui/panel"
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
	m.push(commands.New(m.host, all, &m.input.commands, func(name, arg string) tea.Cmd {
		if said, is := untaken(byName[name], arg); is {
			return m.status.Say(said)
		}
		return m.run(byName[name], arg)
	}))
}

// untaken refuses the text behind a command without arguments: no text of the user's is thrown away in silence.
func untaken(b *binding, arg string) (said panel.Notice, is bool) {
	if arg = strings.TrimSpace(arg); arg == "" || b.Arg != "" {
		return panel.Notice{}, false
	}
	return panel.Refused(safe.Text(":"+b.Command) + " takes nothing behind it, and " + safe.QuotedCut(arg, 40) + " was typed: nothing was done"), true
}
