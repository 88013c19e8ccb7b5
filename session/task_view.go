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

func (c *call) taskView() *TaskView {
	if c.task == nil {
		return nil
	}
	return &TaskView{
		View: c.task.View(), Protocol: c.task.Protocol, GoesOn: c.task.followed && c.task.IsAlive(),
		CancelRead: c.hadCancelRead(), LeftCancelling: c.state == Cancelled && c.isLeftEarly(), ReusedKeys: c.task.reusedKeys(),
	}
}
