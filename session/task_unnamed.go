package session

import (
	"slices"

	"belay/session/cancel"
	"belay/session/mcp"
)

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

// losesName reports whether the ID of the task of a call that was cancelled cannot come any more: no
// exchange of the call is open or to come.
func (t *tasks) losesName(c *call) bool {
	wished := c != nil && (c.state == Cancelling || c.state == Cancelled) && c.stop != nil && c.stop.Signal == cancel.CancelTask
	return wished && c.epoch == t.conn.epoch && t.conn.awaitsTask(c) && !t.mayBeNamed(c)
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
