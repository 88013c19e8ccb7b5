package session

import (
	"belay/session/mcp"
)

// UnseenTask is a task that was asked for by its ID, and of which the server did not tell.
type UnseenTask struct {
	Call CallID
	Wire mcp.ID
	ID   string // foreign text
	Tool string // that it runs; empty: it is not known; foreign text
}

// UnseenTasks are the tasks of this run of which that is so, and of which no other row tells, newest
// first (TSK-75).
func (l *log) UnseenTasks() (tasks []UnseenTask) {
	if !l.rows.pickedUp {
		return nil
	}
	seen := map[string]bool{}
	for _, c := range l.rows.tasks {
		seen[c.task().ID] = true
	}
	for _, c := range l.rows.table.Before(l.rows.table.Last() + 1) {
		if !c.Watch || !c.state.IsTerminal() || seen[c.target] {
			continue
		}
		if c.state != Failed && c.state != Done && (c.late == nil || c.late.Err == nil) { // else the server answered
			seen[c.target] = true
			tasks = append(tasks, UnseenTask{c.id, c.wire(), c.target, l.toolOf(c)})
		}
	}
	return tasks
}
