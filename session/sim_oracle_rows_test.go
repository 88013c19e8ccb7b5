package session

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// The oracle: in which state a row must be, and what the verdict on its cancel
// must be, from what crossed the wire and when.

// oracleRow is a row as the oracle keeps it.
type oracleRow struct {
	id     CallID
	epoch  Epoch
	origin Origin
	state  State
	seen   State // as the core showed it last
	last   Row
	req    *oracleRequest // nil: not handed out
	oracleRounds
	oracleLogin
	oracleSub
	oracleClock
	oracleSaid
	cancel *oracleCancel

	began   time.Time // when its request was handed out
	endedAt time.Time // or moved last
}

type answerKind uint8

const (
	gotResult    answerKind = iota
	gotToolError            // a result that says isError
	gotOdd                  // a result that is no object
	gotError
	gotBad       // neither, or both
	gotLarge     // a result over the limit
	gotCancelled // an error that says that the call was cancelled
)

func kindOfAnswer(m message) answerKind {
	switch {
	case (m["result"] == nil) == (m["error"] == nil):
		return gotBad
	case strings.Contains(string(m["error"]), "-32800"):
		return gotCancelled
	case m["error"] != nil:
		return gotError
	}
	var r struct {
		IsError json.RawMessage `json:"isError"`
	}
	switch {
	case m["result"][0] != '{' || json.Unmarshal(m["result"], &r) != nil:
		return gotOdd
	case string(r.IsError) == "true":
		return gotToolError
	}
	return gotResult
}

func (h *oracle) row(id CallID) *oracleRow {
	c := h.rows[id]
	if c == nil {
		row, _ := h.w.s.Row(id)
		c = &oracleRow{id: id, epoch: h.w.epoch, origin: row.Origin, state: Queued}
		c.subscribing(row)
		c.limits = h.ownLimits(c, row)
		h.rows[id] = c
	}
	return c
}

// made is a row that the user made.
func (h *oracle) made(id CallID, spec CallSpec) {
	h.row(id).limits = h.w.limitsOf(spec)
}

func (h *oracle) move(c *oracleRow, from, to State) {
	if c.state != from {
		h.w.fail("row %d must become %v, but it should be %v, not %v", c.id, to, from, c.state)
	}
	if from == Cancelling && to == Cancelled && h.web != nil {
		for _, e := range h.web.xs {
			h.leftOver(c, e)
			if e.req != nil && e.req == c.req && c.req.x == e {
				e.listens = h.listensUntil(e, e.part)
				e.kept = e.listens.After(h.now)
				if e.isHeadOnly() && !c.cancel.closes {
					h.comesStill(c)
				}
			}
		}
	}
	c.state, c.endedAt = to, h.now
	h.dirty[c.id] = true
}

// ping is a request that belongs to no row: the probe that some row asked for,
// or the periodic ping.
func (h *oracle) ping(r *oracleRequest, key string) {
	if want := map[bool]string{false: "ping", true: "server/discover"}[h.eraIsModern()]; r.method != want {
		h.w.fail("a request %s without a row", r.method)
	}
	for id, q := range h.w.s.outgoing.open {
		if k, _ := idKey(json.RawMessage(id.String())); k == key && q.health {
			return
		}
	}
	for _, p := range h.probes {
		if p.order == 0 {
			p.order, r.probe = h.order, p
			return
		}
	}
	h.w.fail("a probe that no row asked for")
}

// answer is the first answer to a request, or one that changes nothing.
func (h *oracle) answer(key string, got answerKind, ro *oracleRound, isRound bool) {
	r := h.reqs[key]
	if r == nil || r.answered || r.gone {
		return
	}
	r.answered = true
	if !h.elsewhere(r) {
		h.brought(r)
	}
	if r.written.IsZero() {
		h.w.counts.add("race", "answer before its request was reported as written")
	}
	h.readBefore(r.order)
	givenUp := r.row != nil && r.row.origin == FromHandshake && r.row.state == Failed
	switch {
	case r.probe != nil:
		h.probeAnswered(r.probe)
	case r.row != nil && isRound:
		h.roundAnswered(r.row, ro)
	case r.row != nil:
		h.rowAnswered(r.row, got)
	}
	if !givenUp {
		h.measured(r, got)
	}
}

