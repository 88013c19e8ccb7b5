package cancel

import "belay/session/mcp"

// Signal is what stops a thing that is in flight.
type Signal uint8

// The signals.
const (
	Never       Signal = iota // it must not be cancelled; leaving is :disconnect
	Notify                    // notifications/cancelled with the reason
	Abort                     // closing its exchange; no reason travels, nothing is posted
	CancelTask                // tasks/cancel
	Unsubscribe               // resources/unsubscribe
	Nothing                   // no request is in flight, and nothing is sent
)

// writtenWords say that the last byte of a signal was written.
func (s Signal) writtenWords() string {
	switch s {
	case Abort:
		return "the exchange was closed, which is the cancel here; the reason stays with belay"
	case Unsubscribe:
		return "resources/unsubscribe written; the reason stays with belay"
	case CancelTask:
		return "tasks/cancel written; the reason stays with belay"
	case Never, Nothing, Notify:
	}
	return "cancel written"
}

// Kind is what kind of thing a call is, as far as cancelling it goes.
type Kind uint8

// The kinds.
const (
	Request Kind = iota
	Task
	Subscription
	Handshake // initialize, and server/discover while connecting
	numKinds
)

// table is the whole of the rule which signal stops what (CXL-06, CXL-07,
// CXL-12 … CXL-16; basic/utilities/cancellation and basic/transports, in 2026-07-28 basic/patterns/cancellation and
// basic/transports/streamable-http). Key, cancel-all, timeout,
// quit, rule and a cancellation written by hand go through it; a cancel that is wrong on purpose does not.
var table = [numKinds]struct{ legacyStdio, legacyHTTP, modernStdio, modernHTTP Signal }{
	Request:      {Notify, Notify, Notify, Abort},
	Task:         {CancelTask, CancelTask, CancelTask, CancelTask},
	Subscription: {Unsubscribe, Unsubscribe, Notify, Abort},
	Handshake:    {Never, Never, Never, Never},
}

// SignalFor is the signal that stops a thing of a kind in a revision over a
// transport.
func SignalFor(kind Kind, r mcp.Revision, t mcp.Transport) Signal {
	row := table[kind]
	switch {
	case r.IsModern() && t == mcp.HTTP:
		return row.modernHTTP
	case r.IsModern():
		return row.modernStdio
	case t == mcp.HTTP:
		return row.legacyHTTP
	}
	return row.legacyStdio
}
