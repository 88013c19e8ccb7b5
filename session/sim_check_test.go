package session

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"

	"belay/session/cancel"
	"belay/session/mcp"
)

// What is held after every input, and what only after every step.

func (h *oracle) ids() []CallID { return slices.Sorted(maps.Keys(h.rows)) }

// end looks at what the input of now has changed.
func (h *oracle) end() {
	w := h.w
	if w.err != nil {
		return
	}
	if err := w.s.Check(); err != nil {
		w.fail("invariant: %w", err)
		return
	}
	if got := h.clockJumps() > h.before.jumps; got != h.jumped {
		w.fail("time went from %v to %v, something was due at %v: jumped %v", h.before.now, h.now, h.before.due, got)
	}
	h.settled()
	h.web.follows(h)
	h.learn()
	h.holdUp()
	if h.live && h.before.phase != Ready && w.s.Status().Phase == Ready {
		h.readied()
	}
	switch phase := w.s.Status().Phase; {
	case phase == Closing:
		h.left = true
	case h.left && phase != Disconnected:
		w.fail("the connection was left, and is %v", phase)
	}
	rows, rev, _ := w.s.Changed(nil, h.rev, 10_000)
	h.rev = rev
	for _, row := range slices.Backward(rows) {
		h.edge(row)
	}
	for id := range h.dirty {
		if row, kept := w.s.Row(id); kept {
			h.compare(row)
			h.brings(h.rows[id])
		}
	}
	clear(h.dirty)
	if h.views != nil {
		if err := h.views.follow(w.s); err != nil {
			w.fail("%w", err)
		}
	}
	h.wakes()
}

// edge holds that a row went along the edges of the design, and that its
// progress did not go back.
func (h *oracle) edge(row Row) {
	c := h.row(row.ID)
	if row.State != c.seen {
		if row.Verdict == cancel.NothingRunning && c.seen == Running && h.reachable(Running, Cancelling) {
			c.seen = Cancelling // both in one input
		}
		if !h.reachable(c.seen, row.State) {
			h.w.fail("row %d: %v became %v", row.ID, c.seen, row.State)
		}
		c.seen = row.State
	}
	p, q := c.last.Progress, row.Progress
	if q.Count < p.Count || q.Value < p.Value && p.Count > 0 || q.Invalid < p.Invalid || q.Count > p.Count && p.Count > 0 && q.Value <= p.Value {
		h.w.fail("row %d: progress went from %+v to %+v", row.ID, p, q)
	}
	if c.last.State.IsTerminal() && (q != p || row.Ended != c.last.Ended || row.Sent != c.last.Sent && !c.last.Sent.IsZero()) {
		h.w.fail("row %d changed after its end: %+v, was %+v", row.ID, row, c.last)
	}
	if !(q.Value >= 0 && q.Value < math.MaxFloat64) {
		h.w.fail("row %d: the progress is %v", row.ID, q.Value)
	}
	c.last = row
	h.dirty[row.ID] = true
}

// reachable follows the edges, at most two: one input may do that much (a new
// row that is dropped, a tick that cancels).
func (h *oracle) reachable(from, to State) bool {
	for _, next := range nextStates[from] {
		if next == to {
			h.w.counts.add("edge", edgeName(from, to))
			return true
		}
	}
	return false
}