// measured keeps a round trip, of what a server answers at once, and what calls took.
func (h *oracle) measured(r *oracleRequest, got answerKind) {
	from := r.written
	if from.IsZero() || from.After(h.began) {
		from = r.handed
	}
	class := 0
	switch {
	case r.row == nil || r.method == "ping":
		class = 2
	case r.row.origin == FromBelay && strings.HasSuffix(r.method, "list"):
		class = 1
	case r == h.era.gaveUp:
		return
	case r.row.origin != FromHandshake && (got == gotError || got == gotCancelled || got == gotBad):
		return // a bridge may answer with those by itself
	case r.row.origin != FromHandshake:
		class = len(h.trips)
	case r.second:
		class = 1
	}
	d := h.began.Sub(from)
	if d < 0 {
		return
	}
	if h.there = append(h.there, d); class < len(h.trips) {
		h.trips[class] = append(h.trips[class], d)
	}
}

// atOnce is how long the server may take for what it answers at once: no shorter than
// the way there and back, of which the first exchange may say too much.
func (h *oracle) atOnce() time.Duration {
	way := time.Second
	if len(h.there) > 0 {
		way = max(way, slices.Min(h.there))
	}
	if len(h.trips[1])+len(h.trips[2]) == 0 {
		way = min(way, 3*time.Second)
	}
	if way > time.Second {
		h.w.counts.add("race", "a slow link")
	}
	return 2 * way
}

// readBefore notes that the server has read everything that was handed out
// before a line that it answered.
func (h *oracle) readBefore(order int) {
	h.answers = true
	for _, c := range h.rows {
		if k := c.cancel; k != nil && c.epoch == h.w.epoch && k.order != 0 && k.order < order {
			if c.state == Cancelled && !k.read {
				k.passed()
			}
			k.read = true
			k.readLate = k.readLate || k.probeLate
			h.dirty[c.id] = true
		}
	}
}

func (h *oracle) rowAnswered(c *oracleRow, got answerKind) {
	h.about = c.id
	outcome := Failed
	if got == gotResult {
		outcome = Done
	}
	h.takesBack(c)
	k := c.cancel
	switch {
	case h.agreed(c, got):
		return
	case c.state == Running:
		h.given(c)
		h.move(c, Running, outcome)
		return
	case c.origin == FromHandshake && c.state == Failed:
		return // see lateProbe
	case c.state == Cancelling && h.agreedBefore(c, got):
		return
	case c.state == Cancelling && k.order == 0:
		h.w.counts.add("race", "answer before the cancel left")
		k.takenBack = true
		h.given(c)
		h.move(c, Cancelling, outcome)
		return
	case c.state == Cancelling && k.graceOver:
		h.w.counts.add("race", "answer during the probe")
	case c.state == Cancelling:
		h.w.counts.add("race", "answer during the grace")
	case k == nil || c.state != Cancelled:
		h.w.fail("row %d is %v, and its request was not answered", c.id, c.state)
		return
	case k.order == 0:
		h.w.counts.add("race", "answer after the cancel was given up")
		k.takenBack = true
	default:
		h.w.counts.add("race", "answer after the end")
	}
	h.givenLate(c)
	h.evidently(c, got)
	if c.state == Cancelling {
		h.answeredBy(c)
	}
}

// onTheWay is how long after a cancel something may come that had left before: by
// RFC 6298, of the best round trips there are.
func (h *oracle) onTheWay() time.Duration {
	const least = 20 * time.Millisecond
	most := h.atOnce()
	all := h.trips[0]
	for _, better := range h.trips[1:] {
		if len(better) > 0 {
			all = better
		}
	}
	if len(all) == 0 {
		return most
	}
	srtt, rttvar := all[0], all[0]/2
	for _, r := range all[1:] {
		rttvar += (max(srtt-r, r-srtt) - rttvar) / 4
		srtt += (r - srtt) / 8
	}
	return min(most, max(least, srtt+4*rttvar))
}

// onlyAsker is the row that a log message is about: since 2026-07-28 there is none
// but for a request that asks for them, and this is the only such one.
func (h *oracle) onlyAsker() (c *oracleRow) {
	n := 0
	for _, r := range h.reqs {
		if r.asks && !r.answered && (r.row == nil || !r.row.state.IsTerminal()) {
			n, c = n+1, r.row
		}
	}
	if n != 1 {
		return nil
	}
	return c
}

