package session

import (
	"slices"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/timer"
)

// isPaused reports whether the clocks of a running call stand still: it waits,
// or its stream does, or a human is asked.
func (xs *exchanges) isPaused(c *call) bool {
	return c.asked > 0 || c.isWaiting() || xs.awaitsLoginToResume(c)
}

// exchanges is what the core knows of the HTTP side, of all connections and of
// the one that there is.
//
//shape:machine 4
type exchanges struct {
	*log
	cfg      *Config
	timers   *timer.List
	outgoing *outgoing
	after    *afterCancel

	last         uint64   // the number of the latest one
	ops          []Output // aborts, streams to open, and the end: they wait for nothing
	logins       int      // how often there was another token, or none any more
	expired      []time.Time
	renewed      int // sessions that were followed by another one
	renewedFor   int // the status by which the latest of these was seen to have ended
	resubscribed int // subscriptions that went with the last of these, and are begun again
	httpConnection
}

// httpConnection is what a new connection begins without.
//
//shape:part of exchanges
type httpConnection struct {
	open         map[uint64]*exchange
	unowned      []*exchange // on which a message has begun that is for no call in particular
	via          *exchange   // on which the message that is being handled came; nil on stdio
	session      string
	postTo       string      // the endpoint of 2024-11-05; empty before it is known, and otherwise
	variant      httpVariant // the shape of the transport
	refusal      string      // of the streamable one, when it is the older one; may hold foreign text
	barrier      barrier
	serverStream serverStream
	reach        reach
	ids          eventIDs
	noLogin      bool       // it was told that the server wants none
	login        uint64     // the login that is under way; 0: none
	waits        []*request // whose stream is to be taken up again
}

// nameSession notes the ID of the session; empty: there is none.
func (h *httpConnection) nameSession(id string) { h.session = id }

// fallBack has the transport be that of 2024-11-05 from now on; the refusal says why.
func (h *httpConnection) fallBack(refusal string) { h.variant, h.refusal = httpSSE, refusal }

// postsTo notes the endpoint of 2024-11-05.
func (h *httpConnection) postsTo(endpoint string) { h.postTo = endpoint }

// beginMessage notes the exchange on which the message came that is handled now; nil: on none.
func (h *httpConnection) beginMessage(x *exchange) { h.via = x }

// endMessage notes that none is handled any more.
func (h *httpConnection) endMessage() { h.via = nil }

// beginLogin notes the login that is under way, by the number of its output.
func (h *httpConnection) beginLogin(seq uint64) { h.login = seq }

// endLogin notes that no login is under way any more.
func (h *httpConnection) endLogin() { h.login = 0 }

// barrier is the exchange of notifications/initialized, which no request may overtake. Rows
// that have not been sent say so.
//
//shape:part of exchanges
type barrier struct{ of *exchange } // nil: there is none

// set has all requests wait until the server has taken what an exchange carries.
func (b *barrier) set(e *exchange, r *rows) {
	b.of = e
	r.touchQueued()
}

// lift lets the requests go if the barrier waits for this exchange, which has its answer
// or has ended, and reports whether it does.
func (b *barrier) lift(e *exchange, r *rows) bool {
	if b.of != e {
		return false
	}
	b.set(nil, r)
	return true
}

// watchUnowned remembers the exchanges of no call on which a message has begun.
func (xs *exchanges) watchUnowned(e *exchange) {
	i := slices.Index(xs.unowned, e)
	switch {
	case !e.isUnowned():
	case e.part.size > 0 && i < 0:
		xs.unowned = append(xs.unowned, e)
	case e.part.size == 0 && i >= 0:
		xs.unowned = slices.Delete(xs.unowned, i, i+1)
	}
}

// httpVariant is the shape of the HTTP transport.
type httpVariant uint8

const (
	streamable httpVariant = iota // one endpoint; answers come on the exchange of their request
	httpSSE                       // HTTP+SSE of 2024-11-05: one stream for everything
)

// reset begins a connection.
func (xs *exchanges) reset() { xs.httpConnection = httpConnection{open: map[uint64]*exchange{}} }

// exchange finds an exchange of the connection of now.
func (xs *exchanges) exchange(x ExchangeID) *exchange {
	if !xs.conn.isLive(x) {
		return nil
	}
	return xs.open[x.N]
}

