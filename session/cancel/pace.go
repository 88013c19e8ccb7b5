package cancel

import (
	"slices"
	"time"
)

// Pace is how far apart the progress of a request came lately. A silence no
// longer than that does not tell whether the work goes on. Its zero value is a
// request without progress.
type Pace struct {
	last   time.Time
	pauses [4]time.Duration // the last ones in turn, the first of all from when the request was written
	n      int
}

// Record takes progress at a time, of a request that was written at another;
// that is zero when its last byte is not written yet.
func (p *Pace) Record(at, written time.Time) {
	if p.last.IsZero() {
		p.last = written
	}
	if !p.last.IsZero() {
		p.pauses[p.n%len(p.pauses)] = at.Sub(p.last)
		p.n++
	}
	p.last = at
}

// longest is the longest of the last few pauses; zero when there was none. Of a
// few, so that a human's answer in the middle of a call is forgotten, and a
// message right behind another does not hide the pause before them.
func (p *Pace) longest() time.Duration { return slices.Max(p.pauses[:]) }

// awaited is the longest silence in which more was still to be expected: the
// longest pause and a quarter, as no server keeps time exactly.
func (p *Pace) awaited() time.Duration { return p.longest() + p.longest()/4 }
