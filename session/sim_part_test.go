package session

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Messages whose end has not come: how the model server brings them, and the oracle of
// what they mean for rows that are being cancelled. Bytes after a cancel are no silence.

// arrival is what has come of a message.
type arrival struct {
	size        int
	began, last time.Time
}

// unfinished has bytes of a message come, and not its end; more of them, if there are some.
func (w *simulation) unfinished(a, b uint64) {
	w.stopsUnbegun()
	x := w.exchange()
	if w.web != nil {
		k := w.someBody(a)
		if k == nil {
			return
		}
		x = k.out.X
	}
	now := w.parts[x]
	switch {
	case now.size > 0 && b%8 == 0: // what came was no message
		w.partEnds(x)
		return
	case now.size == 0:
		now.began = w.now.Add(-of(b>>3, 0, 0, time.Millisecond, 300*time.Millisecond, 3*time.Second))
	}
	now.size, now.last = now.size+1+int(a%5000), w.now.Add(-of(b>>6, 0, 0, 0, 200*time.Microsecond, 90*time.Millisecond))
	if now.last.Before(now.began) {
		now.last = now.began
	}
	w.parts[x] = now
	w.tellPart(x, now)
}

func (w *simulation) tellPart(x ExchangeID, now arrival) {
	part := Part{Size: now.size, Kept: now.size < 12_000}
	if now.size > 0 {
		part.Began, part.Last = w.now.Sub(now.began), w.now.Sub(now.last)
	}
	w.input(func() {
		w.oracle.arrives(x, now)
		w.s.Tell(w.now, ReceivedPart{ExchangeID: x, Part: part})
	})
}

// partEnds tells that such a message has ended, before it is told itself, and when its first
// byte came; zero: nothing of it was told.
func (w *simulation) partEnds(x ExchangeID) (began time.Time) {
	now := w.parts[x]
	if now.size == 0 {
		return time.Time{}
	}
	delete(w.parts, x)
	w.tellPart(x, arrival{})
	return now.began
}

// someBody is an exchange on which bytes can come.
func (w *simulation) someBody(a uint64) *wire {
	var open []*wire
	for _, k := range w.web.wires {
		if k.opened && k.head.isSuccess() && (k.out.Awaits || k.out.Op == OpOpen) {
			open = append(open, k)
		}
	}
	if len(open) == 0 {
		return nil
	}
	slices.SortFunc(open, func(a, b *wire) int { return cmp.Compare(a.out.X.N, b.out.X.N) })
	return open[a%uint64(len(open))]
}