// begin makes an exchange. The request is the one whose answer it is to bring; nil: none.
func (xs *exchanges) begin(as role, r *request) *exchange {
	xs.last++
	e := &exchange{x: ExchangeID{Epoch: xs.conn.epoch, N: xs.last}, role: as, req: r, session: xs.session != "", retry: -1}
	xs.open[e.x.N] = e
	if r != nil {
		r.x = e
	}
	return e
}

// post makes the exchange of an output that is about to be handed out.
func (xs *exchanges) post(p *pending) *exchange {
	role := roleNotice
	switch {
	case p.req != nil:
		role = roleRequest
	case p.cancels != nil:
		role = roleCancel
	case p.answers != nil:
		role = roleAnswer
	}
	e := xs.begin(role, p.req)
	e.p = p
	return e
}

// start notes that the first byte of the body of an exchange is written.
func (e *exchange) start() { e.started, e.unprocessed = true, 0 }

// mayPost reports whether HTTP lets an output of a class leave.
func (xs *exchanges) mayPost(c class) bool {
	switch {
	case xs.cfg.Transport != mcp.HTTP:
		return true
	case xs.variant == httpSSE && xs.postTo == "":
		return false
	case c == classRequest:
		return xs.barrier.of == nil && len(xs.open) < maxPosts
	}
	return true
}

// abort has an exchange closed, and nothing else. A GET that was not handed out
// is not begun.
func (xs *exchanges) abort(e *exchange) {
	if !e.onClosing() {
		return
	}
	if i := slices.IndexFunc(xs.ops, func(out Output) bool { return out.Op == OpOpen && out.X == e.x }); i >= 0 {
		xs.ops = slices.Delete(xs.ops, i, i+1)
		xs.forget(e)
		return
	}
	xs.ops = append(xs.ops, Output{Op: OpAbort, X: e.x})
}

// abandonOlderTransport gives up the two endpoints of 2024-11-05, by which a server has answered
// server/discover: a revision without a handshake has the one endpoint.
func (xs *exchanges) abandonOlderTransport() {
	if xs.variant != httpSSE {
		return
	}
	xs.variant, xs.postTo = streamable, ""
	for _, e := range xs.open {
		if e.role == roleEvents {
			xs.abort(e)
		}
	}
}

// abandonRequest closes what still waits for the answer of a request.
func (xs *exchanges) abandonRequest(r *request) {
	xs.abandonResume(r)
	xs.abort(r.x)
}

// closeExchanges ends what is left of a connection that is gone. What waits to be
// handed out for it is not begun.
func (xs *exchanges) closeExchanges() {
	xs.ops = slices.DeleteFunc(xs.ops, func(out Output) bool { return out.Op == OpLogin })
	for _, n := range xs.numbers() {
		xs.abort(xs.open[n])
	}
	clear(xs.open)
	xs.waits, xs.barrier, xs.serverStream, xs.session, xs.login, xs.unowned = nil, barrier{}, serverStream{}, "", 0, nil
}

// isCancelOut reports whether the POST of a call's cancel is on the way.
func (xs *exchanges) isCancelOut(c *call) bool {
	for _, e := range xs.open {
		if e.role == roleCancel && e.p == c.stop.out {
			return true
		}
	}
	return false
}

// hasNoStream reports whether nothing can be heard of a call any more, as its own exchange
// has ended for good.
func (xs *exchanges) hasNoStream(c *call) bool {
	return xs.variant == streamable && c.req.x == nil && !xs.isResuming(c.req) && !c.stop.heardOut
}

// isElsewhere reports whether the message at hand came on an exchange that is to
// bring the answer to another request than this one, or to none.
func (xs *exchanges) isElsewhere(r *request) bool {
	e := xs.via
	return e != nil && xs.variant == streamable && e.req != r
}

// isCarriedElsewhere reports whether the answer of this POST comes on the stream of
// 2024-11-05.
func (xs *exchanges) isCarriedElsewhere(e *exchange) bool {
	return xs.variant == httpSSE && e.opened && e.head.isSuccess()
}

// resumption is the owner of the deadline at which the stream of a request that was
// sent is taken up again. While it waits for a login it has none.
func (r *request) resumption() timer.Owner { return timer.Owner{Kind: dueResume, ID: r.order} }

