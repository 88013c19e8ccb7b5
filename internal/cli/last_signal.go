package cli

import (
	"os"
	"time"
)

// sameWithin is how soon a signal that comes again is the same one: timeout(1) sends a signal to its program
// and then to the program's group, and a user who presses a key twice takes longer.
const sameWithin = 100 * time.Millisecond

// lastSignal tells a signal that comes twice from two signals. The zero value has heard none.
type lastSignal struct {
	sig os.Signal
	at  time.Time
}

// isRepeated takes a signal, and reports whether it is the one before once more.
func (l *lastSignal) isRepeated(sig os.Signal) bool {
	now := time.Now()
	if sig == l.sig && now.Sub(l.at) < sameWithin {
		return true
	}
	l.sig, l.at = sig, now
	return false
}
