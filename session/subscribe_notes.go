package session

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// SubNote is what a notification says of the subscription that it belongs to.
type SubNote struct {
	ID     ID     // of the subscription, from _meta; zero when it names none
	URI    string // notifications/resources/updated; foreign text
	Agreed Filter // notifications/subscriptions/acknowledged
}

// metaSubscription is the member of _meta that names a subscription: the ID of
// its subscriptions/listen.
const metaSubscription = "io.modelcontextprotocol/subscriptionId"

// subNote reads the parameters of a notification that a subscription may bring;
// nil when it has none.
func (d *Decoder) subNote(method string, params []byte) *SubNote {
	if jsonKind(params) != '{' {
		return nil
	}
	n := new(SubNote)
	n.ID = d.subscriptionID(params)
	switch method {
	case "notifications/resources/updated":
		n.URI, _ = textAt(params, "uri")
	case "notifications/subscriptions/acknowledged":
		n.Agreed = filterAt(params)
	}
	return n
}

// subscriptionID is the ID of the subscription that an object's _meta names.
func (d *Decoder) subscriptionID(obj []byte) ID {
	meta := at(obj, "_meta")
	if jsonKind(meta) != '{' {
		return ID{}
	}
	raw := at(meta, metaSubscription)
	if k := jsonKind(raw); k != '"' && k != '0' {
		return ID{}
	}
	return d.token(raw)
}

// sub is what a notification says of its subscription, nothing if it says none.
func (f *Frame) sub() SubNote {
	if f.Sub == nil {
		return SubNote{}
	}
	return *f.Sub
}

// subscriptionOf finds the subscription of the modern era that a notification
// belongs to. Over HTTP the stream tells, on stdio only the tag does (SUB-08,
// SUB-09). Nil when it belongs to none, which is told.
func (s *Session) subscriptionOf(f *Frame) *call {
	tag := f.sub().ID
	if e := s.web.via; e != nil && e.req != nil && e.req.call.listens() {
		if tag != e.req.id {
			s.diagnose(DiagSubTag, e.req.call.id, f.Method, tagWords(f.Method, tag))
		}
		return e.req.call
	}
	r := s.ours.open[tag]
	if r == nil {
		r = s.ours.past[tag]
	}
	switch {
	case !tag.IsZero() && r != nil && r.call.listens():
		return r.call
	case tag.IsZero() && len(s.rows.subs) > 0:
		s.diagnose(DiagSubTag, 0, f.Method, tagWords(f.Method, tag))
	default:
		s.diagnose(DiagUnsubscribed, 0, f.Method, f.Method)
	}
	return nil
}

func tagWords(method string, tag ID) string {
	if tag.IsZero() {
		return named(method) + " without a subscription ID"
	}
	return fmt.Sprintf("%s for subscription %v", named(method), tag)
}

// onDelivered takes a notification that only a subscription can bring, in the
// modern era.
func (s *Session) onDelivered(f *Frame) {
	c := s.subscriptionOf(f)
	if c == nil {
		return
	}
	s.hist.belongs(c.id)
	switch {
	case c.stop != nil:
		s.updateAfter(c, f)
		return
	case c.state != Running:
		s.diagnose(DiagUnsubscribed, c.id, f.Method, f.Method+", after the end of the subscription")
		return
	case !c.sub.active:
		s.diagnose(DiagSubOrder, c.id, "early", named(f.Method)+" before the acknowledgement")
	}
	if !c.sub.asked.asksFor(f.Method, f.sub().URI) {
		s.diagnose(DiagUnsubscribed, c.id, f.Method, f.Method)
	}
	s.update(c, f)
}

// update counts what a subscription has brought.
func (s *Session) update(c *call, f *Frame) {
	c.sub.updates++
	c.sub.last, c.sub.heard = s.now, true
	text := strings.TrimPrefix(f.Method, "notifications/")
	if f.sub().URI != "" {
		text += " " + clip(f.sub().URI)
	}
	c.line.update(s.now, text, s.hist.cur)
	s.rows.touch(c)
}

