package settings

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock locks f until it is closed. It reports whether it did: else somebody else
// has the lock. An error means that f cannot be locked at all.
func tryLock(f *os.File) (got bool, err error) {
	const how = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err = windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}
