package session

import (
	"time"

	"belay/session/cancel"
	"belay/session/task"
)

// repeat is the state of a further tasks/cancel for the task of a call.
func (c *call) repeat() cancel.Repeat {
	if c == nil || c.state != Cancelled || c.task() == nil || c.stop == nil {
		return cancel.RepeatNone
	}
	k := c.task()
	return c.stop.RepeatState(cancel.TaskNow{
		GoesOn:   k.followed && k.IsAlive(),
		Expired:  k.End() == task.Expired && !k.Status().IsTerminal(),
		Made:     k.cancel != nil,
		Answered: k.IsCancelAnswered(),
		Awaited:  k.IsCancelOut() && k.cancel.isAnswerAwaited(),
	})
}

// mayCancelTaskAgain reports whether tasks/cancel may be sent once more for the task of a call, over
// the same connection.
func (l *log) mayCancelTaskAgain(c *call) bool {
	return c.repeat().IsPossible() && c.epoch == l.conn.epoch
}

// isLeftUncancelled reports whether belay waits no more for a task that has not ended as far as is known, although its
// tasks/cancel was not delivered.
func (k *runningTask) isLeftUncancelled() bool {
	st := k.row.stop
	return k.row.state == Cancelled && k.End() == task.Left && !k.Status().IsTerminal() && !k.IsCancelAnswered() &&
		st.Signal == cancel.CancelTask && st.IsTaskMissed()
}

// isAnswerAwaited reports whether the answer to tasks/cancel may still come in time: tasks/cancel is
// still to be written, or was sent for a handle that came after the cancel of its call.
func (e *taskRequest) isAnswerAwaited() bool {
	if e == nil || e.cancels() {
		return e == nil || e.of.row.stop.WrittenAt().IsZero()
	}
	return !e.overdue
}

// judgeOverdue notes that the tasks/cancel for such a handle was not answered for as long as a grace
// lasts.
func (e *taskRequest) judgeOverdue(now time.Time) {
	if e == nil || e.cancels() || e.call.sent.IsZero() || e.of.row.stop == nil {
		return
	}
	e.overdue = e.overdue || !now.Before(e.call.sent.Add(e.of.row.stop.Grace))
}
