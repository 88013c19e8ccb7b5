package session

import (
	"slices"
	"time"

	"belay/session/cancel"
	"belay/session/witness"
)

// The oracle of cancels: what happens to one when, and what the verdict on it
// must be.

// oracleCancel is the cancel of a row, and all that was seen of it.
type oracleCancel struct {
	found     witness.Finding // what the core finds in what its processes did
	former    *oracleCancel   // which was not accepted: this one repeats it
	seq       uint64          // of the output that carries it
	wanted    time.Time
	by        cancel.Initiator
	why       string    // as it travels, where it does
	due       time.Time // when the next thing happens to it
	order     int       // among the lines handed out; 0: it has not left
	takenBack bool
	nothing   bool // nothing was in flight
	written   time.Time

	gaveUp       bool // not written in time
	kept         bool // the answer came before it was told as written
	died         bool
	answered     bool
	errored      bool
	says         bool // … that the call was cancelled
	noticed      bool // of a subscription: the server has ended it as well
	elsewhere    bool // it was answered elsewhere before, and that is its answer
	after        bool // the answer began when the cancel's last byte was written
	direct       bool // … and came on the exchange that carried the cancel
	lag          time.Duration
	bound        time.Duration
	messages     int
	untold       []oracleHeard // messages that came when the cancel was with the writer
	lastHeard    time.Time     // what cannot have left before it came
	waited       time.Duration // what came may have lain at the server for so long after the cancel
	deaf         bool          // its stream was away when the grace ended
	deafFrom     time.Time     // … since then
	graceOver    bool
	disconnected bool        // belay ended the connection before the grace was over
	part         *oraclePart // of a message, when somebody looked; nil: none
	working      bool
	probe        *oracleProbe
	probeLate    bool
	began        time.Time   // when the first byte of its answer came
	read         bool        // something written later was answered
	readLate     bool        // … after the probe was late
	strays       []time.Time // when something came that may be meant as the answer, and is none
	perhaps      int         // questions that the row or another asked since
	perhapsBack  []time.Time // when the server took back questions that the row or another had asked
	withdrew     time.Time   // when the server last took back what the row may have asked

	apart     bool          // over HTTP: it is a request, in a POST of its own
	posts     bool          // … it is a notification in one
	slow      time.Duration // … which may take this long
	taken     bool          // … that was accepted
	refused   bool          // … that was not
	refusedAt time.Time
	closes    bool // over HTTP: it is the closing of an exchange
	closed    bool // … which has ended
}

// awaited reports whether a cancel was neither accepted nor refused yet.
func (k *oracleCancel) awaited() bool { return k.posts && !k.taken && !k.refused }

// isRead reports whether the server is known to have read the cancel: an answer to another POST does not tell that of
// one that is a request.
func (k *oracleCancel) isRead() bool { return k.read && !k.apart }

// delivered reports whether the cancel reached the server after all.
func (k *oracleCancel) delivered() bool { return !k.written.IsZero() && (!k.posts || k.taken) }

// atWriter reports whether the cancel left, and nothing tells yet when its last byte was written, or
// that it counts as not written.
func (k *oracleCancel) atWriter() bool {
	return k.order != 0 && k.written.IsZero() && !k.refused && !k.gaveUp && !k.closed
}

// answeredBy ends a row by its answer, which is judged by when its cancel was written.
func (h *oracle) answeredBy(c *oracleRow) {
	if c.cancel.atWriter() && !c.ends && !c.stands() {
		h.w.counts.add("race", "answer before its cancel was told as written")
		c.cancel.kept = true
		return
	}
	h.move(c, Cancelling, Cancelled)
}

// keptAnswer ends a row whose answer waited for what is known of its cancel now, and reports whether it did.
func (h *oracle) keptAnswer(c *oracleRow) bool {
	kept := c.state == Cancelling && c.cancel.kept
	if kept {
		h.move(c, Cancelling, Cancelled)
	}
	return kept
}

// oracleProbe is a ping that asks whether the server still answers.
type oracleProbe struct {
	since    time.Time
	limit    time.Duration
	order    int // 0: not handed out
	answered bool
	first    *oracleProbe // of which nothing was heard; nil: this is no second one
}

// stopped is a cancel that the core took.
func (h *oracle) stopped(c *oracleRow, by cancel.Initiator, why string) {
	h.taken()
	h.leaves(c)
	c.cancel = h.cancel(by, why)
	if c.state == Queued {
		h.w.counts.add("race", "cancel before the request left")
		h.move(c, Queued, Dropped)
		return
	}
	if c.round != nil {
		h.stoppedBetween(c)
		return
	}
	c.ends = c.active
	if !c.ends && h.web != nil && h.stoppedOverHTTP(c) {
		return
	}
	h.move(c, Running, Cancelling)
}

