package session

import (
	"time"

	"belay/session/mcp"
)

// writer makes the messages that belay writes, and puts them into the outbox: requests,
// cancels, answers, and what every request says of belay.
//
//shape:machine 3
type writer struct {
	*log
	cfg      *Config
	out      *outbox
	outgoing *outgoing
	introduction
}

// introduction is what belay says of itself on a connection.
//
//shape:part of writer
type introduction struct {
	declared declared
	envelope []mcp.MetaMember // what every request says; modern only
	logLevel string
}

// begin forgets what was said on the connection before.
func (w *writer) begin() { w.introduction = introduction{} }

func limit(own, general time.Duration) time.Duration {
	if own == 0 {
		return general
	}
	return own
}

// request encodes the next request of a call and queues it.
func (w *writer) request(c *call) *request {
	r := &request{id: w.outgoing.issue(), method: c.Method, call: c}
	r.list, r.isList = c.fetches()
	token := w.outgoing.tokenOf(c, r.id)
	p := &pending{class: classRequest, req: r, method: c.Method, kind: EntRequest, raw: c.Raw}
	if c.Origin == FromHandshake {
		p.class = classHandshake
	}
	if e := c.about; e != nil && e.cancels() {
		p.class, p.cancels = classCancel, e.rowOf()
		p.cancels.stop.out = p
	}
	p.Call = c.shownAs()
	params := c.Params
	if c.isWaiting() {
		params = c.wait.params
		if !c.req.token.IsZero() {
			token = w.outgoing.tokenFor(r.id) // also in place of one that the user gave (PRG-02; basic/utilities/progress)
		}
	}
	r.params = params
	p.Data, r.token = mcp.AppendRequest(nil, r.id, c.Method, params, token, w.metaOf(c))
	r.ownToken = r.token != token
	r.declared = w.declares(c)
	r.logs = w.logsFor(c, params)
	w.outgoing.reserve(r)
	w.rows.onRequest(c, r)
	r.out = w.out.enqueue(p)
	return r
}

// fetches is the list of which a call of belay's own fetches a page; false: it fetches none.
func (c *call) fetches() (mcp.ListKind, bool) {
	for k := range mcp.NumLists {
		if c.Origin == FromBelay && c.Method == k.Method() {
			return k, true
		}
	}
	return 0, false
}

// tokenOf is the progress token that belay gives a request; zero: none.
func (o *outgoing) tokenOf(c *call, id mcp.ID) mcp.ID {
	if c.NoProgress || c.Raw || c.Origin == FromHandshake {
		return mcp.ID{}
	}
	return o.tokenFor(id)
}

// cancelByNote sends notifications/cancelled.
func (w *writer) cancelByNote(c *call, reason string) {
	p := &pending{class: classCancel, cancels: c, method: "notifications/cancelled", kind: EntNotification}
	p.Call = c.id
	p.Data = mcp.AppendCancelled(nil, c.req.id, reason)
	w.cancelByPost(c, p)
}

// cancelByPost queues the notification, or keeps it until the call's own body
// is written.
func (w *writer) cancelByPost(c *call, p *pending) {
	c.stop.out = p
	if w.cfg.Transport == mcp.HTTP && c.req.written.IsZero() {
		p.deferred = true
		return
	}
	w.out.enqueue(p)
}

// cancelByClosing closes the exchange of a call, which is all that stops it.
func (w *writer) cancelByClosing(c *call) {
	p := &pending{class: classCancel, cancels: c, method: "close"}
	p.Op, p.X, p.Call = OpAbort, c.req.x.x, c.id
	c.stop.out = w.out.enqueue(p)
}

// releaseCancel queues the cancel that waited for its call to be written.
func (w *writer) releaseCancel(c *call) {
	if c == nil || c.stop == nil || c.stop.out == nil || !c.stop.out.deferred || c.stop.out.gone {
		return
	}
	c.stop.out.deferred = false
	w.out.enqueue(c.stop.out)
}

// queueUnsubscribe queues the request that ends a subscription of a handshake
// revision, as its cancel.
func (w *writer) queueUnsubscribe(c *call) {
	p := &pending{class: classCancel, cancels: c, method: methodUnsubscribe, kind: EntRequest}
	p.req = &request{id: w.outgoing.issue(), method: p.method, call: c, declared: w.declared, params: uriParams(c.sub.uri), out: p}
	p.Call = c.id
	p.Data, _ = mcp.AppendRequest(nil, p.req.id, p.method, p.req.params, mcp.ID{}, nil)
	w.rows.onRequest(c, p.req)
	c.stop.out = w.out.enqueue(p)
}

// reencode gives the requests that wait for the connection the _meta of the
// revision that was agreed on: when they were made, it was not known.
func (w *writer) reencode() {
	q := &w.out.queues[classRequest]
	for _, p := range q.items[q.head:] {
		if p == nil || p.gone || p.req == nil || p.req.call == nil {
			continue
		}
		r, c := p.req, p.req.call
		token := r.token
		if r.ownToken {
			token = mcp.ID{}
		}
		q.bytes -= len(p.Data)
		r.declared, r.logs = w.declares(c), w.logsFor(c, r.params)
		p.Data, _ = mcp.AppendRequest(nil, r.id, c.Method, r.params, token, w.metaOf(c))
		q.bytes += len(p.Data)
	}
}
