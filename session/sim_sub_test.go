package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"belay/session/mcp"
)

// The simulator's subscriptions, in both eras: a row that stands once a server
// has agreed, what comes for it, and the ways in which it ends.

// oracleSub is what the oracle knows of a row that subscribes.
type oracleSub struct {
	subscribes bool   // resources/subscribe, in the handshake revisions
	listens    bool   // subscriptions/listen
	uri        string // of the former
	active     bool   // the server has answered it
	ends       bool   // its cancel is a request of its own: resources/unsubscribe
	carriedOn  bool   // belay has begun it again: the connection before had it

	// In the modern era, over HTTP: how often it was begun again.
	acked  bool
	agreed int // things that the server agreed to
	since  time.Time
	brings bool // something came since it was begun
	tries  int
	later  time.Time // when it is begun again
}

// stands reports whether a row is a subscription, and no work.
func (c *oracleSub) stands() bool { return c.listens || c.active }

// doSubscribe is what the user subscribes with.
func (w *simulation) doSubscribe(a, b uint64) {
	spec := CallSpec{Method: methodSubscribe, Params: fmt.Appendf(nil, `{"uri":%q}`, of(a, "file:///a", "file:///a/b", "file:///c"))}
	if b%2 == 0 || w.oracle.modern && b%5 > 0 {
		spec = CallSpec{Method: methodListen, Params: mcp.Filter{Tools: a%2 == 0, Prompts: a%3 == 0, URIs: []string{"file:///a"}}.Params()}
	}
	if b%11 == 0 {
		spec.Rules = Rules{After: 2 * time.Second}
	}
	w.input(func() {
		named := b%13 < 3
		id, err := w.subscribe(spec, named)
		if twice := w.oracle.subscribedTo(spec); twice != nil && err == nil {
			w.fail("row %d subscribes to what row %d does", id, twice.id)
		}
		if !w.taken(err) {
			return
		}
		if named {
			row, _ := w.s.Row(id) // belay chose the request
			spec = CallSpec{Method: row.Method}
		}
		w.oracle.made(id, spec)
	})
}

// subscribe makes the call of a user who writes it, or of one who leaves the
// request to belay and gets the same one, or is refused.
func (w *simulation) subscribe(spec CallSpec, named bool) (CallID, error) {
	if !named {
		return madeBy(w.s.Handle(w.now, StartCall{Spec: spec}))
	}
	f := mcp.FilterAt(spec.Params)
	if spec.Method == methodSubscribe {
		f = mcp.Filter{URIs: []string{targetOf(spec.Method, spec.Params)}}
	}
	st := w.s.Status()
	id, err := madeBy(w.s.Handle(w.now, Subscribe{Filter: f, Idle: 0, Max: 0}))
	if lists := len(f.Words()) > len(f.URIs); err == nil && (st.Phase != Ready || !st.Server.Has.Subscribe || lists && !st.Revision.IsModern()) {
		w.fail("row %d subscribes to %v", id, f.Words())
	}
	return id, err
}

// subscribedTo is the row that subscribes to a resource already.
func (h *oracle) subscribedTo(spec CallSpec) *oracleRow {
	for _, c := range h.rows {
		if c.subscribes && !h.before.rev.IsModern() && c.epoch == h.w.epoch && !c.state.IsTerminal() && c.state != Cancelling &&
			spec.Method == methodSubscribe && strings.Contains(string(spec.Params), fmt.Sprintf("%q", c.uri)) {
			return c
		}
	}
	return nil
}

// subscribing notes what a new row is to bring.
func (c *oracleRow) subscribing(row Row) {
	c.listens = row.Method == methodListen
	c.subscribes = row.Method == methodSubscribe && row.Target != ""
	c.uri = row.Target
}

// agreed is the answer to a request that subscribes, which leaves its row in
// flight.
func (h *oracle) agreed(c *oracleRow, got answerKind) bool {
	if c.state != Running || !h.begins(c, got) {
		return false
	}
	h.w.counts.add("race", "subscription stands")
	c.agrees()
	h.noTokens(c)
	h.dirty[c.id] = true
	return true
}

// agrees notes that a row stands, for which there is no time any more.
func (c *oracleRow) agrees() {
	c.active, c.wished = true, c.limits
	c.idle, c.whole = 0, 0
}

// begins reports whether an answer to a row begins a subscription.
func (h *oracle) begins(c *oracleRow, got answerKind) bool {
	return c.subscribes && !c.active && !h.before.rev.IsModern() && (got == gotResult || got == gotToolError)
}

// agreedBefore is the same for a row whose cancel has not left: then it leaves as
// the end of the subscription.
func (h *oracle) agreedBefore(c *oracleRow, got answerKind) bool {
	k := c.cancel
	if k.order != 0 || !h.begins(c, got) {
		return false
	}
	h.w.counts.add("race", "subscription stands before its cancel left")
	h.noTokens(c)
	c.agrees()
	c.ends, k.posts, k.due = true, false, h.now.Add(5*time.Second)
	h.dirty[c.id] = true
	return true
}

