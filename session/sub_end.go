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
	if s.conn.phase != Ready || !s.conn.rev.Modern() || s.cfg.NoListen || s.conn.ownOver {
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

// onListenAnswer notes that a server has ended a subscription with its result.
// An error is no end of one, but the answer that there is none (SUB-14, SUB-22).
func (l *log) onListenAnswer(c *call, f *mcp.Frame) {
	if f.Kind != mcp.FrameResult || f.Shape.Kind != '{' {
		return
	}
	l.endListen(c, "ended by the server, with a result")
	if id := new(mcp.Decoder).SubscriptionID(f.Result); id != c.req.id {
		l.diagnose(mcp.DiagSubTag, c.id, "result", tagWords("the final result", id))
	}
}

func (l *log) endListen(c *call, words string) {
	c.sub.ended = true
	if c.sub.active && c.sub.missing() != "" {
		words += "; " + c.sub.missing()
	}
	c.note = words
	l.moment(c, MomentView{Dir: In, Kind: MomEnded, Text: words, Entry: l.hist.cur})
}

// endedAlready takes another form of an end that was told already.
func (l *log) endedAlready(r *request, f *mcp.Frame) bool {
	c := r.call
	if !c.isListen() || !c.sub.ended || r.outcome != 0 {
		return false
	}
	r.outcome = f.Kind
	l.hist.belongs(c.id)
	l.moment(c, MomentView{Dir: In, Kind: MomResult, Entry: l.hist.cur})
	return true
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
	s.move(c, Done)
}

// onListenBroken says what became of a subscription whose exchange ended, and true
// when that is the server's way of ending it.
func (s *Session) onListenBroken(c *call, e *exchange, end End) bool {
	if !c.isListen() || end.Err != "" || !e.opened || !e.head.ok() || !e.head.streams() {
		return false
	}
	s.endListen(c, "ended by the server: it closed the stream without a result")
	s.move(c, Done)
	return true
}

// onSubscriptionOver tells that a subscription has ended for good: to begin it
// again is up to the user (SUB-12, SUB-13).
func (sb *subscriptions) onSubscriptionOver(c *call) {
	if sb.conn.phase != Ready || !c.isListen() {
		return
	}
	if c.Origin != FromBelay {
		if c.stop == nil {
			sb.ended, sb.last = sb.ended+1, c.id
			sb.event(c.name() + " has ended; it is not begun again by itself")
		}
		return
	}
	sb.conn.ownOver = true
	switch u := c.sub; {
	case c.stop != nil:
		sb.eventWith("belay hears of no changed list any more until the server is started again", RemedyReload)
	case !u.active && u.again.times == 0:
		sb.eventWith("the server takes no subscription to its lists", RemedyReload)
	case u.active && len(u.agreed.Words()) == 0:
		sb.eventWith("the server tells of no changed list", RemedyReload)
	default:
		sb.eventWith("belay's subscription to the lists has ended: "+c.note, RemedyReload)
	}
}
