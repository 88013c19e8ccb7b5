package session

import (
	"slices"
	"time"

	"belay/session/mcp"
)

// What happens to exchanges by themselves, and when.

// due is when something happens to an exchange by itself.
func (w *exchanges) due() time.Time {
	t := earlier(w.listen.at, w.listen.hold)
	for _, r := range w.waits {
		t = earlier(t, r.resumeAt) // none while it waits for a login
	}
	return earlier(t, w.nextClose())
}

// nextClose is when the next exchange is closed by belay.
func (w *exchanges) nextClose() (t time.Time) {
	for _, e := range w.open {
		t = earlier(t, e.at)
	}
	return t
}

// tickExchanges does what is due.
func (s *Session) tickExchanges() {
	w := &s.http
	if due := s.http.due(); due.IsZero() || due.After(s.now) {
		return
	}
	for _, n := range w.numbers() {
		if e := w.open[n]; !e.at.IsZero() && !e.at.After(s.now) {
			e.at = time.Time{}
			s.onCloseOverdue(e)
		}
	}
	for _, r := range slices.Clone(w.waits) {
		if !r.resumeAt.IsZero() && !r.resumeAt.After(s.now) {
			s.resumeNow(r)
		}
	}
	if at := w.listen.hold; !at.IsZero() && !at.After(s.now) {
		w.listen.hold = time.Time{}
	}
	if at := w.listen.at; !at.IsZero() && !at.After(s.now) {
		s.openServerStream()
	}
}

// numbers are those of the open exchanges, in order: what happens must not
// depend on the order of a map.
func (w *exchanges) numbers() []uint64 {
	ns := make([]uint64, 0, len(w.open))
	for n := range w.open {
		ns = append(ns, n)
	}
	slices.Sort(ns)
	return ns
}

// onCloseOverdue closes an exchange that should have ended by itself.
func (s *Session) onCloseOverdue(e *exchange) {
	if e.answered {
		s.diagnose(mcp.DiagLinger, callOf(e), "", lingerLimit.String())
	}
	if (e.role == roleAnswer || e.role == roleNotice) && !e.opened {
		s.onUnacknowledged(e, "no answer within "+takeLimit.String())
	}
	s.http.abort(e)
}

// shift moves every time by d.
func (w *exchanges) shift(d time.Duration) {
	move := func(t *time.Time) {
		if !t.IsZero() {
			*t = t.Add(d)
		}
	}
	move(&w.listen.at)
	move(&w.listen.hold)
	for _, r := range w.waits {
		move(&r.resumeAt)
	}
	for _, e := range w.open {
		move(&e.at)
	}
}
