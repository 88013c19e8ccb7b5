package session

import (
	"fmt"
	"time"
)

// A server ends a subscription of the modern era with the result of its
// subscriptions/listen, with notifications/cancelled that names it, or by
// closing its stream: the specification's pages differ. Each is taken, in any
// order, and the first one is the end.

// ownListen is belay's own subscription of a connection: to the changes of the
// lists that the server declares.
type ownListen struct {
	off   bool      // the server has none for belay, or the user wants none
	again bool      // there was one before: what changed meanwhile is not known
	tries int       // in a row that brought nothing
	at    time.Time // when it is begun again; zero: it is not
}

// listenOwn begins belay's own subscription, where there is anything to hear of.
func (s *Session) listenOwn() {
	o := &s.conn.own
	o.at = time.Time{}
	if s.conn.phase != Ready || !s.conn.rev.Modern() || s.cfg.NoListen || o.off {
		return
	}
	has := s.conn.server.Has
	want := Filter{
		Tools: has.Tools && has.ToolsChanged, Prompts: has.Prompts && has.PromptsChanged,
		Resources: has.Resources && has.ResourcesChanged,
	}
	if len(want.Words()) > 0 {
		s.newCall(Call{Method: methodListen, Params: want.Params(), Origin: FromBelay})
	}
}

// ownAcknowledged has the lists fetched that may have changed while belay's own
// subscription was away.
func (s *Session) ownAcknowledged(c *call) {
	o := &s.conn.own
	if c.Origin != FromBelay {
		return
	}
	if o.again {
		for k, heard := range map[ListKind]bool{
			Tools: c.sub.agreed.Tools, Prompts: c.sub.agreed.Prompts,
			Resources: c.sub.agreed.Resources, Templates: c.sub.agreed.Resources,
		} {
			s.catalog.lists[k].stale = s.catalog.lists[k].stale || heard
		}
		s.scheduleRefresh()
	}
	o.again = true
}

// listenAnswered notes that a server has ended a subscription with its result.
// An error is no end of one, but the answer that there is none (SUB-14, SUB-22).
func (s *Session) listenAnswered(c *call, f *Frame) {
	if f.Kind != FrameResult || f.Shape.Kind != '{' {
		return
	}
	s.endsListen(c, "ended by the server, with a result")
	if id := new(Decoder).subscriptionID(f.Result); id != c.req.id {
		s.diagnose(DiagSubTag, c.id, "result", tagWords("the final result", id))
	}
}

func (s *Session) endsListen(c *call, words string) {
	c.sub.ended = true
	c.note = words
	s.moment(c, Moment{Dir: In, Kind: MomEnded, Text: words, Entry: s.hist.cur})
}

// endedAlready takes another form of an end that was told already.
func (s *Session) endedAlready(r *request, f *Frame) bool {
	c := r.call
	if !c.listens() || !c.sub.ended || r.outcome != 0 {
		return false
	}
	r.outcome = f.Kind
	s.hist.belongs(c.id)
	s.moment(c, Moment{Dir: In, Kind: MomResult, Entry: s.hist.cur})
	return true
}

// listenCancelled takes notifications/cancelled in the modern era, where it
// names a request of ours: the only one that a server may cancel is a
// subscription (CXS-12 … CXS-17).
func (s *Session) listenCancelled(n *CancelledNote) {
	r := s.ours.open[n.ID]
	past := s.ours.past[n.ID]
	switch {
	case r != nil && r.call.listens():
	case past != nil && past.call.listens():
		s.hist.belongs(past.call.id)
		s.logIgnored(CancelTooLate, n.ID, n.Reason, past.method)
		return
	default:
		s.diagnose(DiagCancelNoListen, 0, n.ID.String(), n.ID.String())
		s.logIgnored(CancelUnknown, n.ID, n.Reason, "")
		return
	}
	c := r.call
	s.hist.belongs(c.id)
	s.log(CancelEvent{
		Stage: CancelReceived, Direction: Out, ID: n.ID, Method: r.method, Initiator: ByServer,
		Reason: n.Reason, Age: s.now.Sub(c.created),
	})
	if c.state == Cancelling {
		s.moment(c, Moment{Dir: In, Kind: MomEnded, Text: "the server ends it as well", Entry: s.hist.cur})
		return
	}
	words := "ended by the server"
	if n.Reason != "" {
		words += ": " + inQuotes(capReason(n.Reason))
	}
	s.endsListen(c, words)
	s.event(c.name() + " was " + words)
	s.brought(r)
	s.ours.retire(r, s.now)
	s.move(c, Done)
}

// listenBroke says what became of a subscription whose exchange ended, and true
// when that is the server's way of ending it.
func (s *Session) listenBroke(c *call, e *exchange, end End) bool {
	if !c.listens() || end.Err != "" || !e.opened || !e.head.ok() || !e.head.streams() {
		return false
	}
	s.endsListen(c, "ended by the server: it closed the stream without a result")
	s.move(c, Done)
	return true
}

// subscriptionOver begins belay's own subscription anew, later, when it ended
// otherwise than by the user's wish. The user's are told of, and theirs to begin
// again (SUB-12, SUB-15, SUB-17).
func (s *Session) subscriptionOver(c *call) {
	if s.conn.phase != Ready || !c.listens() {
		return
	}
	if c.Origin != FromBelay {
		if c.stop == nil {
			s.event(c.name() + " has ended; it is not begun again by itself")
		}
		return
	}
	o, u := &s.conn.own, c.sub
	switch {
	case c.stop != nil:
		o.off = true
		s.event("belay hears of no changed list any more until the server is started again; :reload fetches them")
	case !u.active:
		o.off = true
		s.event("the server takes no subscription to its lists; :reload fetches them")
	case len(u.agreed.Words()) == 0:
		o.off = true
		s.event("the server tells of no changed list; :reload fetches them")
	default:
		if u.updates > 0 || s.now.Sub(c.created) > maxBackoff {
			o.tries = 0
		}
		wait := backoff(o.tries)
		o.tries++
		o.at = s.now.Add(wait)
		s.event(fmt.Sprintf("belay's subscription to the lists has ended; it is begun again in %v", wait))
	}
}

// tickOwn begins it, when the time has come.
func (s *Session) tickOwn() {
	if at := s.conn.own.at; !at.IsZero() && !at.After(s.now) {
		s.listenOwn()
	}
}
