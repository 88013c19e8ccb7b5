package ui

import (
	"time"

	"belay/ui/dialog"
)

// inputs is what was typed into lines before, for ↑.
type inputs struct {
	reasons, filters, searches, commands dialog.History

	idle, max time.Duration // :timeout, for the calls made from now on; 0: the session's
}