// updateAfter takes what comes for a subscription that was cancelled: evidence,
// and no more.
func (s *Session) updateAfter(c *call, f *Frame) {
	s.moment(c, Moment{Dir: In, Kind: MomAfter, Text: f.Method, Entry: s.hist.cur})
	s.afterCancel(c)
}

// onUpdated takes notifications/resources/updated. In the handshake revisions it
// belongs to the row that subscribed to its URI, or else to the one whose
// resource it is a part of (SUB-19, SUB-24).
func (s *Session) onUpdated(f *Frame) {
	if s.conn.rev.Modern() {
		s.onDelivered(f)
		return
	}
	var best *call
	for _, c := range s.rows.subs {
		if c.sub.listen || c.state == Queued || !within(f.sub().URI, c.sub.uri) {
			continue
		}
		longer := best == nil || len(c.sub.uri) > len(best.sub.uri)
		if longer || len(c.sub.uri) == len(best.sub.uri) && best.stop != nil {
			best = c // the latest of those to one URI is the one that is not being ended
		}
	}
	if best == nil {
		s.diagnose(DiagUpdateUnasked, 0, f.sub().URI, inQuotes(clip(f.sub().URI)))
		return
	}
	s.hist.belongs(best.id)
	if best.stop != nil {
		s.updateAfter(best, f)
		return
	}
	s.update(best, f)
}

// onAcknowledged takes the first message of a subscription: what the server has
// agreed to (SUB-03, SUB-06, SUB-07).
func (s *Session) onAcknowledged(f *Frame) {
	if !s.conn.rev.Modern() {
		s.diagnose(DiagUnknownMethod, 0, f.Method, f.Method)
		return
	}
	c := s.subscriptionOf(f)
	if c == nil {
		return
	}
	s.hist.belongs(c.id)
	u := c.sub
	switch {
	case c.stop != nil:
		s.updateAfter(c, f)
		return
	case u.active || c.state != Running:
		s.diagnose(DiagSubOrder, c.id, "again", "a second acknowledgement")
		return
	}
	u.active, u.agreed = true, f.sub().Agreed
	u.ackAt = time.Time{}
	s.moment(c, Moment{Dir: In, Kind: MomAgreed, Text: agreedWords(u.agreed), Entry: s.hist.cur})
	c.note = ""
	if u.begun > 0 {
		c.note = "it broke off and was begun again"
	}
	if words := u.missing(); words != "" {
		s.note(c, words)
	}
	s.arm(c)
	s.rows.touch(c)
	s.agreedAgain(c)
}

// hears says whether the server tells of the changes of a list: in the modern era
// to a subscription that it agreed to, before that where it declares so and has a
// way to (SUB-07).
func (s *Session) hears(k ListKind) bool {
	if !s.conn.rev.Modern() {
		return s.conn.server.Has.Changes().tells(k) && !s.noOwnStream()
	}
	return slices.ContainsFunc(s.rows.subs, func(c *call) bool {
		return c.listens() && c.sub.active && c.stop == nil && c.sub.agreed.tells(k)
	})
}

// missing says what the server did not agree to; empty: nothing.
func (u *subscription) missing() string {
	missing := u.asked.without(u.agreed).Words()
	switch len(missing) {
	case 0:
		return ""
	case len(u.asked.Words()):
		return "the server agreed to nothing of it"
	}
	return "the server did not agree to: " + clip(strings.Join(missing, ", "))
}

func agreedWords(f Filter) string {
	if words := f.Words(); len(words) > 0 {
		return clip(strings.Join(words, ", "))
	}
	return "nothing"
}

// onSubscriptionStream tells of messages that must not come on the stream of a
// subscription; they are taken all the same (SUB-18).
func (s *Session) onSubscriptionStream(f *Frame) {
	if e := s.web.via; e != nil && e.req != nil && e.req.call.listens() {
		s.diagnose(DiagSubStream, e.req.call.id, f.Method, f.Method)
	}
}
