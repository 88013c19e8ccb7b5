//go:build unix

package cli

import (
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/muesli/cancelreader"
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
	for {
		withoutStop(func() { n, err = r.Reader.Read(b) })
		switch {
		case err == nil || r.paused.Load() || !isRefused(err) || isForeground(r.tty):
			return n, err
		case !r.awaitForeground():
			return 0, cancelreader.ErrCanceled
		}
	}
}

// awaitForeground waits until the terminal is the job's again, and stops the job meanwhile. It returns false when the
// terminal is read no more.
func (r jobReader) awaitForeground() bool {
	for since := time.Now(); !isForeground(r.tty); time.Sleep(tryAgain) {
		if r.paused.Load() {
			return false
		}
		if time.Since(since) > stoppedWithin {
			stopForInput()
			since = time.Now()
		}
	}
	return !r.paused.Load()
}
