package session

import (
	"fmt"
	"strings"

	"belay/session/cancel"
)

// Cancel wants a call stopped. An empty reason takes the session's default. The row reads
// cancelling… as soon as it is handled, before any I/O. What must not or need not be cancelled is
// refused with a *Refusal, and then nothing is sent: the handshake, a call that has ended, one
// whose cancel is already on the way (CXL-05, CXL-06, CXL-26, CXL-31;
// basic/utilities/cancellation). One that the server did not accept is posted once more. A
// subscription whose row has ended, and which may stand for all that, is ended once more, by a
// call of its own: see [Residual]. A task that goes on after the verdict gets tasks/cancel once more
// where nothing shows that the server has read the first; the row stays, and its verdict may change.
type Cancel struct {
	Call   CallID `json:"call"`
	Reason string `json:"reason,omitempty"`
}

func (in Cancel) check(s *Session) error {
	switch c := s.rows.get(in.Call); {
	case c == nil:
		return refuse(RefuseUnknown, "there is no call %d", in.Call)
	case c.wasRejected(), c.isTaskCancelMissed(), s.writer.mayCancelTaskAgain(c):
		return nil
	case s.subs.residualOf(c) != ResidualNone:
		return s.subs.checkUnsubscribeResidual(c)
	case s.handles.keepsCancel(c):
		return refuse(RefuseCancelling, "%s is cancelled already: tasks/cancel is sent if the ID of its task comes", c.name())
	default:
		return s.writer.checkCancel(c)
	}
}

func (in Cancel) apply(s *Session) Reply {
	reason := validText(in.Reason)
	switch c := s.rows.get(in.Call); {
	case c.wasRejected(), c.isTaskCancelMissed(), s.writer.mayCancelTaskAgain(c):
		s.repeatCancel(c, reason)
	case s.subs.residualOf(c) != ResidualNone:
		s.unsubscribeResidual(c, FromUser)
	default:
		s.stopCall(c, s.cfg.canceller(), reason)
	}
	return Reply{}
}

func (in Cancel) masked(m masker) Input {
	in.Reason = m.reason(in.Reason)
	return in
}

func (w *writer) checkCancel(c *call) error {
	before := w.rows.cancelledBefore(c)
	switch {
	case c.repeat().IsAnswerAwaited():
		return refuse(RefuseCancelling, "the cancel of the task of %s is under way already", c.name())
	case c.isStopWished():
		return refuse(RefuseCancelling, "%s is being cancelled already: tasks/cancel is sent when tasks/get is answered, or was not for %v", c.name(), c.pickUp.within(c.Idle))
	case c.state.IsTerminal():
		return refuse(RefuseFinished, "%s has ended (%v): nothing was sent", c.name(), c.state)
	case c.state == Cancelling:
		return refuse(RefuseCancelling, "%s is being cancelled already", c.name())
	case c.task() != nil && c.task().Status().IsTerminal():
		return &Refusal{
			Code: RefuseFinished, Remedy: Remedy{Kind: RemedyStopWaiting},
			Text: fmt.Sprintf("the task of %s is %v already: only its outcome is waited for", c.name(), c.task().Status()),
		}
	case before != nil && !before.state.IsTerminal():
		return refuse(RefuseCancelling, "the task is being cancelled already, by %s", before.name())
	case before != nil:
		return refuse(RefuseCancelling, "the cancel of the task was delivered, by %s: it is sent once", before.name())
	case w.lacksTaskCancel(c), w.lacksPickUpCancel(c):
		return &Refusal{Code: RefuseUndeclared, Text: lacksTaskCancelWords + ": " + c.name() + " can only be waited for", Remedy: Remedy{Kind: RemedyStopWaiting}}
	case w.signalFor(c) == cancel.Never:
		return &Refusal{Code: RefuseInitialize, Text: c.Method + " must not be cancelled (basic/utilities/cancellation)", Remedy: Remedy{Kind: RemedyLeave}}
	}
	return nil
}

// neverSent is what a row says of a call that was dropped in the core.
const neverSent = "dropped before it was sent: nothing went out"

