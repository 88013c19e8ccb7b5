package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"belay/ui/commands"
	"belay/ui/compose"
	"belay/ui/fields"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
)

func belayBindings() []binding {
	const group = "belay"
	return []binding{
		{
			Name: "palette", Key: key.NewBinding(key.WithKeys(":")), Group: group, Where: scope.Panes | scope.Tiny | scope.Page,
			Help: "type a command", Run: do((*Model).openPalette),
		},
		{
			Name: "palette from a key", Key: key.NewBinding(key.WithKeys("ctrl+p")), Group: group, Where: scope.Panes | scope.Tiny | scope.Page,
			Help: "the same", Run: do((*Model).openPalette),
		},
		{
			Name: "help", Key: key.NewBinding(key.WithKeys("?"), key.WithHelp("", "help")),
			Group: group, Where: scope.Panes | scope.Tiny, Footer: 7, Command: "help",
			Help: "all keys and commands", Disabled: unless(needsRoom(nil)), Run: do((*Model).openHelp),
		},
		{
			Name: "help from a field", Key: key.NewBinding(key.WithKeys("f1")),
			Group: group, Where: scope.Any &^ (scope.Page | scope.Ask | scope.Login | scope.Closing),
			Help: "the same, also from inside fields, lists and questions", Disabled: unless(needsRoom(nil)), Run: do((*Model).openHelp),
		},
		{
			Name: "quit", Key: key.NewBinding(key.WithKeys("q")),
			Group: group, Where: scope.Panes | scope.Tiny | scope.Small | scope.ConfirmQuit, Command: "quit",
			Help: "quit; with work of yours in flight it asks once and cancels that first; the key again is a yes", Run: cmd((*Model).quit),
		},
		{
			Name: "quit from anywhere", Key: key.NewBinding(key.WithKeys("ctrl+c")), Group: group, Where: scope.Any &^ scope.Closing,
			Help: "the same, also from inside fields and lists", Run: cmd((*Model).quit),
		},
		{
			Name: "suspend", Key: key.NewBinding(key.WithKeys("ctrl+z")), Group: group, Where: scope.Any | scope.Guarded | scope.Small,
			Help: "give the terminal to the shell, whose fg brings belay back; the server goes on, and no timeout and no verdict counts that time", Run: cmd((*Model).suspend),
		},
		{
			Name: "end the server", Key: key.NewBinding(key.WithKeys("q", "ctrl+c"), key.WithHelp("", "end the server at once")),
			Group: group, Where: scope.Closing,
			Footer: 1, Help: "while belay is closing: do not wait for the server, end it", Run: cmd((*Model).quitNow),
		},
	}
}

func textBindings() []binding {
	const group = "In lines, lists, forms and pages"
	return slices.Concat(keymap.Lift([]keymap.Binding[panel.Panel]{
		{
			Name: "leave", Key: key.NewBinding(key.WithKeys("esc"), key.WithHelp("", "back")),
			Group: group, Where: scope.Text | scope.Page | scope.Parts | scope.Tasks, Footer: 9,
			Help: "back; a form keeps its draft", Run: keymap.Cmd(panel.Panel.Close),
		},
		{
			Name: "close a page", Key: key.NewBinding(key.WithKeys("q", "?", "f1")), Group: group, Where: scope.Page,
			Help: "close the page", Run: keymap.Cmd(panel.Panel.Close),
		},
	}, (*Model).modal),
		keymap.Lift(commands.Bindings(), lying[*commands.Palette]),
		keymap.Lift(compose.PickerBindings(), lying[*compose.Picker]),
		keymap.Lift(compose.SendBindings(), lying[*compose.Form]),
		keymap.Lift(fields.Bindings(), (*Model).fields),
		keymap.Lift(compose.FormBindings(), lying[*compose.Form]),
		keymap.Lift(fields.ChoiceBindings(), (*Model).fields))
}
