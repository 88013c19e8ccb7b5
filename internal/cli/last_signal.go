package cli

import "time"

// sameWithin is how soon a signal that comes after another one is the same wish: timeout(1) sends a signal to its
// program and then to the program's group, systemd sends SIGTERM and SIGHUP together when a session ends, and a user
// who presses a key twice takes longer.
const sameWithin = 100 * time.Millisecond

// lastSignal tells a wish that comes as two signals, of one kind or of two, from two wishes. The zero value has heard
// none.
type lastSignal struct{ at time.Time }

// isRepeated takes a signal that ends belay, and reports whether the wish of the signal before comes once more.
func (l *lastSignal) isRepeated() bool {
	now := time.Now()
	if now.Sub(l.at) < sameWithin {
		return true
	}
	l.at = now
	return false
}
