// Package rebuild offers to restart the server when files that the user named have changed. The
// offer stands above the calls, takes no key from anybody, and is not made while something is in
// flight: a restart would end that.
package rebuild

import (
	"path/filepath"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
)

// Changed tells that files have changed.
type Changed struct{ Paths []string }

// Offer is the offer to restart the server. Make one with [New].
type Offer struct {
	host  panel.Host
	names []string      // of the files that have changed since the server was started; none: no offer
	epoch session.Epoch // of that server
}

// New offers nothing yet.
func New(h panel.Host) *Offer { return &Offer{host: h} }

// Update takes changes of files. It says false for any other message.
func (o *Offer) Update(msg tea.Msg) (cmd tea.Cmd, taken bool) {
	changed, ok := msg.(Changed)
	if !ok {
		return nil, false
	}
	if !o.waits() {
		o.names, o.epoch = nil, o.host.Screen().Status.Epoch
	}
	for _, p := range changed.Paths {
		o.add(filepath.Base(p))
	}
	return nil, true
}

func (o *Offer) add(name string) {
	for _, n := range o.names {
		if n == name {
			return
		}
	}
	o.names = append(o.names, name)
}

// waits reports whether the server runs that was started before the files changed.
func (o *Offer) waits() bool {
	s := o.host.Screen().Status
	return len(o.names) > 0 && s.Epoch == o.epoch && !s.Quitting
}

// Words are the offer, or empty where none is made now.
func (o *Offer) Words() safe.Text {
	if s := o.host.Screen().Status; !o.waits() || s.UserCalls > 0 || s.Waiting > 0 {
		return ""
	}
	words, verb := wording.NameIn(o.names[0], 40), safe.Text(" has")
	if more := len(o.names) - 1; more > 0 {
		words, verb = words+" and "+wording.Count(more, "other file"), " have"
	}
	return words + verb + " changed: R restarts the server, L leaves it as it is"
}

// Bindings are the keys of the offer, beside the one that restarts the server.
func Bindings() []keymap.Binding[*Offer] {
	return []keymap.Binding[*Offer]{{
		Name: "leave the server as it is", Key: key.NewBinding(key.WithKeys("L")), Group: "belay", Where: scope.Panes,
		Help:     "with --watch: do not restart the server; the next change of a file offers it again",
		Disabled: (*Offer).none, Run: keymap.Do((*Offer).decline),
	}}
}

func (o *Offer) none() string {
	if o.Words() == "" {
		return "no restart is offered: that is done with --watch, when a file has changed"
	}
	return ""
}

// decline makes the offer no more, until something changes again.
func (o *Offer) decline() { o.names = nil }
