package session

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"time"

	"belay/session/mcp"
)

// oracle is what somebody sees who reads the wire and knows which inputs the
// core took. It reads with other code than the core's, keeps books of its own,
// and says what must be: which lines may be written, in which state every row
// is, and what the verdict on every cancel has to be.
type oracle struct {
	w     *simulation
	views *viewing // of every eighth history: it costs as much as all the rest

	now     time.Time    // of the last input that counted
	began   time.Time    // of the message at hand: when its first byte came
	perhaps []*oracleRow // … the cancelled ones of the rows that may have asked it, where others may, too
	since   time.Time    // when the connection was begun
	before  struct {     // as it was when the input of now began
		now   time.Time
		due   time.Time
		phase Phase
		jumps int
		rev   mcp.Revision
	}
	counted bool // the input of now was taken

	midway     []*oracleRow // that ended in the middle of the message on the pipe whose end has come
	midwayLast time.Time    // … and when its latest bytes came that were told
	half       []*oracleRow // those for which the message at hand is that one

	jumped bool // time has jumped before it

	live        bool
	closeHanded bool
	left        bool // the user left, or the handshake failed
	initOut     bool
	probing     bool // server/discover is the opening, and not settled
	pin         mcp.Revision
	outdated    bool // a request was refused for its revision
	anewDone    bool // the era was asked for once more
	era         oracleEra
	guessed     bool         // a mute server was begun with initialize alone, and has not agreed
	unsent      []*oracleRow // calls that are made when a connection is begun again
	modern      bool         // no handshake: the probe settled it
	initialized bool
	order       int                       // lines handed out so far
	used        map[string]bool           // IDs, over all epochs
	reqs        map[string]*oracleRequest // of this epoch
	bySeq       map[uint64]*oracleRequest // handed out, not reported
	cancelSeq   map[uint64]*oracleRow
	tokens      map[string]*oracleRow
	older       map[string]*oracleRow     // that had the token before
	bearers     map[string]*oracleRequest // of tokens, the latest request of this epoch whose body was begun
	byHand      map[string]bool           // notifications that the user wrote
	wrongs      oracleWrongs              // cancels that the user sends wrong on purpose
	neverUsed   map[string]bool           // the IDs in those that no request may have
	wroteIn     Epoch                     // the connection in which the user wrote the latest
	trips       [3][]time.Duration        // round trips: of the first exchange, of lists, of pings
	there       []time.Duration           // what all of these took, and what calls took that were answered
	answers     bool                      // the server has answered something
	renews      bool                      // the session over HTTP has ended, and another one begins
	probes      []*oracleProbe
	pingAt      time.Time // of the next periodic ping; zero: none
	closeBy     time.Time // by when the close is to be handed out; zero: not

	rootsDeclared bool
	rootsGone     []Root          // could not be read, when they were looked at last
	rootsNews     int             // changes of the roots that the server has not heard of
	rootsOld      int             // … that came before another initialize: their notices may still be written
	needed        map[CallID]bool // calls that failed for URL elicitations

	rows  map[CallID]*oracleRow
	dirty map[CallID]bool
	rev   uint64 // of the rows that were looked at

	rounds map[CallID][]*oracleRound // of each row, also when it is not kept any more

	web *oracleHTTP // over HTTP

	incoming  map[string]*oracleQuestion // open: nothing was handed out for it
	ended     map[string]*oracleQuestion
	former    map[string]*oracleQuestion // of a session that has expired in this step
	questions map[QuestionID]*oracleQuestion
	asking    []*oracleQuestion        // of those, the ones of this epoch
	newest    QuestionID               // of those
	carried   map[string]carriedLimits // of the user's subscriptions that the next connection begins again
	gave      oracleAnswer             // the message of now, as an answer
	pipe      arrival                  // what has come of a message on stdio
	about     CallID                   // the row that the message of now is about; 0: not known
	whys      map[string]int           // the reasons of all cancels
	answered  int                      // bytes of answers that rows were given
}

