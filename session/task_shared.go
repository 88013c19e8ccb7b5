package session

import "belay/session/task"

// A task may have several rows: the user stopped waiting for it and has picked it up again, or the server gave one ID
// twice (TSK-21, TSK-69; basic/utilities/tasks). What one row did counts for all of them.

// share notes that the task has, or had, another row.
func (k *runningTask) share() { k.isShared = true }

// shareTask notes of the rows of a task that they are several.
func (r *rows) shareTask(k *runningTask) {
	for _, other := range r.tasks {
		if other != k.row && other.task().ID == k.ID {
			k.share()
			other.task().share()
		}
	}
}

// cancelledBefore is another row with the task of a call in which that was cancelled, where the server has
// read that, or is being cancelled; nil: there is none.
func (r *rows) cancelledBefore(c *call) *call {
	var id string
	switch k := c.task(); {
	case c.Watch:
		id = c.target
	case k != nil && k.isShared:
		id = k.ID
	default:
		return nil
	}
	for _, other := range r.tasks {
		if other != c && other.epoch == c.epoch && other.task().ID == id && (other.hadCancelRead() || other.task().isBeingCancelled()) {
			return other
		}
	}
	return nil
}

// cancelledAndLeft are the rows of a task that was picked up again in which it was cancelled, and then left.
func (r *rows) cancelledAndLeft(k *runningTask) (all []*call) {
	if !k.isShared || !k.row.Watch {
		return nil
	}
	for _, c := range r.tasks {
		if c != k.row && c.epoch == k.row.epoch && c.task().ID == k.ID && c.state == Cancelled && c.task().End() == task.Left && c.ended.Before(k.row.created) {
			all = append(all, c)
		}
	}
	return all
}
