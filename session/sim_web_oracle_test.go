package session

import (
	"fmt"
	"strings"
	"time"

	"belay/session/mcp"
)

// The oracle over HTTP: what the heads, events and ends of exchanges mean for
// the rows that they belong to, and that they mean nothing for any other.

// started is the first byte of a body.
func (h *oracle) started(x ExchangeID, wanted bool) {
	h.taken()
	e := h.web.xs[x.N]
	want := h.live && x.Epoch == h.w.epoch && e != nil && !e.aborted && !e.unwanted
	// Its closing may be on the way: nothing waits for it any more.
	over := e != nil && (e.req == nil && h.now.Sub(e.handed) >= 30*time.Second || e.req != nil && e.req.row != nil && e.req.row.state.IsTerminal())
	if want != wanted && !(over && !wanted) {
		h.w.fail("the body of %v is to be written: %v, must be %v", x, wanted, want)
	}
	if wanted {
		e.started = true
		if e.req != nil {
			e.req.begun = true
			h.bears(e.req)
		}
	}
}

// known is an exchange of the connection of now.
func (h *oracle) known(x ExchangeID) *oracleExchange {
	h.taken()
	if !h.live || x.Epoch != h.w.epoch {
		return nil
	}
	return h.web.xs[x.N]
}

// headed is the head of an answer.
func (h *oracle) headed(x ExchangeID, head Head) {
	e := h.known(x)
	if e == nil {
		return
	}
	b := h.web
	e.opened, e.head, e.headed = true, head, h.now
	barrier := e == b.barrier
	if barrier {
		b.barrier = nil
	}
	if e.role == roleServerStream || e.role == roleResume {
		e.unrouted = head.Status == 404 && !b.getTaken
		b.getTaken = b.getTaken || head.isSuccess()
	}
	gone := head.Status == 404 && e.session && !e.unrouted
	switch e.role {
	case roleRequest:
		if e.req.method == "initialize" && head.Session != "" && !strings.Contains(head.Session, " ") && head.isSuccess() && h.before.phase == Connecting {
			b.session = head.Session
		}
	case roleCancel:
		h.cancelAccepted(e)
		if gone {
			h.sessionOver()
		}
	case roleServerStream:
		if gone {
			h.sessionOver()
			return
		}
		b.listenOff, b.listenLogin = !head.isSuccess() || !head.streams(), wantsLogin(head)
		h.w.counts.add("race", map[bool]string{false: "the server's own stream", true: "no stream of the server's own"}[b.listenOff])
	case roleResume:
		h.takenUp(e)
	case roleNotice:
		if head.isSuccess() {
			return
		}
		h.onUnaccepted(e)
		if gone && !barrier {
			h.sessionOver()
		}
	default:
	}
}

// onUnaccepted judges a message of belay's that the server did not accept. What it was the
// answer to is asked again, unless the server has withdrawn that, or used its ID
// for something else.
func (h *oracle) onUnaccepted(e *oracleExchange) {
	a := e.ask
	if e.ask = nil; a == nil || !a.userSaid {
		return
	}
	switch other := h.incoming[e.key]; {
	case other != nil, h.ended[e.key] != a:
		h.w.counts.add("race", "answer not taken, and its ID used again")
		a.reused = true
	case a.withdrawnLate:
		h.w.counts.add("race", "answer not taken, and its question withdrawn")
		a.withdrawn = true
	default:
		h.w.counts.add("race", "answer not taken")
		a.userSaid, a.responded = false, false
		h.incoming[e.key] = a
	}
}

// onUnacceptedInTime judges the answers that the server has not accepted for too long.
func (h *oracle) onUnacceptedInTime() {
	if h.web == nil || !h.live {
		return
	}
	for _, e := range h.web.xs {
		if e.ask != nil && !e.opened && e.x.Epoch == h.w.epoch && h.now.Sub(e.handed) >= 30*time.Second {
			h.onUnaccepted(e)
		}
	}
}

// event is what an event says of its stream.
func (h *oracle) event(x ExchangeID, ev Event) {
	e := h.known(x)
	if e == nil {
		return
	}
	if ev.Odd != "" {
		h.w.counts.add("race", "a line that is no field")
		h.straysOn(e)
		return
	}
	e.events++
	if ev.ID != nil && !h.before.rev.IsModern() && len(*ev.ID) <= 4096 {
		e.lastID = *ev.ID
	}
	if ev.Retry >= 0 {
		e.retry = ev.Retry
	}
	if ev.Name == "endpoint" && e.role == roleEvents && !strings.Contains(ev.Data, "evil") {
		h.web.endpoint = true
	}
}

