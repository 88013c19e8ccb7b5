package ui

import (
	"slices"
	"sync"

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
			Name: "down", Keys: []string{"j", "down"}, Shown: "j ↓", Group: group, Where: scope.Lists,
			Help: "one down", Run: (*Model).moveBy,
		},
		{
			Name: "up", Keys: []string{"k", "up"}, Shown: "k ↑", Group: group, Where: scope.Lists,
			Help: "one up", Run: (*Model).moveBy,
		},
		{
			Name: "top", Keys: []string{"g", "home"}, Group: group, Where: scope.Lists,
			Help: "to the top", Run: (*Model).moveBy,
		},
		{
			Name: "bottom", Keys: []string{"G", "end"}, Group: group, Where: scope.Lists,
			Help: "to the bottom", Run: (*Model).moveBy,
		},
		{
			Name: "page down", Keys: []string{"ctrl+d", "pgdown"}, Group: group, Where: scope.Lists,
			Help: "half a page down", Run: (*Model).moveBy,
		},
		{
			Name: "page up", Keys: []string{"ctrl+u", "pgup"}, Group: group, Where: scope.Lists,
			Help: "half a page up", Run: (*Model).moveBy,
		},
		{
			Name: "next pane", Keys: []string{"tab"}, Group: group, Where: scope.Panes,
			Help: "the next pane", Run: cycling(1),
		},
		{
			Name: "previous pane", Keys: []string{"shift+tab"}, Group: group, Where: scope.Panes,
			Help: "the pane before", Run: cycling(-1),
		},
		{
			Name: "calls", Keys: []string{"1"}, Group: group, Where: scope.Panes,
			Help: "to the calls", Run: showing(layout.Calls),
		},
		{
			Name: "detail", Keys: []string{"2"}, Group: group, Where: scope.Panes,
			Help: "to the detail of the selected call", Run: showing(layout.Detail),
		},
		{
			Name: "wire", Keys: []string{"3"}, Group: group, Where: scope.Panes,
			Help: "to the wire pane", Run: showing(layout.Wire),
		},
		{
			Name: "open", Keys: []string{"enter"}, Word: "open", Group: group, Where: scope.Panes, Footer: 2,
			Help: "open what is selected", Disabled: unless(nothingToOpen), Run: cmd((*Model).openSelected),
		},
		{
			Name: "back", Keys: []string{"esc"}, Group: group, Where: scope.Panes,
			Help: "back by one level; it never quits", Run: do((*Model).back),
		},
	}
}
