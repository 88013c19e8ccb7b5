package replay

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"belay/ui/keymap"
	"belay/ui/scope"
)

// Bindings are the keys that a recording has besides those of the panes, which they go
// before.
func Bindings() []keymap.Binding[*Controls] {
	const group = "In a recording"
	const here = scope.Recording
	is := func(c *Controls) string {
		if !c.IsRecorded() {
			return "this is no recording"
		}
		return ""
	}
	on := func(f func(Player)) func(*Controls, string) tea.Cmd {
		return keymap.Do(func(c *Controls) { f(c.player) })
	}
	return []keymap.Binding[*Controls]{
		{
			Name: "stop the search", Key: key.NewBinding(key.WithKeys("esc"), key.WithHelp("", "stop here")), Group: group, Where: scope.Seeking, Footer: 1,
			Help: "while belay reads its way to another place: stop", Run: on(Player.Stop),
		},
		{
			Name: "play", Key: key.NewBinding(key.WithKeys("space"), key.WithHelp("", "play")), Group: group, Where: here, Footer: 1, Command: "play",
			Help: "play, or pause; at the end: from the beginning", Disabled: is, Run: keymap.Do((*Controls).playOrPause),
		},
		{
			Name: "next message", Key: key.NewBinding(key.WithKeys("."), key.WithHelp("", "step")), Group: group, Where: here, Footer: 3,
			Help: "to the next message", Run: on(func(p Player) { p.Step(true) }),
		},
		{
			Name: "message before", Key: key.NewBinding(key.WithKeys(","), key.WithHelp("", "back")), Group: group, Where: here, Footer: 4,
			Help: "to the message before", Run: on(func(p Player) { p.Step(false) }),
		},
		{
			Name: "faster", Key: key.NewBinding(key.WithKeys(">")), Group: group, Where: here,
			Help: "play faster: up to 64×, and at once", Run: keymap.Cmd((*Controls).faster),
		},
		{
			Name: "slower", Key: key.NewBinding(key.WithKeys("<")), Group: group, Where: here,
			Help: "play slower: down to 0.25×", Run: keymap.Cmd((*Controls).slower),
		},
		{
			Name: "next cancel", Key: key.NewBinding(key.WithKeys("}"), key.WithHelp("", "next cancel")), Group: group, Where: here, Footer: 5,
			Help: "to the next cancel", Run: keymap.Cmd((*Controls).nextCancel),
		},
		{
			Name: "cancel before", Key: key.NewBinding(key.WithKeys("{")), Group: group, Where: here,
			Help: "to the cancel before", Run: keymap.Cmd((*Controls).cancelBefore),
		},
		{
			Name: "next diagnostic", Key: key.NewBinding(key.WithKeys(")")), Group: group, Where: here,
			Help: "to the next diagnostic, or fault of the recording", Run: keymap.Cmd((*Controls).nextDiagnostic),
		},
		{
			Name: "diagnostic before", Key: key.NewBinding(key.WithKeys("(")), Group: group, Where: here,
			Help: "to the diagnostic before", Run: keymap.Cmd((*Controls).diagnosticBefore),
		},
		{
			Name: "go to what is selected", Key: key.NewBinding(key.WithKeys("@")), Group: group, Where: here,
			Help: "to where the selected call begins, or to the selected message", Run: keymap.Cmd((*Controls).goToSelected),
		},
		{
			Name: "beginning", Key: key.NewBinding(key.WithKeys("0")), Group: group, Where: here,
			Help: "to the beginning of the recording", Run: on(Player.Begin),
		},
		{
			Name: "end", Key: key.NewBinding(key.WithKeys("$")), Group: group, Where: here,
			Help: "to its end; one that is still written is followed from there", Run: on(Player.End),
		},
		{
			Name: "go to", Group: group, Command: "goto", Arg: "PLACE",
			Help: placeUsage, Disabled: is, Run: (*Controls).goTo,
		},
		{
			Name: "the recording", Group: group, Command: "recording",
			Help: "which file it is, and what could not be played as it was", Disabled: is, Run: keymap.Do((*Controls).open),
		},
	}
}

// Sends reports whether a binding may send something, or is for a server that runs: it
// does nothing in a recording.
func Sends[S any](b *keymap.Binding[S]) bool {
	return !looking[b.Name] && (b.Command != "" || b.Where&(scope.Panes|scope.Tiny|scope.Task|scope.Tasks|scope.Parts) != 0)
}

// looking are the bindings of the panes that send nothing.
var looking = map[string]bool{
	"down": true, "up": true, "top": true, "bottom": true, "page down": true, "page up": true,
	"next pane": true, "previous pane": true, "calls": true, "detail": true, "wire": true, "open": true, "back": true,
	"filter": true, "sort": true, "follow": true, "next tab": true, "previous tab": true, "parts": true,
	"search": true, "wire pane": true, "zoom in": true, "zoom out": true, "server info": true,
	"copy value": true, "copy message": true, "save": true, "save a page": true, "export": true, "report": true,
	"palette": true, "palette from a key": true, "help": true, "help from a field": true,
	"quit": true, "suspend": true, "own requests": true, "quit from anywhere": true, "leave": true, "close a page": true,
	"tasks": true, "take the task": true, "task below": true, "task above": true, "page of tasks down": true, "page of tasks up": true,
	"take the part": true, "copy the address": true, "part below": true, "part above": true, // what it sends is refused
}