// endedX is the end of an exchange.
func (h *oracle) endedX(x ExchangeID, end End) {
	e := h.known(x)
	delete(h.web.xs, x.N)
	if e == nil {
		return
	}
	b := h.web
	if e == b.barrier {
		b.barrier = nil
	}
	for _, c := range h.rows {
		if c.state == Cancelling {
			h.leftOver(c, e)
		}
	}
	switch e.role {
	case roleRequest, roleResume:
		if e.req.x == e {
			e.req.x = nil
		}
		if e.role == roleRequest && e.opened && !e.head.isSuccess() && !e.isGone() {
			h.readBefore(e.req.order)
		}
		if e.req.row == nil && !e.req.answered {
			h.pingUnanswered(e, end)
			return
		}
		if h.awaits(e.req) {
			h.unanswered(e, end)
		}
	case roleCancel:
		if !e.opened && e.cancel == e.row.cancel {
			h.cancelRefused(e.row)
		}
	case roleServerStream:
		b.listen = nil
		if !b.listenOff && !e.aborted {
			b.listenLast, b.listenAt = e.lastID, h.now.Add(max(e.retry, time.Second))
			h.w.counts.add("race", "the server's own stream ended")
		}
	case roleNotice:
		if !e.opened {
			h.onUnaccepted(e)
		}
	case roleEvents:
		if h.before.phase == Ready {
			h.w.counts.add("race", "the one stream ended")
			h.closing(false)
		}
		for _, c := range h.rows {
			switch {
			case h.before.phase != Connecting || c.origin != FromHandshake || c.epoch != h.w.epoch:
			case c.state == Running:
				c.waits = false // for a login that is in vain now
				h.move(c, Running, Failed)
			case c.state == Queued:
				h.move(c, Queued, Dropped)
			}
		}
	default:
	}
}

// awaits reports whether the answer to the request of a row would still count.
func (h *oracle) awaits(r *oracleRequest) bool {
	c := r.row
	return c != nil && c.req == r && !r.answered && !r.gone && (c.state == Running && c.round == nil && !c.waits || c.state == Cancelling)
}

// unanswered is the end of an exchange before the answer that it was to bring.
func (h *oracle) unanswered(e *oracleExchange, end End) {
	c, k := e.req.row, e.req.row.cancel
	switch {
	case h.web.old && e.opened && e.head.isSuccess():
		// the answer comes on the one stream
	case c.state == Cancelling && k.closes:
		k.closed, k.takenBack = true, k.order == 0
		h.move(c, Cancelling, Cancelled)
	case h.mayResume(e):
		r := e.req
		if e.events > 0 {
			r.tries = 0
		}
		wait := e.retry
		if wait < 0 {
			wait = min(30*time.Second, time.Second<<r.tries)
		}
		r.tries++
		if e.messages > 0 {
			r.idle = 0
		}
		wait = max(wait, min(2*time.Second, 250*time.Millisecond<<r.idle))
		r.idle++
		if e.opened {
			r.down = h.now
			if r.gap.IsZero() || e.headed.Add(h.onTheWay()).Before(h.now) {
				r.gap = h.now
			}
		}
		r.again = &resumption{at: h.now.Add(wait), id: e.lastID, retry: e.retry}
	case h.hearsLater(e):
		h.w.counts.add("race", "stream waits for a login")
		e.req.again = &resumption{login: true, id: e.lastID, retry: e.retry}
		c.logins++
		h.dirty[c.id] = true
	case c.state == Cancelling && c.ends:
		if !e.opened || !e.head.isSuccess() {
			h.cancelRefused(c)
		} else if !k.written.IsZero() && !k.graceOver {
			if end.Body != "" {
				h.strayed(c)
			}
			h.graceEnds(c)
		}
	case c.state == Cancelling && e.role == roleRequest && e.opened && !e.head.isSuccess():
		h.answeredByStatus(c, e)
	case c.state == Cancelling && end.Err != "" && h.closeHanded: // the end of the connection tells
		h.w.counts.add("race", "exchange closed with its connection while cancelling")
	case c.state == Cancelling:
		h.silent(c, e, end)
	default:
		e.req.gone = true
		h.brokeOff(c, e, end)
	}
}

// mayResume reports whether a stream is to be taken up where it broke.
func (h *oracle) mayResume(e *oracleExchange) bool {
	rev := h.before.rev
	if rev < mcp.Rev20250326 || rev >= mcp.Rev20260728 || h.before.phase != Ready || e.aborted || e.lastID == "" {
		return false
	}
	if !e.opened {
		return e.role == roleResume && e.req.tries < 5
	}
	return e.head.isSuccess() && e.head.streams() && (e.req.tries < 5 || e.events > 0)
}

// pingUnanswered is the end of the exchange of a ping without a message on it.
func (h *oracle) pingUnanswered(e *oracleExchange, end End) {
	refused := e.opened && !e.head.isSuccess()
	switch p := e.req.probe; {
	case h.web.old && e.opened && !refused || p == nil:
	case !e.opened || !refused && end.Err != "":
		h.asksAgain(p)
	default:
		h.w.counts.add("race", "probe answered with a status")
		e.req.answered = true
		if e.isGone() {
			h.probeDenied(p)
		} else {
			h.readBefore(e.req.order)
		}
		h.probeAnswered(p)
	}
	if refused && e.isGone() {
		h.w.counts.add("race", "session over at a ping")
		h.sessionOver()
	}
}

