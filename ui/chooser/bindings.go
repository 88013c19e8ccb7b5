package chooser

import (
	"sync"

	"charm.land/bubbles/v2/key"

	"belay/ui/keymap"
)

var keys = sync.OnceValue(func() *keymap.Map[*List] {
	m, err := keymap.New(bindings())
	if err != nil {
		panic(err) // the list below contradicts itself: found by the first test
	}
	return m
})

// Keys are the table of docs/keys.md.
func Keys() string { return keys().Markdown() }

func bindings() []keymap.Binding[*List] {
	const group = "In the list of servers of config files"
	moving := func(n int) func(*List) { return func(l *List) { l.move(n) } }
	paging := func(n int) func(*List) { return func(l *List) { l.page(n) } }
	return []keymap.Binding[*List]{
		{
			Name: "take", Key: key.NewBinding(key.WithKeys("enter"), key.WithHelp("", "run")), Group: group, Where: where, Footer: 1,
			Help: "run the server that is chosen, after you were asked where it has not run before", Run: keymap.Cmd((*List).take),
		},
		{
			Name: "leave", Key: key.NewBinding(key.WithKeys("esc"), key.WithHelp("", "none of them")), Group: group, Where: plain, Footer: 3,
			Help: "leave: nothing is run", Run: keymap.Cmd((*List).leave),
		},
		{
			Name: "clear", Key: key.NewBinding(key.WithKeys("esc"), key.WithHelp("", "all of them")), Group: group, Where: typed, Footer: 3,
			Help: "take back what was typed, where something was", Run: keymap.Do((*List).clear),
		},
		{
			Name: "interrupt", Key: key.NewBinding(key.WithKeys("ctrl+c")), Group: group, Where: where,
			Help: "leave as ctrl+c leaves any program: nothing is run", Run: keymap.Cmd((*List).interrupt),
		},
		{
			Name: "down", Key: key.NewBinding(key.WithKeys("down", "ctrl+n", "tab"), key.WithHelp("↓ ctrl+n tab", "")), Group: group, Where: where,
			Help: "one down in the list", Run: keymap.Do(moving(1)),
		},
		{
			Name: "up", Key: key.NewBinding(key.WithKeys("up", "ctrl+p", "shift+tab"), key.WithHelp("↑ ctrl+p shift+tab", "")), Group: group, Where: where,
			Help: "one up in the list", Run: keymap.Do(moving(-1)),
		},
		{
			Name: "page down", Key: key.NewBinding(key.WithKeys("pgdown")), Group: group, Where: where,
			Help: "a page down in the list", Run: keymap.Do(paging(1)),
		},
		{
			Name: "page up", Key: key.NewBinding(key.WithKeys("pgup")), Group: group, Where: where,
			Help: "a page up in the list", Run: keymap.Do(paging(-1)),
		},
		{
			Name: "suspend", Key: key.NewBinding(key.WithKeys("ctrl+z")), Group: group, Where: where,
			Help: "give the terminal to the shell, whose fg brings the list back", Run: keymap.Cmd((*List).suspend),
		},
	}
}
