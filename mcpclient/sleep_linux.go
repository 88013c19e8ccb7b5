package mcpclient

import (
	"time"

	"golang.org/x/sys/unix"
)

// sleepShort gives up the processor for d. time.Sleep cannot, on Linux: below a
// millisecond it sleeps for one.
func sleepShort(d time.Duration) {
	t := unix.NsecToTimespec(d.Nanoseconds())
	_ = unix.Nanosleep(&t, nil)
}
