package process

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// outputPipe is the stdout of a process.
type outputPipe struct {
	*os.File

	mu   sync.Mutex // held while bytes go from the pipe into the count
	read int64
}

func newOutputPipe(f *os.File) *outputPipe { return &outputPipe{File: f} }

// Read implements io.Reader. The bytes that it takes are counted before anybody can see the pipe
// without them; the method of [os.File] may come to that much later, on a busy machine.
func (w *outputPipe) Read(b []byte) (n int, err error) {
	conn, err := w.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	if err := conn.Read(func(fd uintptr) bool {
		n, failed = w.take(int(fd), b)
		return !errors.Is(failed, unix.EAGAIN)
	}); err != nil { // which has no type of its own: the file is closed
		return 0, &os.PathError{Op: "read", Path: w.Name(), Err: os.ErrClosed}
	}
	switch {
	case failed != nil:
		return 0, &os.PathError{Op: "read", Path: w.Name(), Err: failed}
	case n == 0 && len(b) > 0:
		return 0, io.EOF
	}
	return n, nil
}

func (w *outputPipe) take(fd int, b []byte) (n int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		n, err = unix.Read(fd, b)
		if !errors.Is(err, unix.EINTR) {
			w.read += int64(max(n, 0))
			return max(n, 0), err
		}
	}
}

func (w *outputPipe) Come(mayWait bool) (n int64, ok bool) {
	conn, err := w.SyscallConn()
	if err != nil {
		return 0, false
	}
	if mayWait {
		w.mu.Lock()
	} else if !w.lockSoon() {
		return 0, false
	}
	defer w.mu.Unlock()
	_ = conn.Control(func(fd uintptr) {
		if in, err := unix.IoctlGetInt(int(fd), unix.TIOCINQ); err == nil {
			n, ok = w.read+int64(in), true
		}
	})
	return n, ok
}

// soon is longer than a Read takes that is not interrupted. To spin for that long costs less than to
// sleep and be woken.
const soon = 50 * time.Microsecond

// lockSoon takes the lock, or gives up after soon.
func (w *outputPipe) lockSoon() bool {
	for began := time.Now(); !w.mu.TryLock(); {
		if time.Since(began) > soon {
			return false
		}
	}
	return true
}
