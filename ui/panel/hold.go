package panel

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Hold is the time in which a panel that opened by itself takes no key: the
// user was about to press something else.
type Hold struct{ opened, last time.Time }

// The lengths of the dead time.
const (
	HoldQuiet = 425 * time.Millisecond  // since the last key
	HoldMost  = 1500 * time.Millisecond // since it opened
	holdLeast = 33 * time.Millisecond   // of a timer: the clock of the session may be slower
)

// HeldMsg is the moment at which a dead time may be over.
type HeldMsg struct{}

// until is when keys are taken; zero: now.
func (h Hold) until() time.Time {
	quiet, most := h.last.Add(HoldQuiet), h.opened.Add(HoldMost)
	if most.Before(quiet) {
		return most
	}
	return quiet
}

// Touch begins the dead time, or begins its quiet anew.
func (h *Hold) Touch(now time.Time) {
	if h.opened.IsZero() {
		h.opened = now
	}
	h.last = now
}

// Wait tells when the dead time is over.
func (h Hold) Wait(now time.Time) tea.Cmd {
	return tea.Tick(max(h.until().Sub(now), holdLeast), func(time.Time) tea.Msg { return HeldMsg{} })
}

// On reports whether no key is taken.
func (h Hold) On(now time.Time) bool { return !h.opened.IsZero() && now.Before(h.until()) }