// unsubscribes is the request that is the cancel of a standing row.
func (h *oracle) unsubscribes(c *oracleRow, r *oracleRequest, out Output, m message) bool {
	k := c.cancel
	if k == nil || !c.ends || k.order != 0 || k.takenBack || r.method != methodUnsubscribe {
		return false
	}
	var p struct {
		URI string `json:"uri"`
	}
	if _ = json.Unmarshal(m["params"], &p); p.URI != c.uri {
		h.w.fail("row %d subscribes to %s: %s", c.id, c.uri, out.Data)
	}
	h.w.counts.add("race", "unsubscribed")
	k.order, k.apart = h.order, h.web != nil
	k.seq, h.cancelSeq[out.Seq] = out.Seq, c
	return true
}

// endsSubscription is the server's own end of a subscription, by a message that names it.
func (h *oracle) endsSubscription(key string) {
	r := h.reqs[key]
	if r != nil && r.row != nil && !r.row.listens {
		h.cancelsCall(key)
	}
	if r == nil || r.row == nil || !r.row.listens || r.answered || r.row.req != r {
		return
	}
	if c, k := r.row, r.row.cancel; c.isStopped() && r.begun && !r.gone && !k.nothing && !k.answered && (k.order != 0 || c.state == Cancelled) {
		h.w.counts.add("race", "subscription ended by both")
		k.takenBack = k.order == 0
		h.evidently(c, gotResult)
		k.noticed = true
		if c.state == Cancelling {
			h.move(c, Cancelling, Cancelled)
		}
		return
	}
	if r.row.state == Cancelling && r.row.cancel.order == 0 {
		r.row.cancel.takenBack = true
	} else if r.row.state != Running || !h.awaits(r) {
		return
	}
	h.w.counts.add("race", "subscription ended by a message")
	h.brought(r)
	r.gone = true
	h.move(r.row, r.row.state, Done)
}

