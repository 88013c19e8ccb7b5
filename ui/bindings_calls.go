package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"belay/ui/calls"
	"belay/ui/detail"
	"belay/ui/reports"
	"belay/ui/scope"
	"belay/ui/tasks"
)

func callBindings() []binding {
	const group = calls.Group
	cancel := cmd(func(m *Model) tea.Cmd { return m.cancel("") })
	return slices.Concat([]binding{
		{
			Name: "new call", Key: key.NewBinding(key.WithKeys("n"), key.WithHelp("", "new call")),
			Group: group, Where: scope.Panes | scope.Tiny, Footer: 1, Command: "new",
			Help:     "choose a tool, prompt, resource or template and call it",
			Disabled: unless(needsRoom(notReady)), Run: cmd(func(m *Model) tea.Cmd { return m.compose.Open() }),
		},
		{
			Name: "cancel request", Key: key.NewBinding(key.WithKeys("x"), key.WithHelp("", "cancel")),
			Group: group, Where: scope.Panes | scope.Tiny, Footer: 3,
			Help:     "cancel the selected request now, with the default reason",
			Disabled: unless(nothingToCancel), Run: cancel,
		},
		{
			Name: "cancel from a field", Key: key.NewBinding(key.WithKeys("ctrl+x")), Group: group,
			Where:    scope.Guarded | scope.Any&^(scope.Closing|scope.Confirm|scope.Ask|scope.LoginPage|scope.LoginWait),
			Help:     "the same, also from inside fields and lists",
			Disabled: unless(nothingToCancel), Run: cancel,
		},
		{
			Name: "cancel with a reason", Key: key.NewBinding(key.WithKeys("c"), key.WithHelp("", "cancel with reason")),
			Group: group, Where: scope.Panes, Footer: 4,
			Help:     "cancel the selected request with a reason of your own",
			Disabled: unless(nothingToCancel), Run: cmd((*Model).askReason),
		},
	}, of(tasks.Keys(), theTasks), []binding{
		{
			Name: "cancel all requests", Key: key.NewBinding(key.WithKeys("X")), Group: group, Where: scope.Panes | scope.Tiny, Command: "cancel-all",
			Help: "cancel everything in flight, or what is marked; asks once", Disabled: unless(nothingInFlight), Run: do((*Model).askCancelAll),
		},
		{
			Name: "edit and resend", Key: key.NewBinding(key.WithKeys("e")), Group: group, Where: scope.Calls | scope.Detail,
			Help: "make the call again with other arguments", Disabled: unless(notRepeatable), Run: cmd((*Model).editAgain),
		},
		{
			Name: "resend", Key: key.NewBinding(key.WithKeys("r")), Group: group, Where: scope.Calls | scope.Detail,
			Help: "make the call again as it was; one that is held goes on", Disabled: unless(notRepeatable), Run: cmd((*Model).resend),
		},
		{
			Name: "open question", Key: key.NewBinding(key.WithKeys("!")), Group: group, Where: scope.Panes | scope.Tiny, Command: "question",
			Help: "the next question of the server's, or the login that it wants", Disabled: unless(needsRoom(nothingWaits)), Run: cmd((*Model).openWaiting),
		},
	}, of(calls.Bindings(), theCalls), []binding{
		{
			Name: "filter", Key: key.NewBinding(key.WithKeys("/"), key.WithHelp("", "filter")), Group: group, Where: scope.Calls | scope.Wire, Footer: 5,
			Help: "show only rows with these words (!word: without); the wire takes level:error, too", Run: do((*Model).askFilter),
		},
		{
			Name: "sort", Key: key.NewBinding(key.WithKeys("s")), Group: group, Where: scope.Calls,
			Help: "another order: newest, by state, longest, by name", Run: cmd((*Model).nextSort),
		},
		{
			Name: "follow", Key: key.NewBinding(key.WithKeys("F")), Group: group, Where: scope.Calls | scope.Wire,
			Help: "keep the newest selected", Run: cmd((*Model).toggleFollow),
		},
	})
}

func zooming(n int) func(*Model, string) tea.Cmd { return do(func(m *Model) { m.zoomBy(n) }) }

func lookBindings() []binding {
	const group = "Looking closer"
	return slices.Concat(of(detail.Bindings(), theDetail), []binding{
		{
			Name: "search", Key: key.NewBinding(key.WithKeys("/"), key.WithHelp("", "search")), Group: group, Where: scope.Detail | scope.Page, Footer: 5,
			Help: "find text in all of what is shown; enter goes to the next place, N to the one before", Run: do((*Model).askSearch),
		},
		{
			Name: "wire pane", Key: key.NewBinding(key.WithKeys("w"), key.WithHelp("", "wire")), Group: group, Where: scope.Panes, Footer: 6,
			Help: "show or hide the wire pane", Run: do((*Model).toggleWire),
		},
		{
			Name: "zoom in", Key: key.NewBinding(key.WithKeys("+", "=")), Group: group, Where: scope.Panes,
			Help: "more room for this pane", Run: zooming(1),
		},
		{
			Name: "zoom out", Key: key.NewBinding(key.WithKeys("_", "-")), Group: group, Where: scope.Panes,
			Help: "less room for this pane", Run: zooming(-1),
		},
		{
			Name: "server info", Key: key.NewBinding(key.WithKeys("i")), Group: group, Where: scope.Panes, Command: "info",
			Help: "who the server is and what it offers", Disabled: unless(needsRoom(nil)), Run: do((*Model).openInfo),
		},
		{
			Name: "copy value", Key: key.NewBinding(key.WithKeys("y")), Group: group, Where: scope.Panes | scope.Page,
			Help: "copy the value that is shown", Disabled: unless(nothingToCopy), Run: cmd((*Model).copyValue),
		},
		{
			Name: "copy message", Key: key.NewBinding(key.WithKeys("Y")), Group: group, Where: scope.Panes | scope.Page,
			Help: "copy the whole message", Disabled: unless(nothingToCopy), Run: cmd((*Model).copyMessage),
		},
		{
			Name: "save", Key: key.NewBinding(key.WithKeys("o")), Group: group, Where: scope.Panes,
			Help: "save the value that is shown to a new file, and say where", Disabled: unless(nothingToCopy), Run: cmd((*Model).saveValue),
		},
		{
			Name: "save a page", Key: key.NewBinding(key.WithKeys("o"), key.WithHelp("", "save")), Group: group, Where: scope.Page, Footer: 6,
			Help: "the same from the server's page, or a message's", Disabled: unless(nothingToSave), Run: cmd((*Model).saveValue),
		},
	}, of(reports.Bindings(), theReports))
}