// stopCall carries out a cancel that was checked. A call that asks for a task by its ID goes on by itself, unless
// that is a timeout, which is about tasks/get alone.
func (s *Session) stopCall(c *call, by cancel.Initiator, reason string) {
	if c.isPickUp() && !c.isWaiting() && by != cancel.ByTimeout && by != cancel.BySuperseded {
		s.wishStop(c, by, reason)
		c.resetIdle(&s.timers, s.now)
		return
	}
	if by == cancel.ByTimeout && c.isStopWished() && s.writer.kindOf(c) == cancel.Task { // who wanted that is the user
		by, reason = c.pickUp.by, c.pickUp.reason
	}
	reason = s.cfg.reasonOr(reason)
	if s.writer.mustLeave(c) { // a timeout: whatever else would stop such a call is refused
		s.tasks.leaveCall(c, "stopped waiting by the "+reason+", as "+lacksTaskCancelWords)
		return
	}
	if by == cancel.ByTimeout && c.isPickUp() && s.writer.kindOf(c) != cancel.Task {
		says := "stopped waiting by the " + reason
		if c.pickUp.stops {
			says += ", and tasks/cancel was not sent, as " + lacksTaskCancelWords
		}
		s.tasks.leaveCall(c, says)
		return
	}
	if c.isWaiting() {
		s.stopWait(c, by, reason, stoppedWords(by))
		return
	}
	s.writer.want(c, by, reason, s.writer.signalFor(c))
	if c.state == Queued {
		if !s.out.withdraw(c.req.out) {
			s.broken("call %d is queued, but its bytes are out", c.id)
		}
		s.outgoing.release(c.req)
		s.move(c, outcome{to: Dropped, says: saying(neverSent)})
		return
	}
	if s.cfg.isUnbegun(c) && !c.isStopWished() { // whose task has an ID
		s.dropUnbegun(c)
		return
	}
	c.stop.Ends = c.sub.isStanding()
	switch c.stop.Signal {
	case cancel.Notify:
		s.writer.cancelByNote(c, reason)
	case cancel.Abort:
		s.writer.cancelByClosing(c)
	case cancel.Unsubscribe:
		s.writer.queueUnsubscribe(c)
	case cancel.CancelTask:
		s.followers.of(cancel.Task).wantCancel(c)
		if c.Watch && c.req.answer.kind == 0 {
			s.retireRequest(c)
		}
	case cancel.Never, cancel.Nothing:
		s.broken("call %d is in flight, and is stopped by nothing", c.id)
	}
	s.move(c, outcome{to: Cancelling})
	if c.stop.Signal == cancel.Abort && s.handles.makesTasks(c.target) { // whose handle cannot come any more (TEX-60)
		s.note(c, "a task may be running on the server: its handle cannot come any more")
	}
	c.watchStop(&s.timers)
}

// stopByRule cancels a call that runs by a rule of its own; a nil call, or ruleNone, by none. Where the
// task has ended, the rule of a time stops waiting for the outcome; no other rule does, as that may be
// about to come.
func (s *Session) stopByRule(c *call, k ruleKind) {
	if c == nil || k == ruleNone || c.state != Running || c.isStopWished() {
		return
	}
	words := c.Rules.words(k, s.now.Sub(c.req.handed))
	stopped := "stopped waiting" + strings.TrimPrefix(words, "cancelled")
	switch {
	case c.lacksOutcome() && k == ruleAfter: // that is all that is left to stop
		s.tasks.leaveCall(c, stopped)
		return
	case s.writer.awaitsOutcomeOnly(c):
		return
	case s.writer.mustLeave(c):
		s.tasks.leaveCall(c, stopped+", as "+lacksTaskCancelWords)
		return
	}
	s.note(c, words)
	s.stopCall(c, cancel.ByRule, c.Rules.Reason)
}

// dropUnbegun ends such a call. One with a request before this one was not
// dropped: that was sent, and answered, but nothing runs.
func (s *Session) dropUnbegun(c *call) {
	s.http.abort(c.req.x)
	if why := c.req.x.unprocessed; why != 0 || c.rounds.count > 0 {
		o := outcome{to: Cancelling, says: saying("the request that was to follow was not sent")}
		if why != 0 {
			c.touchStop().NotProcessed(s.now, why.String())
			o.says = saying(why.String() + ": nothing runs, and it is not sent once more")
		} else {
			c.touchStop().NoRequest()
		}
		s.outgoing.retire(c.req, s.now)
		s.move(c, o)
		s.end(c)
		return
	}
	s.outgoing.retire(c.req, s.now)
	s.move(c, outcome{to: Dropped, says: saying("dropped before its body was sent: nothing went out")})
}

// repeatCancel posts a cancel once more that was not accepted, or that nothing answered for a task. The
// user may do that; belay posts nothing twice by itself.
func (s *Session) repeatCancel(c *call, reason string) {
	s.unconfirmed.forget(c)
	s.writer.wantAgain(c, reason)
	switch c.stop.Signal {
	case cancel.Unsubscribe:
		s.outgoing.retire(c.req, s.now)
		s.writer.queueUnsubscribe(c)
	default:
		if m := s.followers.of(s.writer.kindOf(c)); m != nil {
			m.wantCancel(c)
			break
		}
		s.writer.cancelByNote(c, c.stop.Reason)
	}
	c.watchStop(&s.timers)
}