// oracleRequest is a request of belay's that was handed out.
type oracleRequest struct {
	method   string
	token    string // of its progress; empty: it has none
	row      *oracleRow
	probe    *oracleProbe
	order    int
	handed   time.Time
	begun    bool // its first byte may have left
	written  time.Time
	progress []time.Time // when it came, of the last five times
	answered bool
	ignored  *oracleAnswer // that came elsewhere, before a cancel; nil: none did
	declared string        // its capabilities, as they are written
	asks     bool          // for log messages
	second   bool          // the server had answered something when it was handed out
	wants    mcp.Filter

	id       string          // as it is written
	x        *oracleExchange // over HTTP: the exchange that is to bring its answer; nil between two
	again    *resumption
	gone     bool      // its exchange has ended, or its row
	tries    int       // at taking its stream up, without anything new
	idle     int       // how often in a row it broke before a message came
	down     time.Time // when its stream was last heard to end
	heardOut bool      // its exchange ended with a whole body of JSON, and without the answer
	gap      time.Time // since then it was only there for shorter than a message takes
}

// oracleQuestion is a request of the server's.
type oracleQuestion struct {
	raws          []string // the ID as it was written, every time
	ping          bool     // one of them is a ping
	held          bool     // came before initialized
	userSaid      bool     // the user answered it
	said          QuestionState
	withdrawn     bool
	responded     bool
	withdrawnLate bool          // withdrawn when the answer was on its way
	reused        bool          // its answer was not taken, and its ID was used again
	round         *oracleRound  // an input of it; nil: it is a request
	method        string        // … and what it asks for
	name          string        // the key of an input
	closed        bool          // its row ended before it was answered
	stopped       *oracleRow    // the row that asks it after its cancel
	perhaps       []*oracleRow  // that were cancelled before it came, and may ask it, as others may
	left          []*oracleRow  // that were cancelled while it waited, and may have asked it
	needed        bool          // no request, but listed in the error of a call
	state         QuestionState // as it was seen last
	epoch         Epoch
	owners        []*oracleRequest // of ours that it may belong to, when it came
	reason        string           // of its withdrawal
}

func newOracle(w *simulation) *oracle {
	h := &oracle{
		w: w, now: w.now, used: map[string]bool{}, rows: map[CallID]*oracleRow{}, dirty: map[CallID]bool{},
		questions: map[QuestionID]*oracleQuestion{}, byHand: map[string]bool{}, wrongs: oracleWrongs{}, neverUsed: map[string]bool{}, needed: map[CallID]bool{},
		rounds: map[CallID][]*oracleRound{}, carried: map[string]carriedLimits{}, whys: map[string]int{},
	}
	if w.web != nil {
		h.web = &oracleHTTP{xs: map[uint64]*oracleExchange{}}
	}
	return h
}

func (h *oracle) connected(again bool) {
	h.taken()
	cfg := h.w.s.Config()
	h.pin, h.outdated, h.anewDone = cfg.Pin, false, false
	h.modern, h.probing = false, cfg.Pin == mcp.Rev20260728 || cfg.Pin == "" && cfg.DiscoverLimit > 0
	usual := h.beginsAsUsual(again)
	h.era.opens(h, again)
	h.era.usual = usual
	h.live, h.closeHanded, h.left, h.initOut, h.initialized = true, false, false, false, false
	h.reqs, h.bySeq, h.cancelSeq = map[string]*oracleRequest{}, map[uint64]*oracleRequest{}, map[uint64]*oracleRow{}
	h.older, h.bearers = map[string]*oracleRow{}, map[string]*oracleRequest{}
	h.tokens, h.incoming, h.ended = map[string]*oracleRow{}, map[string]*oracleQuestion{}, map[string]*oracleQuestion{}
	h.trips, h.there, h.answers, h.probes, h.asking, h.since = [3][]time.Duration{}, nil, false, nil, nil, h.now
	h.pingAt, h.closeBy, h.pipe = time.Time{}, time.Time{}, arrival{}
	h.web.anew()
	h.rootsDeclared, h.rootsNews, h.rootsOld, h.rootsGone = len(h.w.s.Config().Roots) > 0, 0, 0, nil
	if h.w.epoch > 1 {
		h.w.counts.add("race", "reconnect")
	}
}

