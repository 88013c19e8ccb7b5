package session

import (
	"time"

	"belay/session/task"
)

// TaskView is what is shown of the task that a call runs as.
type TaskView struct {
	task.View
	Protocol task.Protocol
	// GoesOn says that the task has not ended, as far as is known, and that belay asks on, be it
	// in flight or cancelled.
	GoesOn bool
	// Confirming says that the end of the task was told by something else than a poll, and the one
	// poll that follows is still to come.
	Confirming bool
	// OutcomeOut says that the task has ended, and that its outcome is awaited: tasks/result was not
	// answered.
	OutcomeOut bool
	// OutcomeLeft says that the same is so, but that belay stopped waiting for the outcome, or the
	// connection has ended.
	OutcomeLeft bool
	// FoundCancelled says that the task was picked up, and cancelled by then: by whom is not known.
	FoundCancelled bool
	// SaidSince is the status that the server told last, where the row keeps an end that it had told before, and
	// GoesOnSince says that the task goes on by that. Empty: it told none since. It may hold foreign text.
	SaidSince   string
	GoesOnSince bool
	// CancelRead says that the row has ended, and that the server has answered tasks/cancel, or
	// on stdio a message that was written later: the cancel is not sent once more.
	CancelRead bool
	// CancelSentBy names another row of the task by which tasks/cancel was sent, and read or may be yet: it is
	// not sent by this one. Empty: there is none. It may hold foreign text.
	CancelSentBy string
	// CancelsAgain says that the row has ended, and that tasks/cancel is sent once more, or the first
	// one is still to be sent.
	CancelsAgain bool
	// MayCancelAgain says that the row has ended, and that [Cancel] sends tasks/cancel once more.
	MayCancelAgain bool
	// LeftUncancelled says that belay waits for the task no more, and that its cancel was not delivered: a row of
	// its own may send tasks/cancel once more, by the ID.
	LeftUncancelled bool
	// LeftCancelling says that the user stopped waiting before it was seen what the cancel did.
	LeftCancelling bool
	// CutOff says that the connection ended, not by the server, before it was seen what the cancel did.
	CutOff bool
	// CutByUs says that of this connection belay made the end.
	CutByUs bool
	// ReusedKeys counts the questions under keys that the task used for something else:
	// [PollTask] shows them.
	ReusedKeys int
}

// toolOf is the tool that the task of a call runs. Of a call that follows a task by its ID it is
// known by an earlier row of the task, or by what was kept; empty: it is not known.
func (l *log) toolOf(c *call) string {
	if maker := l.makerOf(c); maker != nil {
		return maker.target
	}
	if c.task() != nil && c.task().forgotten {
		return c.task().tool
	}
	return l.kept.tools[c.target]
}

// makerOf is the call that made the task of a call; nil: that was no call of this run, or it is
// not known any more.
func (l *log) makerOf(c *call) *call {
	if !c.Watch {
		return c
	}
	for _, other := range l.rows.tasks {
		if !other.Watch && other.task().ID == c.target {
			return other
		}
	}
	return nil
}

func (l *log) taskView(c *call) *TaskView {
	if c.task() == nil {
		return nil
	}
	of := c.task().View()
	if !c.task().followed {
		of.NextPoll = time.Time{}
	}
	sentBy := ""
	if before := l.rows.cancelledBefore(c); before != nil {
		sentBy = before.name()
	}
	saidSince, goesOnSince := "", false
	if c.stop != nil {
		saidSince, goesOnSince = c.stop.TaskSaidSince()
	}
	return &TaskView{
		View: of, Protocol: c.task().Protocol, GoesOn: c.task().followed && c.task().IsAlive(),
		Confirming:  c.task().followed && c.task().AwaitsConfirmation(),
		OutcomeOut:  c.task().followed && c.task().Status().IsTerminal() && c.task().WantsResult(),
		OutcomeLeft: c.state.IsTerminal() && (c.lacksOutcome() || c.state == Cancelled && c.task().hasLostOutcome()),
		SaidSince:   saidSince, GoesOnSince: goesOnSince,
		FoundCancelled: c.task().foundOver,
		CancelRead:     c.hadCancelRead(), CancelSentBy: sentBy, CancelsAgain: c.repeat().IsAnswerAwaited(), MayCancelAgain: l.mayCancelTaskAgain(c),
		LeftUncancelled: c.task().isLeftUncancelled(),
		LeftCancelling:  c.state == Cancelled && c.isLeftEarly(),
		CutOff:          c.state == Cancelled && c.isTaskCutOff(),
		CutByUs:         c.state == Cancelled && c.isTaskCutOff() && c.stop.IsTaskCutByUs(),
		ReusedKeys:      c.task().reusedKeys(),
	}
}

// hasLostOutcome reports whether a task has ended, and its outcome was asked for and has not come: belay
// waits for it no more, or the connection has ended.
func (k *runningTask) hasLostOutcome() bool {
	return k.Status().IsTerminal() && (k.IsResultLeft() || !k.followed && k.WantsResult())
}

// isOfBefore reports whether a task was begun or followed over a connection that has ended.
func (l *log) isOfBefore(c *call) bool { return c.epoch != l.conn.epoch }

// isAdrift reports whether the connection of a task has ended before the task, as far as is
// known, and the present one could follow it.
func (l *log) isAdrift(c *call) bool {
	expires := c.task().Expires()
	return l.isOfBefore(c) && l.conn.phase == Ready && c.task().Protocol == l.conn.taskProtocol() && c.task().IsAlive() && (expires.IsZero() || expires.After(l.now))
}