// forget takes an exchange off those that are open.
func (xs *exchanges) forget(e *exchange) {
	delete(xs.open, e.x.N)
	xs.timers.Stop(e.due())
	if e.req != nil && e.req.x == e {
		e.req.x, e.req.retryAfter = nil, e.head.retryAfter(xs.now)
		e.touch() // what its row said of it holds no longer
	}
}

// numbers are those of the open exchanges, in order: what happens must not
// depend on the order of a map.
func (xs *exchanges) numbers() []uint64 {
	ns := make([]uint64, 0, len(xs.open))
	for n := range xs.open {
		ns = append(ns, n)
	}
	slices.Sort(ns)
	return ns
}

// mayPrecedeServerStream reports whether an output need not wait for the server's own
// stream (the GET): all may that are not calls of the user's.
func (xs *exchanges) mayPrecedeServerStream(p *pending) bool {
	return !xs.serverStream.isAwaited || p == nil || p.req == nil || p.req.call == nil || p.req.call.Origin != FromUser
}

// isAway reports whether the stream has ended and is not open again yet: what would come
// on it does not.
func (l *serverStream) isAway() bool {
	return !l.off && (l.x == nil && l.pauses || l.x != nil && !l.x.opened && l.tries > 0)
}

// isResuming reports whether the stream of a request is to be taken up again.
func (xs *exchanges) isResuming(r *request) bool { return slices.Contains(xs.waits, r) }

// lostStream is the stream of a request that cannot be heard: it waits to be taken
// up again, or the GET that takes it up has no head yet.
func (xs *exchanges) lostStream(r *request) (lost cancel.Lost) {
	switch {
	case xs.isResuming(r):
		lost.At = r.downAt
		if at := xs.timers.At(r.resumption()); !at.IsZero() && !xs.conn.closeSent {
			lost.For = at.Sub(lost.At)
		}
	case r.x != nil && r.x.role == roleResume && !r.x.opened:
		lost.At = r.downAt
	}
	return lost
}

// abandonResume has the stream of a request not be taken up again.
func (xs *exchanges) abandonResume(r *request) {
	xs.waits = slices.DeleteFunc(xs.waits, func(o *request) bool { return o == r })
	if r.call != nil {
		r.call.touch()
	}
	xs.timers.Stop(r.resumption())
}

// awaitsLoginToResume reports whether the stream of a call waits for a login.
func (xs *exchanges) awaitsLoginToResume(c *call) bool {
	return c.req != nil && xs.timers.At(c.req.resumption()).IsZero() && xs.isResuming(c.req)
}

// answerArrived notes that an exchange has brought the answer to its request: it
// should end now.
func (r *request) answerArrived(t *timer.List, now time.Time) {
	e := r.x
	if e == nil {
		return
	}
	e.answered = true
	if !e.opened || e.head.streams() { // one can end a subscription on another's stream
		t.Set(e.due(), now.Add(lingerLimit))
	}
	r.x, r.retryAfter = nil, e.head.retryAfter(now)
}

// resumeClocks lets the clocks of a call go on, unless something else holds them.
func (xs *exchanges) resumeClocks(c *call) {
	if c.clocks.isStill() && !xs.isPaused(c) {
		c.resumeClocks(xs.timers, xs.now)
	}
}

// mayTryOld reports whether the refusal of initialize means that the server may be one of
// 2024-11-05, which has two endpoints (HTL-49; basic/transports).
func (xs *exchanges) mayTryOld(e *exchange) bool {
	if !e.opened || xs.variant != streamable || xs.cfg.NoSSE || xs.cfg.Pin.IsModern() || e.p == nil || e.p.method != "initialize" {
		return false
	}
	return isUnserved(e.head.Status)
}

// isUnserved reports whether a server turns away by this status a request or an address that is not served.
func isUnserved(status int) bool {
	return status == statusBadRequest || status == statusNotFound || status == statusNoMethod
}

// lacksOwnStream reports whether, in a handshake revision, messages come on the exchanges of
// belay's own requests only.
func (xs *exchanges) lacksOwnStream() bool {
	return xs.cfg.Transport == mcp.HTTP && xs.variant == streamable && (xs.cfg.NoListen || xs.serverStream.off)
}

// isStreamAway reports whether a subscription stands while the server's own stream, which
// would bring its updates, is away.
func (xs *exchanges) isStreamAway(c *call) bool {
	u := c.sub
	return u != nil && !u.listen && u.active && c.state == Running && c.epoch == xs.conn.epoch && xs.serverStream.isAway()
}
