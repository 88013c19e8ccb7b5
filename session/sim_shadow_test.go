package session

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"time"
)

// shadow is what somebody sees who reads the wire and knows which inputs the
// core took. It reads with other code than the core's, keeps books of its own,
// and says what must be: which lines may be written, in which state every row
// is, and what the verdict on every cancel has to be.
type shadow struct {
	w *world

	now    time.Time // of the last input that counted
	before struct {  // as it was when the input of now began
		now   time.Time
		due   time.Time
		phase Phase
		jumps int
	}
	counted bool // the input of now was taken
	jumped  bool // time has jumped before it

	live        bool
	closeHanded bool
	left        bool // the user left, or the handshake failed
	initOut     bool
	initialized bool
	order       int                  // lines handed out so far
	used        map[string]bool      // IDs, over all epochs
	reqs        map[string]*shadeReq // of this epoch
	bySeq       map[uint64]*shadeReq // handed out, not reported
	cancelSeq   map[uint64]*shadeRow
	tokens      map[string]*shadeRow
	byHand      map[string]bool // notifications that the user wrote
	shortest    time.Duration
	probes      []*shadeProbe

	rows  map[CallID]*shadeRow
	dirty map[CallID]bool
	rev   uint64 // of the rows that were looked at

	theirs  map[string]*shadeAsk // open: nothing was handed out for it
	ended   map[string]*shadeAsk
	prompts map[PromptID]*shadeAsk
}

// shadeReq is a request of belay's that was handed out.
type shadeReq struct {
	method   string
	row      *shadeRow
	probe    *shadeProbe
	order    int
	handed   time.Time
	written  time.Time
	answered bool
}

// shadeAsk is a request of the server's.
type shadeAsk struct {
	raws      []string // the ID as it was written, every time
	ping      bool     // one of them is a ping
	held      bool     // came before initialized
	userSaid  bool     // the user answered it
	said      PromptState
	withdrawn bool
	responded bool
	state     PromptState // as it was seen last
	epoch     Epoch
}

func newShadow(w *world) *shadow {
	return &shadow{
		w: w, now: w.now, used: map[string]bool{}, rows: map[CallID]*shadeRow{}, dirty: map[CallID]bool{},
		prompts: map[PromptID]*shadeAsk{}, byHand: map[string]bool{},
	}
}

func (h *shadow) connected() {
	h.taken()
	h.live, h.closeHanded, h.left, h.initOut, h.initialized = true, false, false, false, false
	h.reqs, h.bySeq, h.cancelSeq = map[string]*shadeReq{}, map[uint64]*shadeReq{}, map[uint64]*shadeRow{}
	h.tokens, h.theirs, h.ended = map[string]*shadeRow{}, map[string]*shadeAsk{}, map[string]*shadeAsk{}
	h.shortest, h.probes = 0, nil
	if h.w.epoch > 1 {
		h.w.counts.add("race", "reconnect")
	}
}

// begin and end stand around every input.
func (h *shadow) begin() {
	b := &h.before
	b.now, b.phase, b.jumps = h.now, h.w.s.Status().Phase, h.clockJumps()
	b.due, _ = h.w.s.Deadline()
	h.counted, h.jumped = false, false
}

func (h *shadow) clockJumps() int {
	for _, d := range h.w.s.diags.list {
		if d.Code == DiagClockJump {
			return d.Count
		}
	}
	return 0
}

// taken notes that the input of now counts: time is what it says. A jump is
// one that leaves something due for more than half a minute.
func (h *shadow) taken() {
	if h.counted {
		return
	}
	h.counted = true
	gap := h.w.now.Sub(h.now)
	h.now = h.w.now
	late := !h.before.due.IsZero() && h.now.Sub(h.before.due) > 30*time.Second
	if h.jumped = gap > 30*time.Second && late && h.before.phase != Closing; h.jumped {
		h.w.counts.add("race", "time jumped")
		h.jump(gap)
	}
}

