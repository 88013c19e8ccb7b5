package session

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
)

// subscription is the request that subscribes to what can be subscribed to.
func (n *connection) subscription(f mcp.Filter) CallSpec {
	if n.rev.Modern() {
		return CallSpec{Method: methodListen, Params: f.Params(), Origin: FromUser}
	}
	return CallSpec{Method: methodSubscribe, Params: uriParams(f.URIs[0]), Origin: FromUser}
}

// subscription is what a call has that subscribes.
type subscription struct {
	listen  bool   // subscriptions/listen; else resources/subscribe
	uri     string // of resources/subscribe
	active  bool   // the server has agreed
	garbled bool   // it answered that, but what it agreed to cannot be read
	asked   mcp.Filter
	agreed  mcp.Filter
	updates int
	last    time.Time
	ended   bool // by the server, in whichever way it said so first

	idle, most time.Duration // the limits of the request that the server has answered

	outlived bool // an update came for it after its row had ended
	endAsked bool // a call of its own was made to end what was left of it
	again    resubscription
}

// isStanding reports whether a call is no work that ends by itself, but a
// subscription: it has no clock, is not counted as work, and no request of the
// server's belongs to it (SUB-21).
func (u *subscription) isStanding() bool { return u != nil && (u.listen || u.active) }

// isListen reports whether a call is a subscription of the modern era.
func (c *call) isListen() bool { return c != nil && c.sub != nil && c.sub.listen }

// initSubscription gives a new call the state of its subscription, if it begins one.
func initSubscription(c *call) {
	switch c.Method {
	case methodListen:
		params := bytes.TrimSpace(c.Params)
		c.sub = &subscription{listen: true}
		if rawjson.Kind(params) == '{' {
			c.sub.asked = mcp.FilterAt(params)
		}
		c.Idle, c.Max, c.NoProgress = -1, -1, true
	case methodSubscribe:
		if c.target != "" {
			c.sub = &subscription{uri: c.target, asked: mcp.Filter{URIs: []string{c.target}}}
		}
	}
}

// queueUnsubscribe queues the request that ends a subscription of a handshake
// revision, as its cancel.
func (w *writer) queueUnsubscribe(c *call) {
	r := &request{id: w.outgoing.issue(), method: methodUnsubscribe, call: c, declared: w.conn.declared}
	r.params = uriParams(c.sub.uri)
	p := &pending{class: classCancel, req: r, cancels: c, method: r.method, kind: EntRequest}
	p.Call = c.id
	p.Data, _ = mcp.AppendRequest(nil, r.id, r.method, r.params, mcp.ID{}, nil)
	c.req, r.out = r, p
	c.stop.out = w.out.enqueue(p)
}

// subscriptions are what belay remembers of its subscriptions beyond their rows.
type subscriptions struct {
	*log
	cfg         *Config
	carried     []carriedSubscriptions // the user's that the next connection begins again
	ended       int                    // those of the user's that ended by themselves …
	last        CallID                 // … and the latest of them
	ownOver     bool                   // that of belay to the lists has ended on this connection, and is not begun again
	jitterState uint64                 // of [subscriptions.jittered]
}

// The two requests that subscribe. In the handshake revisions one names a
// resource, is answered at once, and what it began goes on; in the modern one
// the request itself stays open for as long as the subscription lasts.
const (
	methodSubscribe   = "resources/subscribe"
	methodUnsubscribe = "resources/unsubscribe"
	methodListen      = "subscriptions/listen"
)

// activeSubscriptionFor returns the user's row that already covers everything spec would
// subscribe to, or nil. It keeps one resource from having two rows. In the handshake
// revisions the server knows of a single subscription, so that the end of one row
// would be the end of both; in the modern era every update would come twice.
func (sb *subscriptions) activeSubscriptionFor(spec CallSpec) *call {
	var want mcp.Filter
	switch modern := sb.conn.rev.Modern(); {
	case spec.Method == methodSubscribe && !modern:
		want.URIs = []string{targetOf(spec.Method, spec.Params)}
	case spec.Method == methodListen && modern && !spec.Raw:
		want = mcp.FilterAt(bytes.TrimSpace(spec.Params))
	}
	if len(want.Words()) == 0 {
		return nil
	}
	for _, c := range sb.rows.subs {
		has := c.sub.asked
		if c.sub.listen && c.sub.active {
			has = c.sub.agreed
		}
		if c.Origin == FromUser && c.state != Cancelling && len(want.Without(has).Words()) == 0 {
			return c
		}
	}
	return nil
}

// onAcknowledgementOverdue tells that it has not. The subscription stays: it may come.
func (l *log) onAcknowledgementOverdue(c *call) {
	l.note(c, "no acknowledgement after "+ackLimit.String())
}

// SubscriptionView is what the table shows of a row that subscribes; its zero value
// is that of any other row.
type SubscriptionView struct {
	Is       bool      // the row is one
	Listens  bool      // of the modern era: the request stays open
	Active   bool      // the server has agreed to it
	ByServer bool      // the server ended it
	Updates  int       // notifications that came for it
	Last     time.Time // of those; zero: none came

	Asked, Agreed int       // how many things it is to bring, and how many of them the server agreed to
	AgainAt       time.Time // it broke off, and is begun again then; zero: neither
	Carried       bool      // it ended with its connection, and the next one begins it again
	Garbled       bool      // the server acknowledged it, but what it agreed to cannot be read
	Unheard       bool      // the stream that would bring its updates is away
	Left          Residual  // … once its row was cancelled
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
	sb.ownOver = true
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

func tagWords(method string, tag mcp.ID) string {
	if tag.IsZero() {
		return sentence.Name(method) + " without a subscription ID"
	}
	return fmt.Sprintf("%s for subscription %v", sentence.Name(method), tag)
}

// missing says what the server did not agree to; empty: nothing.
func (u *subscription) missing() string {
	missing := u.asked.Without(u.agreed).Words()
	switch len(missing) {
	case 0:
		return ""
	case len(u.asked.Words()):
		return "the server agreed to nothing of it"
	}
	return "the server did not agree to: " + sentence.Clip(strings.Join(missing, ", "))
}

func agreedWords(f mcp.Filter) string {
	if words := f.Words(); len(words) > 0 {
		return sentence.Clip(strings.Join(words, ", "))
	}
	return "nothing"
}
