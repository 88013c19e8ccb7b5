package mcpclient

import (
	"time"

	"golang.org/x/sys/unix"
)

// sleepShort gives up the processor for d. time.Sleep cannot, on Linux: below a
// millisecond it sleeps for one. The kernel would add 50 µs to every sleep of the
// thread: it is asked for an exact timer, and for its own way again afterwards,
// because a server that this thread starts would inherit what was asked for.
func sleepShort(d time.Duration) {
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	t := unix.NsecToTimespec(d.Nanoseconds())
	_ = unix.Nanosleep(&t, nil)
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 0, 0, 0, 0)
}
