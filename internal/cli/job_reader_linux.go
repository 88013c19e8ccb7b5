package cli

import (
	"errors"
	"runtime"

	"golang.org/x/sys/unix"
)

// withoutStop calls a function that stops nobody in the background of a terminal: its reads fail there, and its writes are
// done, also on a terminal that stops who writes. Such a write may begin anew when a job goes on.
func withoutStop(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var blocked, before unix.Sigset_t
	for _, sig := range []unix.Signal{unix.SIGTTIN, unix.SIGTTOU} {
		blocked.Val[(sig-1)/bitsOfSet] |= 1 << ((sig - 1) % bitsOfSet)
	}
	if unix.PthreadSigmask(unix.SIG_BLOCK, &blocked, &before) == nil {
		defer func() { _ = unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil) }()
	}
	f()
}

// bitsOfSet is how many signals a word of a set has.
const bitsOfSet = 32 << (^uintptr(0) >> 63)

// isRefused reports whether a read failed as reads in the background do.
func isRefused(err error) bool { return errors.Is(err, unix.EIO) }