// idKey is what two IDs share when they are the same: the JSON type and the
// exact value.
func idKey(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 {
		return "", false
	}
	if raw[0] == '"' {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return "", false
		}
		return "s" + s, true
	}
	if raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return "", false
	}
	n, ok := new(big.Rat).SetString(string(raw))
	if !ok {
		return "", false
	}
	return "n" + n.RatString(), true
}

type message map[string]json.RawMessage

func (m message) method() string {
	var s string
	_ = json.Unmarshal(m["method"], &s)
	return s
}

// handed looks at what the core handed out. This is the wire: nothing may be on
// it that is not allowed.
func (h *shadow) handed(out Output) {
	h.taken()
	if out.Op == OpClose {
		if h.closeHanded {
			h.w.fail("the close was handed out twice")
		}
		h.closeHanded = true
		return
	}
	if h.closeHanded {
		h.w.fail("after the close something is written: %s", out.Data)
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

func (h *shadow) request(out Output, m message) {
	key, ok := idKey(m["id"])
	if !ok || key[0] != 'n' || h.used[key] {
		h.w.fail("the ID of a request is no integer or was used before: %s", out.Data)
	}
	h.used[key] = true
	r := &shadeReq{method: m.method(), order: h.order, handed: h.now}
	h.reqs[key], h.bySeq[out.Seq] = r, r
	switch {
	case r.method == "initialize":
		if h.initOut {
			h.w.fail("a second initialize")
		}
		h.initOut = true
	case !h.initialized:
		h.w.fail("a request before initialized: %s", out.Data)
	}
	if r.method != "initialize" {
		h.cancelsFirst(out)
	}
	if out.Call == 0 {
		h.ping(r, key)
		return
	}
	c := h.row(out.Call)
	r.row, c.req = c, r
	c.heard, c.began = h.now, h.now
	h.move(c, Queued, Running)
	var p struct {
		Meta struct {
			Token json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	}
	if json.Unmarshal(m["params"], &p) == nil {
		if token, ok := idKey(p.Meta.Token); ok {
			if prev := h.tokens[token]; prev != nil && !prev.state.Terminal() && prev != c {
				h.w.fail("two active requests have the token %s", p.Meta.Token)
			}
			h.tokens[token] = c
		}
	}
}

func (h *shadow) notification(out Output, m message) {
	switch m.method() {
	case "notifications/initialized":
		if !h.initOut || h.initialized {
			h.w.fail("initialized, out of place")
		}
		h.initialized = true
		return
	case "notifications/cancelled":
		if h.byHand[string(out.Data)] {
			return
		}
		h.cancelLine(out, m)
		return
	}
	if !h.byHand[string(out.Data)] {
		h.w.fail("a notification that nobody wanted: %s", out.Data)
	}
	if !h.initialized {
		h.w.fail("a notification before initialized: %s", out.Data)
	}
}

// cancelLine holds what the specification demands of a cancellation.
func (h *shadow) cancelLine(out Output, m message) {
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
	c.cancel.order = h.order
	h.cancelSeq[out.Seq] = c
	if queued := h.queued(); queued {
		h.w.counts.add("race", "cancel overtook a request")
	}
}

func (h *shadow) queued() bool {
	for _, c := range h.rows {
		if c.state == Queued {
			return true
		}
	}
	return false
}

// waitingCancel is a row whose cancel is wanted and has not left.
func (h *shadow) waitingCancel() *shadeRow {
	for _, c := range h.rows {
		if k := c.cancel; k != nil && c.epoch == h.w.epoch && c.state != Dropped && k.order == 0 && !k.takenBack {
			return c
		}
	}
	return nil
}

// cancelsFirst holds that nothing goes before a cancel.
func (h *shadow) cancelsFirst(out Output) {
	if c := h.waitingCancel(); c != nil {
		h.w.fail("row %d waits for its cancel, and this goes first: %s", c.id, out.Data)
	}
}

// nothing holds that the core has nothing to write, when it says so.
func (h *shadow) nothing() {
	if !h.live || h.closeHanded {
		return
	}
	if c := h.waitingCancel(); c != nil {
		h.w.fail("row %d waits for its cancel, and nothing is to be written", c.id)
	}
}

// response holds that every answer has a request that waits for it.
func (h *shadow) response(out Output, m message) {
	key, ok := idKey(m["id"])
	if !ok || (m["result"] == nil) == (m["error"] == nil) {
		h.w.fail("no response: %s", out.Data)
		return
	}
	a := h.theirs[key]
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
	delete(h.theirs, key)
	h.ended[key] = a
}

// sent is the report that the last byte of an output was written.
func (h *shadow) sent(seq uint64) {
	h.taken()
	if r := h.bySeq[seq]; r != nil {
		r.written = h.now
	}
	if c := h.cancelSeq[seq]; c != nil {
		h.cancelWritten(c)
	}
}

// received is a message of the server's.
func (h *shadow) received(x Exchange, line []byte) {
	h.taken()
	if !h.live || x.Epoch != h.w.epoch {
		h.w.counts.add("race", "message from a closed connection")
		return
	}
	line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	var m message
	var batch []json.RawMessage
	switch {
	case json.Unmarshal(line, &m) == nil && m != nil:
		h.message(m)
	case json.Unmarshal(line, &batch) == nil && h.w.s.Status().Revision == Rev20250326:
		for _, b := range batch {
			m = nil
			if json.Unmarshal(b, &m) == nil && m != nil {
				h.message(m)
			}
		}
	}
}

// oversize is an answer over the limit: its call ends, and that is all.
func (h *shadow) oversize(line []byte) {
	h.taken()
	var m message
	_ = json.Unmarshal(line, &m)
	if key, ok := idKey(m["id"]); ok && m["method"] == nil {
		h.answer(key, gotBad)
	}
}

func (h *shadow) message(m message) {
	key, named := idKey(m["id"])
	if m["method"] == nil {
		if named {
			h.answer(key, kindOfAnswer(m))
		}
		return
	}
	method := m.method()
	_, isText := idKey(m["method"])
	switch {
	case !isText || m["method"][0] != '"' || m["result"] != nil || m["error"] != nil:
	case method == "notifications/cancelled":
		var p struct {
			ID json.RawMessage `json:"requestId"`
		}
		_ = json.Unmarshal(m["params"], &p)
		if key, ok := idKey(p.ID); ok {
			h.withdraw(key)
		}
	case method == "notifications/progress":
		var p struct {
			Token    json.RawMessage `json:"progressToken"`
			Progress json.Number     `json:"progress"`
		}
		if json.Unmarshal(m["params"], &p) == nil && p.Progress != "" {
			if key, ok := idKey(p.Token); ok {
				h.progress(key)
			}
		}
	case strings.HasPrefix(method, "notifications/"):
	case named:
		h.asked(key, string(m["id"]), method)
	}
}

// asked is a request of the server's. One whose ID still waits is ignored.
func (h *shadow) asked(key, raw, method string) {
	if a := h.theirs[key]; a != nil {
		// A flood may have made the core forget the first one.
		a.raws, a.ping = append(a.raws, raw), a.ping || method == "ping"
		return
	}
	if h.ended[key] != nil {
		h.w.counts.add("race", "the ID of a request that ended is used again")
	}
	h.theirs[key] = &shadeAsk{
		raws: []string{raw}, ping: method == "ping", epoch: h.w.epoch, held: h.before.phase == Connecting && method != "ping",
	}
}

// withdraw is the server's cancel: from now on nothing may be written for it.
func (h *shadow) withdraw(key string) {
	a := h.theirs[key]
	if a == nil {
		switch e := h.ended[key]; {
		case e != nil && e.withdrawn:
			h.w.counts.add("race", "withdrawal twice")
		case e != nil:
			h.w.counts.add("race", "withdrawal after the answer")
		}
		return
	}
	switch {
	case a.held && !h.initialized:
		h.w.counts.add("race", "withdrawal before it was shown")
	case a.state == Waiting && !a.userSaid:
		h.w.counts.add("race", "withdrawal while it waited")
	default:
		h.w.counts.add("race", "withdrawal while the answer was queued")
	}
	a.withdrawn = true
	delete(h.theirs, key)
	h.ended[key] = a
}
