package session

import (
	"encoding/json"
	"slices"
	"time"
)

// The oracle: in which state a row must be, and what the verdict on its cancel
// must be, from what crossed the wire and when.

// shadeRow is a row as the shadow keeps it.
type shadeRow struct {
	id     CallID
	epoch  Epoch
	origin Origin
	state  State
	seen   State // as the core showed it last
	last   Row
	req    *shadeReq // nil: not handed out
	shadeRounds
	cancel *shadeCancel

	heard  time.Time // progress was accepted, or the clocks were begun anew
	began  time.Time // the clock of the maximum
	paused bool      // a prompt may have stopped the clocks at some time
}

// shadeCancel is the cancel of a row, and all that was seen of it.
type shadeCancel struct {
	wanted    time.Time
	by        Initiator
	due       time.Time // when the next thing happens to it
	order     int       // among the lines handed out; 0: it has not left
	takenBack bool
	nothing   bool // nothing was in flight
	written   time.Time

	gaveUp    bool // not written in time
	died      bool
	answered  bool
	errored   bool
	lag       time.Duration
	bound     time.Duration
	messages  int
	lastHeard time.Time
	graceOver bool
	working   bool
	probe     *shadeProbe
	probeLate bool
	read      bool // something written later was answered
	readLate  bool // … after the probe was late
}

// shadeProbe is a ping that asks whether the server still answers.
type shadeProbe struct {
	since    time.Time
	order    int // 0: not handed out
	answered bool
}

type answerKind uint8

const (
	gotResult    answerKind = iota
	gotToolError            // a result that says isError
	gotOdd                  // a result that is no object
	gotError
	gotBad // neither, or both
)

