package session

import (
	"fmt"
	"strings"
	"time"

	"belay/session/cancel"
)

// The oracle of clocks. Every row has a stopwatch, which runs while the row does
// and nobody holds it up. What the limits are follows from what the user asked
// for and from the configuration, and when one of them is over from the
// stopwatch: nothing here asks the core.

// limits are what ends a row by itself; zero: never.
type limits struct {
	idle, whole, after time.Duration
	share, value       float64 // of its progress
	why                string  // the reason of the rule
}

// limitsOf are the limits of a call, with the defaults of the design.
func (w *simulation) limitsOf(spec CallSpec) limits {
	own := func(d, general, usual time.Duration) time.Duration {
		if d == 0 {
			d = general
		}
		if d == 0 {
			d = usual
		}
		return max(d, 0)
	}
	l := limits{
		idle: own(spec.Idle, w.cfg.Idle, 5*time.Minute), whole: own(spec.Max, w.cfg.Max, time.Hour),
		after: spec.Rules.After, share: spec.Rules.AtFraction, value: spec.Rules.AtProgress, why: spec.Rules.Reason,
	}
	if spec.Method == methodListen {
		l.idle, l.whole = 0, 0
	}
	return l
}

// oracleClock is what the oracle knows of the clocks of a row.
type oracleClock struct {
	limits
	wished limits        // those that it was made with, once it stands
	ran    time.Duration // of its own time, since its first request was handed out
	still  bool          // nothing of it passes
	stood  bool          // … nor did before the input of now
	heard  time.Duration // when the server was heard last, in that time
	fresh  time.Duration // when its limits began anew
	ackBy  time.Time     // when the lack of an acknowledgement is told; zero: not to be
}

// left is what is left of the time until the next limit, and which limit that
// is; false: there is none.
func (k *oracleClock) left() (least time.Duration, by cancel.Initiator, ok bool) {
	for _, l := range []struct {
		limit, since time.Duration
		by           cancel.Initiator
	}{{k.after, 0, cancel.ByRule}, {k.whole, k.fresh, cancel.ByTimeout}, {k.idle, k.heard, cancel.ByTimeout}} {
		if rest := l.limit - (k.ran - l.since); l.limit > 0 && (!ok || rest < least) {
			least, by, ok = rest, l.by, true
		}
	}
	return least, by, ok
}

// renew begins both limits anew; the rule stays as it was.
func (k *oracleClock) renew() { k.heard, k.fresh = k.ran, k.ran }

// whyOver is the reason that a row is ended for now, and who ends it; zero: no
// limit of it is over.
func (k *oracleClock) whyOver() (why string, by cancel.Initiator) {
	switch {
	case k.after > 0 && k.ran >= k.after:
		return k.why, cancel.ByRule
	case k.whole > 0 && k.ran-k.fresh >= k.whole:
		return fmt.Sprintf("timeout: no end after %v", k.whole), cancel.ByTimeout
	case k.idle > 0 && k.ran-k.heard >= k.idle:
		return fmt.Sprintf("timeout: silent for %v", k.idle), cancel.ByTimeout
	}
	return "", 0
}

// passes has the stopwatches go on that run.
func (h *oracle) passes(d time.Duration) {
	for _, c := range h.rows {
		if c.state == Running && !c.still {
			c.ran += d
		}
	}
}

// holdUp notes which rows stand still from now on: those between two requests,
// those whose stream waits for a login, and those that a human may be asked for.
func (h *oracle) holdUp() {
	for _, c := range h.rows {
		c.stood, c.still = c.still, c.between() || c.deaf()
	}
	for _, a := range h.asking {
		if a.must(h.live && a.epoch == h.w.epoch) != Waiting {
			continue
		}
		for _, r := range a.owners {
			if h.owns(r) {
				r.row.still = true
			}
		}
	}
}

// between reports whether nothing of a row is in flight, and its next request is to
// come.
func (c *oracleRow) between() bool { return c.round != nil || c.waits || c.goes }

// mayOwn are the requests that one of the server's may belong to: the one on
// whose stream it came, or else every one of the user's that is out.
func (h *oracle) mayOwn() (all []*oracleRequest) {
	if h.web != nil && h.web.via != nil && h.web.via.req != nil && h.web.via.req.row != nil {
		if r := h.web.via.req; h.owns(r.row.req) {
			all = append(all, r.row.req)
		}
		return all
	}
	for _, id := range h.ids() {
		if c := h.rows[id]; c.origin == FromUser && c.req != nil && h.owns(c.req) {
			all = append(all, c.req)
		}
	}
	return all
}

// owns reports whether a request of the server's may still belong to one of ours.
func (h *oracle) owns(r *oracleRequest) bool {
	c := r.row
	return c.epoch == h.w.epoch && c.req == r && c.state == Running && !c.stands() && !c.between()
}

// timed holds that a running row shows its clocks as they are.
func (h *oracle) timed(c *oracleRow, row Row) {
	if c.origin == FromHandshake || row.State != Running || c.state != Running {
		return
	}
	var want time.Time
	if rest, _, ok := c.left(); ok && !c.still {
		want = h.now.Add(rest)
	}
	if row.Paused != c.still || !row.Deadline.Equal(want) {
		h.w.fail("row %d (%s) stands still: %v, and ends at %v; it must be %v and %v, as %+v", c.id, row.Method, row.Paused, row.Deadline, c.still, want, c.oracleClock)
	}
}