// compare holds that a row reads as the oracle says.
func (h *oracle) compare(row Row) {
	c := h.rows[row.ID]
	if row.Initiator != 0 && c.state == Running {
		h.stoppedByItself(c, row)
	}
	if c.origin != FromHandshake && row.Progress != c.progress {
		h.w.fail("row %d (%v) has come to %+v, the server said %+v", row.ID, row.State, row.Progress, c.progress)
	}
	h.timed(c, row)
	if row.State == Failed && c.state == Running && c.origin == FromHandshake {
		h.probeGivenUp(c)
	}
	if row.Login != c.waits && c.state == Running {
		h.w.fail("row %d waits for a login: %v, must be %v", row.ID, row.Login, c.waits)
	}
	if deaf := c.deaf() && c.state == Running; row.AwaitsLoginToResume != deaf {
		h.w.fail("the stream of row %d waits for a login: %v, must be %v", row.ID, row.AwaitsLoginToResume, deaf)
	}
	if row.State != c.state {
		h.w.fail("row %d (%s) is %v, it must be %v (note %q)", row.ID, row.Method, row.State, c.state, row.Note)
		return
	}
	k := c.cancel
	if k == nil || row.State == Dropped {
		return
	}
	if row.Initiator != k.by || row.AfterCount != k.messages {
		h.w.fail("row %d: cancelled by %v with %d messages since, it must be %v and %d", row.ID, row.Initiator, row.AfterCount, k.by, k.messages)
	}
	waits := row.State == Cancelling
	if row.Unsent != (waits && k.written.IsZero() && !k.refused) || row.CancelRejected != (waits && k.refused) {
		h.w.fail("row %d says unsent: %v, refused: %v", row.ID, row.Unsent, row.CancelRejected)
	}
	want := cancel.NoVerdict
	if c.state == Cancelled {
		k.found = h.found(c.id)
		want = c.verdict()
		h.w.counts.add("verdict", want.String())
	}
	if row.Verdict != want {
		h.w.fail("row %d: the verdict is %q, the evidence says %q: %+v", row.ID, row.Verdict, want, *k)
	}
}

// stoppedByItself takes a cancel of the core's own: a timeout or a rule, and
// holds that it did not come too early.
func (h *oracle) stoppedByItself(c *oracleRow, row Row) {
	why, by := c.whyOver()
	if c.enough() {
		why, by = c.why, cancel.ByRule
	}
	switch row.Initiator {
	case cancel.ByTimeout, cancel.ByRule:
		h.w.counts.add("race", row.Initiator.String())
		if by != row.Initiator || c.still && c.stood && !c.enough() {
			h.w.fail("row %d was cancelled by the %v: %+v, %+v", row.ID, row.Initiator, c.oracleClock, c.progress)
		}
	case cancel.BySuperseded:
		why = "the list is fetched anew"
		if c.origin != FromBelay || !c.waits && !c.goes {
			h.w.fail("row %d was superseded, and it is no page of a list that waited for a login", row.ID)
		}
	default:
		h.w.fail("row %d was cancelled by %v, and nobody wanted it", row.ID, row.Initiator)
		return
	}
	h.stopped(c, row.Initiator, why)
}

// outlived holds that no tick leaves a row running beyond its limits.
func (h *oracle) outlived() {
	h.dueRounds()
	h.dueStreams()
	for _, id := range h.ids() {
		c := h.rows[id]
		if c.state != Running || c.still || c.origin == FromHandshake {
			continue
		}
		if _, by := c.whyOver(); by != 0 {
			h.w.fail("row %d still runs: %+v", id, c.oracleClock)
		}
	}
}

// look is what is held after every step: every row, the questions, and that all
// views can be had.
func (w *simulation) look() {
	if w.err != nil {
		return
	}
	h := w.oracle
	for _, id := range h.ids() {
		row, kept := w.s.Row(id)
		if kept {
			h.compare(row)
			continue
		}
		if h.rows[id].state == Running {
			h.probeGivenUp(h.rows[id]) // and the row is forgotten at once where few are kept
		}
		if !h.rows[id].state.IsTerminal() {
			w.fail("row %d is %v and is not kept", id, h.rows[id].state)
		} else if k := h.rows[id].cancel; k == nil || h.rows[id].epoch != w.epoch || w.server == nil {
			delete(h.rows, id) // nothing can change it any more
		}
	}
	clear(h.dirty)
	h.lookAtQuestions()
	st := w.s.Status()
	if st.InFlight+st.Subscriptions != len(w.s.InFlight(nil, 1<<20)) || st.Waiting < 0 {
		w.fail("status %+v", st)
	}
	if st.Failure != nil {
		w.counts.add("failure", failureName(st.Failure.Kind))
	}
	if st.Phase == Ready {
		w.counts.add("revision", string(st.Revision))
	}
	w.views(st)
}

