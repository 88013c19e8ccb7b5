package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"belay/session/mcp"
)

// What the oracle knows of exchanges, and what it holds of them on the wire:
// which may be opened, when one may be closed, and that none is left behind.

// oracleHTTP is the HTTP side of a connection.
type oracleHTTP struct {
	xs      map[uint64]*oracleExchange // not over
	last    uint64                     // the highest number
	now     *oracleExchange            // that is being handed out
	via     *oracleExchange            // on which the message of now came
	ticked  time.Time
	session string      // that the server gave
	login   uint64      // that is under way
	ended   []time.Time // sessions, within the last minute

	barrier  *oracleExchange // notifications/initialized
	old      bool            // HTTP+SSE of 2024-11-05
	endpoint bool            // … and where to post to is known
	oldSince time.Time       // it is tried since then

	listen      *oracleExchange // the server's own stream
	listenOff   bool
	getTaken    bool // a GET was answered well
	listenLogin bool // for want of a login
	listenLast  string
	listenAt    time.Time // not before
}

// oracleExchange is an exchange.
type oracleExchange struct {
	x        ExchangeID
	role     role
	req      *oracleRequest // whose answer it is to bring
	row      *oracleRow     // of a cancel
	cancel   *oracleCancel
	wrong    bool            // of a cancel that the user sends wrong on purpose: what it brings is about that
	ask      *oracleQuestion // that it answers
	key      string          // … by its ID
	session  bool            // it names the session
	unknown  bool            // the server has said that it does not know that
	ends     bool            // it is the end of the handshake
	started  bool
	opened   bool
	unrouted bool // a GET that was answered 404 where none was taken before
	head     Head
	headed   time.Time
	unwanted bool // its call was dropped before it began
	aborted  bool
	handed   time.Time
	brought  time.Time // its answer
	events   int
	messages int
	part     arrival   // of a message whose end has not come
	kept     bool      // it stays open for that end, although its row has ended
	listens  time.Time // … until then at most
	news     bool      // one of them was a notification or a request
	lastID   string
	retry    time.Duration
}

// resumption is a stream that is to be taken up again.
type resumption struct {
	at    time.Time
	id    string
	retry time.Duration
	due   bool
	login bool // … after a login
}

// anew begins a connection.
func (b *oracleHTTP) anew() {
	if b != nil {
		*b = oracleHTTP{xs: b.xs, last: b.last, ended: b.ended}
	}
}

func (b *oracleHTTP) jump(d time.Duration) {
	if b == nil {
		return
	}
	for _, e := range b.xs {
		e.handed = e.handed.Add(d)
		if !e.brought.IsZero() {
			e.brought = e.brought.Add(d)
		}
		e.listens = e.listens.Add(d)
	}
	b.listenAt, b.oldSince = b.listenAt.Add(d), b.oldSince.Add(d)
}

// on notes on which exchange the message of now comes.
func (b *oracleHTTP) on(x ExchangeID) {
	if b != nil {
		if b.via = b.xs[x.N]; b.via != nil {
			b.via.messages++
		}
	}
}

// carries, cancels, answers and barred say what the exchange of now is for.
func (b *oracleHTTP) carries(r *oracleRequest) {
	if b != nil {
		b.now.role, b.now.req, r.x = roleRequest, r, b.now
	}
}

func (b *oracleHTTP) cancels(h *oracle, c *oracleRow) {
	if b == nil {
		return
	}
	b.now.role, b.now.row, b.now.cancel = roleCancel, c, c.cancel
	switch {
	case h.eraIsModern():
		h.w.fail("row %d is cancelled by a message, where closing its exchange does that", c.id)
	case c.req.written.IsZero():
		h.w.fail("the cancel of row %d leaves before its call was written", c.id)
	}
}

func (b *oracleHTTP) answers(a *oracleQuestion, key string) {
	if b != nil {
		b.now.ask, b.now.key = a, key
	}
}

func (b *oracleHTTP) noSession() {
	if b != nil {
		b.session = ""
	}
}

func (b *oracleHTTP) barred() {
	if b != nil {
		b.barrier, b.now.ends = b.now, true
	}
}

