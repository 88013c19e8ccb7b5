package dialog

import (
	"charm.land/bubbles/v2/key"

	"belay/ui/keymap"
	"belay/ui/scope"
)

// ConfirmBindings are the keys of a question.
func ConfirmBindings() []keymap.Binding[*Confirm] {
	const group = "In confirmations"
	return []keymap.Binding[*Confirm]{
		{
			Name: "yes", Key: key.NewBinding(key.WithKeys("y", "enter"), key.WithHelp("y enter", "yes")), Group: group, Where: scope.Confirm, Footer: 1,
			Help: "yes", Run: keymap.Cmd((*Confirm).Accept),
		},
		{
			Name: "leave the tasks", Key: key.NewBinding(key.WithKeys("l"), key.WithHelp("", "leave the tasks")),
			Group: group, Where: scope.ConfirmTask, Footer: 2,
			Help: "when quitting: cancel the calls, but not the tasks, and print their IDs; over stdio belay ends the server all the same", Run: keymap.Cmd((*Confirm).leaveTasks),
		},
		{
			Name: "no", Key: key.NewBinding(key.WithKeys("n", "esc"), key.WithHelp("n esc", "no")), Group: group, Where: scope.Confirm, Footer: 2,
			Help: "no", Run: keymap.Cmd((*Confirm).Close),
		},
		{
			Name: "do not ask again", Key: key.NewBinding(key.WithKeys("a"), key.WithHelp("", "yes, don't ask again")),
			Group: group, Where: scope.ConfirmAlways, Footer: 3,
			Help: "in a question before a call: yes, and no question before this tool any more, in this run and while its definition stays the same; :ask-again undoes that",
			Run:  keymap.Cmd((*Confirm).acceptAlways),
		},
		{
			Name: "all of the call", Key: key.NewBinding(key.WithKeys("p"), key.WithHelp("", "all of it")), Group: group, Where: scope.ConfirmMore, Footer: 4,
			Help: "in a question before a call: all that would be sent", Run: keymap.Do(func(c *Confirm) { c.More() }),
		},
	}
}
