package session

import "belay/session/task"

// cancelledBefore is the row in which the task that a call picked up was cancelled, where the
// server has read that; nil: there is none.
func (w *writer) cancelledBefore(c *call) *call {
	if !c.Watch || c.task == nil {
		return nil
	}
	for _, other := range w.rows.tasks {
		if other != c && other.epoch == c.epoch && other.task.ID == c.task.ID && other.hadCancelRead() {
			return other
		}
	}
	return nil
}

// lacksTaskCancel reports whether the server lets tasks of 2025-11-25 only be waited for
// (TSK-06).
func (w *writer) lacksTaskCancel(c *call) bool {
	return !w.conn.server.Has.TaskCancels && w.conn.taskProtocol() == task.Core && (c.task != nil || w.conn.isAugmented(c)) && c.state == Running
}

// waitOnly counts the calls of which that is so.
func (w *writer) waitOnly() (n int) {
	if w.conn.server.Has.TaskCancels || w.conn.taskProtocol() != task.Core {
		return 0
	}
	for c := w.rows.oldest; c != nil; c = c.next {
		if c.about == nil && w.lacksTaskCancel(c) {
			n++
		}
	}
	return n
}