func kindOfAnswer(m message) answerKind {
	switch {
	case (m["result"] == nil) == (m["error"] == nil):
		return gotBad
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

func (h *shadow) row(id CallID) *shadeRow {
	c := h.rows[id]
	if c == nil {
		row, _ := h.w.s.Row(id)
		c = &shadeRow{id: id, epoch: h.w.epoch, origin: row.Origin, state: Queued}
		h.rows[id] = c
	}
	return c
}

func (h *shadow) move(c *shadeRow, from, to State) {
	if c.state != from {
		h.w.fail("row %d must become %v, but it should be %v, not %v", c.id, to, from, c.state)
	}
	c.state = to
	h.dirty[c.id] = true
}

// stopped is a cancel that the core took.
func (h *shadow) stopped(c *shadeRow, by Initiator) {
	h.taken()
	c.cancel = &shadeCancel{wanted: h.now, by: by, due: h.now.Add(5 * time.Second)}
	if c.state == Queued {
		h.w.counts.add("race", "cancel before the request left")
		h.move(c, Queued, Dropped)
		return
	}
	if c.round != nil {
		h.stoppedBetween(c)
		return
	}
	h.move(c, Running, Cancelling)
}

// stoppedAll is a cancel of everything in flight.
func (h *shadow) stoppedAll(by Initiator) (n int) {
	h.taken()
	for _, c := range h.rows {
		open := c.epoch == h.w.epoch && (c.state == Queued || c.state == Running)
		if !open || c.origin == FromHandshake {
			continue
		}
		h.stopped(c, by)
		n++
	}
	return n
}

func (h *shadow) cancelWritten(c *shadeRow) {
	k := c.cancel
	k.written, k.due = h.now, h.now.Add(h.w.s.cfg.Grace)
	h.dirty[c.id] = true
	if k.gaveUp {
		h.w.counts.add("race", "cancel written after it was given up")
	}
}

// ping is a request that belongs to no row: the probe that some row asked for,
// or the periodic ping.
func (h *shadow) ping(r *shadeReq, key string) {
	if want := map[bool]string{false: "ping", true: "server/discover"}[h.eraIsModern()]; r.method != want {
		h.w.fail("a request %s without a row", r.method)
	}
	for id, q := range h.w.s.ours.open {
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
func (h *shadow) answer(key string, got answerKind, ro *shadeRound, isRound bool) {
	r := h.reqs[key]
	if r == nil || r.answered {
		return
	}
	r.answered = true
	if r.written.IsZero() {
		h.w.counts.add("race", "answer before its request was reported as written")
	}
	h.readBefore(r.order)
	switch {
	case r.probe != nil:
		h.probeAnswered(r.probe)
	case r.row != nil && isRound:
		h.roundAnswered(r.row, ro)
	case r.row != nil:
		h.rowAnswered(r.row, got)
	}
	if r.row != nil && r.row.origin == FromHandshake {
		return
	}
	from := r.written
	if from.IsZero() {
		from = r.handed
	}
	if d := max(h.now.Sub(from), 1); h.shortest == 0 || d < h.shortest {
		h.shortest = d
	}
}

// readBefore notes that the server has read everything that was handed out
// before a line that it answered.
func (h *shadow) readBefore(order int) {
	for _, c := range h.rows {
		if k := c.cancel; k != nil && c.epoch == h.w.epoch && k.order != 0 && k.order < order {
			k.read = true
			k.readLate = k.readLate || k.probeLate
			h.dirty[c.id] = true
		}
	}
}

func (h *shadow) probeAnswered(p *shadeProbe) {
	p.answered = true
	late := true
	for _, c := range h.rows {
		if c.state == Cancelling && c.cancel.probe == p {
			late = false
			h.move(c, Cancelling, Cancelled)
		}
	}
	if late {
		h.w.counts.add("race", "late probe answered")
	}
}

func (h *shadow) rowAnswered(c *shadeRow, got answerKind) {
	outcome := Failed
	if got == gotResult {
		outcome = Done
	}
	k := c.cancel
	switch {
	case c.state == Running:
		h.move(c, Running, outcome)
		return
	case c.origin == FromHandshake && c.state == Failed:
		h.w.counts.add("race", "probe answered late")
		return
	case c.state == Cancelling && k.order == 0:
		h.w.counts.add("race", "answer before the cancel left")
		k.takenBack = true
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
	k.answered, k.errored = true, got == gotError || got == gotBad
	if !k.written.IsZero() {
		k.lag = h.now.Sub(k.written)
	}
	if k.bound = 20 * time.Millisecond; h.shortest > 0 {
		k.bound = min(h.shortest, 100*time.Millisecond)
	}
	if k.lag <= k.bound {
		h.w.counts.add("race", "answer crossed the cancel")
	}
	h.dirty[c.id] = true
	if c.state == Cancelling {
		h.move(c, Cancelling, Cancelled)
	}
}

// onlyAsker is the row that a log message is about: since 2026-07-28 there is none
// but for a request that asks for them, and this is the only such one.
func (h *shadow) onlyAsker() (c *shadeRow) {
	n := 0
	for _, r := range h.reqs {
		if r.asks && !r.answered && (r.row == nil || !r.row.state.Terminal()) {
			n, c = n+1, r.row
		}
	}
	if n != 1 {
		return nil
	}
	return c
}

func (h *shadow) progress(token string) {
	if c := h.tokens[token]; c != nil {
		h.said(c)
	}
}

// said is a message for a row, its answer aside.
func (h *shadow) said(c *shadeRow) {
	k := c.cancel
	switch {
	case k != nil && !k.written.IsZero() && (c.state == Cancelling || c.state == Cancelled):
		h.w.counts.add("race", "progress after the cancel")
		k.messages++
		k.lastHeard = h.now
		k.working = k.working || k.graceOver
		h.dirty[c.id] = true
	case c.state.Terminal():
		h.w.counts.add("race", "progress after the end")
	}
}

// tick fires what is due for the rows that are being cancelled.
func (h *shadow) tick() {
	h.taken()
	var due []*shadeRow
	for _, id := range h.ids() {
		if c := h.rows[id]; c.state == Cancelling && !c.cancel.due.After(h.now) {
			due = append(due, c)
		}
	}
	slices.SortStableFunc(due, func(a, b *shadeRow) int { return a.cancel.due.Compare(b.cancel.due) })
	for _, c := range due {
		switch k := c.cancel; {
		case k.graceOver:
			k.probeLate = true
			h.move(c, Cancelling, Cancelled)
		case !k.written.IsZero():
			h.graceEnds(c)
		default:
			k.gaveUp = true
			h.move(c, Cancelling, Cancelled)
		}
	}
}

func (h *shadow) graceEnds(c *shadeRow) {
	k := c.cancel
	k.graceOver = true
	k.working = !k.lastHeard.IsZero() && h.now.Sub(k.lastHeard) <= time.Second
	if h.w.s.cfg.NoProbe || h.before.phase != Ready {
		h.move(c, Cancelling, Cancelled)
		return
	}
	var p *shadeProbe
	if n := len(h.probes); n > 0 {
		p = h.probes[n-1]
	}
	switch {
	case p == nil || p.answered || !h.now.Before(p.since.Add(2*time.Second)):
		p = nil
	case p.order != 0 && p.order < k.order:
		h.w.counts.add("race", "probe for a younger cancel")
		p = nil
	default:
		h.w.counts.add("race", "probe shared")
	}
	if p == nil {
		p = &shadeProbe{since: h.now}
		h.probes = append(h.probes, p)
	}
	k.probe, k.due = p, p.since.Add(2*time.Second)
}

// jump moves what is due.
func (h *shadow) jump(d time.Duration) {
	for _, c := range h.rows {
		if c.state == Cancelling {
			c.cancel.due = c.cancel.due.Add(d)
		}
		c.heard, c.began = c.heard.Add(d), c.began.Add(d)
		if c.round != nil && !c.round.retryAt.IsZero() {
			c.round.retryAt = c.round.retryAt.Add(d)
		}
	}
	if n := len(h.probes); n > 0 {
		h.probes[n-1].since = h.probes[n-1].since.Add(d)
	}
}

// closing is the end of a connection.
func (h *shadow) closing(byUs bool) (again bool) {
	h.taken()
	byUs = byUs || h.closeHanded
	if again = h.endsOnProbe(byUs); again {
		h.w.counts.add("race", "server ended on the probe")
	}
	race := func(name string) {
		if !byUs {
			h.w.counts.add("race", name)
		}
	}
	if !h.initialized {
		race("death during the handshake")
	}
	for _, a := range h.theirs {
		if a.userSaid {
			race("death while an answer was queued")
		} else {
			race("death while a prompt waited")
		}
	}
	for _, c := range h.rows {
		switch {
		case c.epoch != h.w.epoch:
		case c.state == Queued:
			race("death while queued")
			h.move(c, Queued, Dropped)
		case c.state == Running:
			if c.round != nil {
				race("death between rounds")
				c.round = nil
			} else {
				race("death while running")
			}
			h.move(c, Running, Lost)
		case c.state == Cancelling:
			k := c.cancel
			k.died, k.gaveUp = !byUs, k.written.IsZero()
			switch {
			case byUs:
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

// verdict is the first word of the design's list that the evidence allows.
func (k *shadeCancel) verdict() Verdict {
	switch {
	case k.nothing:
		return NothingRunning
	case k.gaveUp:
		return NotDelivered
	case k.died:
		return ServerDied
	case k.answered && k.lag <= k.bound:
		return Crossed
	case k.answered && k.errored:
		return AnsweredError
	case k.answered:
		return AnsweredLate
	case k.working:
		return StillWorking
	case k.probeLate && !k.readLate:
		return ServerUnresponsive
	case k.read:
		return Quiet
	}
	return NothingHeard
}
