package session

import (
	"fmt"
	"math"
	"slices"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

// onCancelWritten begins the grace: the time in which an answer is still of
// interest starts with the cancel's last byte.
func (s *Session) onCancelWritten(c *call, p *pending, at time.Time) {
	st := c.touchStop()
	st.Written(at)
	s.rows.unaddressed.outdate()
	if after := st.Count(); after.Late > 0 && s.conn.rev.IsModern() { // they came before the writer told of the cancel
		s.diagnose(mcp.DiagAfterCancel, c.id, "a message", fmt.Sprintf("a message, %v after the cancel", after.Last.Round(time.Millisecond)))
	}
	if st.Signal == cancel.Notify {
		st.Processes = s.processes.Cancelled(int(c.id), at, s.conn.trips.Bound())
	}
	kind, reply := MomCancelSent, Seq(0)
	switch st.Signal {
	case cancel.Abort:
		kind = MomClosing
	case cancel.Unsubscribe:
		kind = MomUnsubscribe
	case cancel.CancelTask:
		kind = MomTaskCancel
	default:
	}
	if p.req != nil {
		reply = p.req.answer.message
	}
	s.tellStage(c, CancelSent, MomentView{At: at, Dir: Out, Kind: kind, Text: st.Reason, Entry: p.entry}, reply)
	c.watchStop(&s.timers)
	switch { // a row that has ended is told by what comes after
	case c.state == Cancelling && (st.HasAnswer() || st.held || c.isLeft()): // which had to wait for this
		s.end(c)
	case c.state == Cancelling:
	case st.order < s.unconfirmed.answered && !st.IsUnaccepted():
		st.Read(s.now)
	default:
		s.unconfirmed.add(c)
	}
	s.onAnswerElsewhere(c)
}

// onStopDue is what happens when a call that is being cancelled is due.
func (s *Session) onStopDue(c *call) {
	st := c.touchStop()
	m := s.followers.of(s.writer.kindOf(c))
	switch ends := m != nil && m.onStopDue(c); {
	case c.state == Cancelled:
		return
	case ends:
		s.end(c)
		return
	case st.IsGraceOver() && st.probe.x.isErrorStatus(): // its body does not end
		s.onProbeAnswer(st.probe, statusWords(st.probe.x.head, End{}), "")
	case st.IsGraceOver():
		c.notePart(s.part, s.conn.trips.Bound())
		st.ProbeLate(s.now, s.conn.talked, s.conn.trips.Bound())
		s.moment(c, MomentView{Dir: Local, Kind: MomProbeLate})
		s.end(c)
	case st.WrittenAt().IsZero(), st.IsRejected(), st.AwaitsAcceptance():
		s.endAsUndelivered(c, "")
	default:
		c.notePart(s.part, s.conn.trips.Bound())
		s.onGraceOver(c)
	}
}

// onGraceOver asks the server whether it still answers at all, unless that is
// switched off.
func (s *Session) onGraceOver(c *call) {
	st := c.touchStop()
	if s.incoming.isAsking(c) {
		st.QuestionOpened()
	}
	st.GraceOver(s.now, c.req.progressPace, s.http.lostStream(c.req))
	s.processes.GraceOver(int(c.id), s.now)
	s.moment(c, MomentView{Dir: Local, Kind: MomGrace, Text: graceWords(st)})
	if s.cfg.NoProbe || s.conn.phase != Ready {
		if s.conn.phase == Closing { // belay leaves, and a server that is deaf to that lives on
			st.Disconnected(s.now)
		}
		s.end(c)
		return
	}
	s.pings.awaitProbe(c, s.pings.probeFor(st))
}

// graceWords say why a grace ended before its time; empty: it did not.
func graceWords(st *stop) string {
	if st.HasEndedEarly() {
		return "its exchange has ended"
	}
	return ""
}

// probeFor is the probe that a cancelled row waits for. The one that is out
// serves every row whose grace ends meanwhile, unless it is late already, or
// left before the row's cancel: then its answer would not tell that the server
// has read the cancel.
func (p *pings) probeFor(st *stop) *request {
	if r := p.probe; r != nil && (r.order == 0 || r.order > st.order) && p.now.Before(r.since.Add(r.limit)) {
		return r
	}
	p.probe = p.ping(false, nil)
	return p.probe
}

// askAgain asks once more for the rows that wait for a probe of which nothing will be heard: a
// connection that was kept open may end just as it is used again, which says nothing of the server.
func (p *pings) askAgain(r *request, rows *rows) {
	if r.instead != nil || p.conn.phase != Ready {
		return
	}
	for c := rows.oldest; c != nil; c = c.next {
		if c.state == Cancelling && c.stop.probe == r {
			if p.probe == r || p.probe == nil {
				p.probe = p.ping(false, r)
			}
			p.awaitProbe(c, p.probe)
		}
	}
}

// awaitProbe has a cancelled row wait for a probe.
func (p *pings) awaitProbe(c *call, r *request) {
	st := c.touchStop()
	st.probe = r
	st.ProbeWanted(r.since, r.limit)
	p.moment(c, MomentView{Dir: Out, Kind: MomProbe, Text: r.method})
	c.watchStop(p.timers)
}

// onProbeAnswer settles every row that waited for the probe, also those that
// gave it up as late. That the answer may be an error does not matter: the
// server read what was written before it. One without a message is told by its
// status, and over says how the session had ended that the probe named; empty: it had not.
func (s *Session) onProbeAnswer(r *request, status, over string) {
	if s.pings.probe == r {
		s.pings.probe = nil
	}
	// A row waits for one probe; two are out when the first is late.
	for c := s.rows.oldest; c != nil; {
		next := c.next
		if c.state == Cancelling && (c.stop.probe == r || c.stop.probe != nil && c.stop.probe.instead == r) {
			st := c.touchStop()
			if over != "" {
				st.SessionOver(s.now, over)
			}
			st.ProbeAnswered(s.now, status)
			text := r.method
			if status != "" {
				text += ": " + status
			}
			s.moment(c, MomentView{Dir: In, Kind: MomProbeAnswer, Text: text})
			s.end(c)
		}
		c = next
	}
}

// end closes a cancelled call. The verdict may still grow. A call that was answered, or whose
// tasks/cancel was, while its cancel is with the writer goes on being cancelled until that tells when
// it was written, or counts as not written: the verdict stands on it.
func (s *Session) end(c *call) {
	st := c.touchStop()
	if st.AwaitsWrite() {
		st.held = true
		return
	}
	s.http.tellUnowned(c)
	if !st.IsProbeLate() && !st.IsRead() && st.order != 0 && st.order < s.unconfirmed.answered && !st.IsUnaccepted() {
		st.Read(s.now)
	}
	if st.Signal == cancel.Abort {
		s.out.withdraw(st.out) // it is closed below
	}
	o := outcome{to: Cancelled, at: c.line.connectionEnd()}
	if st.IsRejected() || st.IsTaskMissed() {
		o.says = saying(c.remark.text) // it is too late for its remedy
	}
	s.move(c, o)
	s.logEnd(c)
	if !st.HasAnswer() && !st.IsRead() && !st.WrittenAt().IsZero() {
		s.unconfirmed.add(c)
	}
	if st.IsMidway() {
		s.rows.midway.add(c)
	}
	if s.http.keepsOpen(c) {
		s.outgoing.retire(c.req, s.now)
	} else {
		s.retireRequest(c)
	}
	if s.subs.noteResidual(c) {
		s.unsubscribeResidual(c, FromBelay)
	}
}

// retireRequest keeps the ID of a call that ended for late answers only.
func (s *Session) retireRequest(c *call) {
	if c.req == nil {
		return
	}
	s.outgoing.retire(c.req, s.now)
	if !s.conn.awaitsTask(c) { // whose handle is the only name of what may run by now
		s.http.abandonRequest(c.req)
	}
}

// onServerRead notes that the server answered the request of this order and method. On stdio
// the server has therefore read everything written before, which settles the rows that
// ended in doubt about their cancel.
func (u *unconfirmedCancels) onServerRead(order uint64, method string) {
	u.answered = max(u.answered, order)
	if len(u.calls) == 0 || order <= u.first {
		return
	}
	u.first = math.MaxUint64
	u.calls = slices.DeleteFunc(u.calls, func(c *call) bool {
		if c.stop.order >= order || c.stop.IsUnaccepted() {
			u.first = min(u.first, c.stop.order)
			return false
		}
		u.confirmRead(c, sentence.Name(method)+", which was written later")
		return true
	})
}

// onAcceptedAfterEnd settles one of those rows whose POST is accepted after the end of
// the row: something that was written after its cancel may be answered already. It
// tells nothing of the other rows.
func (u *unconfirmedCancels) onAcceptedAfterEnd(c *call) {
	i := slices.Index(u.calls, c)
	if i < 0 || c.stop.order >= u.answered {
		return
	}
	u.calls = slices.Delete(u.calls, i, i+1)
	u.confirmRead(c, "something written later")
}

// confirmRead notes that the server has read the cancel of a row that ended without
// knowing that, by its answer to something.
func (l *log) confirmRead(c *call, by string) {
	c.touchStop().Passed()
	c.touchStop().Read(l.now)
	if c.stop.IsReadInOrder() {
		l.moment(c, MomentView{Dir: In, Kind: MomProbeAnswer, Text: by})
	}
}

// onAnswerElsewhere ends a call whose cancel has just been written, and whose answer
// came before that, where it could not be taken: nothing more will come.
func (s *Session) onAnswerElsewhere(c *call) {
	was := c.req.ignored
	if was == nil || c.stop.Ends || c.stop.HasAnswer() {
		return
	}
	c.touchStop().Answered(s.results.takeIgnored(c, was))
	s.tellStage(c, CancelAnswered, MomentView{Dir: Local, Kind: MomNote, Text: "its answer had come before, elsewhere than on its own exchange"}, 0)
	if c.state == Cancelling && c.stop.Signal == cancel.Notify {
		s.end(c)
	}
}

// endAsUndelivered ends a call whose cancel the server did not take. A reason says
// why it was never sent.
func (s *Session) endAsUndelivered(c *call, unsent string) {
	c.touchStop().GiveUp(s.now, unsent)
	s.end(c)
}