// handedOverHTTP looks at an output, and reports whether that is all: a message
// has to be read as well.
func (h *oracle) handedOverHTTP(out Output) bool {
	b := h.web
	if out.Op == OpAbort {
		h.aborts(out)
		return true
	}
	if !h.live || out.X.Epoch != h.w.epoch {
		h.w.fail("on a connection that is over: %s, %v %s", opNames[out.Op], out.X, out.Data)
		return true
	}
	if out.Op == OpLogin {
		if b.login != 0 || !h.w.s.cfg.Login {
			h.w.fail("a login is asked for; one is under way: %d", b.login)
		}
		b.login = out.Seq
		return true
	}
	if out.X.N <= b.last {
		h.w.fail("the exchange %v has a number of before", out.X)
	}
	b.last = out.X.N
	e := &oracleExchange{x: out.X, role: roleNotice, handed: h.now, retry: -1, session: b.session != ""}
	b.xs[out.X.N], b.now = e, e
	opening := strings.Contains(string(out.Data), `"method":"initialize"`) || h.probesAgain(out) // which is of the era that has no sessions
	if got := field(out, headerSession); got != b.session && !opening || got != "" && opening {
		h.w.fail("%v names the session %q, it is %q", out.X, got, b.session)
	}
	version := ""
	switch {
	case (h.eraIsModern() || h.probesAgain(out) && strings.Contains(string(out.Data), `"method":"server/discover"`)) && out.Op == OpWrite:
		version = string(mcp.Rev20260728)
	case h.before.rev.HasVersionHeader() && !opening:
		version = string(h.before.rev)
	}
	if got := field(out, headerVersion); got != version {
		h.w.fail("%v names the revision %q, it is %q: %s", out.X, got, version, out.Data)
	}
	if out.Op == OpOpen {
		h.opens(e, field(out, headerLastID))
		return true
	}
	if to := "http://peer.test/"; (out.URL != "") != b.endpoint || b.endpoint && !strings.HasPrefix(out.URL, to) {
		h.w.fail("posted to %q: %s", out.URL, out.Data)
	}
	if strings.Contains(string(out.Data), `"id"`) && strings.Contains(string(out.Data), `"method"`) != out.Awaits {
		h.w.fail("%s: awaits an answer: %v", out.Data, out.Awaits)
	}
	if b.barrier != nil && out.Awaits && !strings.Contains(string(out.Data), `"method":"ping"`) {
		h.w.fail("a request overtakes initialized: %s", out.Data)
	}
	return false
}

// opens is a GET, of which the stateless revision has none.
func (h *oracle) opens(e *oracleExchange, last string) {
	b := h.web
	if h.modern || b.old && b.endpoint {
		h.w.fail("a GET, which there is not here")
	}
	for _, r := range h.reqs {
		if a := r.again; a != nil && last != "" && a.id == last {
			if a.login || h.now.Before(a.at) || !h.awaits(r) {
				h.w.fail("the stream of row %d (%v) is taken up at %v, it was to be at %v", r.row.id, r.row.state, h.now, a.at)
			}
			h.w.counts.add("race", "stream taken up again")
			e.role, e.req, e.lastID, e.retry = roleResume, r, last, a.retry
			r.again, r.x = nil, e
			return
		}
	}
	if b.old {
		e.role = roleEvents
		return
	}
	e.role, e.lastID = roleServerStream, last
	if b.listen != nil || b.listenOff || h.w.s.cfg.NoListen || last != b.listenLast || h.now.Before(b.listenAt) || h.before.phase == Connecting { // when closing, it was on its way
		h.w.fail("a GET from %q at %v; there is one: %v, off %v, from %q at %v, %v", last, h.now, b.listen != nil, b.listenOff, b.listenLast, b.listenAt, h.before.phase)
	}
	b.listen = e
}

// aborts is the closing of one exchange: a cancel, or of one that nothing can
// come on that anybody waits for.
func (h *oracle) aborts(out Output) {
	e := h.web.xs[out.X.N]
	if len(out.Data) > 0 || e != nil && e.aborted {
		h.w.fail("%v is closed twice, or with data %q", out.X, out.Data)
	}
	if out.Seq == 0 {
		if e != nil {
			e.aborted = true
			if why := h.mayClose(e); why != "" {
				h.w.fail("%v is closed, and %s: %+v", out.X, why, *e)
			}
		}
		return
	}
	h.order++
	c := h.rows[out.Call]
	k := c.cancel
	if k == nil || !k.closes || k.order != 0 || k.takenBack || e == nil || c.req.x != e {
		h.w.fail("row %d (%v): its exchange %v is closed as its cancel: %+v", c.id, c.state, out.X, k)
		return
	}
	e.aborted = true
	k.order = h.order
	k.seq, h.cancelSeq[out.Seq] = out.Seq, c
}

// mayClose says why belay must not close an exchange; empty: it may.
func (h *oracle) mayClose(e *oracleExchange) string {
	if e.req != nil && e.req.row != nil && e.req.row.state == Running {
		if _, kept := h.w.s.Row(e.req.row.id); !kept { // where few rows are kept, one that has failed is forgotten before anybody looks
			h.probeGivenUp(e.req.row)
		}
	}
	switch {
	case !h.live || e.x.Epoch != h.w.epoch || e.unwanted:
		return ""
	case e.role == roleServerStream:
		if h.web.listenOff {
			return ""
		}
		return "it is the server's own stream"
	case e.role == roleEvents:
		if !h.web.old { // a server that answered server/discover after all
			return ""
		}
		return "everything comes on it"
	case e.req == nil:
		if h.now.Sub(e.handed) < 30*time.Second {
			return "its message could still be accepted"
		}
		return ""
	case e.req.answered && e.brought.IsZero():
		return ""
	case !e.brought.IsZero():
		if h.now.Sub(e.brought) < 5*time.Second {
			return "it could still end by itself"
		}
		return ""
	case e.req.row == nil:
		return "the probe is not answered"
	case !e.req.row.state.IsTerminal():
		return fmt.Sprintf("row %d (%s) is %v", e.req.row.id, e.req.method, e.req.row.state)
	case e.req == h.era.discover && !h.left && h.now.Before(h.era.hears):
		return "a late answer to server/discover may come on it"
	case e.req.row.state == Cancelled && e.kept && !h.left && h.listensUntil(e, e.part).After(h.now):
		return "a message is coming on it"
	}
	return ""
}

