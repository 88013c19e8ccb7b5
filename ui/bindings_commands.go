package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"belay/ui/asking"
	"belay/ui/chosen"
	"belay/ui/compose"
	"belay/ui/question"
	"belay/ui/rebuild"
	"belay/ui/reports"
	"belay/ui/roots"
	"belay/ui/scope"
	"belay/ui/tasks"
)

func commandBindings() []binding {
	const group = "Commands"
	return slices.Concat([]binding{
		{
			Name: "send by hand", Group: group, Command: "send", Arg: "MESSAGE or METHOD [PARAMS]",
			Help:     "send a raw request or notification, marked as such on the wire",
			Disabled: unless(notReady), Run: (*Model).sendRaw,
		},
	}, of(chosen.Commands(), theHost), of(tasks.Commands(), theTasks), []binding{
		{
			Name: "timeouts", Group: group, Command: "timeout", Arg: "SILENCE [MAX]",
			Help: "timeouts of your next calls: 30s, off; default: both as at first", Run: (*Model).setTimeouts,
		},
		{
			Name: "reload", Group: group, Command: "reload", Arg: "[LIST …]",
			Help: "fetch the server's lists again; tools, prompts, resources or templates that are named also if they are not declared", Disabled: unless(notReady), Run: (*Model).reload,
		},
	}, of(asking.Bindings(), theAsker), []binding{
		{
			Name: "export", Group: group, Command: "export",
			Help: "save a line of JSON for each call you made: what was called, a digest of the arguments, what became of it", Run: cmd((*Model).export),
		},
	}, of(reports.Commands(), theReports), []binding{
		{
			Name: "subscribe", Group: group, Command: "subscribe", Arg: "URI",
			Help: "hear of the changes of a resource: a row that stays, until x or the server ends it", Disabled: unless(noSubscribing), Run: (*Model).subscribe,
		},
		{
			Name: "unsubscribe", Group: group, Command: "unsubscribe", Arg: "URI",
			Help: "end the subscription to a resource, as x on its row does", Disabled: unless(notReady), Run: (*Model).unsubscribe,
		},
		{
			Name: "listen", Group: group, Command: "listen", Arg: "[tools prompts resources URI …]",
			Help: "a further subscription of 2026-07-28, to changes of lists and resources; all lists that the server declares to change if none is named", Disabled: unless(noListening), Run: (*Model).listen,
		},
		{
			Name: "log level", Group: group, Command: "log", Arg: "LEVEL",
			Help: "ask for log messages of this level and above, or off", Disabled: unless(noLogging), Run: (*Model).setLogLevel,
		},
	}, of(compose.Commands(), theComposer), of(question.Commands(), theQuestions), of(roots.Commands(), theRoots), []binding{
		{
			Name: "disconnect", Group: group, Command: "disconnect",
			Help: "cancel the work and end the connection; the rows stay", Disabled: unless(notConnected), Run: cmd((*Model).disconnect),
		},
		{
			Name: "restart", Key: key.NewBinding(key.WithKeys("R")), Group: group, Where: scope.Panes | scope.Tiny, Command: "restart", Arg: "[REVISION]",
			Help: "start the server again, at a protocol revision if one is named (auto: found out as at first)", Run: (*Model).restart,
		},
	}, of(rebuild.Bindings(), theOffer))
}
