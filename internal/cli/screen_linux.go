package cli

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// reopened is a terminal once more, to be written to with a deadline, and f itself if it cannot be opened,
// as where it is another user's. Belay shares f with the shell, and who has it does not expect that its
// writes end early.
func reopened(f *os.File) *os.File {
	again, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), os.O_WRONLY|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		return f
	}
	if err := again.SetWriteDeadline(time.Time{}); err != nil { // then its writes would not even wait
		_ = again.Close()
		return f
	}
	return again
}

// discardOutput has the kernel forget what was written to a terminal and is not read, and reports
// whether it did. Its buffer has room then, whether or not the terminal reads; who waits for that is not
// woken.
func discardOutput(f *os.File) (done bool) {
	conn, err := f.SyscallConn()
	return err == nil && conn.Control(func(fd uintptr) {
		done = unix.IoctlSetInt(int(fd), unix.TCFLSH, unix.TCOFLUSH) == nil
	}) == nil && done
}
