package recording

import (
	"time"

	"belay/session"
	"belay/session/journal"
	"belay/session/mcp"
)

// floodFrom is the number of passing records that a part of the tape keeps one by one.
// Later ones are counted, and only the last few of those are remembered.
const floodFrom = 2000

// passingRun is a run of passing messages, for one call. They are counted, and the last ones
// remembered: a record of each message would cost as much as handling the message.
type passingRun struct {
	gone session.Skipped
	at   time.Time // of the last message in gone

	call session.CallID
	x    session.ExchangeID
	last [lastOfCall]remembered
	n    int // remembered so far
}

// remembered is one of the last messages of a run.
type remembered struct {
	at  time.Time
	ago time.Duration
	raw []byte
}

// add takes a message. It reports whether the message belongs to the run; if not, the
// caller writes the run first.
func (d *passingRun) add(now time.Time, x session.ExchangeID, f *mcp.Frame, call session.CallID) bool {
	if d.n > 0 && (d.call != call || d.x != x || len(f.Raw) > lastMost) {
		return false
	}
	d.call, d.x = call, x
	if len(f.Raw) > lastMost {
		d.forget(now, len(f.Raw))
		return true
	}
	g := &d.last[d.n%len(d.last)]
	if d.n >= len(d.last) {
		d.forget(g.at, len(g.raw))
	}
	g.at, g.ago, g.raw = now, 0, append(g.raw[:0], f.Raw...)
	if !f.Began.IsZero() {
		g.ago = max(0, now.Sub(f.Began))
	}
	d.n++
	return true
}

func (d *passingRun) forget(at time.Time, size int) {
	d.gone.Messages, d.gone.Bytes, d.at = d.gone.Messages+1, d.gone.Bytes+size, at
}

// write writes the run to a part, and ends it.
func (d *passingRun) write(p *part, record func(at time.Time, in session.Input) journal.Record) {
	if d.gone.Messages > 0 {
		if d.call != 0 {
			d.gone.Calls = []session.CallID{d.call}
		}
		p.gone += d.gone.Messages
		p.take(record(d.at, d.gone), nil, passing{is: true})
	}
	for i := max(0, d.n-len(d.last)); i < d.n; i++ {
		g := &d.last[i%len(d.last)]
		p.take(record(g.at, session.Received{ExchangeID: d.x, Ago: g.ago}), g.raw, passing{true, d.call})
	}
	d.gone, d.n = session.Skipped{}, 0
}
