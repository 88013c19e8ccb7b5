package mcpclient

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// priorityLock is the lock around the session. It knows two kinds of holders: keys,
// the writer and the clock, which come rarely and must not wait, and readers,
// which would hold it all day under a flood. A reader asks isWanted after every
// message and gives way; so anyone else waits for one message at most.
type priorityLock struct {
	mu      sync.Mutex
	waiting atomic.Int32
}

func (l *priorityLock) lock() {
	l.waiting.Add(1)
	l.mu.Lock()
	l.waiting.Add(-1)
}

// lockReader is lock for readers. A plain mutex would let the reader, which is
// running, take the lock back before the one it woke up has started to run;
// yielding first lets that one run, here and now.
func (l *priorityLock) lockReader() {
	if l.isWanted() {
		runtime.Gosched()
	}
	l.mu.Lock()
}

func (l *priorityLock) unlock() { l.mu.Unlock() }

// isWanted reports whether somebody who must not wait is waiting.
func (l *priorityLock) isWanted() bool { return l.waiting.Load() > 0 }
