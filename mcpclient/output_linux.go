package mcpclient

import (
	"os"

	"golang.org/x/sys/unix"
)

// outputPipe is the stdout of a process.
type outputPipe struct{ *os.File }

func (w outputPipe) unread() (n int64) {
	conn, err := w.SyscallConn()
	if err != nil {
		return 0
	}
	_ = conn.Control(func(fd uintptr) {
		if in, err := unix.IoctlGetInt(int(fd), unix.TIOCINQ); err == nil {
			n = int64(in)
		}
	})
	return n
}
