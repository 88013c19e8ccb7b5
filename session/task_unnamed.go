package session

import (
	"slices"

	"belay/session/mcp"
)

// isNamedLate reports whether the row of a task was cancelled, and had ended before the ID came.
func (k *runningTask) isNamedLate() bool {
	return k.row.state == Cancelled && !k.row.ended.After(k.View().Since)
}

// UnnamedTask is a row that has ended, and of which a task may go on at the server whose ID did not
// come, or cannot be used.
type UnnamedTask struct {
	Call     CallID
	Wire     mcp.ID
	Tool     string // foreign text
	Unusable bool   // its ID came
}

// UnnamedTasks are the rows of this run of which that is so, newest first.
func (l *log) UnnamedTasks() (tasks []UnnamedTask) {
	for _, c := range slices.Backward(l.rows.unnamed) {
		if c.hasUnnamedTask() && l.rows.get(c.id) == c {
			tasks = append(tasks, UnnamedTask{c.id, c.wire(), c.target, c.req.answer.unusableID})
		}
	}
	return tasks
}
