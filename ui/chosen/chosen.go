// Package chosen has the commands about the selected call that ask nothing of the screen
// but to say a sentence: its clocks begun anew, and the cancels that are wrong on purpose.
package chosen

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/row"
)

// Commands are the commands; they act on what the host shows.
func Commands() []keymap.Binding[panel.Host] {
	const group = "Commands"
	return []keymap.Binding[panel.Host]{
		{
			Name: "extend", Group: group, Command: "extend",
			Help: "begin the clocks of the selected call anew", Disabled: notRunning, Run: func(h panel.Host, _ string) tea.Cmd { return extend(h) },
		},
		{
			Name: "wrong cancel", Group: group, Command: "wrong-cancel", Arg: "HOW",
			Help:     "send a cancel that is wrong on purpose, and is marked so: unknown, no-params, no-id, object-id; of the selected call: twice, after, type (its ID as a string)",
			Disabled: notReady, Run: wrongCancel,
		},
	}
}

// selected is the selected call as it is now.
func selected(h panel.Host) (r session.Row, ok bool) {
	h.View(func(s *session.Session) { r, ok = s.Row(h.Screen().Chosen) })
	return r, ok
}

func notRunning(h panel.Host) string {
	if r, ok := selected(h); !ok || r.State != session.Running {
		return "no running call is selected"
	}
	return ""
}

func notReady(h panel.Host) string {
	if err := h.Screen().Status.CheckCall(); err != nil {
		return string(panel.ErrorWords(err))
	}
	return ""
}

func extend(h panel.Host) tea.Cmd {
	r, _ := selected(h)
	if _, err := h.Do(session.Extend{Call: r.ID}); err != nil {
		return h.Say(panel.Error(err))
	}
	return h.Say(panel.Said("the clocks of " + row.Name(r) + " begin anew"))
}

// wrongCancel sends a cancel that is wrong on purpose, in the way that the argument names.
func wrongCancel(h panel.Host, arg string) tea.Cmd {
	kind := session.WrongKind(strings.TrimSpace(arg))
	if kind.Words() == "" {
		all := make([]string, 0, len(session.Wrongs))
		for _, w := range session.Wrongs {
			all = append(all, string(w))
		}
		return h.Say(panel.Refused("type :wrong-cancel and how: " + safe.Text(strings.Join(all, ", "))))
	}
	wish, about := session.WrongCancel{Kind: kind}, safe.Text("")
	if kind.NeedsCall() {
		r, ok := selected(h)
		if !ok {
			return h.Say(panel.Refused("no call is selected that it could be about"))
		}
		wish.Call, about = r.ID, " · "+row.Name(r)
	}
	if _, err := h.Do(wish); err != nil {
		return h.Say(panel.Error(err))
	}
	return h.Say(panel.Said("a wrong cancel, on purpose: " + safe.Text(kind.Words()) + about))
}
