package session

import (
	"fmt"
	"time"

	"belay/session/mcp"
	"belay/session/timer"
)

// What a message means on the exchange on which it came.

// awaitsOn finds the request that an answer is for which came on an exchange.
// An exchange brings the answer to its own request and to no other (HTL-28,
// HTL-36); only the one stream of 2024-11-05 brings them all.
func (s *Session) awaitsOn(e *exchange, f *mcp.Frame) (r *request, mine bool) {
	r = s.outgoing.open[f.ID]
	own := e.req
	switch {
	case s.http.carrier == httpSSE:
		return r, !f.ID.IsZero()
	case e.opened && own != nil && own.call != nil && s.outgoing.open[own.id] == own && s.awaitsLogin(e):
		return nil, false // what it says is for those who cannot log in; see Ended
	case e.isSessionOver():
		return nil, false // the session is gone, whatever the body says; see Ended
	case f.ID.IsZero():
		// An HTTP error may carry an error that names no request: it is about the
		// one that was posted.
		refused := e.role == roleRequest && e.opened && !e.head.ok() && own != nil && own.call != nil && own.method != "initialize"
		return own, refused && s.outgoing.open[own.id] == own
	case r != nil && r != own, r == nil && s.outgoing.past[f.ID] != nil && s.outgoing.past[f.ID] != own:
		return r, s.takeAnswerElsewhere(e, f)
	}
	return r, true
}

// answerArrived notes that an exchange has brought the answer to its request: it
// should end now.
func (r *request) answerArrived(t *timer.List, now time.Time) {
	e := r.x
	if e == nil {
		return
	}
	e.answered = true
	if !e.opened || e.head.streams() { // one can end a subscription on another's stream
		t.Set(e.due(), now.Add(lingerLimit))
	}
	r.x = nil
}

// onAbortHandedOut enters the closing of an exchange that is a cancel.
func (s *Session) onAbortHandedOut(p *pending) {
	s.event(fmt.Sprintf("%s: belay closes its exchange, which cancels it; no reason travels", p.cancels.name()))
	s.hist.cur = s.hist.last()
	s.hist.belongs(p.cancels.id)
	if e := s.exchange(p.X); e != nil {
		e.closing = true
	}
}

// progressMayCome reports whether progress of a request may come on the exchange
// of the message at hand: on its own, or on the server's own stream, where it is
// told. On that of another request it counts for nothing, as what one call's
// stream says must not move another call's progress and clocks (HTL-19, HTL-29,
// HTM-08). Of a cancelled call it is evidence.
func (s *Session) progressMayCome(r *request) bool {
	e := s.http.via
	if e == nil || s.http.carrier == httpSSE || e.req == r {
		return true
	}
	s.diagnose(mcp.DiagForeignProgress, callOf(e), "", r.call.name())
	return e.role == roleListen || r == r.call.req && r.call.isStopped() && r.call.stop.IsAfter(s.began)
}

// maxGarbled bounds what is shown of a body that is no message, in bytes.
const maxGarbled = 200

// addMalformed keeps the beginning of what should have been a message.
func (e *exchange) addMalformed(f *mcp.Frame) {
	if e != nil {
		e.garbled = validText(string(f.Raw[:min(len(f.Raw), maxGarbled)]))
	}
}
