package ui

import (
	"time"

	"belay/session"
	"belay/ui/dialog"
)

// inputs is what was typed into lines before, for ↑.
type inputs struct {
	reasons, filters, searches, commands dialog.History

	idle, max time.Duration // :timeout, for the calls made from now on; 0: the session's
}

// limited is a call with these limits where it has none of its own.
func (in *inputs) limited(c session.CallSpec) session.CallSpec {
	if c.Idle == 0 {
		c.Idle = in.idle
	}
	if c.Max == 0 {
		c.Max = in.max
	}
	return c
}
