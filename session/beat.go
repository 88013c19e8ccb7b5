package session

import (
	"slices"
	"time"
)

// beat is how far apart the progress of a request came lately. A silence that is
// no longer than that does not tell whether the work goes on.
type beat struct {
	last   time.Time
	pauses [4]time.Duration // the last ones in turn, the first of all from when the request was written
	n      int
}

// spoke notes progress of a request.
func (r *request) spoke(now time.Time) {
	if r.beat == nil {
		r.beat = &beat{last: r.written}
	}
	b := r.beat
	if !b.last.IsZero() {
		b.pauses[b.n%len(b.pauses)] = now.Sub(b.last)
		b.n++
	}
	b.last = now
}

// longest is the longest pause; zero when there was none yet. Of a few, so that
// a human's answer in the middle of a call is forgotten, and a message and
// another right behind it do not hide the pause before them.
func (b *beat) longest() time.Duration {
	if b == nil {
		return 0
	}
	return slices.Max(b.pauses[:])
}

// awaited is the longest silence in which more was still to be expected: the
// beat, and a quarter, as nobody keeps time that well.
func (b *beat) awaited() time.Duration { return b.longest() + b.longest()/4 }
