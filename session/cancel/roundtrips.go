package cancel

import "time"

// The limits of the bound. Below the lower one the schedulers of two processes
// decide and not the way between them; the upper one keeps a server that is slow
// to answer lists from hiding every late answer.
const (
	boundLeast = 20 * time.Millisecond
	boundMost  = 2 * time.Second
)

// RoundTrips estimates the round trips of one connection from above, as RFC 6298
// does for TCP: the smoothed mean and four times the mean deviation. The shortest
// round trip, which is tempting, calls true crossings late.
//
// Its zero value has seen none.
type RoundTrips struct {
	mean, deviation, best time.Duration
	from                  Source
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
	switch {
	case from < t.from:
		return
	case from > t.from:
		*t = RoundTrips{mean: d, deviation: d / 2, best: d, from: from}
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

// Known reports whether a round trip was measured.
func (t *RoundTrips) Known() bool { return t.from != 0 }

// Best is the shortest round trip of the best source; zero while none is known.
func (t *RoundTrips) Best() time.Duration { return t.best }

// Bound is how long after the last byte of a cancel a message may come that was
// sent before the server read it: between 20 ms and 2 s, and 2 s while no round
// trip is known.
func (t *RoundTrips) Bound() time.Duration {
	if t.from == 0 {
		return boundMost
	}
	return min(max(t.mean+4*t.deviation, boundLeast), boundMost)
}
