package session

import (
	"belay/session/mcp"
)

// lostNote implements follower.
func (t *tasks) lostNote(c *call, renewed bool) rowNote {
	goesOn := "may go on at the server"
	if t.cfg.Transport == mcp.Stdio { // where there is no server without its connection
		goesOn = "may go on, if it outlives the server's process"
	}
	switch {
	case c.task() != nil && c.task().IsAlive() && c.state == Running:
		if renewed { // a server may keep the tasks of each session apart
			goesOn += ", which need not know it in another session"
		}
		return advising("the task "+goesOn, Remedy{Kind: RemedyPickUp})
	case c.isPickUp() && c.state == Running:
		return saying("the task " + goesOn)
	case t.handles.mayHaveBegun(c):
		return saying("a task " + goesOn + ": its ID has not come")
	}
	return rowNote{}
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
			if other.state == Lost && other.remark.remedy().Kind == RemedyPickUp {
				t.note(other, k.endWords())
			}
		}
	}
}