func (h *oracle) progress(token string, params json.RawMessage) {
	if h.bearers[token] == nil {
		h.straysProgress(token)
		return
	}
	if c := h.progresses(token); c != nil && !h.foreign(c) {
		r := c.req
		h.about = c.id
		h.moves(c, params)
		if len(r.progress) == 0 && !r.written.IsZero() {
			r.progress = append(r.progress, r.written) // the first pause begins there
		}
		r.progress = append(r.progress, h.now)
		r.progress = r.progress[max(0, len(r.progress)-5):]
		h.said(c)
	}
}

// progresses is the row that progress with a token is of: a request of which no byte left gave its token to
// nobody.
func (h *oracle) progresses(token string) *oracleRow {
	c := h.tokens[token]
	if c != nil && !c.req.begun {
		return h.older[token]
	}
	return c
}

// said is a message for a row, its answer aside.
func (h *oracle) said(c *oracleRow) {
	k := c.cancel
	switch {
	case c.ends: // what it was answered for has ended
	case k != nil && k.atWriter() && (c.state == Cancelling || c.state == Cancelled):
		h.heardAfter(c)
	case k != nil && !k.written.IsZero() && (c.state == Cancelling || c.state == Cancelled):
		h.w.counts.add("race", "progress after the cancel")
		h.heardAfter(c)
	case c.state.IsTerminal():
		h.w.counts.add("race", "progress after the end")
	}
}

// jump moves what is due.
func (h *oracle) jump(d time.Duration) {
	h.era.shift(d)
	for _, c := range h.rows {
		if c.state == Cancelling {
			c.cancel.due = c.cancel.due.Add(d)
		}
		c.began = c.began.Add(d)
		if !c.later.IsZero() {
			c.later = c.later.Add(d)
		}
		if c.round != nil && !c.round.retryAt.IsZero() {
			c.round.retryAt = c.round.retryAt.Add(d)
		}
	}
	if n := len(h.probes); n > 0 {
		h.probes[n-1].since = h.probes[n-1].since.Add(d)
	}
	for _, r := range h.reqs {
		if r.again != nil {
			r.again.at = r.again.at.Add(d)
		}
	}
}

// closing is the end of a connection.
func (h *oracle) closing(byUs bool) (again bool) {
	h.taken()
	byUs = byUs || h.closeHanded
	again = h.endsOnProbe(byUs)
	race := func(name string) {
		if !byUs {
			h.w.counts.add("race", name)
		}
	}
	if !h.initialized {
		race("death during the handshake")
	}
	for _, a := range h.incoming {
		if a.userSaid {
			race("death while an answer was queued")
		} else {
			race("death while a question waited")
		}
	}
	for _, id := range h.ids() { // in their order, in which some are made again
		c := h.rows[id]
		switch {
		case c.epoch != h.w.epoch:
		case c.state == Queued:
			race("death while queued")
			h.move(c, Queued, Dropped)
			h.keepsUnsent(c, again)
		case c.state == Running:
			if c.round != nil {
				race("death between rounds")
				c.round = nil
			} else {
				race("death while running")
			}
			c.waits = false
			h.carries(c)
			h.move(c, Running, c.leftOr(byUs))
		case c.state == Cancelling:
			k := c.cancel
			h.comesStill(c)
			k.died, k.gaveUp = !byUs && !h.renews && !k.kept, k.written.IsZero() || k.refused
			switch {
			case h.renews: // belay goes on, and hears nothing more of what was
				h.w.counts.add("race", "session expired while cancelling")
				if !k.graceOver && !k.deaf {
					k.deaf, k.deafFrom = true, h.now
				}
			case byUs:
				k.disconnected = !k.graceOver && !k.written.IsZero()
				h.w.counts.add("race", "end by belay while cancelling")
			case k.gaveUp:
				race("death before the cancel was written")
			case k.graceOver:
				race("death during the probe")
			default:
				race("death during the grace")
			}
			h.move(c, Cancelling, Cancelled)
		}
	}
	h.live = false
	return again
}

// leftOr is what becomes of a running row when its connection ends: nothing is
// lost of what was only to stand until then.
func (c *oracleRow) leftOr(byUs bool) State {
	if byUs && c.stands() {
		return Done
	}
	return Lost
}
