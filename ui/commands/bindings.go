package commands

import (
	"charm.land/bubbles/v2/key"

	"belay/ui/keymap"
	"belay/ui/scope"
)

// Bindings are the keys of the palette.
func Bindings() []keymap.Binding[*Palette] {
	const group = "In the list of commands"
	return []keymap.Binding[*Palette]{
		{
			Name: "take the command", Key: key.NewBinding(key.WithKeys("enter"), key.WithHelp("", "run")), Group: group, Where: scope.Commands, Footer: 1,
			Help: "run the command that is chosen; of one that needs more, the name is typed for you, and enter then says what it needs", Run: keymap.Cmd((*Palette).take),
		},
		{
			Name: "complete the command", Key: key.NewBinding(key.WithKeys("tab"), key.WithHelp("", "complete")),
			Group: group, Where: scope.Commands, Footer: 2,
			Help: "type the name of what is chosen", Run: keymap.Do((*Palette).complete),
		},
		{
			Name: "next command", Key: key.NewBinding(key.WithKeys("down"), key.WithHelp("↓", "")), Group: group, Where: scope.Commands,
			Help: "one down in the list", Run: keymap.Do((*Palette).down),
		},
		{
			Name: "command above", Key: key.NewBinding(key.WithKeys("up"), key.WithHelp("↑", "")), Group: group, Where: scope.Commands,
			Help: "one up in the list; on an empty line, what was typed before", Run: keymap.Do((*Palette).up),
		},
		{
			Name: "page of commands down", Key: key.NewBinding(key.WithKeys("pgdown")), Group: group, Where: scope.Commands,
			Help: "a page down in the list", Run: keymap.Do((*Palette).pageDown),
		},
		{
			Name: "page of commands up", Key: key.NewBinding(key.WithKeys("pgup")), Group: group, Where: scope.Commands,
			Help: "a page up in the list", Run: keymap.Do((*Palette).pageUp),
		},
		{
			Name: "typed before", Key: key.NewBinding(key.WithKeys("ctrl+p"), key.WithHelp("", "typed before")), Group: group, Where: scope.Commands, Footer: 3,
			Help: "the line that was typed before", Run: keymap.Do(func(p *Palette) { p.recall(1) }),
		},
		{
			Name: "typed after that", Key: key.NewBinding(key.WithKeys("ctrl+n")), Group: group, Where: scope.Commands,
			Help: "the line that was typed after it", Run: keymap.Do(func(p *Palette) { p.recall(-1) }),
		},
	}
}