// delivered is a notification that a subscription may bring. For one that was
// cancelled it is evidence.
func (h *oracle) delivered(method string, params json.RawMessage) {
	var p struct {
		URI  string                     `json:"uri"`
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(params, &p)
	var c *oracleRow
	switch modern := h.before.rev.IsModern(); {
	case modern && h.web != nil && h.web.via != nil && h.web.via.req != nil && h.web.via.req.row != nil && h.web.via.req.row.listens:
		if key, ok := idKey(p.Meta["io.modelcontextprotocol/subscriptionId"]); !ok || h.reqs[key] == h.web.via.req {
			c = h.web.via.req.row
		}
	case modern:
		if key, ok := idKey(p.Meta["io.modelcontextprotocol/subscriptionId"]); ok && h.reqs[key] != nil {
			c = h.reqs[key].row
		}
		if c != nil && !c.listens {
			c = nil
		}
		if _, tagged := idKey(p.Meta["io.modelcontextprotocol/subscriptionId"]); !tagged {
			c = h.onlyLeft(method, p.URI)
		}
	case method == "notifications/resources/updated":
		c = h.updated(p.URI)
	}
	switch {
	case c == nil:
	case c.cancel != nil:
		h.heardAfter(c)
	case !c.listens || c.state != Running:
	case method != "notifications/subscriptions/acknowledged":
		c.brings = c.brings || c.req.wants.AsksFor(method, p.URI)
	case !c.acked:
		c.ackBy = time.Time{}
		var p struct {
			Agreed map[string]any `json:"notifications"`
		}
		if json.Unmarshal(params, &p) != nil || p.Agreed == nil || p.Agreed["toolsListChanged"] == "yes" {
			h.w.counts.add("race", "acknowledgement that says nothing")
			return
		}
		agreed := mcp.FilterAt(params)
		c.acked, c.agreed, c.since = true, len(agreed.Words())-len(agreed.Without(c.req.wants).Words()), h.now
	}
}

// onlyLeft is the only row that subscribes to what a notification is about, if it is being
// cancelled.
func (h *oracle) onlyLeft(method, uri string) (only *oracleRow) {
	n := 0
	for _, c := range h.rows {
		if c.listens && c.epoch == h.w.epoch && (c.state == Running || c.state == Cancelling) && c.req.wants.AsksFor(method, uri) {
			n, only = n+1, c
		}
	}
	if n != 1 || !only.isStopped() {
		return nil
	}
	h.w.counts.add("race", "update without a tag for what is being cancelled")
	return only
}

// logged is a log message over HTTP: it is about the request on whose stream it
// comes.
func (h *oracle) logged() {
	e := h.web.via
	if h.web.old || e == nil || e.req == nil || e.req.row == nil {
		return
	}
	if c := e.req.row; c.cancel != nil && c.req == e.req && !c.listens && h.kept(c) {
		h.heardAfter(c)
	}
}

// beginsAgain is a subscription whose exchange has ended without a result: it is
// begun again, unless it never stood, the server refuses it, or it has brought
// nothing too often.
func (h *oracle) beginsAgain(c *oracleRow, e *oracleExchange) bool {
	agreed, status := c.acked && c.agreed > 0, e.head.Status
	if !c.listens || !h.before.rev.IsModern() || h.before.phase != Ready ||
		!agreed && (c.acked || c.tries == 0) || e.opened && !e.head.isSuccess() && status != 429 && status/100 != 5 {
		return false
	}
	if c.brings || agreed && h.now.Sub(c.since) > 30*time.Second {
		c.tries = 0
	}
	if c.tries == 10 {
		h.move(c, Running, Lost)
		return true
	}
	h.w.counts.add("race", "subscription begun again")
	c.later = h.now.Add(min(30*time.Second, time.Second<<c.tries))
	c.tries++
	c.goes, c.acked, c.brings = true, false, false
	h.dirty[c.id] = true
	return true
}

// updated is the row that an update belongs to: the one that subscribes to the
// longest part of its address, before those that are being ended.
func (h *oracle) updated(uri string) (best *oracleRow) {
	for _, id := range h.ids() {
		c := h.rows[id]
		rest, ok := strings.CutPrefix(uri, c.uri)
		kept := c.state == Running || c.state == Cancelling
		if !c.subscribes || !kept || c.epoch != h.w.epoch || !ok || rest != "" && rest[0] != '/' {
			continue
		}
		if best == nil || len(c.uri) > len(best.uri) || len(c.uri) == len(best.uri) && best.cancel != nil {
			best = c
		}
	}
	return best
}

// heardAfter counts a message for a row that was cancelled, or keeps it while the writer has not
// told when the cancel was written.
func (h *oracle) heardAfter(c *oracleRow) {
	k := c.cancel
	m := oracleHeard{h.now, h.began, h.onTheWay()}
	switch {
	case k.atWriter():
		k.untold = append(k.untold, m)
		k.untold = k.untold[max(0, len(k.untold)-64):] // as many as belay says that it keeps
	case !k.written.IsZero() && !h.began.Before(k.written):
		k.passed()
		k.heard(m)
		h.dirty[c.id] = true
	}
}

// oracleHeard is a message for a row: when it came, when it began, and the bound of that time.
type oracleHeard struct {
	now, began time.Time
	onTheWay   time.Duration
}

// heard counts a message that came after the cancel.
func (k *oracleCancel) heard(m oracleHeard) {
	k.messages++
	if m.began.Sub(k.written) > m.onTheWay+k.waited {
		k.lastHeard = m.now
		k.working = k.working || k.graceOver
	}
}

// standing says what a server answers to a request that subscribes.
func (p *peer) standing(j *job) bool {
	wait := pick(p.rng, 0, time.Millisecond, 300*time.Millisecond)
	switch j.method {
	case methodListen:
		if p.rng.IntN(5) > 0 {
			p.say(wait, j, agreedNote, j.id, pick(p.rng, `{"toolsListChanged":true}`, `{}`, `{"resourceSubscriptions":["file:///a"]}`, `"yes"`, `{"toolsListChanged":"yes"}`))
		} else if p.rng.IntN(2) == 0 {
			p.answer(j, wait, answers[p.rng.IntN(3)])
		}
	case methodSubscribe, methodUnsubscribe:
		if p.rng.IntN(4) > 0 {
			p.answer(j, pick(p.rng, wait, 2*time.Second), `{"jsonrpc":"2.0","id":%s,"result":{}}`)
		} else {
			return false
		}
	default:
		return false
	}
	return true
}

// subStep is something that a server does about subscriptions.
func (w *simulation) subStep(st step) {
	var all []*job
	for _, j := range w.server.jobs {
		if j.method == methodListen {
			all = append(all, j)
		}
	}
	for _, c := range w.oracle.rows {
		if c.listens && c.state == Cancelling && st.b%4 == 0 {
			w.say(st.a, []byte(of(st.b/4, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a"}}`)))
			return
		}
	}
	if len(all) == 0 || st.a%5 == 0 {
		w.say(st.a, fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":%q}}`, of(st.b, "file:///a", "file:///a/b", "file:///a/b/c", "file:///d")))
		return
	}
	j := all[uint64(len(all))-1-st.a/5%uint64(min(len(all), 4))]
	line := fmt.Sprintf(of(st.b, agreedNote, agreedNote, endNote, finalAnswer, changedNote, changedNote, movedNote, changedNote, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"x","progress":1}}`),
		of(st.b, []any{j.id, `{"toolsListChanged":true}`}, []any{`4711`, `{}`}, []any{j.id}, []any{j.id, j.id},
			[]any{"tools", j.id}, []any{"prompts", j.id}, []any{j.id, "file:///a/b"}, []any{"tools", `"x"`}, nil)...)
	if w.web == nil {
		w.receive(w.exchange(), []byte(line))
		return
	}
	w.server.deliver(j.pipe, line)
}
