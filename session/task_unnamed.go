package session

import (
	"slices"

	"belay/session/cancel"
	"belay/session/mcp"
)

// hasUnnamedTask reports whether a call has ended, and a task of it may go on at the server whose ID
// did not come.
func (c *call) hasUnnamedTask() bool { return c.unnamedTask && c.task == nil && c.req.answered == 0 }

// onUnnamed remembers a row that has ended so.
func (r *rows) onUnnamed(c *call) {
	r.unnamed = slices.DeleteFunc(r.unnamed, func(other *call) bool { return !other.hasUnnamedTask() })
	if len(r.unnamed) == maxTaskRows {
		r.unnamed = slices.Delete(r.unnamed, 0, 1)
	}
	r.unnamed = append(r.unnamed, c)
}

// keepsCancel reports whether the cancel of a call that has ended is still to be sent: the call
// wished to run as a task, and the ID of its task may still come, also while the connection is being
// closed (TSK-73, TSK-75).
func (t *tasks) keepsCancel(c *call) bool {
	wished := c.state == Cancelled && c.stop != nil && !c.stop.IsNothing() && t.conn.phase != Disconnected && c.epoch == t.conn.epoch
	return wished && t.conn.awaitsTask(c) && t.mayBeNamed(c)
}

// keptCancels counts the calls of which that is so.
func (t *tasks) keptCancels() (n int) {
	for _, c := range t.rows.unnamed {
		if t.keepsCancel(c) {
			n++
		}
	}
	return n
}

// loseNames takes it that the connection ends over which the IDs would come that such calls wait for.
func (t *tasks) loseNames() {
	for _, c := range t.rows.unnamed {
		t.loseName(c, "the connection ended")
	}
}

// onMayBeNameless takes it that an exchange of a call has ended, and how. That was where the ID of its
// task would have come, unless another exchange of the call is open or to come.
func (t *tasks) onMayBeNameless(c *call, how string) {
	if c != nil && !t.mayBeNamed(c) {
		t.loseName(c, how)
	}
}

// loseName has the cancel of a call know that the ID of the task cannot come any more.
func (t *tasks) loseName(c *call, why string) {
	if (c.state == Cancelling || c.state == Cancelled) && c.epoch == t.conn.epoch && t.conn.awaitsTask(c) && c.stop != nil && c.stop.Signal == cancel.CancelTask {
		c.touchStop().TaskNeverNamed(t.now, why)
	}
}

// mayBeNamed reports whether the answer to a call may still come.
func (t *tasks) mayBeNamed(c *call) bool {
	return t.cfg.Transport != mcp.HTTP || !c.req.x.isOver() || !t.timers.At(c.req.resumption()).IsZero()
}

// isNamedLate reports whether the row of a task was cancelled, and had ended before the ID came.
func (k *runningTask) isNamedLate() bool {
	return k.row.state == Cancelled && !k.row.ended.After(k.View().Since)
}

// UnnamedTask is a row that has ended, and of which a task may go on at the server whose ID did not
// come.
type UnnamedTask struct {
	Call CallID
	Wire mcp.ID
	Tool string // foreign text
}

// UnnamedTasks are the rows of this run of which that is so, newest first.
func (l *log) UnnamedTasks() (tasks []UnnamedTask) {
	for _, c := range slices.Backward(l.rows.unnamed) {
		if c.hasUnnamedTask() && l.rows.get(c.id) == c {
			tasks = append(tasks, UnnamedTask{c.id, c.wire(), c.target})
		}
	}
	return tasks
}
