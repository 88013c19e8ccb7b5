package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"belay/ui/compose"
	"belay/ui/dialog"
	"belay/ui/formview"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
)

func belayBindings() []binding {
	const group = "belay"
	return []binding{
		{
			Name: "palette", Keys: []string{":"}, Group: group, Where: scope.Panes | scope.Tiny | scope.Page,
			Help: "type a command", Run: do((*Model).openPalette),
		},
		{
			Name: "palette from a key", Keys: []string{"ctrl+p"}, Group: group, Where: scope.Panes | scope.Tiny | scope.Page,
			Help: "the same", Run: do((*Model).openPalette),
		},
		{
			Name: "help", Keys: []string{"?"}, Word: "help", Group: group, Where: scope.Panes | scope.Tiny, Footer: 7, Command: "help",
			Help: "all keys and commands", Disabled: needsRoom(nil), Run: do((*Model).openHelp),
		},
		{
			Name: "help from a field", Keys: []string{"f1"}, Group: group, Where: scope.Text,
			Help: "the same, where ? is text", Disabled: needsRoom(nil), Run: do((*Model).openHelp),
		},
		{
			Name: "quit", Keys: []string{"q"}, Group: group, Where: scope.Panes | scope.Tiny | scope.Small | scope.ConfirmQuit, Command: "quit",
			Help: "quit; with work in flight it asks once and cancels that first; the key again is a yes", Run: cmd((*Model).quit),
		},
		{
			Name: "quit from anywhere", Keys: []string{"ctrl+c"}, Group: group, Where: scope.Any &^ scope.Closing,
			Help: "the same, also from inside fields and lists", Run: cmd((*Model).quit),
		},
		{
			Name: "end the server", Keys: []string{"q", "ctrl+c"}, Word: "end the server at once", Group: group, Where: scope.Closing,
			Footer: 1, Help: "while belay is closing: do not wait for the server, end it", Run: cmd((*Model).quitNow),
		},
	}
}

