package session

import (
	"belay/session/mcp"
	"belay/session/task"
)

// lostNote implements follower.
func (t *tasks) lostNote(c *call) rowNote {
	goesOn := "may go on at the server"
	if t.cfg.Transport == mcp.Stdio { // where there is no server without its connection
		goesOn = "may go on, if it outlives the server's process"
	}
	switch {
	case c.task() != nil && c.task().IsAlive() && c.state == Running:
		return advising("the task "+goesOn, Remedy{Kind: RemedyPickUp})
	case t.mayHaveBegun(c):
		return saying("a task " + goesOn + ": its ID has not come")
	}
	return rowNote{}
}

// mayHaveBegun reports whether a call that ends without an answer may have made a task: it
// wished for one, or its tool has made tasks before (TEX-60).
func (t *tasks) mayHaveBegun(c *call) bool {
	wished := t.conn.isAugmented(c) || t.conn.taskProtocol() == task.Extension && taskMethods[c.Method] && t.made[c.target]
	return wished && c.about == nil && c.task() == nil && c.req.answered == 0 && c.req.begun
}

// unnamedBy is how a call ends whose exchange has ended without the answer, where the server may have
// made a task by then that nothing names.
func (t *tasks) unnamedBy(c *call, e *exchange, o outcome) outcome {
	refused := o.to == Failed && !e.head.ok() // by a status, which is an answer
	if refused || !t.mayHaveBegun(c) {
		return o
	}
	can := o.says.remedy()
	if t.conn.taskProtocol() == task.Core && t.conn.server.Has.TaskLists {
		can = Remedy{Kind: RemedyListTasks}
	}
	o.says, o.unnamed = advising(o.says.text+"; a task may go on at the server: its ID has not come", can), true
	return o
}

// mayEndUnnamed reports whether a call may leave such a task by what it becomes.
func (t *tasks) mayEndUnnamed(c *call, to State) bool {
	return (to == Cancelled || to == Lost) && t.mayHaveBegun(c)
}

// onUnknown takes it that the server refuses a task which was asked for by its ID alone. The rows
// of the past know it then.
func (t *tasks) onUnknown(c *call, code int64) {
	if !c.Watch || c.task() != nil || code != mcp.CodeInvalidParams {
		return
	}
	t.kept.drop(c.target)
	for _, other := range t.rows.tasks {
		if k := other.task(); k.ID == c.target && !k.followed {
			k.Lost(t.now)
			t.touch(k)
		}
	}
}
