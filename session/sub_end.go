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
	if s.conn.phase != Ready || !s.conn.rev.IsModern() || s.cfg.NoListen || s.subs.ownOver {
		return
	}
	for _, c := range s.rows.subs {
		if c.Origin == FromBelay && len(c.sub.asked.Tasks) == 0 {
			return // it was kept when the revision was negotiated anew
		}
	}
	want := s.conn.server.Has.Changes()
	if len(want.Words()) > 0 {
		s.newCall(CallSpec{Method: methodListen, Params: want.Params(), Origin: FromBelay}, nil)
	}
}

// onListenCancelled takes notifications/cancelled in the modern era, where it names a request of
// ours: the only one that a server may cancel is a subscription (CXS-12 … CXS-17;
// basic/patterns/cancellation).
func (s *Session) onListenCancelled(n *mcp.CancelledNote) {
	r := s.outgoing.open[n.ID]
	past := s.outgoing.past[n.ID]
	switch {
	case r != nil && r.call.isListen():
	case past != nil && past.call.awaitsItsEnd() && past.call.isListen() && past.call.req == past: // no earlier request, of which the stream broke
		s.writer.takeBack(past.call)
		s.http.onEndedAsWell(past.call, n)
		return
	case past != nil && past.call.isListen():
		s.hist.setCall(past.call.id)
		s.logIgnored(CancelTooLate, *n, past.method)
		return
	default:
		s.http.takeCancelOfCall(n)
		s.diagnose(mcp.DiagCancelNoSubscription, 0, n.ID.String(), n.ID.String())
		s.logIgnored(CancelUnknown, *n, "")
		return
	}
	c := r.call
	if c.state == Cancelling && !s.writer.takeBack(c) {
		s.http.onEndedAsWell(c, n)
		s.end(c)
		return
	}
	s.logListenCancelled(c, n)
	words := "ended by the server"
	if c.state == Cancelling {
		words += " before the cancel left, which was not sent"
	}
	if n.Reason != "" {
		words += ": " + sentence.Quoted(heardReason(n.Reason))
	}
	s.subs.endListen(c, words)
	s.event(c.name() + " was " + words)
	r.answerArrived(&s.timers, s.now)
	s.outgoing.retire(r, s.now)
	s.move(c, outcome{to: Done})
}

// logListenCancelled has the log of cancellations tell of the server's end of a subscription.
func (l *log) logListenCancelled(c *call, n *mcp.CancelledNote) {
	l.hist.setCall(c.id)
	l.addEvent(CancelEvent{
		Stage: CancelReceived, Direction: Out, ID: n.ID, Method: c.Method, Initiator: cancel.ByServer,
		Reason: n.Reason, Age: l.now.Sub(c.created),
	})
}

// awaitsItsEnd reports whether what a server does about the end of a cancelled subscription
// is not known yet.
func (c *call) awaitsItsEnd() bool {
	return c.isStopped() && !c.stop.HasNoRequest() && !c.stop.HasAnswer()
}

// onEndedAsWell takes the server's end of a subscription that belay has cancelled: that is
// what the server did about it, as its final result would be.
func (xs *exchanges) onEndedAsWell(c *call, n *mcp.CancelledNote) {
	xs.logListenCancelled(c, n)
	words := "the server ended the subscription as well, by notifications/cancelled"
	if n.Reason != "" {
		words += ": " + reasonWords(n.Reason)
	}
	xs.noteAnswer(c, cancel.Answer{Notice: words})
	xs.moment(c, MomentView{Dir: In, Kind: MomEnded, Text: words, Entry: xs.hist.cur})
}

// onListenBroken ends a subscription whose exchange ended, and reports whether the server
// ended it so: by closing the stream. Any other end is left to the caller.
func (s *Session) onListenBroken(c *call, e *exchange, end End) bool {
	if !c.isListen() || end.Err != "" || !e.opened || !e.head.isSuccess() || !e.head.streams() {
		return false
	}
	s.subs.endListen(c, "ended by the server: it closed the stream without a result")
	s.move(c, outcome{to: Done})
	return true
}
