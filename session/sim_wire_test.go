package session

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"belay/session/mcp"
)

// handed looks at what the core handed out. This is the wire: nothing may be on
// it that is not allowed.
func (h *oracle) handed(out Output) {
	h.taken()
	if out.Op == OpRoots {
		if h.w.rootLook != 0 {
			h.w.fail("the roots are to be looked at twice")
		}
		return
	}
	if out.Op == OpClose {
		if h.closeHanded {
			h.w.fail("the close was handed out twice")
		}
		h.closeHanded = true
		return
	}
	if h.closeHanded && out.Op != OpAbort {
		h.w.fail("after the close something is written: %s", out.Data)
	}
	if h.web != nil && h.handedOverHTTP(out) {
		return
	}
	h.order++
	var m message
	if err := json.Unmarshal(out.Data, &m); err != nil || string(m["jsonrpc"]) != `"2.0"` || bytes.ContainsAny(out.Data, "\r\n") {
		h.w.fail("no message: %q (%v)", out.Data, err)
		return
	}
	switch {
	case m["method"] != nil && m["id"] != nil:
		h.request(out, m)
	case m["method"] != nil:
		h.notification(out, m)
	default:
		h.response(out, m)
	}
}

func (h *oracle) request(out Output, m message) {
	key, ok := idKey(m["id"])
	if !ok || key[0] != 'n' || h.used[key] {
		h.w.fail("the ID of a request is no integer or was used before: %s", out.Data)
	}
	h.used[key] = true
	r := &oracleRequest{method: m.method(), order: h.order, handed: h.now, begun: h.web == nil, id: string(m["id"]), second: h.answers}
	if r.method == methodListen {
		r.wants = mcp.FilterAt(m["params"])
	}
	h.web.carries(r)
	if r.method == "initialize" && bytes.Contains(out.Data, []byte(`"roots":{"listChanged":true}`)) != h.rootsDeclared {
		h.w.fail("roots were there: %v, and initialize is %s", h.rootsDeclared, out.Data)
	}
	if h.neverUsed[key] {
		h.w.fail("a request has an ID that was to be unknown: %s", out.Data)
	}
	h.reqs[key], h.bySeq[out.Seq] = r, r
	switch {
	case r.method == "initialize":
		if h.initOut {
			h.w.fail("a second initialize")
		}
		h.offers(protocolVersion(m["params"]))
	case r.method == "server/discover" && (h.probing || h.probesAgain(out)): // also a ping that had to wait, while a revision is negotiated anew
	case !h.initialized:
		h.w.fail("a request before initialized: %s", out.Data)
	}
	h.envelope(out, m)
	if h.initialized && r.method != methodUnsubscribe { // which may be a cancel
		h.cancelsFirst(out)
	}
	if out.Call == 0 {
		h.ping(r, key)
		return
	}
	c := h.row(out.Call)
	r.row, c.req = c, r
	if c.origin == FromHandshake && r.method == "server/discover" {
		if d := h.era.discover; d != nil && d.row != c && !d.answered {
			h.era.former = d
		}
		h.era.discover, h.era.probed, h.era.hungUp = r, eraUnanswered, false
	}
	if h.unsubscribes(c, r, out, m) {
		return
	}
	r.declares(h, out, m)
	if !c.goes { // after a login its clocks go on
		c.began = h.now
		c.renew()
	}
	if c.listens {
		c.ackBy = h.now.Add(10 * time.Second)
	}
	switch {
	case c.round != nil:
		h.again(c, out, m)
	case c.goes:
		h.madeAgain(c, out)
	default:
		c.made(m)
		h.move(c, Queued, Running)
	}
	var p struct {
		Meta struct {
			Token json.RawMessage `json:"progressToken"`
			Logs  *string         `json:"io.modelcontextprotocol/logLevel"`
		} `json:"_meta"`
	}
	if json.Unmarshal(m["params"], &p) == nil {
		r.asks = p.Meta.Logs != nil && r.method != methodListen
		if token, ok := idKey(p.Meta.Token); ok {
			if prev := h.tokens[token]; prev != nil && prev.isActive() && prev != c {
				h.w.fail("two active requests have the token %s", p.Meta.Token)
			}
			if prev := h.tokens[token]; prev != nil && prev != c && prev.req.begun { // else the token was given to nobody
				h.older[token] = prev
			}
			h.tokens[token], r.token = c, token
			h.bears(r)
		}
	}
}

func (h *oracle) notification(out Output, m message) {
	switch m.method() {
	case "notifications/initialized":
		if !h.initOut || h.initialized {
			h.w.fail("initialized, out of place")
		}
		h.handshakeEnds()
		h.initialized = true
		h.web.barred()
		return
	case "notifications/cancelled":
		if h.wrote(out) {
			return
		}
		if !h.byHand[string(out.Data)] || h.awaitsCancel(m) { // what belay has to say goes before what the user wrote
			h.cancelLine(out, m)
		}
		return
	case "notifications/roots/list_changed":
		switch {
		case h.rootsNews > 0:
			h.rootsNews--
		case h.rootsOld > 0:
			h.w.counts.add("race", "a change of the roots from before another initialize")
			h.rootsOld--
		default:
			h.w.fail("the server hears of a change of the roots that there was not")
		}
		h.cancelsFirst(out)
	}
	if !h.byHand[string(out.Data)] && m.method() != "notifications/roots/list_changed" {
		h.w.fail("a notification that nobody wanted: %s", out.Data)
	}
	if !h.initialized {
		h.w.fail("a notification before initialized: %s", out.Data)
	}
}

