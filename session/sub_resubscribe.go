package session

import (
	"fmt"
	"strings"
	"time"

	"belay/session/mcp"
)

// A subscription that neither the user nor the server wanted to end is begun again: within a
// connection by a further request of its row, after a pause that grows (SUB-15, SUB-17;
// basic/patterns/subscriptions), and with the next connection by a row of that one (SUB-16).

// maxListens is how often in a row one is begun again that brings nothing:
// about three minutes.
const maxListens = 10

// resubscription is what there is of a subscription that is begun again: within its
// connection, and with the next one.
//
//shape:part of subscription
type resubscription struct {
	times    int       // how often it was, within its connection
	failures int       // of those, in a row that brought nothing
	heard    bool      // it brought something since
	agreedAt time.Time // by the server, the last time
	why      string    // how its latest exchange ended

	carried   bool   // it is, with the next connection
	goesOnFor CallID // the row of the connection before; 0: none
}

// resubscribe has a subscription of the modern era begun again whose exchange
// ended without a result, and reports whether it did.
func (s *Session) resubscribe(c *call, e *exchange, end End) bool {
	if !c.isListen() || s.conn.phase != Ready || !s.conn.rev.IsModern() {
		return false
	}
	_, why := s.http.brokenWords(e, end)
	switch {
	case !e.opened || !e.head.isSuccess():
	case end.Err == "":
		why = "its stream ended without a result"
	default:
		why = "its stream broke: " + end.Err
	}
	u := c.sub
	switch u.onBroken(s.now, e.opened && !e.head.isSuccess() && !isPassing(e.head.Status), why) {
	case endsAsItDid:
		return false
	case endsAfterTooMany:
		words := fmt.Sprintf("%s; it was begun again %d times in a row and brought nothing: not any more by itself", why, u.resubscription.failures)
		s.move(c, outcome{to: Lost, says: saying(words), told: true})
		return true
	case beginsAgain:
		s.taskListens.onBroken(c)
	}
	pause := s.subs.jittered(backoff(u.resubscription.failures - 1))
	s.timers.Stop(c.due(dueAck))
	s.waitFor(c, wait{kind: pauseWait, params: tokenless(c.Params)})
	s.timers.Set(c.due(dueWait), s.now.Add(pause))
	s.note(c, fmt.Sprintf("%s; it is begun again in %v", why, pause.Round(100*time.Millisecond)))
	s.event(c.name() + ": " + c.remark.text)
	return true
}

// jittered shortens a pause by up to a half, so that the clients of a server
// that comes back do not all come at once.
func (sb *subscriptions) jittered(pause time.Duration) time.Duration {
	if sb.cfg.Jitter == 0 {
		return pause
	}
	sb.jitterState = sb.jitterState*6364136223846793005 + 1442695040888963407 // Knuth's MMIX
	return pause - time.Duration(float64(pause)/2*(float64(sb.jitterState>>11)/(1<<53)))
}

// carriedSubscriptions is a subscription that the next connection begins again, with what
// was asked for: its row may be forgotten until then.
//
//shape:part of subscriptions
type carriedSubscriptions struct {
	old  *call
	spec CallSpec
}

// carryOver remembers a subscription of the user's that the end of the
// connection ended, and reports whether the next one begins it again.
func (sb *subscriptions) carryOver(c *call) bool {
	if c.sub == nil || c.Origin != FromUser || !c.sub.isStanding() && c.sub.resubscription.goesOnFor == 0 {
		return false
	}
	c.sub.resubscription.carried = true
	spec := c.CallSpec
	if !c.sub.listen && c.sub.active { // the next request has to be answered as well
		spec.Idle, spec.Max = c.sub.idle, c.sub.most
	}
	sb.carried = append(sb.carried, carriedSubscriptions{c, spec})
	return true
}

// lostWith is how a call ends whose connection has ended: that of a subscription is no
// loss where belay ended the connection.
func (sb *subscriptions) lostWith(c *call, why Close, byUs bool) outcome {
	o := outcome{to: Lost, says: saying("the connection ended: " + why.words())}
	if byUs && c.sub.isStanding() { // nothing is lost that was to come
		o = outcome{to: Done, says: saying("it stood until belay left")}
	}
	if sb.carryOver(c) {
		o.says = saying(o.says.text + beginsNext)
	}
	if why.renewed && c.Origin == FromUser && c.sub == nil {
		o.says = advising(o.says.text, Remedy{Kind: RemedyRepeat})
	}
	return o
}

// beginsNext is what the row of one says until that was tried.
const beginsNext = "; the next connection begins it again"

// resubscribeCarried begins anew what the connection before had, in the way of the
// revision that is spoken now, as far as its server declares it.
func (s *Session) resubscribeCarried() {
	list := s.subs.carried
	s.subs.carried = nil
	for _, carried := range list {
		old := carried.old
		old.say(saying(strings.TrimSuffix(old.remark.text, beginsNext)))
		specs, without := s.subs.inThisRevision(carried)
		if without != "" {
			s.subs.notCarried(old, without, len(specs) > 0)
		}
		for _, spec := range specs {
			if s.subs.activeSubscriptionFor(spec) != nil {
				continue // the user was faster
			}
			c := s.newCall(spec, nil)
			c.sub.resubscription.goesOnFor = old.id
			s.note(c, "begun again: "+old.name()+" ended with its connection")
			old.say(saying(old.remark.text + "; begun again as " + c.name()))
		}
	}
}

// notCarried tells why a subscription, or a part of it, ended with its connection
// for good.
func (sb *subscriptions) notCarried(old *call, why string, part bool) {
	words := "not begun again: " + why
	if part {
		words = "in part " + words
	}
	old.sub.resubscription.carried = part
	old.say(saying(old.remark.text + "; " + words))
	sb.event(old.name() + ": " + words)
}

// inThisRevision is a subscription as calls of the revision that is spoken: the
// modern era has one request for everything, and those before one for each
// resource. It also says why something is left out; empty: nothing is.
func (sb *subscriptions) inThisRevision(carried carriedSubscriptions) (specs []CallSpec, without string) {
	asked, modern := carried.old.sub.asked, sb.conn.rev.IsModern()
	lists := mcp.Filter{Tools: asked.Tools, Prompts: asked.Prompts, Resources: asked.Resources}
	listed := len(lists.Words()) > 0
	switch {
	case len(asked.URIs) > 0 && !sb.conn.server.Has.Subscribe:
		without = "the server does not declare it"
		asked = lists
	case modern == carried.old.sub.listen:
		spec := carried.spec
		spec.Supersedes = 0
		return []CallSpec{spec}, ""
	case listed && !modern:
		st := Status{Phase: sb.conn.phase, Transport: sb.cfg.Transport, Revision: sb.conn.rev, Server: sb.conn.server}
		without = st.CheckSubscribe(lists).Error()
	}
	if modern {
		if asked.Count() > 0 {
			specs = append(specs, sb.conn.subscription(asked))
		}
		return specs, without
	}
	for _, uri := range asked.URIs {
		specs = append(specs, sb.conn.subscription(mcp.Filter{URIs: []string{uri}}))
	}
	return specs, without
}
