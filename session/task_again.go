package session

import (
	"time"

	"belay/session/cancel"
	"belay/session/task"
)

// mayHaveRepeat reports whether tasks/cancel was sent once more for the task of a call after its
// verdict.
func (c *call) mayHaveRepeat() bool {
	return c.state == Cancelled && c.stop != nil && c.stop.repeats != nil
}

// isTaskCancelledAgain reports whether a row has ended, and nothing tells yet what became of the
// tasks/cancel that was sent once more for its task.
func (c *call) isTaskCancelledAgain() bool { return c.mayHaveRepeat() && c.stop.IsRepeatOpen() }

// isCancelAgainOut reports whether the row of a call has ended, its task goes on, and tasks/cancel is
// still to be sent, or is out and may still be answered in time.
func (c *call) isCancelAgainOut() bool {
	switch {
	case c.state != Cancelled || c.task == nil || !c.task.followed || !c.task.IsAlive() || c.task.IsCancelAnswered():
		return false
	case c.isTaskCancelledAgain():
		return true
	case !c.task.IsCancelOut():
		return false
	}
	return c.task.cancel.isAnswerAwaited()
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

// mayCancelTaskAgain reports whether the row of a call was cancelled, its task goes on over the same
// connection, and nothing shows that the server has read tasks/cancel: then it may be sent once more.
// On stdio it stays in the pipe, and the server reads it before anything that is written later.
func (l *log) mayCancelTaskAgain(c *call) bool {
	if c == nil || c.state != Cancelled || c.task == nil || c.stop == nil || c.epoch != l.conn.epoch {
		return false
	}
	goesOn := c.task.followed && c.task.IsAlive() || c.task.End() == task.Expired && !c.task.Status().Terminal()
	inPipe := c.stop.Signal == cancel.CancelTask && !c.stop.Apart && !c.stop.IsTaskMissed()
	return goesOn && !inPipe && c.task.cancel != nil && !c.hadCancelRead() && !c.isCancelAgainOut()
}
