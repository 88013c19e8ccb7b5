package session

import (
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
	"belay/session/timer"
)

// handles judge the calls that may be answered by the handle of a task and were not yet, or never
// will be: such a task goes on at the server, and belay has no ID to name it by.
//
//shape:machine 4
type handles struct {
	*writer
	timers  *timer.List
	catalog *catalog

	makers map[string]bool // the tools whose calls were answered by handles in this run
}

// onHandle notes that the call of a tool was answered by the handle of a task.
func (h *handles) onHandle(tool string) { h.makers[tool] = true }

// makesTasks reports whether calls of a tool were answered by handles of tasks in this run.
func (h *handles) makesTasks(tool string) bool { return h.makers[tool] }

// mayHaveBegun reports whether a call that ends without an answer may have made a task: it
// wished for one, or its tool has made tasks before (TEX-60).
func (h *handles) mayHaveBegun(c *call) bool {
	wished := h.conn.isAugmented(c) || h.conn.taskProtocol() == task.Extension && taskMethods[c.Method] && h.makesTasks(c.target)
	return wished && c.about == nil && c.task() == nil && c.req.answer.kind == 0 && c.req.begun
}

// unnamedBy is how a call ends whose exchange has ended without the answer, where the server may have
// made a task by then that nothing names.
func (h *handles) unnamedBy(c *call, e *exchange, o outcome) outcome {
	refused := o.to == Failed && !e.head.isSuccess() // by a status, which is an answer
	if refused || !h.mayHaveBegun(c) {
		return o
	}
	can := o.says.remedy()
	if h.conn.taskProtocol() == task.Core && h.conn.server.Has.TaskLists {
		can = Remedy{Kind: RemedyListTasks}
	}
	o.says, o.unnamed = advising(o.says.text+"; a task may go on at the server: its ID has not come", can), true
	return o
}

// mayEndUnnamed reports whether a call may leave such a task by what it becomes.
func (h *handles) mayEndUnnamed(c *call, to State) bool {
	return (to == Cancelled || to == Lost) && h.mayHaveBegun(c) || to.IsTerminal() && c.req.answer.unusableID
}

// answerTo is what is kept of a message as the answer to a request.
func (n *connection) answerTo(r *request, f *mcp.Frame, message Seq) requestAnswer {
	c := r.call
	unusable := c != nil && !c.Watch && n.wrongHandle(c, f) != "" && !task.ParseStatus(f.Task.Task.Status).IsTerminal()
	return requestAnswer{f.Kind, unusable, message}
}

// keepsCancel reports whether the cancel of a call that has ended is still to be sent: the call
// wished to run as a task, and the ID of its task may still come, also while the connection is being
// closed (TSK-73, TSK-75, TMO-12).
func (h *handles) keepsCancel(c *call) bool {
	wished := c.state == Cancelled && c.stop != nil && !c.stop.HasNoRequest() && h.conn.phase != Disconnected && c.epoch == h.conn.epoch
	return wished && h.conn.awaitsTask(c) && h.mayBeNamed(c)
}

// keptCancels counts the calls of which that is so.
func (h *handles) keptCancels() (n int) {
	for _, c := range h.rows.unnamed {
		if h.keepsCancel(c) {
			n++
		}
	}
	return n
}

// losesName reports whether the ID of the task of a call that was cancelled cannot come any more: no
// exchange of the call is open or to come.
func (h *handles) losesName(c *call) bool {
	wished := c != nil && (c.state == Cancelling || c.state == Cancelled) && c.stop != nil && c.stop.Signal == cancel.CancelTask
	return wished && c.epoch == h.conn.epoch && h.conn.awaitsTask(c) && !h.mayBeNamed(c)
}

// mayBeNamed reports whether the answer to a call may still come.
func (h *handles) mayBeNamed(c *call) bool {
	return h.cfg.Transport != mcp.HTTP || !c.req.x.isOver() || !h.timers.At(c.req.resumption()).IsZero()
}

// unnamedOnes counts the calls of this run that may have made tasks whose IDs are not known, or not yet.
func (h *handles) unnamedOnes() (n int) {
	for _, c := range h.rows.unnamed {
		if c.hasUnnamedTask() {
			n++
		}
	}
	for c := h.rows.oldest; c != nil; c = c.next {
		if h.mayHaveBegun(c) {
			n++
		}
	}
	return n
}

// endedHandle is the status in which a task has ended whose handle answers a call after another cancel than
// tasks/cancel was handed out: there is nothing to send tasks/cancel for, and the handle is the answer.
// Empty: a message is no such answer.
func (c *call) endedHandle(f *mcp.Frame) string {
	k := c.task()
	if f.Kind != mcp.FrameResult || k == nil || !k.Status().IsTerminal() || c.stop.Signal == cancel.CancelTask || !c.isCancelHandedOut() {
		return ""
	}
	if f.Shape.ResultType != mcp.ResultTask {
		return ""
	}
	return k.Status().String()
}
