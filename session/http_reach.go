package session

import "time"

// reach is whether a server over HTTP can be reached, as far as that is known:
// between two exchanges there is no connection that could break.
//
//shape:part of exchanges
type reach struct {
	lost time.Time // when an exchange first failed before any answer; zero: the last one was answered
	why  string
}

// onUnreached notes an exchange that ended before anything of it could be written.
// What belay closed itself tells nothing of the server.
func (xs *exchanges) onUnreached(e *exchange, end End) {
	if e.opened || e.started || e.closing || end.Err == "" || xs.conn.phase != Ready {
		return
	}
	r := &xs.reach
	if r.why = end.Err; r.lost.IsZero() {
		r.lost = xs.now
		xs.event("the server cannot be reached (" + end.Err + "); the next exchange that is answered shows that it is back")
	}
}

// onReached notes the head of an answer, whatever it says.
func (xs *exchanges) onReached() {
	r := &xs.reach
	if r.lost.IsZero() {
		return
	}
	xs.event("the server answers again, after " + xs.now.Sub(r.lost).Round(time.Second/10).String())
	*r = reach{}
}
