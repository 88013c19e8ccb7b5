package session

import (
	"belay/session/mcp"
	"belay/session/task"
)

// taskProtocol is the protocol of tasks that a connection has by its revision; 0: none.
func (n *connection) taskProtocol() task.Protocol {
	switch {
	case n.rev == mcp.Rev20251125:
		return task.Core
	case n.rev.IsModern():
		return task.Extension
	}
	return 0
}

// isAugmented reports whether a call was sent with the wish to run as a task, which the revision
// has: such a call is stopped by tasks/cancel and by nothing else (CXL-07;
// basic/utilities/cancellation).
func (n *connection) isAugmented(c *call) bool {
	return c.wishesTask && n.taskProtocol() == task.Core
}

// awaitsTask reports whether a call may still be answered by the handle of a task that
// nothing but tasks/cancel may stop.
func (n *connection) awaitsTask(c *call) bool {
	return n.isAugmented(c) && c.task() == nil && c.req.answer.kind == 0
}
