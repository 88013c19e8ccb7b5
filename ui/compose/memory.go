package compose

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/keymap"
	"belay/ui/panel"
)

// Memory keeps the arguments of calls to the server beyond the end of belay, without what of them
// is secret. What is called has a method and a name: that of a tool or a prompt, or a template.
type Memory interface {
	// Earlier are the sets of arguments that are kept of what is called, the newest first. It may
	// block.
	Earlier(method, name string) ([]Set, error)
	// Remember keeps the arguments of a call, but for the members with these names, and for what it
	// knows to be secret. It may block.
	Remember(method, name string, arguments []byte, secrets []string) error
	// Forget deletes what is kept of the server, and says how many sets that were. It may block.
	Forget() (sets int, err error)
	// Forgetful says in a sentence why nothing is kept from now on; empty: arguments are. It does
	// not block.
	Forgetful() string
	// Absent says in a sentence why there can be nothing of earlier runs either, for Forget to
	// delete; empty: there can. It does not block.
	Absent() string
}

// Set is a set of arguments of an earlier call.
type Set struct {
	Arguments []byte
	Made      time.Time
	Without   []string // names of what was left out, as it is secret; foreign
}

// Commands are those of the memory.
func Commands() []keymap.Binding[*Composer] {
	return []keymap.Binding[*Composer]{{
		Name: "forget arguments", Group: "Commands", Command: "forget",
		Help:     "delete what is kept of the arguments of your calls to this server; without --no-memory those of your next calls are kept",
		Disabled: func(c *Composer) string { return c.memory.Absent() }, Run: keymap.Cmd((*Composer).forget),
	}}
}

// forget deletes the arguments that are kept of the server, and those that drafts offer.
func (c *Composer) forget() tea.Cmd {
	for _, f := range c.drafts {
		f.earlier.drop()
	}
	memory := c.memory
	return func() tea.Msg {
		sets, err := memory.Forget()
		say := "deleted " + wording.Count(sets, "set") + " of arguments that were kept of calls to this server"
		if sets == 0 {
			say = "no arguments of calls to this server are kept: nothing was deleted"
		}
		return panel.Done{Say: say, Err: err}
	}
}

// rememberedMsg tells why something of the memory failed.
type rememberedMsg struct{ err error }

// onRemembered tells of the first failure of a run: the next one would be the same again, and no
// call depends on it.
func (c *Composer) onRemembered(err error) tea.Cmd {
	if c.complained {
		return nil
	}
	c.complained = true
	return c.host.Say(panel.Failed("arguments are not kept: " + safe.LineN(err.Error(), 300)))
}
