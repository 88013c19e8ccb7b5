//go:build unix

package cli

import (
	"errors"
	"os"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"
)

var errNoShell = errors.New("no shell here could go on with belay: it was not suspended")

// stopSelf stops belay's job as the terminal itself does it for ctrl+z, and returns when
// the job goes on and has the terminal again, or when belay ends. The system leaves a job
// alone that no shell could bring back.
func stopSelf(tty *os.File, ends <-chan struct{}) error {
	on := make(chan os.Signal, 1)
	signal.Notify(on, unix.SIGCONT)
	defer signal.Stop(on)
	if err := unix.Kill(0, unix.SIGTSTP); err != nil {
		return err
	}
	select {
	case <-on:
		return awaitForeground(tty, on, ends)
	case <-time.After(stoppedWithin):
	}
	select {
	case <-on: // both, when belay was stopped for longer
		return awaitForeground(tty, on, ends)
	case <-time.After(stoppedWithin / 10):
		return errNoShell
	}
}
