package session

import (
	"belay/session/mcp"
)

// What a message means on the exchange on which it came.

// requestForOn finds the request that an answer is for which came on an exchange. An exchange brings
// the answer to its own request and to no other (HTL-28, HTL-36; basic/transports); only the one
// stream of 2024-11-05 brings them all.
func (xs *exchanges) requestForOn(e *exchange, f *mcp.Frame) (r *request, mine bool) {
	r = xs.outgoing.open[f.ID]
	own := e.req
	switch {
	case xs.variant == httpSSE:
		return r, !f.ID.IsZero()
	case e.opened && own != nil && own.call != nil && xs.outgoing.open[own.id] == own && xs.awaitsLogin(e):
		return nil, false // what it says is for those who cannot log in; see Ended
	case e.isSessionOver():
		return nil, false // the session is gone, whatever the body says (HTL-42; basic/transports); see Ended
	case f.ID.IsZero():
		// An HTTP error may carry an error that names no request: it is about the
		// one that was posted.
		refused := e.role == roleRequest && e.opened && !e.head.isSuccess() && own != nil && own.call != nil && own.method != "initialize"
		return own, refused && xs.outgoing.open[own.id] == own
	case r != nil && r != own, r == nil && xs.outgoing.past[f.ID] != nil && xs.outgoing.past[f.ID] != own:
		return r, xs.takeAnswerElsewhere(e, f)
	}
	return r, true
}

// mayProgressCome reports whether progress of a request may come on the exchange of the message at
// hand: on its own, or on the server's own stream, where it is told. On that of another request it
// counts for nothing, as what one call's stream says must not move another call's progress and
// clocks (HTL-19, HTL-29, HTM-08; basic/transports, basic/transports/streamable-http). Of a
// cancelled call it is evidence.
func (xs *exchanges) mayProgressCome(r *request) bool {
	e := xs.via
	// Messages of tasks may come on any stream (TSK-30; basic/utilities/tasks).
	if e == nil || xs.variant == httpSSE || e.req == r || r.call.task() != nil {
		return true
	}
	xs.diagnose(mcp.DiagForeignProgress, callOf(e), "", r.call.name())
	return e.role == roleServerStream || r == r.call.req && r.call.isStopped() && r.call.stop.IsAfter(xs.began)
}
