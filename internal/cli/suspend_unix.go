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
// the job goes on and has the terminal again, or when belay ends.
func stopSelf(tty *os.File, ends <-chan struct{}) error {
	on := make(chan os.Signal, 1)
	signal.Notify(on, unix.SIGCONT)
	defer signal.Stop(on)
	if err := stopJob(unix.SIGTSTP, on); err != nil {
		return err
	}
	return awaitForeground(tty, on, ends)
}

// stopJob stops belay's job by a signal that a terminal sends, and returns when the job goes on, which a channel is told
// of by SIGCONT. The error [errNoShell] says that the job was not stopped: the system leaves a job alone that no shell
// could bring back. Only the time in which belay runs is counted until then.
func stopJob(sig unix.Signal, on <-chan os.Signal) error {
	select {
	case <-on: // of before
	default:
	}
	if err := unix.Kill(0, sig); err != nil {
		return err
	}
	for ran := time.Duration(0); ran < stoppedWithin; ran += tryAgain {
		select {
		case <-on:
			return nil
		case <-time.After(tryAgain):
		}
	}
	return errNoShell
}
