package session

import (
	"fmt"
	"slices"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// stop is what a call keeps of its cancellation: the attempt, and what carries it.
//
//shape:value 1 of writer
type stop struct {
	cancel.Attempt
	out     *pending // the signal, while it may still be in the core
	order   uint64   // in which it was handed out; 0: not yet
	probe   *request // that asks whether the server still answers; nil: none did
	repeats *stop    // the one before, which was rejected or brought no answer; nil: none

	held     bool // the row was to end, and waits for the writer to tell of the cancel
	heardOut bool // over HTTP: the exchange of the call has ended, and was heard to its end
}

// touchStop marks the row as changed, and returns its cancellation, which is told something
// next. What only reads the cancellation has c.stop.
func (c *call) touchStop() *stop {
	c.touch()
	return c.stop
}

// newStop begins a cancellation.
func (w *writer) newStop(by cancel.Initiator, reason string, signal cancel.Signal, wished time.Time) *stop {
	return &stop{Attempt: cancel.New(w.now, cancel.Spec{
		By: by, Reason: reason, Signal: signal, Grace: w.cfg.Grace, Accept: w.conn.trips.Limit(), Apart: w.cfg.Transport == mcp.HTTP,
		Posts: w.cfg.Transport == mcp.HTTP && signal == cancel.Notify && !w.conn.rev.IsModern(), Wished: wished, Idle: signal == cancel.Nothing,
	})}
}

// signalFor is the signal that stops a call now.
func (w *writer) signalFor(c *call) cancel.Signal {
	return cancel.SignalFor(w.kindOf(c), w.conn.rev, w.cfg.Transport)
}

// kindOf is what kind of thing a call is at the moment, for [cancel.SignalFor].
func (w *writer) kindOf(c *call) cancel.Kind {
	if c.Origin == FromHandshake {
		return cancel.Handshake
	}
	if c.sub != nil && c.sub.active {
		return cancel.Subscription
	}
	if c.goesOn != nil {
		return c.goesOn.kind()
	}
	if w.conn.isAugmented(c) || c.isStopWished() && !w.lacksPickUpCancel(c) {
		return cancel.Task
	}
	return cancel.Request
}

// want begins the cancellation of a call by the signal of its request, which is in flight or waits
// to be; or by none, [cancel.Nothing], where no request is in flight.
func (w *writer) want(c *call, by cancel.Initiator, reason string, signal cancel.Signal) {
	c.stop = w.newStop(by, reason, signal, c.pickUp.wishedAt())
	c.touch()
}

// wantAgain repeats a cancellation that the server has rejected, or a tasks/cancel that brought no
// answer or has its verdict.
func (w *writer) wantAgain(c *call, reason string) {
	c.stop = &stop{Attempt: c.stop.BeginAgain(w.now, w.cfg.canceller(), w.cfg.reasonOr(reason), c.state == Cancelled), repeats: c.stop, heardOut: c.stop.heardOut}
	w.rows.unaddressed.outdate()
	if c.state == Cancelling {
		c.say(rowNote{})
	}
	w.tellStage(c, CancelWanted, MomentView{Dir: Local, Kind: MomCancelWanted, Text: c.stop.Reason}, 0)
}

// wasRejected reports whether the server did not accept the cancel of the call.
func (c *call) wasRejected() bool { return c.state == Cancelling && c.stop.IsRejected() }

// isTaskCancelMissed reports whether the tasks/cancel of a call that is being cancelled brought no
// answer, so that it may be sent once more: it is not known to be delivered, and the task goes on.
func (c *call) isTaskCancelMissed() bool {
	return c != nil && c.state == Cancelling && c.task() != nil && c.stop.Signal == cancel.CancelTask &&
		c.stop.IsTaskMissed() && c.task().IsAlive() && !c.task().IsCancelOut() && !c.task().IsCancelAnswered()
}

// adviseTaskCancelAgain has the row of a task say why its cancel brought no answer, and that it may be
// sent once more, where it may.
func (c *call) adviseTaskCancelAgain(why string) {
	if c.isTaskCancelMissed() {
		c.say(advising("tasks/cancel brought no answer: "+why, Remedy{Kind: RemedyCancelAgain}))
	}
}

// notePart has the attempt of a call know what has come of a message on the exchange
// of the call, or on stdio of any: that may have been told before the cancel.
func (c *call) notePart(part messagePart, bound time.Duration) {
	switch x := c.req.x; {
	case x == nil:
		c.touchStop().Arrives(part.last, part.began, part.size, bound)
	case x.part.size > 0:
		c.touchStop().Grew(x.part.last, x.part.began, x.part.size, bound)
	case x.announced && x.messages == 0:
		c.touchStop().Grew(x.headAt, x.headAt, 0, bound)
	}
}

// midway are the calls that ended in the middle of a message on stdio. Once its end has
// come, the message is taken for them, too: it had begun before they ended.
//
//shape:part of rows
type midway struct {
	calls []*call
	over  bool      // its end has come just now
	until time.Time // until when its bytes had come that were told
}

// onPartEnded takes the end of that message, which comes next, unless it was none.
func (r *rows) onPartEnded(part messagePart) {
	r.midway.over, r.midway.until = true, part.last
	for _, c := range r.midway.calls {
		c.touchStop().PartPassed()
	}
}

// add adds a call that ended in the middle of a message.
func (m *midway) add(c *call) { m.calls = append(m.calls, c) }

// forgetReceived forgets the message, once it was received.
func (m *midway) forgetReceived() {
	if m.over {
		*m = midway{}
	}
}

// of returns the calls that ended in the middle of a message which began at a time: one
// that began later than the bytes told is another.
func (m *midway) of(began time.Time) []*call {
	if !m.over || began.After(m.until) {
		return nil
	}
	return m.calls
}

func probeMethod(r mcp.Revision) string {
	if r.IsModern() {
		return "server/discover"
	}
	return "ping"
}

// unconfirmedCancels are the calls that ended without knowing whether the server read
// their cancel. First is the lowest order of those cancels: the answers to
// everything that was written before, which may be many, settle nothing.
//
//shape:machine 3
type unconfirmedCancels struct {
	*log
	calls    []*call
	first    uint64
	answered uint64 // the highest order of an own request of this connection that was answered
}

// begin forgets the order of the connection before.
func (u *unconfirmedCancels) begin() { u.answered, u.rows.midway = 0, midway{} }

// forget takes a call away whose cancel is sent once more: the second one counts.
func (u *unconfirmedCancels) forget(c *call) {
	u.calls = slices.DeleteFunc(u.calls, func(other *call) bool { return other == c })
}

func (u *unconfirmedCancels) add(c *call) {
	if len(u.calls) == 0 || c.stop.order < u.first {
		u.first = c.stop.order
	}
	u.calls = append(u.calls, c)
}

// isCancelHandedOut reports whether a cancel of a call was handed out: then whatever comes
// for it is evidence.
func (c *call) isCancelHandedOut() bool {
	return c != nil && c.stop != nil && (c.stop.order != 0 || c.stop.repeats != nil)
}

// isStopped reports whether a call is cancelled, or being cancelled.
func (c *call) isStopped() bool {
	return c != nil && c.stop != nil && (c.state == Cancelling || c.state == Cancelled)
}

// isUnbegun reports whether nothing of a call's body was written yet, though it was
// handed out, or the server did not begin with it and the transport waits before it writes
// that again. Then there is nothing to cancel, and no exchange to close.
func (c Config) isUnbegun(of *call) bool {
	return c.Transport == mcp.HTTP && of.state == Running && of.req.x != nil && of.req.x.role == roleRequest && (!of.req.x.started || of.req.x.unprocessed != 0)
}

// takeBack takes a cancel back that has not left, and reports whether nothing of the
// kind had left before it either.
func (w *writer) takeBack(c *call) bool {
	if !w.withdrawCancel(c, c.stop.Signal == cancel.CancelTask && c.stop.out == nil) {
		return false
	}
	if c.stop.repeats == nil {
		return true
	}
	c.touchStop()
	c.stop = c.stop.repeats
	w.rows.unaddressed.outdate()
	return false
}

// withdrawCancel takes a cancel back that has not left, and reports whether it had not. Unmade is that
// its bytes are still to be made.
func (w *writer) withdrawCancel(c *call, unmade bool) bool {
	if !w.out.withdraw(c.stop.out) && !unmade {
		return false
	}
	w.tellStage(c, CancelTakenBack, MomentView{}, 0)
	return true
}

// canceller is who cancels a call without a cause of belay's own.
func (c Config) canceller() cancel.Initiator {
	if c.Audit {
		return cancel.ByAudit
	}
	return cancel.ByUser
}

// reasonOr is a reason as it is sent; an empty one takes the session's default.
func (c Config) reasonOr(reason string) string {
	if reason == "" {
		reason = c.Reason
	}
	return capReason(reason)
}

// wishStop has the task of a pick-up be cancelled as soon as tasks/get is answered.
func (l *log) wishStop(c *call, by cancel.Initiator, reason string) {
	c.pickUp.stop(l.now, by, reason)
	c.touch()
	l.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: fmt.Sprintf("the task is to be cancelled: tasks/cancel is sent when tasks/get is answered, or was not for %v", c.pickUp.within(c.Idle))})
}
