package e2e

import (
	"os"

	"golang.org/x/sys/unix"
)

// canNarrow reports whether a pipe can be made so small that one message fills it.
const canNarrow = true

// narrow leaves a pipe room for one page.
func narrow(f *os.File) { _, _ = unix.FcntlInt(f.Fd(), unix.F_SETPIPE_SZ, os.Getpagesize()) }
