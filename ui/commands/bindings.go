package commands

import (
	"belay/ui/keymap"
	"belay/ui/scope"
)

// Bindings are the keys of the palette.
func Bindings() []keymap.Binding[*Palette] {
	const group = "In the list of commands"
	return []keymap.Binding[*Palette]{
		{
			Name: "take the command", Keys: []string{"enter"}, Word: "run", Group: group, Where: scope.Commands, Footer: 1,
			Help: "run the command that is chosen; of one that needs more, the name is typed for you, and enter then says what it needs", Run: keymap.Cmd((*Palette).take),
		},
		{
			Name: "complete the command", Keys: []string{"tab"}, Word: "complete", Group: group, Where: scope.Commands, Footer: 2,
			Help: "type the name of what is chosen", Run: keymap.Do((*Palette).complete),
		},
		{
			Name: "next command", Keys: []string{"down"}, Shown: "↓", Group: group, Where: scope.Commands,
			Help: "one down in the list", Run: keymap.Do((*Palette).down),
		},
		{
			Name: "command above", Keys: []string{"up"}, Shown: "↑", Group: group, Where: scope.Commands,
			Help: "one up in the list; on an empty line, what was typed before", Run: keymap.Do((*Palette).up),
		},
		{
			Name: "page of commands down", Keys: []string{"pgdown"}, Group: group, Where: scope.Commands,
			Help: "a page down in the list", Run: keymap.Do((*Palette).pageDown),
		},
		{
			Name: "page of commands up", Keys: []string{"pgup"}, Group: group, Where: scope.Commands,
			Help: "a page up in the list", Run: keymap.Do((*Palette).pageUp),
		},
		{
			Name: "typed before", Keys: []string{"ctrl+p"}, Word: "typed before", Group: group, Where: scope.Commands, Footer: 3,
			Help: "the line that was typed before", Run: keymap.Do(func(p *Palette) { p.recall(1) }),
		},
		{
			Name: "typed after that", Keys: []string{"ctrl+n"}, Group: group, Where: scope.Commands,
			Help: "the line that was typed after it", Run: keymap.Do(func(p *Palette) { p.recall(-1) }),
		},
	}
}
