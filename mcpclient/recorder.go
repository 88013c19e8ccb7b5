package mcpclient

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"belay/session"
)

// recordBound is how much of the journal may wait for the disk. Beyond it the
// reader waits; the keys never do.
const recordBound = 8 << 20

// Recording says how a recording is doing.
type Recording struct {
	On    bool  // lines are being written
	Bytes int64 // written
	Err   error // why it stopped; nil when it did not
}

// CreateRecording makes the file of a recording, readable by its owner only.
// It never overwrites a file. A character device is written to as it is.
func CreateRecording(path string) (*os.File, error) {
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeCharDevice != 0 {
		flags = os.O_WRONLY
	}
	f, err := os.OpenFile(path, flags, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, fmt.Errorf("cannot record to %q: the file exists already; name another one, or remove it", path)
	case err != nil:
		return nil, fmt.Errorf("cannot record to %q: %s", path, reason(err))
	}
	return f, nil
}

// attachJournal is the one place that knows how the core gives its journal
// away: line by line, under the lock. Secrets are masked later, outside of it:
// looking for them takes far longer than anything else that is done to a line.
func attachJournal(s *session.Session, r *recorder) { s.SetJournal(r.add, false) }

// maskSecrets masks what looks like a secret in lines of the journal, in place.
func maskSecrets(block []byte) {
	for line := range bytes.Lines(block) {
		copy(line, session.Redact(line)) // as many bytes as before
	}
}

// recorder takes the journal's lines from under the lock, and writes them
// outside of it. A nil recorder records nothing.
type recorder struct {
	out    io.WriteCloser
	mask   bool // secrets
	signal func()

	mu      sync.Mutex
	waiting []byte        // not handed to the disk yet
	freed   chan struct{} // closed when waiting was handed on, then replaced
	closing bool
	state   Recording

	kick  chan struct{}
	ended chan struct{}
}

func newRecorder(out io.WriteCloser, mask bool, signal func()) *recorder {
	r := &recorder{
		out: out, mask: mask, signal: signal,
		freed: make(chan struct{}),
		state: Recording{On: true},
		kick:  make(chan struct{}, 1),
		ended: make(chan struct{}),
	}
	go r.flush()
	return r
}

// add takes one line. It copies it and never waits.
func (r *recorder) add(line []byte) {
	r.mu.Lock()
	if r.state.On && !r.closing {
		r.waiting = append(r.waiting, line...)
		if n := len(line); n == 0 || line[n-1] != '\n' {
			r.waiting = append(r.waiting, '\n')
		}
	}
	r.mu.Unlock()
	r.wakeFlush()
}

func (r *recorder) wakeFlush() {
	select {
	case r.kick <- struct{}{}:
	default:
	}
}

// room waits until less than the bound waits for the disk, or stop is closed.
func (r *recorder) room(stop <-chan struct{}) {
	for r != nil {
		r.mu.Lock()
		full, freed := r.state.On && len(r.waiting) >= recordBound, r.freed
		r.mu.Unlock()
		if !full {
			return
		}
		select {
		case <-freed:
		case <-stop:
			return
		}
	}
}

// flush is the goroutine that writes.
func (r *recorder) flush() {
	defer close(r.ended)
	var spare []byte
	for {
		<-r.kick
		r.mu.Lock()
		block, closing := r.waiting, r.closing
		r.waiting = spare[:0]
		close(r.freed)
		r.freed = make(chan struct{})
		r.mu.Unlock()

		n, err := 0, error(nil)
		if r.mask {
			maskSecrets(block)
		}
		if len(block) > 0 {
			n, err = r.out.Write(block)
		}
		if closing || err != nil {
			if cerr := r.out.Close(); err == nil {
				err = cerr
			}
		}
		r.wrote(n, err, closing)
		if closing || err != nil {
			return
		}
		if spare = block; cap(spare) > 2*recordBound {
			spare = nil
		}
	}
}

// wrote notes how a write went. After an error nothing more is recorded, and
// the session goes on.
func (r *recorder) wrote(n int, err error, closing bool) {
	r.mu.Lock()
	r.state.Bytes += int64(n)
	if err != nil {
		r.state.Err = fmt.Errorf("the recording stopped after %d bytes: %w", r.state.Bytes, err)
	}
	if err != nil || closing {
		r.state.On, r.waiting = false, nil
		close(r.freed)
		r.freed = make(chan struct{})
	}
	r.mu.Unlock()
	if err != nil {
		r.signal()
	}
}

func (r *recorder) status() Recording {
	if r == nil {
		return Recording{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// close writes what waits and closes the file. A disk that does not take it
// before ctx ends is left behind, and Recording says so.
func (r *recorder) close(ctx context.Context) {
	if r == nil {
		return
	}
	r.mu.Lock()
	r.closing = true
	r.mu.Unlock()
	r.wakeFlush()
	select {
	case <-r.ended:
		return
	default:
	}
	select {
	case <-r.ended:
	case <-ctx.Done():
		r.mu.Lock()
		r.state.On = false
		r.state.Err = errors.New("the recording is not complete: the disk did not take it in time")
		r.mu.Unlock()
	}
}
