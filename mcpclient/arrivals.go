package mcpclient

import (
	"sync"
	"sync/atomic"
	"time"

	"belay/mcpclient/process"
)

// arrivals reads a server's stdout, and knows how much of it had come by certain times. A reader
// that gets no processor reads late, and by its clock alone an answer that lay in the pipe when the
// cancel left came after it.
type arrivals struct {
	process.Output
	open atomic.Int32 // marks that the reader has not passed

	mu    sync.Mutex
	marks []mark // those, in their order
}

// mark is how many bytes, at least, had come by a time.
type mark struct {
	end int64
	at  time.Time
}

// mostMarks bounds the marks while a reader does not run. Bytes behind the last of them have the time
// of their reading.
const mostMarks = 64

// mark notes that n bytes had come ([process.Output.Come]) by at, which was read behind the count: that may
// wait for a Read, and counts what comes meanwhile.
func (a *arrivals) mark(n int64, at time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if last := len(a.marks) - 1; last+1 < mostMarks && (last < 0 || a.marks[last].end < n) {
		a.marks = append(a.marks, mark{n, at})
		a.open.Store(int32(len(a.marks)))
	}
}

// by is when the byte at an offset had come, which was read at a time: at the latest then, or by the
// first mark behind it. Offsets only grow.
func (a *arrivals) by(offset int64, at time.Time) time.Time {
	if a.open.Load() == 0 {
		return at
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.marks) > 0 && a.marks[0].end <= offset {
		a.marks = a.marks[1:]
	}
	a.open.Store(int32(len(a.marks)))
	if len(a.marks) > 0 && a.marks[0].at.Before(at) {
		return a.marks[0].at
	}
	return at
}
