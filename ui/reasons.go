package ui

import (
	"belay/session"
	"belay/session/mcp"
	"belay/ui/compose"
	"belay/ui/dialog"
	"belay/ui/layout"
	"belay/ui/panel"
	"belay/ui/prompt"
	"belay/ui/remedy"
	"belay/ui/row"
)

// The reasons why a key does nothing just now, which the key itself says: "" where it
// does something.

// needsRoom is why something cannot be shown where there is but a line, and else
// what other says.
func needsRoom(other func(*Model) string) func(*Model) string {
	return func(m *Model) string {
		switch {
		case m.lay.Mode == layout.Tiny:
			return panel.TooSmall
		case other == nil:
			return ""
		}
		return other(m)
	}
}

// notReady is why no call can be made.
func notReady(m *Model) string {
	if err := m.snap.status.CanCall(); err != nil {
		return string(panel.ErrorWords(err))
	}
	return ""
}

func noCall(m *Model) string {
	if _, ok := m.target(); !ok {
		return "no call is selected"
	}
	return ""
}

// nothingToCancel leaves to the core's own words what the core refuses of a
// call that is in flight.
func nothingToCancel(m *Model) string {
	switch r, ok := m.target(); {
	case !ok:
		return "there is no call to cancel"
	case row.Over(r):
		return "the selected call has ended: there is nothing to cancel"
	}
	return ""
}

func nothingInFlight(m *Model) string {
	switch s := m.snap.status; {
	case len(m.calls.Marked()) > 0:
		if calls, subs := m.marked(); calls+subs == 0 {
			return "what is marked has ended already"
		}
		return ""
	case s.InFlight == 0 && s.Subscriptions > 0:
		return "only subscriptions stand: X leaves them, as they are no work; x ends one, space marks more for X"
	case s.InFlight == 0:
		return "nothing is in flight"
	case s.InFlight == 1 && s.Phase == session.Connecting:
		if m.login.Waits() {
			return "only the handshake is in flight: ! then esc gives its login up"
		}
		return string(remedy.With("only the handshake is in flight: it must not be cancelled", session.Remedy{Kind: session.RemedyLeave}))
	}
	return ""
}

func notRepeatable(m *Model) string {
	r, ok := m.target()
	switch {
	case !ok:
		return "no call is selected"
	case r.Origin == session.FromHandshake:
		return "the handshake is made by :restart only"
	}
	return notReady(m)
}

func notConnected(m *Model) string {
	if m.snap.status.Phase == session.Disconnected {
		return "not connected"
	}
	return ""
}

func notRunning(m *Model) string {
	if r, ok := m.target(); !ok || r.State != session.Running {
		return "no running call is selected"
	}
	return ""
}

func noLogging(m *Model) string {
	if why := notReady(m); why != "" {
		return why
	}
	if !m.snap.status.Server.Has.Logging {
		return "the server does not declare the logging capability; :send can ask it anyway"
	}
	return ""
}

func nothingToOpen(m *Model) string {
	switch {
	case m.focus == layout.Calls && m.calls.Len() == 0:
		return "there is no call to open"
	case m.focus == layout.Wire && m.wire.Count() == 0:
		return "there is no message to open"
	case m.focus == layout.Detail && !m.detail.Searching():
		return "enter goes to the next place of a search; / begins one"
	}
	return ""
}

func nothingToCopy(m *Model) string {
	if m.modal() != nil || m.focus == layout.Wire && m.wire.Count() > 0 {
		return ""
	}
	if m.focus == layout.Wire {
		return "there is no message"
	}
	return noCall(m)
}

// nothingToSave is why a page goes into no file: what it says of belay itself is
// in the documentation.
func nothingToSave(m *Model) string {
	if p, ok := m.modal().(*dialog.Page); ok && p.Name != "" {
		return ""
	}
	return "the keys are not saved: they are in belay's docs/keys.md; y copies them"
}

// noListItem says why an item cannot be moved.
func noListItem(m *Model) string {
	o, ok := m.modal().(formOwner)
	if !ok || o.View() == nil {
		return ""
	}
	if n := o.View().Focus().Node; n != nil && n.Removable() != nil && !n.Removable().Movable() {
		return "the members of an object have no order that matters"
	}
	return ""
}

// noSubscribing is why no resource can be subscribed to.
func noSubscribing(m *Model) string {
	return compose.NoSubscribing(m.snap.status)
}

// noListening is why there is no subscription to changes of lists.
func noListening(m *Model) string {
	return compose.WhyNot(m.snap.status.CanSubscribe(mcp.Filter{Tools: true}))
}

func nothingWaits(m *Model) string {
	if m.login.Waits() {
		return ""
	}
	switch {
	case m.prompts.Any():
		return ""
	case m.held():
		return "the server asks nothing, but this call is held: r goes on"
	}
	return prompt.NoPrompt
}

func noLogout(m *Model) string { return m.login.NoLogout() }
