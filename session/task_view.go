package session

import "belay/session/task"

// TaskView is what is shown of the task that a call runs as.
type TaskView struct {
	task.View
	Protocol task.Protocol
	// GoesOn says that the task has not ended, as far as is known, and that belay asks on, be it
	// in flight or cancelled.
	GoesOn bool
	// CancelRead says that the row has ended, and that the server has answered tasks/cancel, or
	// on stdio a message that was written later: the cancel is not sent once more.
	CancelRead bool
	// LeftCancelling says that the user stopped waiting before it was seen what the cancel did.
	LeftCancelling bool
	// ReusedKeys counts the questions under keys that the task used for something else:
	// [PollTask] shows them.
	ReusedKeys int
}

// toolOf is the tool that the task of a call runs. Of a call that follows a task by its ID it is
// known by an earlier row of the task, or by what was kept; empty: it is not known.
func (l *log) toolOf(c *call) string {
	if !c.Watch {
		return c.target
	}
	for _, other := range l.rows.tasks {
		if !other.Watch && other.task.ID == c.target {
			return other.target
		}
	}
	return l.kept.tools[c.target]
}

func (c *call) taskView() *TaskView {
	if c.task == nil {
		return nil
	}
	return &TaskView{
		View: c.task.View(), Protocol: c.task.Protocol, GoesOn: c.task.followed && c.task.IsAlive(),
		CancelRead: c.hadCancelRead(), LeftCancelling: c.state == Cancelled && c.isLeftEarly(), ReusedKeys: c.task.reusedKeys(),
	}
}
