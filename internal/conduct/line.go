package conduct

import (
	"io"
	"slices"
	"sync"
	"syscall"
	"time"
)

// line carries bytes one way. What is written can be read after a while, in
// order. It has one reader.
type line struct {
	lag  Lag
	room int                           // bytes that nobody has read and that make it full; 0: it never is
	seen func(b []byte, due time.Time) // is told of every write, and when it can be read; may be nil

	mu      sync.Mutex
	changed *sync.Cond
	queue   []packet
	unread  int
	last    time.Time // when the latest packet can be read
	shut    bool      // nothing more is written
	gone    bool      // nobody reads any more
}

// packet is what was written at once, or how the line ended.
type packet struct {
	due  time.Time
	data []byte
	end  error
}

func newLine(lag Lag, room int) *line {
	l := &line{lag: lag, room: room}
	l.changed = sync.NewCond(&l.mu)
	return l
}

// Write takes all of b as soon as there is room for a byte.
func (l *line) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.awaitRoom()
	switch {
	case l.gone:
		return 0, syscall.EPIPE
	case l.shut:
		return 0, io.ErrClosedPipe
	case len(b) == 0:
		return 0, nil
	}
	due := l.push(packet{data: slices.Clone(b)})
	l.unread += len(b)
	if l.seen != nil {
		l.seen(b, due)
	}
	return len(b), nil
}

// awaitRoom waits until there is room, or the line has ended. It is called with
// l.mu held.
func (l *line) awaitRoom() {
	for l.room > 0 && l.unread >= l.room && !l.shut && !l.gone {
		l.changed.Wait()
	}
}

func (l *line) waitWritable() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.awaitRoom()
}

// push is called with l.mu held.
func (l *line) push(p packet) (due time.Time) {
	p.due = time.Now().Add(l.lag.next())
	if p.due.Before(l.last) {
		p.due = l.last
	}
	l.last = p.due
	l.queue = append(l.queue, p)
	l.changed.Broadcast()
	return p.due
}

// Read implements io.Reader.
func (l *line) Read(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		if l.gone {
			return 0, io.ErrClosedPipe
		}
		if len(l.queue) > 0 {
			first := &l.queue[0]
			wait := time.Until(first.due)
			switch {
			case wait > 0:
				time.AfterFunc(wait, l.wake)
			case first.end != nil:
				return 0, first.end
			default:
				n := copy(b, first.data)
				if first.data = first.data[n:]; len(first.data) == 0 {
					l.queue = slices.Delete(l.queue, 0, 1)
				}
				l.unread -= n
				l.changed.Broadcast()
				return n, nil
			}
		}
		l.changed.Wait()
	}
}

// wake has the reader look again. It takes the lock: whoever is about to wait would not hear of
// it otherwise, and wait for ever.
func (l *line) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changed.Broadcast()
}

// close ends the line after what was written: the reader meets the error then.
func (l *line) close(end error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.shut {
		l.shut = true
		l.push(packet{end: end})
	}
}

// abandon has the line read by nobody: whoever writes is told.
func (l *line) abandon() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone = true
	l.changed.Broadcast()
}