// leaks holds that every exchange is of use, when the core has nothing to do.
func (b *oracleHTTP) leaks(h *oracle) {
	if b == nil {
		return
	}
	for n, e := range b.xs {
		late := func(since time.Time, limit time.Duration) bool {
			return !since.IsZero() && b.ticked.Sub(since) >= limit
		}
		switch {
		case e.aborted:
			continue
		case e.x.Epoch != h.w.epoch, e.unwanted:
		case e.req == nil:
			if e.role != roleNotice && e.role != roleAnswer && e.role != roleCancel || !late(e.handed, 30*time.Second) {
				continue
			}
		case e.req.answered, !e.brought.IsZero():
			if e.opened && !e.head.streams() || !late(e.brought, 5*time.Second) {
				continue
			}
		case e.req.row == nil || !e.req.row.state.IsTerminal():
			continue
		case e.req.row.state == Cancelled && e.kept && b.ticked.Before(e.listens):
			h.w.counts.add("race", "the end of a message is listened for")
			continue
		case e.req == h.era.former && h.awaitsDiscover():
			continue
		case e.req == h.era.discover && b.ticked.Before(h.era.hears):
			h.w.counts.add("race", "a late answer to server/discover is listened for")
			continue
		case e.req.method == methodUnsubscribe && !late(e.handed, 30*time.Second): // it may have left after its row had ended
			continue
		}
		h.w.fail("exchange %d is left behind: %+v, for %+v at %v", n, *e, e.req, b.ticked)
		return
	}
	for _, r := range h.reqs {
		if r.again != nil && r.again.due && h.awaits(r) {
			h.w.fail("the stream of row %d is not taken up again", r.row.id)
		}
	}
}

// dueStreams notes which streams have to be taken up now.
func (h *oracle) dueStreams() {
	if h.web == nil {
		return
	}
	h.web.ticked = h.now
	if b := h.web; b.old && !b.endpoint && h.live && !h.left && h.before.phase == Connecting && h.now.Sub(b.oldSince) >= 30*time.Second {
		if h.w.counts.add("race", "no endpoint is named"); h.w.s.Status().Phase == Connecting {
			h.w.fail("HTTP+SSE is tried since %v, and no endpoint is named", b.oldSince)
		}
	}
	for _, r := range h.reqs {
		if r.again != nil && !r.again.login && !r.again.at.After(h.now) {
			r.again.due = true
		}
	}
	if until := h.w.s.timers.At(once(dueServerStreamWait)); h.w.s.http.serverStream.isAwaited && !until.After(h.now) {
		h.w.fail("the calls still wait for the head of the GET")
	}
}

// webWaits reports whether HTTP has something wait: for initialized, for the head
// of the first GET, for the endpoint, or for others to end.
func (h *oracle) webWaits() bool {
	b := h.web
	return b != nil && (b.barrier != nil || b.old && !b.endpoint || len(b.xs) >= maxPosts || h.w.s.http.serverStream.isAwaited)
}

func (h *oracle) kept(c *oracleRow) bool {
	_, kept := h.w.s.Row(c.id)
	return kept
}

// follows holds that the core has the same exchanges open as the transport.
func (b *oracleHTTP) follows(h *oracle) {
	if b == nil {
		return
	}
	st := h.w.s.Status()
	if st.Epoch != h.w.epoch {
		h.w.fail("connection %d, it must be %d", st.Epoch, h.w.epoch)
	}
	if st.Phase == Disconnected {
		return
	}
	for _, e := range b.xs {
		if e.req == nil || e.req.row == nil || e.started || e.req.row.state != Running || e.req.x != e {
			continue
		}
		if c := e.req.row; !h.kept(c) { // it was dropped by a rule or a limit, and its row forgotten at once
			why, by := c.whyOver()
			c.cancel = h.cancel(by, why)
			c.cancel.takenBack = true
			e.unwanted = true
			h.move(c, Running, Dropped)
		}
	}
	open := h.w.s.http.open
	for n, e := range b.xs {
		if e.x.Epoch == st.Epoch && open[n] == nil {
			h.w.fail("exchange %d is forgotten: %+v", n, *e)
		}
	}
	queued := slices.Clone(h.w.s.http.ops)
	for n := range open {
		if b.xs[n] == nil && !slices.ContainsFunc(queued, func(out Output) bool { return out.X.N == n }) {
			h.w.fail("exchange %d is kept, and was not handed out or is over", n)
		}
	}
}
