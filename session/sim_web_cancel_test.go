package session

import (
	"maps"
	"slices"
	"strings"
)

// What a cancel is over HTTP, and what its row becomes by what the exchanges do.

// answeredByStatus is an HTTP error on the exchange of a row that is being
// cancelled.
func (h *oracle) answeredByStatus(c *oracleRow, e *oracleExchange) {
	h.takesBack(c)
	if k := c.cancel; k.order == 0 {
		h.w.counts.add("race", "status before the cancel left")
		k.takenBack = true
		h.move(c, Cancelling, Failed)
	} else {
		h.w.counts.add("race", "status after the cancel")
		h.web.via = nil // no message came, and the last one may have come in the answer to the cancel
		h.evidently(c, gotError)
		h.answeredBy(c)
	}
	e.req.gone = true
	if e.isGone() {
		h.sessionOver()
	}
}

// silent is a row that is being cancelled, and of which nothing can be heard any
// more.
func (h *oracle) silent(c *oracleRow, e *oracleExchange, end End) {
	h.takesBack(c)
	k := c.cancel
	h.w.counts.add("race", "stream ended during the grace")
	streamed := e.opened && e.head.isSuccess() && e.head.streams()
	if e.opened && e.head.isSuccess() && (end.Body != "" || end.Err == "" && !streamed && e.messages == 0) {
		h.strayed(c)
	}
	e.req.heardOut = e.heardOut(end)
	switch {
	case h.web.old || k.graceOver:
	case e.heardOut(end):
		h.w.counts.add("race", "a body of JSON with news in the place of an answer")
	case e.role == roleResume && !streamed:
		h.w.counts.add("race", "stream not to be taken up again")
		k.deaf, k.deafFrom = true, e.req.down
	case e.role == roleResume, end.Err != "", e.part.size > 0:
		h.w.counts.add("race", "stream broke for good during the grace")
		k.deaf, k.deafFrom = true, h.now
	}
	over := e.isGone()
	posted := slices.ContainsFunc(slices.Collect(maps.Values(h.web.xs)), func(o *oracleExchange) bool { return o.cancel == k })
	switch {
	case k.order == 0:
		k.takenBack, k.gaveUp = true, true
		h.move(c, Cancelling, Cancelled)
	case over:
		h.move(c, Cancelling, Cancelled)
	case k.graceOver:
	case k.refused, k.written.IsZero() && !posted:
		k.gaveUp = true
		h.move(c, Cancelling, Cancelled)
	case k.taken && !k.written.IsZero() && !e.req.heardOut:
		h.graceEnds(c)
	}
	if over {
		h.sessionOver()
	}
}

// tells notes on which exchange a message came that is no answer.
func (b *oracleHTTP) tells(m message, named bool) {
	switch {
	case b == nil || b.via == nil || m["method"][0] != '"' || m["result"] != nil || m["error"] != nil:
	case m["id"] == nil, named, strings.HasPrefix(m.method(), "notifications/"):
		b.via.news = true
	}
}

// heardOut reports whether an exchange ended with a whole body of JSON that held
// something else than the answer. More may come elsewhere.
func (e *oracleExchange) heardOut(end End) bool {
	return e.news && e.opened && e.head.isSuccess() && !e.head.streams() && end.Err == ""
}

// takenUp is a stream that is there again. What came for its row meanwhile may have
// lain at the server, if it was away before the server can have read the cancel.
func (h *oracle) takenUp(e *oracleExchange) {
	c := e.req.row
	if !e.head.isSuccess() || !c.isStopped() {
		return
	}
	k := c.cancel
	from := k.written
	if from.IsZero() {
		from = k.refusedAt
	}
	if !from.IsZero() && !e.req.gap.After(from.Add(h.onTheWay())) && h.now.After(from) {
		h.w.counts.add("race", "stream away when the cancel was written")
		k.waited = h.now.Sub(from)
	}
}

// stoppedOverHTTP is a cancel of a row that runs, where HTTP makes a difference.
// It reports whether that was all.
func (h *oracle) stoppedOverHTTP(c *oracleRow) bool {
	k, e := c.cancel, c.req.x
	k.closes, k.posts = h.eraIsModern(), !h.eraIsModern()
	switch {
	case c.deaf():
		h.w.counts.add("race", "cancel while its stream waited for a login")
		return false
	case c.waits || c.goes:
		h.w.counts.add("race", map[bool]string{true: "cancel while it waited for a login", false: "cancel before it is begun again"}[c.waits])
		c.waits, c.goes = false, false
		k.posts, k.takenBack, k.nothing = false, true, true
		h.move(c, Running, Cancelled)
	case e == nil || e.started || e.role != roleRequest:
		return false
	case len(c.all) > 0:
		h.w.counts.add("race", "cancel before the body of the next request")
		e.unwanted = true
		k.posts, k.takenBack, k.nothing = false, true, true
		h.move(c, Running, Cancelled)
	default:
		h.w.counts.add("race", "cancel before the body")
		e.unwanted = true
		h.move(c, Running, Dropped)
	}
	return true
}

// heldBack reports whether a cancel has to wait for its call to be written.
func (h *oracle) heldBack(c *oracleRow) bool {
	return h.web != nil && c.cancel.posts && c.req.written.IsZero()
}

// cancelAccepted is the head of the answer to the POST of a cancel.
func (h *oracle) cancelAccepted(e *oracleExchange) {
	c, k := e.row, e.row.cancel
	switch {
	case e.cancel != k:
		return
	case !e.head.isSuccess():
		h.cancelRefused(c)
		if e.isGone() && c.state == Cancelling {
			k.gaveUp = true
			h.move(c, Cancelling, Cancelled)
		}
		return
	}
	k.taken = true
	k.readLate = k.readLate || k.read && k.probeLate // what was read before says that only now
	if c.state != Cancelling || k.written.IsZero() || k.graceOver {
		return
	}
	k.due = k.written.Add(h.w.s.cfg.Grace)
	if h.endedForGood(c) {
		h.graceEnds(c)
	}
}

// endedForGood reports whether nothing can be heard of a row any more.
func (h *oracle) endedForGood(c *oracleRow) bool {
	return c.req.x == nil && c.req.again == nil && !h.web.old && !c.req.heardOut
}

// cancelRefused is a cancel that was not accepted. The row is heard on.
func (h *oracle) cancelRefused(c *oracleRow) {
	k := c.cancel
	if k.taken || k.refused {
		return
	}
	h.w.counts.add("race", "cancel refused")
	k.refused, k.refusedAt = true, h.now
	h.dirty[c.id] = true
	if c.state != Cancelling || h.keptAnswer(c) {
		return
	}
	from := k.written
	if from.IsZero() {
		from = h.now
	}
	k.due = from.Add(h.w.s.cfg.Grace)
	if h.endedForGood(c) {
		k.gaveUp = true
		h.move(c, Cancelling, Cancelled)
	}
}
