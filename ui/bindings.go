package ui

import (
	"slices"
	"sync"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"belay/ui/detail"
	"belay/ui/dialog"
	"belay/ui/keymap"
	"belay/ui/layout"
	"belay/ui/replay"
	"belay/ui/scope"
	"belay/ui/tasks"
)

// bindings is everything that a key or a command does. The order is that of
// the help and of docs/keys.md.
var bindings = sync.OnceValue(func() *keymap.Map[*Model] {
	m, err := keymap.New(slices.Concat(keymap.Disable(slices.Concat(
		moveBindings(), callBindings(), lookBindings(), belayBindings(), textBindings(), questionBindings(),
		keymap.Lift(dialog.ConfirmBindings(), lying[*dialog.Confirm]),
		keymap.Lift(detail.PartBindings(), lying[*detail.Parts]),
		keymap.Lift(tasks.ListBindings(), lying[*tasks.List]),
		loginBindings(), commandBindings(),
	), replay.Sends, unless(inRecording)), of(replay.Bindings(), theReplay)))
	if err != nil {
		panic(err) // the list above contradicts itself: found by the first test
	}
	return m
})

// Keys are the tables of docs/keys.md.
func Keys() string { return bindings().Markdown() }

func showing(p layout.Pane) func(*Model, string) tea.Cmd {
	return do(func(m *Model) { m.show(p) })
}

func cycling(n int) func(*Model, string) tea.Cmd { return do(func(m *Model) { m.cycle(n) }) }

func moveBindings() []binding {
	const group = "Moving about"
	return []binding{
		{
			Name: "down", Key: key.NewBinding(key.WithKeys("j", "down"), key.WithHelp("j ↓", "")), Group: group, Where: scope.Lists,
			Help: "one down", Run: (*Model).moveBy,
		},
		{
			Name: "up", Key: key.NewBinding(key.WithKeys("k", "up"), key.WithHelp("k ↑", "")), Group: group, Where: scope.Lists,
			Help: "one up", Run: (*Model).moveBy,
		},
		{
			Name: "top", Key: key.NewBinding(key.WithKeys("g", "home")), Group: group, Where: scope.Lists,
			Help: "to the top", Run: (*Model).moveBy,
		},
		{
			Name: "bottom", Key: key.NewBinding(key.WithKeys("G", "end")), Group: group, Where: scope.Lists,
			Help: "to the bottom", Run: (*Model).moveBy,
		},
		{
			Name: "page down", Key: key.NewBinding(key.WithKeys("ctrl+d", "pgdown")), Group: group, Where: scope.Lists,
			Help: "half a page down", Run: (*Model).moveBy,
		},
		{
			Name: "page up", Key: key.NewBinding(key.WithKeys("ctrl+u", "pgup")), Group: group, Where: scope.Lists,
			Help: "half a page up", Run: (*Model).moveBy,
		},
		{
			Name: "next pane", Key: key.NewBinding(key.WithKeys("tab")), Group: group, Where: scope.Panes,
			Help: "the next pane", Run: cycling(1),
		},
		{
			Name: "previous pane", Key: key.NewBinding(key.WithKeys("shift+tab")), Group: group, Where: scope.Panes,
			Help: "the pane before", Run: cycling(-1),
		},
		{
			Name: "calls", Key: key.NewBinding(key.WithKeys("1")), Group: group, Where: scope.Panes,
			Help: "to the calls", Run: showing(layout.Calls),
		},
		{
			Name: "detail", Key: key.NewBinding(key.WithKeys("2")), Group: group, Where: scope.Panes,
			Help: "to the detail of the selected call", Run: showing(layout.Detail),
		},
		{
			Name: "wire", Key: key.NewBinding(key.WithKeys("3")), Group: group, Where: scope.Panes,
			Help: "to the wire pane", Run: showing(layout.Wire),
		},
		{
			Name: "open", Key: key.NewBinding(key.WithKeys("enter"), key.WithHelp("", "open")), Group: group, Where: scope.Panes, Footer: 2,
			Help: "open what is selected", Disabled: unless(nothingToOpen), Run: cmd((*Model).openSelected),
		},
		{
			Name: "back", Key: key.NewBinding(key.WithKeys("esc")), Group: group, Where: scope.Panes,
			Help: "back by one level; it never quits", Run: do((*Model).back),
		},
	}
}
