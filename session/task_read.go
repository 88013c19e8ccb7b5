package session

import (
	"belay/session/cancel"
	"belay/session/task"
)

// task is the task that a call goes on as; nil: it is none.
func (c *call) task() *runningTask {
	k, _ := c.goesOn.(*runningTask)
	return k
}

// taskAbout is the task that a call, which may be nil, is a request about, or goes on as; nil: none.
func (c *call) taskAbout() *runningTask {
	if c == nil {
		return nil
	}
	if e, is := c.about.(*taskRequest); is {
		return e.of
	}
	return c.task()
}

// isLeftEarly reports whether the user stopped waiting while the task of a call was being
// cancelled, and nothing that came since tells what the cancel did.
func (c *call) isLeftEarly() bool {
	if c.task() == nil || !c.task().leftEarly {
		return false
	}
	v := c.stop.Verdict()
	return v == cancel.TaskUnseen || v == cancel.NothingHeard || v == cancel.Quiet
}

// isTaskCutOff reports whether the connection ended, not by the server, before it was seen what the
// cancel of the task of a call did, and nothing that came since tells that.
func (c *call) isTaskCutOff() bool {
	if c.task() == nil || c.stop == nil || !c.stop.IsTaskCutOff() {
		return false
	}
	v := c.stop.Verdict()
	return v == cancel.TaskUnseen || v == cancel.TaskUnacknowledged || v == cancel.NothingHeard || v == cancel.Quiet
}

// hadCancelRead reports whether a call has ended, and the server is known to have read the cancel
// of its task: the server answered the cancel, or what was written later to the same pipe.
func (c *call) hadCancelRead() bool {
	if c.task() == nil || !c.state.IsTerminal() {
		return false
	}
	return c.task().IsCancelAnswered() || c.stop != nil && c.stop.Signal == cancel.CancelTask && !c.stop.Apart && c.stop.IsRead()
}

// isBeingCancelled reports whether tasks/cancel is sent for a task, and has not failed to bring an answer.
func (k *runningTask) isBeingCancelled() bool {
	c := k.row
	return c.state == Cancelling && c.stop.Signal == cancel.CancelTask && !c.stop.IsTaskMissed()
}

// follows implements follower.
func (t *tasks) follows() cancel.Kind { return cancel.Task }

// kind implements continuation.
func (k *runningTask) kind() cancel.Kind { return cancel.Task }

// kind implements followUp.
func (e *taskRequest) kind() cancel.Kind { return cancel.Task }

// rowOf implements followUp.
func (e *taskRequest) rowOf() *call { return e.of.row }

// onMade implements followUp.
func (e *taskRequest) onMade(c *call) { e.call = c }

// cancels reports whether a request is the cancel of its row: the row of a call that was
// answered by its handle after its own cancel has another one.
func (e *taskRequest) cancels() bool {
	st := e.of.row.stop
	return e.does == task.Cancel && st != nil && st.Signal == cancel.CancelTask
}
