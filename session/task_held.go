package session

import (
	"time"

	"belay/session/cancel"
	"belay/session/task"
)

// leaveHeld stops waiting for the answer to tasks/result of a task whose row has ended, where that
// answer could be no more than late evidence: a server may hold the request back for ever, and over
// HTTP its exchange with it. A client may drop that at any time (TSK-32; basic/utilities/tasks). What
// comes all the same is evidence.
func (t *tasks) leaveHeld(k *runningTask) {
	switch d := t.heldFor(k); {
	case d == 0:
		k.leaveHeldAt = time.Time{}
	case k.leaveHeldAt.IsZero():
		k.leaveHeldAt = t.now.Add(d)
	case !t.now.Before(k.leaveHeldAt):
		k.leaveHeldAt = time.Time{}
		k.LeaveResult()
		for c := t.rows.oldest; c != nil; c = c.next {
			if e, ok := c.about.(*taskRequest); ok && e.of == k && e.does == task.Result {
				t.leaveRequest(e)
			}
		}
		t.moment(k.row, MomentView{Dir: Local, Kind: MomTask, Text: "tasks/result was not answered, and is waited for no more: the task has ended"})
	}
}

// leaveRequest stops waiting for the answer to a request about a task. One that was not sent is taken
// back; for any other nothing is sent.
func (t *tasks) leaveRequest(e *taskRequest) {
	c := e.call
	switch isOut := c.state == Running && !c.isWaiting() && !t.cfg.isUnbegun(c); {
	case e.markTaken():
	case isOut:
		t.will(moveStep{c, outcome{to: Lost, lacks: lackLeft}})
	default:
		t.will(cancelStep{e.call, cancel.BySuperseded, "the task has ended"})
	}
}

// heldFor is how long tasks/result may stay unanswered once it can bring no more than late evidence;
// 0: that is not so. Of a task that was cancelled, or that the server does not know any more, only
// what was on its way can come; the outcome of any other may take the time of a poll. What a cancelled
// call brings is awaited until its grace is over.
func (t *tasks) heldFor(k *runningTask) time.Duration {
	var grace time.Duration // what is left of it
	if k.row.isCancelHandedOut() {
		from := k.row.stop.WrittenAt()
		if from.IsZero() { // its answer came first
			from = t.now
		}
		grace = from.Add(t.cfg.Grace).Sub(t.now)
	}
	switch {
	case !k.row.state.IsTerminal() || !k.IsOut(task.Result) || k.row.isLeft():
		return 0
	case k.Status() == task.Cancelled || k.End() != task.Alive:
		return max(t.conn.trips.Bound(), grace)
	case k.Status().IsTerminal():
		return max(pollLimit, grace)
	}
	return 0
}

// due is when something about a task is due by itself; zero: only when something comes.
func (k *runningTask) due() time.Time {
	at := k.Due()
	if !k.leaveHeldAt.IsZero() && (at.IsZero() || k.leaveHeldAt.Before(at)) {
		at = k.leaveHeldAt
	}
	return at
}