// stray has something come that answers nothing, perhaps meant for a request.
func (w *simulation) stray(a, b uint64) {
	switch b >> 8 % 4 {
	case 0: // a question, perhaps of a call that is being cancelled
		w.say(a, fmt.Appendf(nil, of(b>>4, samplingAsk, elicitationAsk), 6000+a%500))
		return
	case 1: // an answer before its cancel leaves
		w.rush(step{doRush, a &^ 1, b&^(3<<12) | 1<<12})
		return
	case 2:
		w.say(a, fmt.Appendf(nil, "["+okAnswer+"]", w.someStopped(a)))
		return
	}
	id := "7"
	if j := w.someJob(a); j != nil {
		id = j.id
	}
	w.say(b>>4, fmt.Appendf(nil, of(b, `{"jsonrpc":"2.0","id":"%s","result":{}}`, `{"jsonrpc":"2.0","id":"%s","result":{}}`, `{"jsonrpc":"2.0","id":"%s","error":{"code":1,"message":"no"}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"no %s"}}`, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"ty{"jsonrpc":"2.0","id":8,"result":{}}`, `request %s failed`), id))
}

// someStopped is the ID of a request whose call is being cancelled, if there is one.
func (w *simulation) someStopped(a uint64) string {
	for _, row := range w.s.InFlight(nil, 1000) {
		if row.State == Cancelling {
			return row.Latest.String()
		}
	}
	return w.someID(a)
}

// stopsUnbegun has the user cancel a call between the answer to its round and the body of
// the request that follows.
func (w *simulation) stopsUnbegun() {
	if w.web == nil {
		return
	}
	for _, k := range w.web.wires {
		if c := w.oracle.rows[k.out.Call]; !k.begun && k.out.Awaits && c != nil && c.state == Running && len(c.all) > 0 {
			w.cancel(k.out.Call, "")
			return
		}
	}
}

// oraclePart is what has come of a message that may be the answer to a cancelled row, as it
// was known when somebody looked.
type oraclePart struct {
	last    time.Time
	anybody bool // it came where the messages for all rows do
	late    bool // it cannot have been on its way
}

// arrives is what has come of a message on an exchange, and on stdio on the one pipe.
func (h *oracle) arrives(x ExchangeID, now arrival) {
	h.taken()
	if h.web == nil {
		if h.live && x.Epoch == h.w.epoch {
			h.pipeEnds(now)
			h.pipe = now
		}
		return
	}
	e := h.known(x)
	if e == nil {
		return
	}
	before := e.part
	e.part = now
	if e.req != nil {
		if until := h.listensUntil(e, now); until.After(e.listens) {
			e.listens = until
		}
	}
	if e.req == nil || e.req.row == nil || e.req.row.cancel == nil {
		return
	}
	h.dirty[e.req.row.id] = true
	switch {
	case now.size == 0:
		e.req.row.cancel.part = nil
	case now.size > before.size:
		h.comes(e.req.row, now, false)
	}
}

// pipeEnds is the end of a message on the pipe: the rows that ended in the middle of it may
// still be meant by the message that comes next, unless that began later.
func (h *oracle) pipeEnds(now arrival) {
	if now.size > 0 {
		return
	}
	h.midway, h.midwayLast = nil, h.pipe.last
	for _, c := range h.rows {
		if k := c.cancel; c.epoch == h.w.epoch && c.state == Cancelled && k != nil && k.part != nil && k.part.anybody && !k.answered {
			h.w.counts.add("race", "verdict in the middle of a message")
			k.part = nil
			h.midway = append(h.midway, c)
			h.dirty[c.id] = true
		}
	}
}

// comes notes bytes of a message for a row that is being cancelled, or was.
func (h *oracle) comes(c *oracleRow, now arrival, anybody bool) {
	k := c.cancel
	if k.written.IsZero() || k.answered {
		return
	}
	late := now.began.Sub(k.written) > h.onTheWay()+k.waited
	k.part = &oraclePart{last: now.last, anybody: anybody, late: late}
	if k.part.isAfter(k) {
		h.w.counts.add("race", "bytes of a message after the cancel")
	}
}

func (p *oraclePart) isAfter(k *oracleCancel) bool { return p != nil && p.last.After(k.written) }

// passed is a whole message, behind which nothing of an earlier one can come on the pipe.
func (k *oracleCancel) passed() {
	if k.part != nil && k.part.anybody {
		k.part = nil
	}
}

// comesStill notes what is coming of a message that may be the answer to a row.
func (h *oracle) comesStill(c *oracleRow) {
	switch x := c.req.x; {
	case x == nil && h.pipe.size == 0:
		c.cancel.passed()
	case x == nil:
		h.comes(c, h.pipe, true)
	case x.part.size > 0:
		h.comes(c, x.part, false)
	case x.isHeadOnly() && x.headed.After(c.cancel.written) && c.cancel.part == nil:
		h.w.counts.add("race", "the head of an answer after the cancel")
		h.comes(c, arrival{began: x.headed, last: x.headed}, false)
	}
}

// isHeadOnly reports whether a body of JSON was announced, of which nothing has come.
func (e *oracleExchange) isHeadOnly() bool {
	return e.role == roleRequest && e.opened && e.head.isSuccess() && e.head.Media == "application/json" && e.messages == 0 && e.part.size == 0
}

// listensUntil is how long the exchange of a row that has ended as cancelled stays open for
// the end of a message that came in part; zero: it does not.
func (h *oracle) listensUntil(e *oracleExchange, part arrival) time.Time {
	c := e.req.row
	if c == nil || c.cancel == nil || c.cancel.written.IsZero() || c.cancel.answered || c.cancel.closes || c.ends || c.req != e.req || part.size == 0 && !e.isHeadOnly() {
		return time.Time{}
	}
	k, last := c.cancel, part.last
	if part.size == 0 {
		if last = e.headed; !last.After(k.written) {
			return time.Time{}
		}
	}
	return k.written.Add(min(max(0, last.Sub(k.written))+5*time.Second, h.w.s.cfg.Grace+time.Minute))
}