// awaitsCancel reports whether a cancel is that of a row whose own one has not left.
func (h *oracle) awaitsCancel(m message) bool {
	var p struct {
		ID     json.RawMessage `json:"requestId"`
		Reason string          `json:"reason"`
	}
	_ = json.Unmarshal(m["params"], &p)
	key, _ := idKey(p.ID)
	r := h.reqs[key]
	return r != nil && r.row != nil && h.isWaitingCancel(r.row) && r.row.cancel.why == p.Reason
}

// cancelLine holds what the specification demands of a cancellation.
func (h *oracle) cancelLine(out Output, m message) {
	var p struct {
		ID     json.RawMessage `json:"requestId"`
		Reason string          `json:"reason"`
	}
	if err := json.Unmarshal(m["params"], &p); err != nil || p.Reason == "" {
		h.w.fail("a cancel without a reason: %s", out.Data)
	}
	key, _ := idKey(p.ID)
	r := h.reqs[key]
	switch {
	case r == nil:
		h.w.fail("a cancel of what was not sent on this connection: %s", out.Data)
		return
	case r.method == "initialize":
		h.w.fail("initialize was cancelled")
	case r.answered:
		h.w.fail("a cancel of what has been answered: %s", out.Data)
	case r.row == nil:
		h.w.fail("a probe was cancelled: %s", out.Data)
		return
	}
	c := r.row
	if c.cancel == nil || c.cancel.order != 0 || c.cancel.takenBack {
		h.w.fail("row %d is %v: its cancel was not wanted, or left already: %s", c.id, c.state, out.Data)
		return
	}
	if p.Reason != c.cancel.why {
		h.w.fail("row %d is to be cancelled with the reason %q: %s", c.id, c.cancel.why, out.Data)
	}
	c.cancel.order, c.cancel.seq = h.order, out.Seq
	h.cancelSeq[out.Seq] = c
	h.web.cancels(h, c)
	if queued := h.queued(); queued {
		h.w.counts.add("race", "cancel overtook a request")
	}
}

func (h *oracle) queued() bool {
	for _, c := range h.rows {
		if c.state == Queued {
			return true
		}
	}
	return false
}

// waitingCancel is a row whose cancel is wanted and has not left.
func (h *oracle) waitingCancel() *oracleRow {
	for _, c := range h.rows {
		if h.isWaitingCancel(c) {
			return c
		}
	}
	return nil
}

func (h *oracle) isWaitingCancel(c *oracleRow) bool {
	k := c.cancel
	return k != nil && c.epoch == h.w.epoch && c.state != Dropped && k.order == 0 && !k.takenBack && !h.heldBack(c)
}

// cancelsFirst holds that nothing goes before a cancel.
func (h *oracle) cancelsFirst(out Output) {
	if c := h.waitingCancel(); c != nil {
		h.w.fail("row %d waits for its cancel, and this goes first: %s", c.id, out.Data)
	}
}

// nothing holds that the core has nothing to write, when it says so.
func (h *oracle) nothing() {
	if !h.live || h.closeHanded {
		return
	}
	if c := h.waitingCancel(); c != nil {
		h.w.fail("row %d waits for its cancel, and nothing is to be written", c.id)
	}
	h.web.leaks(h)
	if h.webWaits() {
		return
	}
	if err := h.unsentRound(); err != nil && h.w.s.Status().Phase == Ready {
		h.w.fail("%w", err)
	}
	if h.rootsNews > 0 && h.w.s.Status().Phase == Ready {
		h.w.fail("the server has not heard of %d changes of the roots", h.rootsNews)
	}
}

// response holds that every answer has a request that waits for it.
func (h *oracle) response(out Output, m message) {
	key, ok := idKey(m["id"])
	if !ok || (m["result"] == nil) == (m["error"] == nil) {
		h.w.fail("no response: %s", out.Data)
		return
	}
	var e struct{ Code int64 }
	if m["error"] != nil && (json.Unmarshal(m["error"], &e) != nil || !slices.Contains(answerCodes, e.Code)) {
		h.w.fail("an error with a code that belay does not answer with: %s", out.Data)
	}
	if h.eraIsModern() {
		h.w.fail("a response in the modern era: %s", out.Data)
	}
	a := h.incoming[key]
	if a == nil {
		why := "nobody asked for it"
		if e := h.ended[key]; e != nil && e.withdrawn {
			why = "the server has withdrawn its request"
		} else if e != nil {
			why = "its request was answered"
		}
		h.w.fail("a response was written, but %s: %s", why, out.Data)
		return
	}
	if !slices.Contains(a.raws, string(m["id"])) {
		h.w.fail("the ID is not repeated to the letter: %s, asked %v", out.Data, a.raws)
	}
	if !h.initialized && !a.ping {
		h.w.fail("an answer before initialized: %s", out.Data)
	}
	h.cancelsFirst(out)
	a.responded = true
	h.web.answers(a, key)
	delete(h.incoming, key)
	h.ended[key] = a
}