// stoppedAgain is a cancel that was not accepted, and that the user has posted once more.
func (h *oracle) stoppedAgain(c *oracleRow, why string) {
	h.taken()
	h.w.counts.add("race", "cancel posted once more")
	k := c.cancel
	c.cancel = h.cancel(cancel.ByUser, why)
	c.cancel.former, c.cancel.posts, c.cancel.slow = k, k.posts, k.slow
	h.dirty[c.id] = true
}

// takesBack takes such a cancel back that has not left: the one before it counts.
func (h *oracle) takesBack(c *oracleRow) {
	if k := c.cancel; k != nil && c.state == Cancelling && k.order == 0 && k.former != nil {
		h.w.counts.add("race", "second cancel taken back")
		c.cancel = k.former
	}
}

// evidently is an answer that is evidence on a cancel.
func (h *oracle) evidently(c *oracleRow, got answerKind) {
	k := c.cancel
	if k.elsewhere || k.noticed {
		return
	}
	k.answered, k.says, k.errored = true, got == gotCancelled, got == gotError || got == gotCancelled || got == gotBad && c.stands() || got == gotToolError && !c.stands()
	k.began = h.began
	k.after = !k.written.IsZero() && !h.began.Before(k.written)
	from := k.written
	if from.IsZero() {
		from = k.refusedAt
	}
	if !from.IsZero() {
		k.lag = max(0, h.began.Sub(from))
		if h.began.Before(from) && from.Before(h.now) {
			h.w.counts.add("race", "answer begun before the cancel was written, ended after it")
		}
	}
	if h.web != nil && h.web.via != nil && h.web.via.cancel == k {
		k.direct = true
		h.w.counts.add("race", "answer in the answer to the cancel")
	}
	k.bound = h.onTheWay() + k.waited
	if k.lag <= k.bound {
		h.w.counts.add("race", "answer crossed the cancel")
	}
	h.dirty[c.id] = true
}

// stoppedAll is a cancel of everything in flight.
func (h *oracle) stoppedAll(by cancel.Initiator, why string) (n int) {
	h.taken()
	for _, c := range h.rows {
		open := c.epoch == h.w.epoch && (c.state == Queued || c.state == Running)
		if !open || c.origin == FromHandshake || c.stands() {
			continue
		}
		h.stopped(c, by, why)
		n++
	}
	return n
}

func (h *oracle) cancelWritten(c *oracleRow) {
	k := c.cancel
	grace := h.w.s.cfg.Grace
	if k.awaited() {
		grace = max(grace, k.slow-h.now.Sub(k.wanted))
	}
	k.written, k.due = h.now, h.now.Add(grace)
	for _, m := range k.untold {
		if !m.began.Before(k.written) {
			h.w.counts.add("race", "message before its cancel was told as written")
			k.heard(m)
		}
	}
	k.untold = nil
	if k.answered && !k.began.IsZero() && !k.began.Before(k.written) { // told before its cancel was
		k.after, k.lag = true, k.began.Sub(k.written)
	}
	h.keptAnswer(c)
	h.dirty[c.id] = true
	if k.gaveUp {
		h.w.counts.add("race", "cancel written after it was given up")
	}
	h.answeredElsewhere(c)
}

func (h *oracle) probeAnswered(p *oracleProbe) {
	p.answered = true
	late := true
	for _, c := range h.rows {
		if k := c.cancel; c.state == Cancelling && k.probe != nil && (k.probe == p || k.probe.first == p) {
			late = false
			c.cancel.passed()
			h.move(c, Cancelling, Cancelled)
		}
	}
	if late {
		h.w.counts.add("race", "late probe answered")
	}
}

// asksAgain is a probe whose exchange brought nothing: who waits for it gets one more.
func (h *oracle) asksAgain(p *oracleProbe) {
	if p.first != nil || h.before.phase != Ready {
		return
	}
	for _, id := range h.ids() {
		c := h.rows[id]
		if c.state != Cancelling || c.cancel.probe != p {
			continue
		}
		last := h.probes[len(h.probes)-1]
		if last == p || last.answered {
			h.w.counts.add("race", "probe asked once more")
			last = &oracleProbe{since: h.now, limit: h.atOnce(), first: p}
			h.probes = append(h.probes, last)
		}
		c.cancel.probe, c.cancel.due = last, last.since.Add(last.limit)
	}
}