// brokeOff is a running row whose exchange has ended.
func (h *oracle) brokeOff(c *oracleRow, e *oracleExchange, end End) {
	race := func(name string) { h.w.counts.add("race", name) }
	switch {
	case h.parks(e):
		race("row waits for a login")
		c.waits, c.logins = true, c.logins+1
		h.noTokens(c)
		h.dirty[c.id] = true
	case c.origin == FromHandshake && h.before.phase != Connecting:
	case c.origin == FromHandshake && h.holdsBroken(c, e):
	case c.origin == FromHandshake && h.asksAnew(e):
		h.w.counts.add("race", "a remembered handshake is served no more")
		h.era.broken = e
		h.move(c, Running, Failed)
	case c.origin == FromHandshake && h.triesOld(e):
		h.goesOld(c)
	case c.origin == FromHandshake:
		h.move(c, Running, Failed)
	case e.isGone():
		h.sessionOver()
	case h.beginsAgain(c, e):
	case c.listens && end.Err == "" && e.head.isSuccess() && e.head.streams():
		race("subscription ended with its stream")
		h.move(c, Running, Done)
	default:
		to := h.fate(e, end)
		race(fmt.Sprintf("exchange ended without the answer: %v", to))
		h.move(c, Running, to)
	}
}

// triesOld reports whether the end of an exchange means that the server may be one of
// 2024-11-05.
func (h *oracle) triesOld(e *oracleExchange) bool {
	status := e.head.Status
	return e.req.method == "initialize" && e.opened && (status == 400 || status == 404 || status == 405) && !h.web.old && !h.w.s.cfg.Pin.IsModern()
}

// asksAnew reports whether the end of the exchange of initialize tells that the server has no handshake
// any more, with which the connection was begun as it was remembered: server/discover is asked first.
func (h *oracle) asksAnew(e *oracleExchange) bool {
	status := e.head.Status
	return e.req.method == "initialize" && e.opened && (status == 400 || status == 404 || status == 405) && !h.web.old &&
		h.era.discover == nil && !h.era.second && h.pin == "" && h.w.s.Config().DiscoverLimit > 0
}

func (h *oracle) goesOld(c *oracleRow) {
	h.w.counts.add("race", "the older transport is tried")
	c.goes = true
	h.triesOlder()
}

// fate is what becomes of a row: lost, when the server may have carried it out
// and nobody can tell.
func (h *oracle) fate(e *oracleExchange, end End) State {
	switch {
	case e.opened && !e.head.isSuccess():
		if e.role == roleResume {
			return Lost
		}
		return Failed
	case e.opened && (e.head.Status == 202 || e.head.Media != mediaJSON && e.head.Media != mediaStream):
		return Failed
	case e.role == roleRequest && !e.started:
		return Failed
	case end.Err != "" || e.head.Media == mediaStream && h.before.rev.IsModern():
		return Lost
	}
	return Failed
}

// aimed is the request that an answer on an exchange is for: its own, and no
// other one. One of another era brings them all.
func (h *oracle) aimed(key string, named bool, m message) (string, bool) {
	if r := h.reqs[key]; named && r != nil && !r.begun {
		h.w.counts.add("race", "answer before the body of its request was begun")
		return "", false
	}
	if h.web == nil || h.web.old {
		return key, named
	}
	e := h.web.via
	if e == nil || e.req == nil {
		if !named || e == nil || e.isGone() {
			return "", false
		}
		return key, h.countsElsewhere(key)
	}
	r := e.req
	own, _ := idKey([]byte(r.id))
	switch {
	case r.row != nil && h.awaits(r) && (h.parks(e) || h.hearsLater(e)), e.isGone():
		return "", false
	case !named:
		_, has := m["id"]
		bare := !has || string(m["id"]) == "null"
		return own, bare && e.role == roleRequest && m["error"] != nil && e.opened && !e.head.isSuccess() && r.method != "initialize" && h.awaits(r)
	case key != own:
		h.w.counts.add("race", "answer on another's stream")
		return key, h.countsElsewhere(key)
	}
	return key, true
}

// brought notes that an exchange has brought its answer.
func (h *oracle) brought(r *oracleRequest) {
	if h.web != nil && r.x != nil && (r.row == nil || h.answeredInTime(r)) {
		r.x.brought, r.x = h.now, nil
	}
}

func (h *oracle) answeredInTime(r *oracleRequest) bool {
	return r.row.req == r && !r.row.state.IsTerminal()
}

// foreign reports whether progress counts for nothing, as it comes on the stream of
// another request.
func (h *oracle) foreign(c *oracleRow) bool {
	if h.web == nil || h.web.old || h.web.via == nil || h.web.via.req == c.req {
		return false
	}
	h.w.counts.add("race", "progress on another's stream")
	return h.web.via.role != roleServerStream && !(c.isStopped() && !c.cancel.written.IsZero() && !h.began.Before(c.cancel.written))
}
