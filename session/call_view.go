package session

import (
	"time"

	"belay/session/cancel"
)

// view copies what the table shows of a call.
func (s *Session) view(c *call) Row {
	says := s.http.remarkOf(c)
	r := Row{
		ID: c.id, Epoch: c.epoch, Wire: c.wire(), Latest: c.latest(), Rev: c.rev,
		Method: c.Method, Target: c.target, Follows: c.Watch, Origin: c.Origin,
		State: c.state, Note: says.text, Remedy: says.remedy(), AsksYou: s.incoming.hasOpenQuestion(c),
		ToolError: c.toolErr, FellBack: c.fellBack && c.state == Failed,
		Left:        c.state == Lost && (c.left || c.isLeft()),
		WaitsOnly:   s.writer.lacksTaskCancel(c),
		OutcomeOnly: s.writer.awaitsOutcomeOnly(c),
		UnnamedTask: c.hasUnnamedTask(), KeepsCancel: s.tasks.keepsCancel(c),
		ReasonStays: !c.state.Terminal() && s.writer.signalFor(c) != cancel.Notify,
		Created:     c.created, Sent: c.sent, Ended: c.ended, EndSeen: c.endSeen(), Progress: c.progress.view(),
		Paused: c.clocks.isStill() && c.state == Running,
		Login:  c.isWaitingFor(loginWait), AwaitsLoginToResume: c.state == Running && s.http.awaitsLoginToResume(c),
		Round: c.roundView(s.timers.At(c.due(dueWait))), Sub: s.subView(c), Task: s.taskView(c),
	}
	if c.Watch {
		r.Tool = s.toolOf(c)
	}
	if st := c.stop; st != nil {
		r.Initiator = st.By
		r.CancelRejected = c.state == Cancelling && st.IsRejected() || c.isTaskCancelMissed()
		r.Unsent = c.state == Cancelling && st.WrittenAt().IsZero() && !r.CancelRejected
		r.AwaitsID = r.Unsent && c.task == nil && st.Signal == cancel.CancelTask
		r.AfterCount, _, _ = st.Count()
		if c.state == Cancelled {
			r.Verdict = st.Verdict()
		}
	}
	if c.state == Running {
		r.Deadline = c.nextLimit(&s.timers)
	}
	return r
}

// endSeen is when the end of a cancelled call was seen after its row had ended: the end of its
// task, or a late answer; zero: neither was.
func (c *call) endSeen() (at time.Time) {
	if c.state != Cancelled || c.stop == nil {
		return at
	}
	if at = c.stop.TaskEndAt(); at.IsZero() && c.late != nil {
		at = c.late.At
	}
	if !at.After(c.ended) {
		return time.Time{}
	}
	return at
}

func (c *call) roundView(again time.Time) RoundView {
	r := RoundView{Count: c.rounds.count}
	if ro := c.round(); ro != nil {
		r.Waits, r.Inputs, r.Open, r.RetryAt, r.AwaitsRetry, r.Relisting = true, len(ro.inputs), ro.open, again, ro.awaitsRetry, ro.relist
		r.HasState, r.StateSize, r.StateSum = ro.state != nil, len(ro.state), ro.sum
	}
	return r
}

// Row copies one row, and false when it is not kept.
func (s *Session) Row(id CallID) (Row, bool) {
	c := s.rows.get(id)
	if c == nil || c.about != nil {
		return Row{}, false
	}
	return s.view(c), true
}

// Span bounds the rows that are kept; there may be gaps. Both are zero when
// there is none.
func (l *log) Span() (first, last CallID) {
	for i, c := range l.rows.list {
		if c != nil {
			return l.rows.base + CallID(i), l.rows.base + CallID(len(l.rows.list)-1)
		}
	}
	return 0, 0
}

// Changed appends the rows that changed after revision rev, the most recent
// change first, at most limit, and says which revision is the newest. More
// says that the limit cut the list.
func (s *Session) Changed(dst []Row, rev uint64, limit int) (rows []Row, newest uint64, more bool) {
	for c := s.rows.changed; c != nil && c.rev > rev; c = c.older {
		if limit == 0 {
			return dst, s.rows.rev, true
		}
		limit--
		dst = append(dst, s.view(c))
	}
	return dst, s.rows.rev, false
}

// InFlight appends the rows in flight, oldest first, at most limit.
func (s *Session) InFlight(dst []Row, limit int) []Row {
	for c := s.rows.oldest; c != nil && limit > 0; c = c.next {
		if c.about != nil {
			continue
		}
		dst = append(dst, s.view(c))
		limit--
	}
	return dst
}

// Detail copies all that is known of a call, and false when its row is not
// kept.
func (s *Session) Detail(id CallID) (Detail, bool) {
	c := s.rows.get(id)
	if c == nil || c.about != nil {
		return Detail{}, false
	}
	d := Detail{
		Row: s.view(c), Params: c.Params, Result: c.result, Cache: c.cache, Dropped: c.dropped, Hollow: c.hollow, Err: c.err,
		Late: c.lateAnswer(), Compared: c.compared, Idle: c.Idle, Max: c.Max, Rules: c.Rules, Declare: c.Declare, Undeclared: c.Undeclared, NoProgress: c.NoProgress,
	}
	if !c.sent.IsZero() && c.Origin != FromHandshake { // before it a revision may be agreed on still
		d.Revision = s.link.spoke[c.epoch]
	}
	d.Conformity, d.Schema = c.judged.view()
	if c.err != nil {
		d.ErrText, d.MissingCapabilities = c.errText, c.missingCapabilities
	}
	if c.sub != nil {
		d.Asked, d.Agreed = c.sub.asked, c.sub.agreed
	}
	if c.stop != nil {
		d.Reason, d.Evidence, d.Away = c.stop.Reason, c.stop.Evidence(), c.stop.IsStreamLost()
		if began, ok := c.stop.TaskEndBegan(); ok {
			d.TaskEndAfter = c.stop.Lag(began)
		}
		d.Undelivered, d.Processes = c.stop.UndeliveredWords(), c.stop.Processes.View()
		d.CutOff, d.Kept, d.Strayed, d.Talks = c.stop.IsCutOff(), c.stop.OnlyKept(), c.stop.HasStrayed(), c.stop.Talks()
		d.EndedEarly, d.Parted = c.stop.EndedEarly(), c.stop.HasParted()
		if !c.stop.WrittenAt().IsZero() {
			d.Withdrew, d.Withdrawn = c.stop.WithdrewAt()
		}
		d.AfterMessages, d.LateMessages, d.LastLate = c.stop.Count()
	}
	d.Timeline, d.Skipped = c.line.view()
	return d, true
}

func (s *Session) subView(c *call) SubscriptionView {
	u := c.sub
	if u == nil {
		return SubscriptionView{}
	}
	v := SubscriptionView{Is: true, IsListen: u.listen, Active: u.active, ByServer: u.ended, Updates: u.updates, Last: u.last, Asked: len(u.asked.Words())}
	v.Agreed = v.Asked - len(u.asked.Without(u.agreed).Words())
	if c.isWaitingFor(pauseWait) {
		v.AgainAt = s.timers.At(c.due(dueWait))
	}
	v.Carried, v.Unreadable = u.resubscription.carried, u.unreadable
	v.StreamAway, v.Residual = s.http.isStreamAway(c), s.subs.residualOf(c)
	return v
}
