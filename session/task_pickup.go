package session

import (
	"time"

	"belay/session/cancel"
	"belay/session/task"
)

// A row that follows a task from its ID on is about the task, also before the server has told of the
// task: what stops the row is tasks/cancel, which is sent when tasks/get is answered, so that none is sent
// for a task that has ended. A server that does not answer in time gets it for all that: the ID is all
// that it takes (TSK-58, TEX-37; basic/utilities/tasks, extensions/tasks). To stop waiting for the task is
// to cancel tasks/get (CXL-38; basic/utilities/tasks): the row stays that of a task of which the ID alone is
// known.

// pickUp is the request of such a row that asks for the task, and what the user wants meanwhile.
//
//shape:part of call
type pickUp struct {
	stops  bool // the task is to be cancelled as soon as it is found, …
	by     cancel.Initiator
	reason string    // … for this reason; empty: the usual one
	at     time.Time // … since when
}

// newPickUp is that of a call that is being made; nil: it follows no task from its ID on.
func newPickUp(now time.Time, spec *CallSpec) *pickUp {
	if !spec.Watch {
		return nil
	}
	return &pickUp{stops: spec.Stop, by: cancel.ByUser, at: now}
}

// stop has the task be cancelled as soon as it is found.
func (k *pickUp) stop(now time.Time, by cancel.Initiator, reason string) {
	k.stops, k.by, k.reason, k.at = true, by, reason, now
}

// wishedAt is when the cancel of the task was wished that is carried out now, where that was before;
// zero: it was not.
func (k *pickUp) wishedAt() time.Time {
	if k == nil || !k.stops {
		return time.Time{}
	}
	return k.at
}

// isPickUp reports whether a call asks for a task that the call is to follow, and is not answered yet.
func (c *call) isPickUp() bool {
	return c.pickUp != nil && c.task() == nil && (c.state == Queued || c.state == Running)
}

// isStopWished reports whether such a task is to be cancelled as soon as tasks/get is answered.
func (c *call) isStopWished() bool { return c.isPickUp() && c.pickUp.stops }

// withCancelUnsent is how the row of a task ends that was to be cancelled, and of which the server did not
// tell.
func (c *call) withCancelUnsent(o outcome) outcome {
	if !c.isStopWished() || !o.to.IsTerminal() {
		return o
	}
	const unsent = "tasks/cancel was not sent"
	text := unsent + ": the server did not tell of the task"
	if o.says.text != "" {
		text = o.says.text + "; " + unsent
	}
	o.says = advising(text, o.says.remedy())
	return o
}

// lacksPickUpCancel reports whether the server lets such a task only be waited for (TSK-06;
// basic/utilities/tasks).
func (w *writer) lacksPickUpCancel(c *call) bool {
	return c.isPickUp() && w.conn.phase == Ready && w.conn.taskProtocol() == task.Core && !w.conn.server.Has.TaskCancels
}

// pickUps are the calls that ask for tasks which they are to follow. Only where a call ever did are all
// looked at.
func (r *rows) pickUps() (all []*call) {
	if !r.pickedUp {
		return nil
	}
	for c := r.oldest; c != nil; c = c.next {
		if c.isPickUp() {
			all = append(all, c)
		}
	}
	return all
}

// countPickUps counts those whose tasks are to be cancelled, and the others.
func (r *rows) countPickUps() (stopped, others int) {
	for _, c := range r.pickUps() {
		if c.pickUp.stops {
			stopped++
		} else {
			others++
		}
	}
	return stopped, others
}

// pickUpOf is the one that asks for a task; nil: there is none.
func (r *rows) pickUpOf(id string) *call {
	for _, c := range r.pickUps() {
		if c.target == id {
			return c
		}
	}
	return nil
}

// PickUp is the row that asks for a task by its ID, and is not answered yet; false: there is none.
func (l *log) PickUp(id string) (CallID, bool) {
	if c := l.rows.pickUpOf(id); c != nil {
		return c.id, true
	}
	return 0, false
}
