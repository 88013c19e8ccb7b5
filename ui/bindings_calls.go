package ui

import (
	"slices"

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
			Name: "new call", Keys: []string{"n"}, Word: "new call", Group: group, Where: scope.Panes | scope.Tiny, Footer: 1, Command: "new",
			Help:     "choose a tool, prompt, resource or template and call it",
			Disabled: unless(needsRoom(notReady)), Run: cmd(func(m *Model) tea.Cmd { return m.compose.Open() }),
		},
		{
			Name: "cancel request", Keys: []string{"x"}, Word: "cancel", Group: group, Where: scope.Panes | scope.Tiny, Footer: 3,
			Help:     "cancel the selected request now, with the default reason",
			Disabled: unless(nothingToCancel), Run: cancel,
		},
		{
			Name: "cancel from a field", Keys: []string{"ctrl+x"}, Group: group,
			Where:    scope.Guarded | scope.Any&^(scope.Closing|scope.Confirm|scope.Ask|scope.LoginPage|scope.LoginWait),
			Help:     "the same, also from inside fields and lists",
			Disabled: unless(nothingToCancel), Run: cancel,
		},
		{
			Name: "cancel with a reason", Keys: []string{"c"}, Word: "cancel with reason", Group: group, Where: scope.Panes, Footer: 4,
			Help:     "cancel the selected request with a reason of your own",
			Disabled: unless(nothingToCancel), Run: cmd((*Model).askReason),
		},
	}, of(tasks.Keys(), theTasks), []binding{
		{
			Name: "cancel all requests", Keys: []string{"X"}, Group: group, Where: scope.Panes | scope.Tiny, Command: "cancel-all",
			Help: "cancel everything in flight, or what is marked; asks once", Disabled: unless(nothingInFlight), Run: do((*Model).askCancelAll),
		},
		{
			Name: "edit and resend", Keys: []string{"e"}, Group: group, Where: scope.Calls | scope.Detail,
			Help: "make the call again with other arguments", Disabled: unless(notRepeatable), Run: cmd((*Model).editAgain),
		},
		{
			Name: "resend", Keys: []string{"r"}, Group: group, Where: scope.Calls | scope.Detail,
			Help: "make the call again as it was; one that is held goes on", Disabled: unless(notRepeatable), Run: cmd((*Model).resend),
		},
		{
			Name: "open question", Keys: []string{"!"}, Group: group, Where: scope.Panes | scope.Tiny, Command: "question",
			Help: "the next question of the server's, or the login that it wants", Disabled: unless(needsRoom(nothingWaits)), Run: cmd((*Model).openWaiting),
		},
	}, of(calls.Bindings(), theCalls), []binding{
		{
			Name: "filter", Keys: []string{"/"}, Word: "filter", Group: group, Where: scope.Calls | scope.Wire, Footer: 5,
			Help: "show only rows with these words (!word: without); the wire takes level:error, too", Run: do((*Model).askFilter),
		},
		{
			Name: "sort", Keys: []string{"s"}, Group: group, Where: scope.Calls,
			Help: "another order: newest, by state, longest, by name", Run: cmd((*Model).nextSort),
		},
		{
			Name: "follow", Keys: []string{"F"}, Group: group, Where: scope.Calls | scope.Wire,
			Help: "keep the newest selected", Run: cmd((*Model).toggleFollow),
		},
	})
}

func zooming(n int) func(*Model, string) tea.Cmd { return do(func(m *Model) { m.zoomBy(n) }) }

func lookBindings() []binding {
	const group = "Looking closer"
	return slices.Concat(of(detail.Bindings(), theDetail), []binding{
		{
			Name: "search", Keys: []string{"/"}, Word: "search", Group: group, Where: scope.Detail | scope.Page, Footer: 5,
			Help: "find text in all of what is shown; enter goes to the next place, N to the one before", Run: do((*Model).askSearch),
		},
		{
			Name: "wire pane", Keys: []string{"w"}, Word: "wire", Group: group, Where: scope.Panes, Footer: 6,
			Help: "show or hide the wire pane", Run: do((*Model).toggleWire),
		},
		{
			Name: "zoom in", Keys: []string{"+", "="}, Group: group, Where: scope.Panes,
			Help: "more room for this pane", Run: zooming(1),
		},
		{
			Name: "zoom out", Keys: []string{"_", "-"}, Group: group, Where: scope.Panes,
			Help: "less room for this pane", Run: zooming(-1),
		},
		{
			Name: "server info", Keys: []string{"i"}, Group: group, Where: scope.Panes, Command: "info",
			Help: "who the server is and what it offers", Disabled: unless(needsRoom(nil)), Run: do((*Model).openInfo),
		},
		{
			Name: "copy value", Keys: []string{"y"}, Group: group, Where: scope.Panes | scope.Page,
			Help: "copy the value that is shown", Disabled: unless(nothingToCopy), Run: cmd((*Model).copyValue),
		},
		{
			Name: "copy message", Keys: []string{"Y"}, Group: group, Where: scope.Panes | scope.Page,
			Help: "copy the whole message", Disabled: unless(nothingToCopy), Run: cmd((*Model).copyMessage),
		},
		{
			Name: "save", Keys: []string{"o"}, Group: group, Where: scope.Panes,
			Help: "save the value that is shown to a new file, and say where", Disabled: unless(nothingToCopy), Run: cmd((*Model).saveValue),
		},
		{
			Name: "save a page", Keys: []string{"o"}, Word: "save", Group: group, Where: scope.Page, Footer: 6,
			Help: "the same from the server's page, or a message's", Disabled: unless(nothingToSave), Run: cmd((*Model).saveValue),
		},
	}, of(reports.Bindings(), theReports))
}
