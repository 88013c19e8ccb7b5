package session

import (
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

// A server ends a subscription of the modern era with the result of its
// subscriptions/listen, with notifications/cancelled that names it, or by
// closing its stream: the specification's pages differ. Each is taken, in any
// order, and the first one is the end.

// subscribeToLists begins belay's own subscription of a connection, to the changes of
// the lists that the server declares, where there is anything to hear of.
func (s *Session) subscribeToLists() {
	if s.conn.phase != Ready || !s.conn.rev.Modern() || s.cfg.NoListen || s.subs.ownOver {
		return
	}
	for _, c := range s.rows.subs {
		if c.Origin == FromBelay {
			return // it was kept when the revision was negotiated anew
		}
	}
	want := s.conn.server.Has.Changes()
	if len(want.Words()) > 0 {
		s.newCall(CallSpec{Method: methodListen, Params: want.Params(), Origin: FromBelay})
	}
}

// onListenCancelled takes notifications/cancelled in the modern era, where it
// names a request of ours: the only one that a server may cancel is a
// subscription (CXS-12 … CXS-17).
func (s *Session) onListenCancelled(n *mcp.CancelledNote) {
	r := s.outgoing.open[n.ID]
	past := s.outgoing.past[n.ID]
	switch {
	case r != nil && r.call.isListen():
	case past != nil && past.call.isListen():
		s.hist.belongs(past.call.id)
		s.logIgnored(CancelTooLate, n.ID, n.Reason, past.method)
		return
	default:
		s.http.takeCancelOfCall(n)
		s.diagnose(mcp.DiagCancelNoListen, 0, n.ID.String(), n.ID.String())
		s.logIgnored(CancelUnknown, n.ID, n.Reason, "")
		return
	}
	c := r.call
	s.hist.belongs(c.id)
	s.addEvent(CancelEvent{
		Stage: CancelReceived, Direction: Out, ID: n.ID, Method: r.method, Initiator: cancel.ByServer,
		Reason: n.Reason, Age: s.now.Sub(c.created),
	})
	if c.state == Cancelling {
		s.moment(c, MomentView{Dir: In, Kind: MomEnded, Text: "the server ends it as well", Entry: s.hist.cur})
		return
	}
	words := "ended by the server"
	if n.Reason != "" {
		words += ": " + sentence.Quoted(capReason(n.Reason))
	}
	s.endListen(c, words)
	s.event(c.name() + " was " + words)
	r.answerArrived(&s.timers, s.now)
	s.outgoing.retire(r, s.now)
	s.move(c, outcome{to: Done})
}

// onListenBroken says what became of a subscription whose exchange ended, and true
// when that is the server's way of ending it.
func (s *Session) onListenBroken(c *call, e *exchange, end End) bool {
	if !c.isListen() || end.Err != "" || !e.opened || !e.head.ok() || !e.head.streams() {
		return false
	}
	s.endListen(c, "ended by the server: it closed the stream without a result")
	s.move(c, outcome{to: Done})
	return true
}

// unsubscribeResidual asks the server to end what is left, by a call of its own.
func (s *Session) unsubscribeResidual(c *call, by Origin) {
	if s.conn.phase != Ready || by == FromBelay && c.sub.endAsked {
		return
	}
	c.sub.endAsked = true
	end := s.newCall(CallSpec{Method: methodUnsubscribe, Params: uriParams(c.sub.uri), Origin: by})
	if by == FromBelay {
		s.note(c, "the server subscribed after all: "+end.name()+" is to end that")
		return
	}
	s.note(c, end.name()+" is to end what is left of it")
}