// begin and end stand around every input.
func (h *oracle) begin() {
	b := &h.before
	st := h.w.s.Status()
	b.now, b.phase, b.rev, b.jumps = h.now, st.Phase, st.Revision, h.clockJumps()
	b.due, _ = h.w.s.timers.First() // Deadline may be early
	h.counted, h.jumped, h.began, h.about = false, false, h.w.now, 0
}

func (h *oracle) clockJumps() int {
	for _, d := range h.w.s.diags.list {
		if d.Code == mcp.DiagClockJump {
			return d.Count
		}
	}
	return 0
}

// taken notes that the input of now counts: time is what it says. A jump is
// one that leaves something due for more than half a minute.
func (h *oracle) taken() {
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
		h.jumpClocks(gap)
		h.web.jump(gap)
		return
	}
	h.passes(gap)
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

// UnmarshalJSON leaves out an error that is null beside a result, which is none.
func (m *message) UnmarshalJSON(text []byte) error {
	all := map[string]json.RawMessage(nil)
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	if *m = all; bytes.HasPrefix(all["result"], []byte("{")) && string(all["error"]) == "null" {
		delete(all, "error")
	}
	return nil
}

func (m message) method() string {
	var s string
	_ = json.Unmarshal(m["method"], &s)
	return s
}

// sent is the report that the last byte of an output was written.
func (h *oracle) sent(seq uint64) {
	h.taken()
	if r := h.bySeq[seq]; r != nil {
		r.written = h.now
	}
	if c := h.cancelSeq[seq]; c != nil && c.cancel.seq == seq {
		h.cancelWritten(c)
	}
}

// beginning is when the first byte of the message at hand came.
func (h *oracle) beginning(began time.Time) {
	if !began.IsZero() && began.Before(h.now) {
		h.began = began
	}
	if h.began.Before(h.since) {
		h.began = h.since
	}
	h.half = nil
	if !h.began.After(h.midwayLast) {
		h.half = h.midway
	}
	h.midway = nil
}

// reaches is a message that begins to be read, and reports whether its connection is still there.
func (h *oracle) reaches(x ExchangeID, began time.Time) bool {
	h.taken()
	h.beginning(began)
	if !h.live || x.Epoch != h.w.epoch {
		h.w.counts.add("race", "message from a closed connection")
		return false
	}
	h.web.on(x)
	return true
}

// received is a message of the server's.
func (h *oracle) received(x ExchangeID, began time.Time, line []byte) {
	if !h.reaches(x, began) {
		return
	}
	if h.losesSession(line) {
		return
	}
	line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	var m message
	var batch []json.RawMessage
	switch {
	case json.Unmarshal(line, &m) == nil && m != nil:
		h.message(m)
	case json.Unmarshal(line, &batch) == nil && h.w.s.Status().Revision == mcp.Rev20250326:
		for _, b := range batch {
			m = nil
			if json.Unmarshal(b, &m) == nil && m != nil {
				h.message(m)
			} else {
				h.strays("")
			}
		}
		if len(batch) == 0 {
			h.strays("")
		}
	default:
		if len(batch) == 0 {
			h.strays("")
		}
		h.refusedBatch(batch)
	}
}

// oversize is an answer over the limit, which ends its call, or a request,
// which is refused.
func (h *oracle) oversize(x ExchangeID, began time.Time, line []byte) {
	if !h.reaches(x, began) {
		return
	}
	var m message
	_ = json.Unmarshal(line, &m)
	switch key, ok := idKey(m["id"]); {
	case !ok && m["method"] == nil:
		h.strays("")
	case !ok:
	case m["method"] == nil:
		h.gave = oracleAnswer{}
		h.straysIfUnknown(key, true, nil)
		if key, ok = h.aimed(key, ok, m); ok {
			h.discovered(key, nil)
			kind := gotLarge
			if m["error"] != nil {
				kind = gotError
			}
			h.answer(key, kind, nil, false)
		}
	default:
		h.asked(key, string(m["id"]), m.method())
	}
}

