package panel

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// KeyGuard is the time in which a panel that opened by itself takes no key: the
// user was about to press something else.
type KeyGuard struct{ opened, last time.Time }

// The lengths of the dead time.
const (
	GuardQuiet = 425 * time.Millisecond  // since the last key
	GuardMost  = 1500 * time.Millisecond // since it opened
	guardLeast = 33 * time.Millisecond   // of a timer: the clock of the session may be slower
)

// KeyGuardMsg is the moment at which a dead time may be over.
type KeyGuardMsg struct{}

// until is when keys are taken; zero: now.
func (h KeyGuard) until() time.Time {
	quiet, most := h.last.Add(GuardQuiet), h.opened.Add(GuardMost)
	if most.Before(quiet) {
		return most
	}
	return quiet
}

// Touch begins the dead time, or begins its quiet anew.
func (h *KeyGuard) Touch(now time.Time) {
	if h.opened.IsZero() {
		h.opened = now
	}
	h.last = now
}

// Wait tells when the dead time is over.
func (h KeyGuard) Wait(now time.Time) tea.Cmd {
	return tea.Tick(max(h.until().Sub(now), guardLeast), func(time.Time) tea.Msg { return KeyGuardMsg{} })
}

// IsOn reports whether no key is taken.
func (h KeyGuard) IsOn(now time.Time) bool { return !h.opened.IsZero() && now.Before(h.until()) }