// tick fires what is due for the rows that are being cancelled.
func (h *oracle) tick() {
	h.taken()
	h.ticks()
	h.onUnacceptedInTime()
	h.eraTick()
	var due []*oracleRow
	for _, id := range h.ids() {
		if c := h.rows[id]; c.state == Cancelling && !c.cancel.due.After(h.now) {
			due = append(due, c)
		}
	}
	slices.SortStableFunc(due, func(a, b *oracleRow) int { return a.cancel.due.Compare(b.cancel.due) })
	for _, c := range due {
		switch k := c.cancel; {
		case k.graceOver:
			h.comesStill(c)
			k.probeLate = true
			h.move(c, Cancelling, Cancelled)
		case !k.written.IsZero() && !k.awaited() && !k.refused:
			h.comesStill(c)
			h.graceEnds(c)
		default:
			k.gaveUp, k.takenBack = true, k.closes && k.order == 0
			h.move(c, Cancelling, Cancelled)
		}
	}
}

func (h *oracle) graceEnds(c *oracleRow) {
	k := c.cancel
	k.graceOver = true
	heardTo := h.now
	if x := c.req.x; c.req.again != nil || x != nil && x.role == roleResume && !x.opened {
		k.deaf, k.deafFrom = true, c.req.down
		h.w.counts.add("race", "stream away when the grace ends")
	}
	if k.deaf {
		heardTo = k.deafFrom
	}
	if !k.lastHeard.IsZero() {
		silence := heardTo.Sub(k.lastHeard)
		k.working = silence <= time.Second && 2*silence <= h.w.s.cfg.Grace
		for i, at := range c.req.progress[min(1, len(c.req.progress)):] {
			if pause := at.Sub(c.req.progress[i]); !k.working && 4*silence <= 5*pause {
				h.w.counts.add("race", "silence within the beat")
				k.working = true
			}
		}
	}
	k.working = k.working || h.asksStill(c)
	if h.w.s.cfg.NoProbe || h.before.phase != Ready {
		h.move(c, Cancelling, Cancelled)
		return
	}
	var p *oracleProbe
	if n := len(h.probes); n > 0 {
		p = h.probes[n-1]
	}
	switch {
	case p == nil || p.answered || !h.now.Before(p.since.Add(p.limit)):
		p = nil
	case p.order != 0 && p.order < k.order:
		h.w.counts.add("race", "probe for a younger cancel")
		p = nil
	default:
		h.w.counts.add("race", "probe shared")
	}
	if p == nil {
		p = &oracleProbe{since: h.now, limit: h.atOnce()}
		h.probes = append(h.probes, p)
	}
	k.probe, k.due = p, p.since.Add(p.limit)
}

// verdict is the first word of the design's list that the evidence allows.
func (c *oracleRow) verdict() cancel.Verdict {
	k := c.cancel
	switch {
	case k.nothing:
		return cancel.NothingRunning
	case k.refused, k.gaveUp && !k.kept && !(k.delivered() && (k.answered || k.isRead() || k.working)):
		return cancel.NotDelivered
	case k.died:
		return cancel.ServerDied
	case k.answered && c.stands() && !k.errored:
		return cancel.Acknowledged
	case k.says && k.after && !c.stands():
		return cancel.SaysCancelled
	case k.answered && k.lag <= k.bound && !(k.direct && k.after) && !c.stands():
		return cancel.Crossed
	case k.answered && k.errored:
		return cancel.AnsweredError
	case k.answered:
		return cancel.AnsweredLate
	case k.closed:
		return cancel.StreamClosed
	case k.working, k.found == witness.Working:
		return cancel.StillWorking
	case k.isUnclear(), k.part.isAfter(k):
		return cancel.NothingHeard
	case k.found == witness.Left:
		return cancel.LeftProcess
	case k.probeLate && !k.readLate:
		return cancel.ServerUnresponsive
	case k.found == witness.Ended:
		return cancel.EndedAfter
	case k.isRead() && !k.awaited() && !k.deaf && !k.disconnected:
		return cancel.Quiet
	}
	return cancel.NothingHeard
}

// isActive reports whether a request is active, so that its progress token is taken: it waits for its
// answer, whatever is known of its cancel.
func (c *oracleRow) isActive() bool {
	return !c.state.IsTerminal() && (c.cancel == nil || !c.cancel.kept)
}