// alarm is the earliest time at which something has to happen by itself, and what.
func (h *oracle) alarm() (at time.Time, what string, row CallID) {
	due := func(t time.Time, does string, id CallID) {
		if !t.IsZero() && (at.IsZero() || t.Before(at)) {
			at, what, row = t, does, id
		}
	}
	if !h.live {
		return at, "", 0
	}
	coming := func(t time.Time, does string, id CallID) { // what has come may be under way
		if t.After(h.now) {
			due(t, does, id)
		}
	}
	for _, c := range h.rows {
		switch {
		case c.epoch != h.w.epoch:
		case c.state == Cancelling:
			due(c.cancel.due, "something about the cancel", c.id)
		case c.state != Running || c.origin == FromHandshake:
		case c.round != nil:
			if !c.round.held {
				coming(c.round.retryAt, "the next request", c.id)
			}
		case c.goes:
			coming(c.later, "the next request", c.id)
		case !c.still:
			if rest, _, ok := c.left(); ok {
				due(h.now.Add(rest), "the limit", c.id)
			}
			due(c.ackBy, "no acknowledgement", c.id)
		}
		if r := c.req; r != nil && r.again != nil && !r.again.login && !r.again.due && h.awaits(r) {
			coming(r.again.at, "a GET for the stream", c.id)
		}
	}
	if h.w.s.Status().Phase == Ready {
		coming(h.pingAt, "a ping", 0)
	}
	if !h.closeHanded {
		due(h.closeBy, "the close", 0)
	}
	return at, what, row
}

// wakes holds that the core asks to be woken in time.
func (h *oracle) wakes() {
	at, what, row := h.alarm()
	if due, ok := h.w.s.Deadline(); !at.IsZero() && (!ok || due.After(at)) {
		h.w.fail("at %v something is due (%s, row %d), and nothing is to happen before %v", at, what, row, due)
	}
}

// readied notes that the connection has become ready.
func (h *oracle) readied() {
	if h.guessed = false; h.web != nil && !h.modern && h.era.discover != nil {
		h.era.hears = h.now.Add(time.Minute)
	}
	if every := h.w.cfg.PingEvery; every > 0 {
		h.pingAt = h.now.Add(max(every, 5*time.Second))
	}
}

// ticks moves what comes again and again.
func (h *oracle) ticks() {
	if !h.pingAt.IsZero() && !h.pingAt.After(h.now) {
		h.pingAt = h.now.Add(max(h.w.cfg.PingEvery, 5*time.Second))
	}
	for _, c := range h.rows {
		h.greetsInVain(c)
		if !c.ackBy.After(h.now) && !c.between() {
			c.ackBy = time.Time{}
		}
	}
}

// jumpClocks moves what is due by itself over a jump of time.
func (h *oracle) jumpClocks(d time.Duration) {
	for _, c := range h.rows {
		if !c.ackBy.IsZero() {
			c.ackBy = c.ackBy.Add(d)
		}
	}
	if !h.pingAt.IsZero() {
		h.pingAt = h.pingAt.Add(d)
	}
}

// renewIdle notes that the server was heard.
func (k *oracleClock) renewIdle() { k.heard = k.ran }

// ownLimits are those of a row that belay makes by itself, or begins again for
// the user on another connection.
func (h *oracle) ownLimits(c *oracleRow, row Row) limits {
	c.carriedOn = strings.HasPrefix(row.Note, "begun again: ")
	if l := h.carried[carriedKey(row)]; len(l.all) > 0 && c.origin == FromUser {
		first := l.all[0]
		if len(l.all) > 1 { // several rows may subscribe to the same, and are begun in their order
			l.all = l.all[1:]
			h.carried[carriedKey(row)] = l
		}
		return first
	}
	if old := h.madeAs(row); old != nil && c.origin == FromUser {
		return old.limits
	}
	return h.w.limitsOf(CallSpec{Method: row.Method})
}

// carriedKey is what a subscription is known by on another connection.
func carriedKey(row Row) string { return row.Method + " " + row.Target }

// carries notes the subscriptions of the user's that end with their connection. One
// of the modern era has the limits that it was made with all the time; one from before
// has none while it stands, and gets those back that it was made with.
func (h *oracle) carries(c *oracleRow) {
	switch {
	case c.origin != FromUser || !c.stands():
	case c.listens:
		h.carry(carriedKey(c.last), c.limits)
	default:
		h.carry(carriedKey(c.last), c.wished)
	}
}

// carriedLimits are those of the rows with the same subscription that ended together.
type carriedLimits struct {
	epoch Epoch
	all   []limits
}

func (h *oracle) carry(key string, l limits) {
	old := h.carried[key]
	if old.epoch != h.w.epoch {
		old = carriedLimits{epoch: h.w.epoch}
	}
	old.all = append(old.all, l)
	h.carried[key] = old
}