func textBindings() []binding {
	const (
		group   = "In lines, lists, forms and pages"
		inAForm = compose.FormGroup
	)
	return slices.Concat([]binding{
		{
			Name: "leave", Keys: []string{"esc"}, Word: "back", Group: group, Where: scope.Text | scope.Page | scope.Parts, Footer: 9,
			Help: "back; a form keeps its draft", Run: cmd(func(m *Model) tea.Cmd { return m.modal().Close() }),
		},
		{
			Name: "close a page", Keys: []string{"q", "?", "f1"}, Group: group, Where: scope.Page,
			Help: "close the page", Run: cmd(func(m *Model) tea.Cmd { return m.modal().Close() }),
		},
	}, keymap.Lift(compose.PickerBindings(), lying[*compose.Picker]), keymap.Lift(compose.SendBindings(), lying[*compose.Form]), []binding{
		{
			Name: "next field or send", Keys: []string{"enter"}, Group: inAForm, Where: formview.InFields,
			Help: "the next field; on the last one, send", Run: cmd(func(m *Model) tea.Cmd { return m.modal().(formOwner).Enter() }),
		},
		{
			Name: "next field", Keys: []string{"tab"}, Word: "next", Group: inAForm, Where: formview.InStops, Footer: 3,
			Help: "the next field", Run: do(func(m *Model) { m.modal().(formOwner).Step(1) }),
		},
		{
			Name: "field before", Keys: []string{"shift+tab"}, Group: inAForm, Where: formview.InStops,
			Help: "the field before", Run: do(func(m *Model) { m.modal().(formOwner).Step(-1) }),
		},
		{
			Name: "line down or next field", Keys: []string{"down"}, Shown: "↓", Group: inAForm, Where: formview.InStops,
			Help: "the next line of a text, or the next field", Run: do(func(m *Model) { m.lineOrField(1) }),
		},
		{
			Name: "line up or field before", Keys: []string{"up"}, Shown: "↑", Group: inAForm, Where: formview.InStops,
			Help: "the line before, or the field before", Run: do(func(m *Model) { m.lineOrField(-1) }),
		},
		{
			Name: "line break", Keys: []string{"alt+enter", "ctrl+j"}, Word: "new line", Group: inAForm, Where: formview.InLines, Footer: 7,
			Help: "a line break in a text", Run: inForms((*formview.View).BreakLine),
		},
		{
			Name: "add an item", Keys: []string{"alt+n", "insert"}, Word: "add", Group: inAForm, Where: formview.InGrowing, Footer: 3,
			Help: "add an item to a list, or a member to an object that takes more; space does it on their own line",
			Run:  inForms((*formview.View).Add),
		},
		{
			Name: "remove the item", Keys: []string{"ctrl+y"}, Word: "remove", Group: inAForm, Where: formview.InItem, Footer: 4,
			Help: "take the item or the added member out", Run: inForms((*formview.View).Remove),
		},
		{
			Name: "item up", Keys: []string{"alt+up"}, Shown: "alt+↑", Group: inAForm, Where: formview.InItem,
			Help: "move the item up in its list", Disabled: noListItem, Run: inForms(func(v *formview.View) { v.Shift(-1) }),
		},
		{
			Name: "item down", Keys: []string{"alt+down"}, Shown: "alt+↓", Group: inAForm, Where: formview.InItem,
			Help: "move it down", Disabled: noListItem, Run: inForms(func(v *formview.View) { v.Shift(1) }),
		},
		{
			Name: "raw JSON", Keys: []string{"ctrl+g"}, Word: "raw JSON", Group: inAForm, Where: formview.InFields, Footer: 5,
			Help: "the whole as raw JSON, and back", Run: cmd(func(m *Model) tea.Cmd { return m.status.Say(panel.Refused(m.form().Flip())) }),
		},
		{
			Name: "form", Keys: []string{"ctrl+g"}, Word: "form", Group: inAForm, Where: formview.InRaw, Footer: 5,
			Help: "back to the form", Run: cmd(func(m *Model) tea.Cmd { return m.status.Say(panel.Refused(m.form().Flip())) }),
		},
		{
			Name: "field as JSON", Keys: []string{"alt+g"}, Group: inAForm, Where: formview.InFields,
			Help: "this field alone as JSON, and back; for null, or a value of another kind",
			Run:  cmd(func(m *Model) tea.Cmd { return m.status.Say(panel.Refused(m.form().FlipField())) }),
		},
		{
			Name: "editor", Keys: []string{"ctrl+o"}, Word: "editor", Group: inAForm, Where: formview.InFields | formview.InRaw, Footer: 8,
			Help: "a text, or else the whole JSON, in $VISUAL or $EDITOR",
			Run:  cmd((*Model).outside),
		},
	}, keymap.Lift(compose.FormBindings(), lying[*compose.Form]))
}

func questionBindings() []binding {
	const group = "In questions"
	return []binding{
		{
			Name: "yes", Keys: []string{"y", "enter"}, Shown: "y enter", Word: "yes", Group: group, Where: scope.Confirm, Footer: 1,
			Help: "yes", Run: cmd(func(m *Model) tea.Cmd { return m.modal().(*dialog.Confirm).Accept() }),
		},
		{
			Name: "no", Keys: []string{"n", "esc"}, Shown: "n esc", Word: "no", Group: group, Where: scope.Confirm, Footer: 2,
			Help: "no", Run: cmd(func(m *Model) tea.Cmd { return m.modal().Close() }),
		},
		{
			Name: "all of the call", Keys: []string{"p"}, Word: "all of it", Group: group, Where: scope.ConfirmMore, Footer: 3,
			Help: "in a question before a call: all that would be sent", Run: do(func(m *Model) { m.modal().(*dialog.Confirm).More() }),
		},
	}
}
