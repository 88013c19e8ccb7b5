package cli

import (
	"errors"
	"runtime"

	"golang.org/x/sys/unix"
)

// withoutStop calls a function whose reads of a terminal fail in the background of that, and stop nobody.
func withoutStop(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var blocked, before unix.Sigset_t
	blocked.Val[(unix.SIGTTIN-1)/bitsOfSet] |= 1 << ((unix.SIGTTIN - 1) % bitsOfSet)
	if unix.PthreadSigmask(unix.SIG_BLOCK, &blocked, &before) == nil {
		defer func() { _ = unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil) }()
	}
	f()
}

// bitsOfSet is how many signals a word of a set has.
const bitsOfSet = 32 << (^uintptr(0) >> 63)

// isRefused reports whether a read failed as reads in the background do.
func isRefused(err error) bool { return errors.Is(err, unix.EIO) }
