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
func (w *exchanges) onUnreached(e *exchange, end End) {
	if e.opened || e.started || e.closing || end.Err == "" || w.conn.phase != Ready {
		return
	}
	r := &w.reach
	if r.why = end.Err; r.lost.IsZero() {
		r.lost = w.now
		w.event("the server cannot be reached (" + end.Err + "); the next exchange that is answered shows that it is back")
	}
}

// onReached notes the head of an answer, whatever it says.
func (w *exchanges) onReached() {
	r := &w.reach
	if r.lost.IsZero() {
		return
	}
	w.event("the server answers again, after " + w.now.Sub(r.lost).Round(time.Second/10).String())
	*r = reach{}
}
