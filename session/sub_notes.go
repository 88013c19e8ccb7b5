package session

import (
	"slices"

	"belay/session/mcp"
	"belay/session/sentence"
)

// subscriptionOf finds the subscription of the modern era that a notification belongs to. Over
// HTTP the stream tells, unless the tag names another one; on stdio only the tag does (SUB-08,
// SUB-09; basic/patterns/subscriptions). Nil when it belongs to none, which is told.
func (xs *exchanges) subscriptionOf(f *mcp.Frame) *call {
	tag := f.Subscription().ID
	if e := xs.via; e != nil && e.req != nil && e.req.call.isListen() {
		if tag != e.req.id {
			xs.diagnose(mcp.DiagSubTag, e.req.call.id, f.Method, tagWords(f.Method, tag))
		}
		if tag != e.req.id && !tag.IsZero() {
			return nil
		}
		return e.req.call
	}
	r := xs.outgoing.open[tag]
	if r == nil {
		r = xs.outgoing.past[tag]
	}
	switch {
	case !tag.IsZero() && r != nil && r.call.isListen():
		return r.call
	case tag.IsZero() && len(xs.rows.subs) > 0:
		xs.diagnose(mcp.DiagSubTag, 0, f.Method, tagWords(f.Method, tag))
		return xs.soleStopped(f)
	default:
		xs.diagnose(mcp.DiagUnsubscribed, 0, f.Method, sentence.Name(f.Method))
	}
	return nil
}

// soleStopped is the only subscription that asks for a notification, if it is being
// cancelled: without a tag the notification is nobody's, but it is no silence.
func (xs *exchanges) soleStopped(f *mcp.Frame) (only *call) {
	for _, c := range xs.rows.subs {
		if !c.isListen() || c.state == Queued || !c.sub.asked.AsksFor(f.Method, f.Subscription().About()) {
			continue
		}
		if only != nil {
			return nil
		}
		only = c
	}
	if !only.isStopped() {
		return nil
	}
	return only
}

// onDelivered takes a notification that only a subscription can bring, in the
// modern era.
func (xs *exchanges) onDelivered(f *mcp.Frame) {
	c := xs.subscriptionOf(f)
	if c == nil {
		return
	}
	xs.hist.setCall(c.id)
	switch {
	case c.stop != nil:
		xs.after.onUpdateAfterCancel(c, f)
		return
	case c.state != Running:
		xs.diagnose(mcp.DiagUnsubscribed, c.id, f.Method, sentence.Name(f.Method)+", after the end of the subscription")
		return
	case !c.sub.active && !c.sub.unreadable:
		xs.diagnose(mcp.DiagSubOrder, c.id, "early", sentence.Name(f.Method)+" before the acknowledgement")
	}
	if !c.sub.asked.AsksFor(f.Method, f.Subscription().About()) {
		xs.diagnose(mcp.DiagUnsubscribed, c.id, f.Method, sentence.Name(f.Method))
		return
	}
	xs.onSubscriptionUpdate(c, f)
}

// onUpdated takes notifications/resources/updated. In the handshake revisions it belongs to the
// row that subscribed to its URI, or else to the one whose resource it is a part of (SUB-19,
// SUB-24; basic/patterns/subscriptions, server/resources).
func (s *Session) onUpdated(f *mcp.Frame) {
	if s.conn.rev.IsModern() {
		s.http.onDelivered(f)
		return
	}
	var best *call
	for _, c := range s.rows.subs {
		if c.sub.listen || c.state == Queued || !mcp.IsWithin(f.Subscription().URI, c.sub.uri) {
			continue
		}
		longer := best == nil || len(c.sub.uri) > len(best.sub.uri)
		if longer || len(c.sub.uri) == len(best.sub.uri) && best.stop != nil {
			best = c // the latest of those to one URI is the one that is not being ended
		}
	}
	if best == nil {
		c, end := s.subs.onResidualUpdate(f)
		if c == nil {
			s.diagnose(mcp.DiagUpdateUnasked, 0, f.Subscription().URI, sentence.Quoted(sentence.Clip(f.Subscription().URI)))
		}
		if end {
			s.unsubscribeResidual(c, FromBelay)
		}
		return
	}
	s.hist.setCall(best.id)
	if best.stop != nil {
		s.after.onUpdateAfterCancel(best, f)
		return
	}
	s.onSubscriptionUpdate(best, f)
}

// onAcknowledged takes the first message of a subscription: what the server has agreed to (SUB-03,
// SUB-06, SUB-07; basic/patterns/subscriptions).
func (s *Session) onAcknowledged(f *mcp.Frame) {
	if !s.conn.rev.IsModern() {
		s.diagnose(mcp.DiagUnknownMethod, 0, f.Method, sentence.Name(f.Method))
		return
	}
	c := s.http.subscriptionOf(f)
	if c == nil {
		return
	}
	s.hist.setCall(c.id)
	u := c.sub
	switch {
	case c.stop != nil:
		s.after.onUpdateAfterCancel(c, f)
		return
	case u.active || c.state != Running:
		s.diagnose(mcp.DiagSubOrder, c.id, "again", "a second acknowledgement")
		return
	}
	s.timers.Stop(c.due(dueAck))
	said := f.Subscription()
	if f.Sub == nil {
		said.Wrong = "its parameters are missing"
	}
	more := u.onAcknowledged(s.now, said)
	if said.Wrong != "" {
		s.diagnose(mcp.DiagSubShape, c.id, "", said.Wrong)
		s.note(c, "its acknowledgement says nothing: "+said.Wrong)
		return
	}
	s.moment(c, MomentView{Dir: In, Kind: MomAgreed, Text: agreedWords(said.Agreed), Entry: s.hist.cur})
	if more.Count() > 0 {
		s.diagnose(mcp.DiagSubMore, c.id, "", agreedWords(more))
	}
	c.say(rowNote{})
	if u.resubscription.times > 0 {
		c.say(saying("it broke off and was begun again"))
	}
	if words := u.missing(); words != "" {
		s.note(c, words)
	}
	s.catalog.fetchMissed(c)
	s.taskListens.onAcknowledged(c)
}

// hearsListChanges reports whether the server announces changes of a list: in the modern era by an
// agreed subscription, in the handshake revisions by a declared capability and an open stream
// (SUB-07; basic/patterns/subscriptions).
func (xs *exchanges) hearsListChanges(k mcp.ListKind) bool {
	if !xs.conn.rev.IsModern() {
		return xs.conn.server.Has.Changes().Tells(k) && !xs.lacksOwnStream()
	}
	return slices.ContainsFunc(xs.rows.subs, func(c *call) bool {
		return c.isListen() && c.sub.active && c.stop == nil && c.sub.agreed.Tells(k)
	})
}

// onSubscriptionStream tells of messages that must not come on the stream of a subscription; they
// are taken all the same (SUB-18; basic/patterns/subscriptions).
func (xs *exchanges) onSubscriptionStream(f *mcp.Frame) {
	if e := xs.via; e != nil && e.req != nil && e.req.call.isListen() {
		xs.diagnose(mcp.DiagSubStream, e.req.call.id, f.Method, sentence.Name(f.Method))
	}
}
