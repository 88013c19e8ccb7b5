//go:build unix

package cli

import (
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"time"

	"github.com/muesli/cancelreader"
	"golang.org/x/sys/unix"
)

// jobReader reads a terminal that may be the shell's by now. The system stops a job for a read in the background, also
// a job that has been told to end, and a read may have begun when the terminal was still the job's. Where the system
// can do that, such a read fails here. The job is stopped for the read a second later, unless belay ends by then.
type jobReader struct {
	io.Reader // ends by [cancelreader.ErrCanceled]
	tty       *os.File
	paused    *atomic.Bool // it is read no more
}

// ofJob is a reader of a terminal that may be the shell's by the time of a read. Paused says that it is read no more.
func ofJob(r io.Reader, tty *os.File, paused *atomic.Bool) io.Reader {
	return jobReader{r, tty, paused}
}

func (r jobReader) Read(b []byte) (n int, err error) {
	for wasForeground := false; ; {
		withoutStop(func() { n, err = r.Reader.Read(b) })
		switch {
		case err == nil || !isRefused(err):
			return n, err
		case r.paused.Load():
			return 0, cancelreader.ErrCanceled
		case !isForeground(r.tty):
			wasForeground = false
			if err := r.awaitForeground(err); err != nil {
				return 0, err
			}
		case wasForeground: // the terminal itself refuses
			return n, err
		default: // the shell may have given the terminal after the read was refused
			wasForeground = true
		}
	}
}

// awaitForeground waits until the terminal is the job's again, and stops the job meanwhile. The error is
// [cancelreader.ErrCanceled] when the terminal is read no more, and that of the read that was refused where nobody
// could give the terminal back: the system does not stop a job without a shell.
func (r jobReader) awaitForeground(refused error) error {
	on := make(chan os.Signal, 1)
	signal.Notify(on, unix.SIGCONT)
	defer signal.Stop(on)
	for since := time.Now(); !isForeground(r.tty); time.Sleep(tryAgain) {
		if !r.paused.Load() && time.Since(since) > stoppedWithin {
			if err := stopJob(unix.SIGTTIN, on); err != nil && !r.paused.Load() {
				return refused
			}
			since = time.Now()
		}
		if r.paused.Load() {
			return cancelreader.ErrCanceled
		}
	}
	return nil
}
