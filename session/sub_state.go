package session

import (
	"bytes"
	"fmt"
	"time"

	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
)

// subscription is the request that subscribes to what can be subscribed to.
func (n *connection) subscription(f mcp.Filter) CallSpec {
	if n.rev.IsModern() {
		return CallSpec{Method: methodListen, Params: f.Params(), Origin: FromUser}
	}
	return CallSpec{Method: methodSubscribe, Params: uriParams(f.URIs[0]), Origin: FromUser}
}

// subscription is what a call has that subscribes.
//
//shape:value 1 of subscriptions
type subscription struct {
	listen     bool   // subscriptions/listen; else resources/subscribe
	uri        string // of resources/subscribe
	active     bool   // the server has agreed
	unreadable bool   // it answered that, but what it agreed to cannot be read
	asked      mcp.Filter
	agreed     mcp.Filter
	updates    int
	last       time.Time
	ended      bool // by the server, in whichever way it said so first

	idle, most time.Duration // the limits of the request that the server has answered

	outlived       bool // an update came for it after its row had ended
	endAsked       bool // a call of its own was made to end what was left of it
	resubscription resubscription
}

// newSubscription is the state of the subscription that a call begins; nil: it begins none.
// One of the modern era has no clocks.
func newSubscription(spec *CallSpec, target string) *subscription {
	switch spec.Method {
	case methodListen:
		sub := &subscription{listen: true}
		if params := bytes.TrimSpace(spec.Params); rawjson.Kind(params) == '{' {
			sub.asked = mcp.FilterAt(params)
		}
		spec.Idle, spec.Max, spec.NoProgress = -1, -1, true
		return sub
	case methodSubscribe:
		if target != "" {
			return &subscription{uri: target, asked: mcp.Filter{URIs: []string{target}}}
		}
	}
	return nil
}

// onAnswered takes the answer by which resources/subscribe begins, for as long as it
// stands: the limits of its request are over.
func (u *subscription) onAnswered(idle, most time.Duration) {
	u.active, u.agreed = true, u.asked
	u.idle, u.most = idle, most
}

// onAcknowledged takes the acknowledgement of the server, and returns what the server
// agreed to unasked. An acknowledgement that cannot be read agrees to nothing.
func (u *subscription) onAcknowledged(now time.Time, said mcp.SubNote) (more mcp.Filter) {
	if said.Wrong != "" {
		u.unreadable = true
		return mcp.Filter{}
	}
	more = said.Agreed.Without(u.asked)
	u.active, u.unreadable, u.agreed = true, false, said.Agreed.Within(u.asked)
	u.resubscription.agreedAt = now
	return more
}

// onUpdate counts what the subscription has brought. Over says that its row has ended.
func (u *subscription) onUpdate(now time.Time, over bool) {
	u.updates++
	u.last, u.resubscription.heard = now, true
	u.outlived = u.outlived || over
}

// onEnd takes the server's word that ends it, and returns those words with what the
// server had never agreed to.
func (u *subscription) onEnd(words string) string {
	u.ended = true
	if u.active && u.missing() != "" {
		words += "; " + u.missing()
	}
	return words
}

// onResidualWanted takes the wish to end what was left of it, and reports whether a call is
// to do that: belay makes one of its own once.
func (u *subscription) onResidualWanted(by Origin) bool {
	if by == FromBelay && u.endAsked {
		return false
	}
	u.endAsked = true
	return true
}

// brokenSubscription is how a subscription goes on whose exchange has ended without a
// result.
type brokenSubscription uint8

const (
	endsAsItDid brokenSubscription = iota // the end of the exchange is its answer
	beginsAgain
	endsAfterTooMany // it was begun again too often, and brought nothing
)

// onBroken decides how a subscription of the modern era goes on whose exchange has
// ended without a result. Refused says that the server will refuse it again. The first
// request is not made again when the server never agreed to it: that may be its answer.
func (u *subscription) onBroken(now time.Time, refused bool, why string) brokenSubscription {
	agreed := u.active && u.agreed.Count() > 0
	if !agreed && (u.active || u.resubscription.failures == 0) || refused {
		return endsAsItDid
	}
	if u.resubscription.heard || agreed && now.Sub(u.resubscription.agreedAt) > maxBackoff {
		u.resubscription.failures = 0
	}
	if u.resubscription.failures == maxListens {
		return endsAfterTooMany
	}
	u.resubscription.failures++
	u.resubscription.times++
	u.active, u.unreadable = false, false
	u.resubscription.heard, u.resubscription.why = false, why
	return beginsAgain
}

// isStanding reports whether a call is no work that ends by itself, but a
// subscription: it has no clock, is not counted as work, and no request of the
// server's belongs to it (SUB-21).
func (u *subscription) isStanding() bool { return u != nil && (u.listen || u.active) }

// isListen reports whether a call is a subscription of the modern era.
func (c *call) isListen() bool { return c != nil && c.sub != nil && c.sub.listen }

// The two requests that subscribe. In the handshake revisions one names a
// resource, is answered at once, and what it began goes on; in the modern one
// the request itself stays open for as long as the subscription lasts.
const (
	methodSubscribe   = "resources/subscribe"
	methodUnsubscribe = "resources/unsubscribe"
	methodListen      = "subscriptions/listen"
)

// SubscriptionView is what the table shows of a row that subscribes; its zero value
// is that of any other row.
type SubscriptionView struct {
	Is       bool      // the row is one
	IsListen bool      // of the modern era: the request stays open
	Active   bool      // the server has agreed to it
	ByServer bool      // the server ended it
	Updates  int       // notifications that came for it
	Last     time.Time // of those; zero: none came

	Asked, Agreed int       // how many things it is to bring, and how many of them the server agreed to
	AgainAt       time.Time // it broke off, and is begun again then; zero: neither
	Carried       bool      // it ended with its connection, and the next one begins it again
	Unreadable    bool      // the server acknowledged it, but what it agreed to cannot be read
	StreamAway    bool      // the stream that would bring its updates is away
	Residual      Residual  // … once its row was cancelled
}

func tagWords(method string, tag mcp.ID) string {
	if tag.IsZero() {
		return sentence.Name(method) + " without a subscription ID"
	}
	return fmt.Sprintf("%s for subscription %s", sentence.Name(method), sentence.Clip(tag.String()))
}

// missing says what the server did not agree to; empty: nothing.
func (u *subscription) missing() string {
	missing := u.asked.Without(u.agreed)
	switch missing.Count() {
	case 0:
		return ""
	case u.asked.Count():
		return "the server agreed to nothing of it"
	}
	return "the server did not agree to: " + agreedWords(missing)
}

func agreedWords(f mcp.Filter) string {
	if n := f.Count(); n > 0 {
		return sentence.List(f.All(), n)
	}
	return "nothing"
}