func failureName(k FailureKind) string {
	return [...]string{
		FailVersion: "version", FailRefused: "refused", FailHandshake: "handshake", FailTimeout: "timeout",
		FailProcess: "process", FailClosed: "closed", FailLogin: "login", FailHTTP: "http",
	}[k]
}

// views asks for everything that can be shown.
func (w *simulation) views(st Status) {
	first, last := w.s.Span()
	if last > 0 {
		id := first + CallID(w.rng.IntN(int(last-first)+1))
		if d, ok := w.s.Detail(id); ok {
			for _, e := range w.s.CallEntries(nil, id, 5) {
				if e.Call != id && e.Call != 0 && (w.web == nil || e.Dir == Out) { // what came on its stream is on it as well
					w.fail("entry %d of call %d is on the wire of call %d: %s", e.Seq, e.Call, id, e.Raw)
				}
			}
			_ = d.Age(w.now)
			for i := 1; i < len(d.Evidence); i++ {
				if d.Evidence[i].At.Before(d.Evidence[i-1].At) {
					w.fail("the evidence of row %d is out of order: %v", id, d.Evidence)
				}
			}
		}
	}
	from, to := w.s.HistorySpan()
	from = max(from, to-min(to, 30)+1)
	w.entries = w.s.Entries(w.entries[:0], from, 1<<20)
	if n := len(w.entries); Seq(n) != to-from+1 {
		w.fail("%d entries from %d to %d", n, from, to)
	}
	cat := w.s.Catalog()
	if st.Phase == Disconnected {
		for _, l := range cat.Lists {
			if l.Loading {
				w.fail("a list is loading without a connection")
			}
		}
	} else {
		w.loading(cat)
	}
	for _, d := range w.s.diags.list {
		_ = d.Describe()
		if d.Cite(st.Revision).Revision == "" {
			w.fail("%s cites no revision", d.Describe())
		}
	}
}

// loading holds that what says it is loading is asked for.
func (w *simulation) loading(cat CatalogView) {
	asked := map[string]bool{}
	for _, row := range w.s.InFlight(nil, 10_000) {
		asked[row.Method] = true
	}
	for k, l := range cat.Lists {
		if l.Loading && !asked[mcp.ListKind(k).Method()] {
			w.fail("the %v are loading, and nobody asks for them", mcp.ListKind(k))
		}
	}
}

// lookAtQuestions holds that a question says what became of its request.
func (h *oracle) lookAtQuestions() {
	w := h.w
	waiting := 0
	for _, p := range w.s.Questions() {
		a := h.questions[p.ID]
		if a == nil {
			w.fail("question %d has come by itself", p.ID)
			return
		}
		if cfg := w.s.cfg; p.Method == "sampling/createMessage" && cfg.NoSampling || p.Method == "elicitation/create" && cfg.NoElicitation {
			w.fail("question %d is a %s, which was not declared", p.ID, p.Method)
		}
		if bytes.Contains(p.Params, []byte(`"refuse":true`)) {
			w.fail("question %d is shown, and must not be: %s", p.ID, p.Params)
		}
		if p.Unsolicited {
			w.counts.add("race", "question that nothing led to")
			if w.s.cfg.StrictAsks || p.Turn > 0 {
				w.fail("question %d is unsolicited: %+v", p.ID, p)
			}
		}
		if p.Turn > MaxTurns {
			w.counts.add("race", "the eleventh sampling of a call")
		}
		if p.State != a.state {
			w.counts.add("prompt", questionEdge(a.state, p.State))
			if a.needed && p.State == QuestionLost {
				w.counts.add("race", "question from an error lost")
			}
			a.state = p.State
		}
		if p.Orphaned {
			w.counts.add("race", "question orphaned")
		}
		if p.State == Waiting {
			waiting++
		}
		h.owned(p, a)
		if p.State == Withdrawn && p.Reason != a.reason {
			w.fail("question %d was withdrawn for %q, and says %q", p.ID, a.reason, p.Reason)
		}
		if want := a.must(h.live && a.epoch == w.epoch); want != p.State {
			w.fail("question %d (%v) is %v, it must be %v: %+v", p.ID, p.Wire, p.State, want, *a)
		}
	}
	h.former = nil
	if n := w.s.Status().Waiting; n != waiting {
		w.fail("%d questions wait, the header says %d", waiting, n)
	}
}

