//go:build unix

package settings

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks f until it is closed. It reports whether it did: else somebody else
// has the lock. An error means that f cannot be locked at all.
func tryLock(f *os.File) (got bool, err error) {
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, unix.EINTR):
			return err == nil, err
		}
	}
}
