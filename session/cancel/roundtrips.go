package cancel

import "time"

// The limits of the bound. Below the least one the schedulers of two processes
// decide and not the way between them. The upper one is for a server that is slow to
// answer lists, which must not hide every late answer; but it is two of the shortest
// round trips where those are longer, as behind a satellite.
const (
	boundLeast = 20 * time.Millisecond
	boundMost  = 2 * time.Second
	// firstMost is how much of the first exchange counts as a round trip there: a
	// server may have been starting meanwhile.
	firstMost = 3 * time.Second
)

// RoundTrips estimates the round trips of one connection from above, as RFC 6298
// does for TCP: the smoothed mean and four times the mean deviation. The shortest
// round trip, which is tempting, calls true crossings late.
//
// Its zero value has seen none.
type RoundTrips struct {
	mean, deviation, best time.Duration
	from                  Source
	least                 time.Duration // the shortest of all, of any source, and of what calls took; 0: none
}

// Source is what a round trip was measured on. A better source makes what the
// lesser ones gave forgotten.
type Source uint8

// The sources, the least first.
const (
	FromHandshake Source = iota + 1 // the first exchange: the server may have been starting
	FromList                        // a page of a list, or the second exchange of the handshake
	FromPing                        // a ping or probe, which a server answers at once
)

// Add takes a round trip: from the last byte of a request to the first byte of
// its answer.
func (t *RoundTrips) Add(d time.Duration, from Source) {
	d = max(d, 0)
	t.AddCall(d)
	switch {
	case from < t.from:
		return
	case from > t.from:
		*t = RoundTrips{mean: d, deviation: d / 2, best: d, from: from, least: t.least}
		return
	}
	off := t.mean - d
	if off < 0 {
		off = -off
	}
	t.deviation += (off - t.deviation) / 4
	t.mean += (d - t.mean) / 8
	t.best = min(t.best, d)
}

// AddCall takes how long a call took to be answered: the server had to work for
// that, and the way took no longer.
func (t *RoundTrips) AddCall(d time.Duration) {
	if d = max(d, 1); t.least == 0 || d < t.least {
		t.least = d
	}
}

// Best is the shortest round trip of the best source; zero while none is known.
func (t *RoundTrips) Best() time.Duration { return t.best }

// Bound is how long after the last byte of a cancel a message may come that was
// sent before the server read it: between 20 ms and the [RoundTrips.Limit]; while no round trip is
// known, the limit itself.
func (t *RoundTrips) Bound() time.Duration {
	if t.from == 0 {
		return t.Limit()
	}
	return min(max(t.mean+4*t.deviation, boundLeast), t.Limit())
}

// Limit is how long an answer may take that a server gives at once: 2 s, or two of the
// shortest round trips. Of all that were measured, as no way is longer than what came
// back over it: a server that was busy while it was asked is not far away.
func (t *RoundTrips) Limit() time.Duration {
	if t.from <= FromHandshake {
		return max(boundMost, 2*min(t.least, firstMost))
	}
	return max(boundMost, 2*t.least)
}

// Measured is what a [RoundTrips] has come to, in a form that can be written down.
type Measured struct {
	Mean      time.Duration `json:"mean,omitempty"`
	Deviation time.Duration `json:"deviation,omitempty"`
	Best      time.Duration `json:"best,omitempty"`
	Least     time.Duration `json:"least,omitempty"`
	From      Source        `json:"from,omitempty"`
}

// Measured returns what the estimate has come to.
func (t *RoundTrips) Measured() Measured {
	return Measured{Mean: t.mean, Deviation: t.deviation, Best: t.best, Least: t.least, From: t.from}
}

// RoundTrips returns the estimate that goes on from there.
func (m Measured) RoundTrips() RoundTrips {
	return RoundTrips{mean: m.Mean, deviation: m.Deviation, best: m.Best, least: m.Least, from: m.From}
}