// learn notes which requests of the server's have become questions.
func (h *oracle) learn() {
	if h.w.s.incoming.nextID == h.newest {
		return
	}
	for _, p := range h.w.s.Questions() {
		if p.ID <= h.newest {
			continue
		}
		h.newest = p.ID
		switch {
		case p.Round > 0:
			h.inputOf(p)
		case p.Needed:
			h.fromError(p)
		default:
			key, _ := idKey(json.RawMessage(p.Wire.String()))
			a := h.incoming[key]
			if a == nil || a.state != 0 {
				a = h.ended[key]
			}
			if a == nil || a.state != 0 {
				a = h.former[key] // its session has expired since it was asked
			}
			if a == nil || a.state != 0 {
				h.w.fail("question %d (%v) is of no request that the server made", p.ID, p.Wire)
				return
			}
			a.state = Waiting
			h.questions[p.ID] = a
			h.asking = append(h.asking, a)
		}
	}
}

// owned holds that a question names the calls that it may belong to.
func (h *oracle) owned(p QuestionView, a *oracleQuestion) {
	if p.State != Waiting || p.Round > 0 || p.Needed {
		return
	}
	var ids []CallID
	for _, r := range a.owners {
		if h.owns(r) {
			ids = append(ids, r.row.id)
		}
	}
	slices.Sort(ids)
	alive := len(ids)
	if alive+len(a.perhaps)+len(a.left) > 1 {
		for _, c := range slices.Concat(a.perhaps, a.left) {
			ids = append(ids, c.id)
		}
		slices.Sort(ids[alive:])
	}
	if p.CancelledOwners != len(ids)-alive {
		h.w.fail("question %d may be of %d cancelled calls, it must be %d", p.ID, p.CancelledOwners, len(ids)-alive)
	}
	if p.Owners != len(ids) || !slices.Equal(p.Candidates, ids[:min(len(ids), 8)]) || p.Orphaned != (alive == 0 && len(a.owners)+len(a.perhaps) > 0) {
		h.w.fail("question %d may belong to %v (%d, orphaned %v), it must be %v of %d", p.ID, p.Candidates, p.Owners, p.Orphaned, ids, len(a.owners))
	}
}

// fromError is a question that no request was made for: a URL elicitation that the
// error of a call lists.
func (h *oracle) fromError(p QuestionView) {
	h.w.counts.add("race", "question from an error")
	a := &oracleQuestion{needed: true, epoch: h.w.epoch, state: Waiting}
	h.questions[p.ID] = a
	if len(p.Candidates) != 1 || !h.needed[p.Candidates[0]] || h.w.s.cfg.NoURLs || !bytes.Contains(p.Params, []byte(`"mode":"url"`)) {
		h.w.fail("question %d is of no error: %+v", p.ID, p)
	} else if row, kept := h.w.s.Row(p.Candidates[0]); kept {
		a.epoch = row.Epoch // a new session may have begun since
		if row.State != Failed {
			h.w.fail("the call of question %d is %v", p.ID, row.State)
		}
	} else if p.State == QuestionLost {
		a.epoch = 0 // which session that was, nobody can say any more
	}
}

// must is the state that the question of a request has to be in; which answer it
// was, the user knows.
func (a *oracleQuestion) must(live bool) QuestionState {
	switch {
	case a.round != nil:
		return a.mustInput(live)
	case a.withdrawn:
		return Withdrawn
	case a.reused:
		return QuestionLost
	case !live && !a.responded && !(a.needed && a.userSaid):
		return QuestionLost
	case a.userSaid:
		return a.said
	}
	return Waiting
}
