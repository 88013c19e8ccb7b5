package session

import "belay/session/task"

// lacksTaskCancelWords say why the task of a call cannot be cancelled.
const lacksTaskCancelWords = "the server does not declare tasks.cancel"

// lacksTaskCancel reports whether the server lets tasks of 2025-11-25 only be waited for (TSK-06;
// basic/utilities/tasks).
func (w *writer) lacksTaskCancel(c *call) bool {
	return !w.conn.server.Has.TaskCancels && w.conn.taskProtocol() == task.Core && (c.task() != nil || w.conn.isAugmented(c)) && c.state == Running
}

// mustLeave reports whether a call that is to be stopped can only be waited for no more: of its task
// that is all that the server offers (TSK-06; basic/utilities/tasks). What is not out yet is taken
// back as any call is.
func (w *writer) mustLeave(c *call) bool {
	return w.lacksTaskCancel(c) && !c.isWaiting() && !w.cfg.isUnbegun(c)
}

// waitOnly counts the calls of which that is so. Only where a call has asked for a task can a call
// wait for its handle, and all that are in flight are looked at: the screen asks in each frame.
func (w *writer) waitOnly() (n int) {
	switch {
	case w.conn.server.Has.TaskCancels || w.conn.taskProtocol() != task.Core:
	case w.rows.wished, w.rows.pickedUp:
		for c := w.rows.oldest; c != nil; c = c.next {
			if c.about == nil && (w.lacksTaskCancel(c) || w.lacksPickUpCancel(c)) {
				n++
			}
		}
	default:
		for _, c := range w.rows.tasks {
			if w.lacksTaskCancel(c) {
				n++
			}
		}
	}
	return n
}

// awaitsOutcomeOnly reports whether a call in flight cannot be cancelled any more: its task has
// ended, or was cancelled in another row, or is waited for no more.
func (w *writer) awaitsOutcomeOnly(c *call) bool {
	return c.state == Running && c.task() != nil && !w.lacksTaskCancel(c) &&
		(c.task().Status().IsTerminal() || c.isLeft() || w.rows.cancelledBefore(c) != nil)
}

// lacksOutcome reports whether the task of a call has ended, and its outcome has not come, which is
// asked for, or was until belay stopped waiting.
func (c *call) lacksOutcome() bool {
	ended := c.task() != nil && c.task().Status().IsTerminal() && c.task().Status() != task.Cancelled
	return ended && (c.state == Running || c.state == Lost && c.isLeft())
}

// outcomesOnly counts the calls of which that is so.
func (w *writer) outcomesOnly() (n int) {
	for _, c := range w.rows.tasks {
		if w.awaitsOutcomeOnly(c) {
			n++
		}
	}
	return n
}

// lackIDs counts the calls of the user that wished to run as tasks, and whose tasks have no IDs yet
// that tasks/cancel could name. Only where a call has wished so are all looked at.
func (w *writer) lackIDs() (n int) {
	if !w.rows.wished {
		return 0
	}
	for c := w.rows.oldest; c != nil; c = c.next {
		if c.isWork() && !c.state.IsTerminal() && w.conn.awaitsTask(c) && !c.isWaiting() && !w.cfg.isUnbegun(c) && !w.lacksTaskCancel(c) {
			n++
		}
	}
	return n
}
