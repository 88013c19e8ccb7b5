package session

import (
	"bytes"
	"time"

	"belay/session/mcp"
	"belay/session/rawjson"
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
	jitterState uint64                 // of [subscriptions.jittered]
}