func (h *oracle) message(m message) {
	key, named := idKey(m["id"])
	if m["method"] == nil {
		h.gave = answerOf(m)
		h.straysIfUnknown(key, named, m)
		if key, named = h.aimed(key, named, m); named {
			h.discovered(key, m)
			h.needs(key, m)
			ro, is := h.roundIn(key, m)
			h.answer(key, h.typed(kindOfAnswer(m), m), ro, is)
		}
		return
	}
	method := m.method()
	_, isText := idKey(m["method"])
	h.web.tells(m, named)
	switch {
	case !isText || m["method"][0] != '"' || m["result"] != nil || m["error"] != nil:
		h.strays("")
	case method == "notifications/cancelled":
		var p struct {
			ID     json.RawMessage `json:"requestId"`
			Reason string
		}
		_ = json.Unmarshal(m["params"], &p)
		switch key, ok := idKey(p.ID); {
		case ok && h.before.rev.IsModern():
			h.endsSubscription(key)
		case ok:
			h.withdraw(key, p.Reason)
		}
	case method == "notifications/progress":
		var p struct {
			Token    json.RawMessage `json:"progressToken"`
			Progress json.Number     `json:"progress"`
		}
		proper := json.Unmarshal(m["params"], &p) == nil && p.Progress != ""
		if key, ok := idKey(p.Token); proper && ok {
			h.progress(key, m["params"])
		} else {
			h.malformedProgress(m["params"])
		}
	case method == "notifications/message" && h.web != nil:
		h.logged()
	case method == "notifications/message":
		if c := h.onlyAsker(); c != nil {
			h.said(c)
		}
	case strings.HasSuffix(method, "/list_changed"), method == "notifications/resources/updated", method == "notifications/subscriptions/acknowledged":
		h.delivered(method, m["params"])
	case strings.HasPrefix(method, "notifications/"):
	case named:
		h.asked(key, string(m["id"]), method)
	case m["id"] != nil:
		h.strays("")
	}
}

// needs notes that the first answer to a call asks for URL elicitations.
func (h *oracle) needs(key string, m message) {
	r := h.reqs[key]
	if r != nil && r.row != nil && !r.answered && m["result"] == nil && bytes.Contains(m["error"], []byte("-32042")) {
		h.needed[r.row.id] = true
	}
}

// asked is a request of the server's. One whose ID still waits is ignored.
func (h *oracle) asked(key, raw, method string) {
	if h.modern {
		h.w.counts.add("race", "server's request in the modern era")
	}
	stopped := h.asksAfterCancel(method)
	if a := h.incoming[key]; a != nil {
		// A flood may have made the core forget the first one.
		a.raws, a.ping = append(a.raws, raw), a.ping || method == "ping"
		if a.state == 0 && !a.held {
			a.owners = h.mayOwn()
		}
		return
	}
	if h.ended[key] != nil {
		h.w.counts.add("race", "the ID of a request that ended is used again")
	}
	a := &oracleQuestion{
		raws: []string{raw}, ping: method == "ping", stopped: stopped, perhaps: h.perhaps, epoch: h.w.epoch, held: h.before.phase == Connecting && method != "ping",
	}
	if !a.held {
		a.owners = h.mayOwn()
	}
	h.incoming[key] = a
}

// withdraw is the server's cancel: from now on nothing may be written for it.
func (h *oracle) withdraw(key, reason string) {
	a := h.incoming[key]
	if a == nil {
		switch e := h.ended[key]; {
		case e != nil && e.withdrawn: // what was said first stays
			h.w.counts.add("race", "withdrawal twice")
		case e != nil:
			h.w.counts.add("race", "withdrawal after the answer")
			if !e.withdrawnLate {
				h.takesBackQuestion(e)
			}
			e.withdrawnLate, e.reason = true, reason
		default:
			h.cancelsCall(key)
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
	h.takesBackQuestion(a)
	a.withdrawn, a.reason = true, reason
	delete(h.incoming, key)
	h.ended[key] = a
}
