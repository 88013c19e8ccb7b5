package session

import (
	"slices"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
)

// wantCancel has tasks/cancel be sent for a call that is stopped, as soon as its task has an
// ID (TSK-73; basic/utilities/tasks). A task that was asked for by its ID has one, whatever the server tells of
// it: it is followed from here on, and the polls tell what they tell of any task. On stdio its unanswered
// tasks/get is not cancelled, as that has not timed out (TMO-04; basic/lifecycle): its answer is evidence still.
func (t *tasks) wantCancel(c *call) {
	if c.isStopWished() {
		t.note(c, "tasks/get was not answered: tasks/cancel is sent for the ID alone")
		k := c.onTask(t.timers, task.Sought(t.now, t.conn.taskProtocol(), c.target))
		t.rows.onTask(c)
		t.add(k)
	}
	if c.task() == nil {
		c.touchStop().TaskHasNoID(t.now)
		return
	}
	t.closeQuestions(c.task(), "you cancelled the task", false)
	if c.task().WantCancel(); c.state == Cancelled {
		c.task().CancelAgain()
	}
	t.follow(c.task())
}

// What the row says of a task whose handle came after the cancel, the second as long as tasks/cancel
// is not answered.
const (
	lateTask     = "task ID came after the cancel was wanted"
	latePickUp   = "task found after the cancel was wanted" // it was asked for by its ID
	cancellingIt = ": cancelling it"
)

// lateWords are the first of these.
func (c *call) lateWords() string {
	if c.Watch {
		return latePickUp
	}
	return lateTask
}

// isLateTaskCancelled reports whether the row says that such a task is being cancelled, and that is over.
func (c *call) isLateTaskCancelled() bool {
	if c.task() == nil || c.remark.text != c.lateWords()+cancellingIt {
		return false
	}
	endedSince := c.state.IsTerminal() && !c.ended.Before(c.task().View().Since)
	return endedSince || !c.task().followed || !c.task().IsCancelOut()
}

// overBeforeCancel is what a row says of a task that had ended before tasks/cancel could be sent.
func (k *runningTask) overBeforeCancel() string {
	return "the task ended before the cancel left (" + k.toldAs() + "): nothing was sent"
}

// toldAs is how a task has ended, and what told it.
func (k *runningTask) toldAs() string {
	v := k.View()
	if !v.Status.IsTerminal() {
		return "its outcome came, in tasks/result"
	}
	return v.Status.String() + ", in " + v.By.String()
}

// cancelBegun has the task be cancelled whose call is being cancelled, or was. One that has ended
// is not: nothing is left to cancel.
func (t *tasks) cancelBegun(k *runningTask) {
	c, over := k.row, k.Status().IsTerminal()
	switch {
	case c.stop == nil || k.isTakenBack:
		return
	case over && c.state == Cancelling && t.takeBack(c):
		c.touchStop().BecomesTask(t.now, k.toldAs())
		c.watchStop(t.timers)
		return
	case over && !c.isCancelHandedOut():
		t.note(c, k.overBeforeCancel())
		c.touchStop().TaskHandle(t.now, k.toldAs())
		return
	case over:
		return
	}
	t.note(c, c.lateWords()+cancellingIt)
	if c.state == Cancelling && c.stop.Signal != cancel.CancelTask && t.takeBack(c) {
		c.touchStop().BecomesTask(t.now, "")
		c.watchStop(t.timers)
	}
	c.touchStop().TaskHandle(t.now, "")
	k.WantCancel()
}

// takeCancelBack takes the cancel of a task back that has not left, and reports whether
// nothing of the kind had left.
func (t *tasks) takeCancelBack(k *runningTask) bool {
	was := k.row.stop
	if was.IsTaskOver() {
		return true
	}
	unsent := t.takeBack(k.row)
	if !unsent && k.row.stop == was {
		return false
	}
	k.isTakenBack = unsent
	k.TakeCancelBack()
	if e := k.cancel; e != nil && e.call.state == Queued && !e.markTaken() {
		t.outgoing.release(e.call.req)
		t.will(moveStep{e.call, outcome{to: Dropped, says: saying("taken back")}})
	}
	return unsent
}

// awaitedAtClose implements follower.
func (t *tasks) awaitedAtClose() int { return t.handlesAwaited() + t.cancelsUnanswered() }

// handlesAwaited counts the calls that a closing connection waits for: their tasks cannot be
// cancelled, or named to the user, before their IDs have come.
func (t *tasks) handlesAwaited() (n int) {
	for c := t.rows.oldest; c != nil; c = c.next {
		if t.conn.isAugmented(c) && t.handles.mayHaveBegun(c) && (c.state == Cancelling || t.lacksTaskCancel(c)) {
			n++
		}
	}
	stopped, _ := t.rows.countPickUps()
	return n + stopped + t.handles.keptCancels()
}

// cancelsUnanswered counts the tasks/cancel over HTTP that are out for a task that is being
// cancelled, or whose ID came after the row of its call had ended: to close the exchange of such a
// request is to take it back.
func (t *tasks) cancelsUnanswered() (n int) {
	if t.cfg.Transport != mcp.HTTP {
		return 0
	}
	for _, k := range t.all {
		if e := k.cancel; e != nil && (k.row.state == Cancelling || k.row.repeat().IsOpen() || k.isNamedLate()) && !e.call.state.IsTerminal() {
			n++
		}
	}
	return n
}

// settleCancel has the row of a cancelled task end once there is all the evidence that it
// waits for. Of a task that has ended by itself that is the answer to tasks/cancel.
func (t *tasks) settleCancel(k *runningTask) {
	unanswered := k.Status().IsTerminal() && !k.IsCancelOut()
	if c := k.row; c.state == Cancelling && c.isCancelHandedOut() && (k.IsSettled() || unanswered) {
		t.will(settleStep{c})
	}
}

// awaitsCancelAnswer reports whether the row of a task that has ended by itself waits for the answer to
// its tasks/cancel, for as long as the grace lasts: that answer decides the verdict.
func (t *tasks) awaitsCancelAnswer(k *runningTask) bool {
	st := k.row.stop
	_, order := st.TaskEnd()
	return k.IsOut(task.Cancel) && order != cancel.NoEnd && st.Verdict() == cancel.TaskUnacknowledged && !st.IsTaskMissed() && !st.IsGraceOver()
}

// onStopDue is what happens when the grace of a task's cancel is over: with an acknowledgement
// the polls had their time, and the row ends; without one the server is probed. It reports
// whether the row ends now.
func (t *tasks) onStopDue(c *call) bool {
	st := c.touchStop()
	switch {
	case c.state == Cancelled && !c.repeat().IsOpen():
		return false
	case c.state == Cancelled && st.WrittenAt().IsZero():
		st.GiveUp(t.now, "")
		return false
	case st.WrittenAt().IsZero() || st.Signal != cancel.CancelTask:
		return false
	case !st.IsTaskAnswered():
		st.TaskSilent(t.now)
		return false
	}
	st.TaskLost(t.now)
	return true
}

// leaveAll waits for no task any more, or only for none that cannot be cancelled, as the server has no
// such request or the task has ended: the connection is about to end.
func (t *tasks) leaveAll(also bool) {
	for _, k := range slices.Clone(t.all) {
		if k.row.state == Running && (also || t.lacksTaskCancel(k.row) || k.row.lacksOutcome()) {
			t.leave(k, youStopped)
		}
	}
	for _, c := range t.rows.pickUps() {
		if !c.pickUp.stops && (also || t.lacksPickUpCancel(c)) {
			t.leaveCall(c, youStopped)
		}
	}
}

// cancelRequests has the requests about a task be cancelled that do one of some things, by a step.
// The task is told nothing of them. What only answers it does [task.NoAction].
func (t *tasks) cancelRequests(k *runningTask, step cancelStep, does ...task.Action) {
	for c := t.rows.oldest; c != nil; c = c.next {
		if e, ok := c.about.(*taskRequest); ok && e.of == k && slices.Contains(does, e.does) && !e.markTaken() {
			step.call = c
			t.will(step)
		}
	}
}

// youStopped is what a row says of the task that the user waits for no more.
const youStopped = "you stopped waiting"

// leave waits for a task no more. The row says who did so, or why.
func (t *tasks) leave(k *runningTask, says string) {
	who := "belay"
	if says == youStopped {
		who = "you"
	}
	t.cancelRequests(k, cancelStep{by: cancel.ByUser, why: "no longer waiting for the task"}, task.NoAction, task.Get, task.Result)
	k.Leave()
	t.closeQuestions(k, who+" stopped waiting for the task", false)
	t.touch(k)
	t.note(k.row, says+": "+k.endWords())
	if c := k.row; c.state == Cancelling {
		if k.leftEarly = true; c.isCancelHandedOut() || c.stop.IsTaskOver() { // else it ends when tasks/cancel is written
			t.will(settleStep{c})
		}
	}
	if k.row.state == Running {
		t.will(moveStep{k.row, outcome{to: Lost}})
	}
}

// leaveCall waits for a call no more that runs as a task, or is to, or asks for one. Where the handle has
// not come, the call ends without an ID, and a handle that comes later names the task in its row.
func (t *tasks) leaveCall(c *call, says string) {
	if c.isPickUp() && c.isWaiting() { // nothing is in flight
		t.will(cancelStep{c, cancel.ByUser, youStopped})
		return
	}
	if c.isPickUp() && c.state == Queued { // nothing of tasks/get has left
		t.out.withdraw(c.req.out)
		t.outgoing.release(c.req)
		t.will(moveStep{c, outcome{to: Dropped, says: saying(neverSent)}})
		return
	}
	if c.isPickUp() {
		k := c.onTask(t.timers, task.Sought(t.now, t.conn.taskProtocol(), c.target))
		t.rows.onTask(c)
		t.add(k)
		t.unask(c)
	}
	if c.task() != nil {
		t.leave(c.task(), says)
		return
	}
	t.note(c, says+": a task may go on at the server: its ID has not come")
	t.will(moveStep{c, outcome{to: Lost, lacks: lackLeft}})
}

// unask ends the asking for a task that is waited for no more. A request that is in flight becomes one about the
// task, as the polls are, and is cancelled as such.
func (t *tasks) unask(c *call) {
	if t.cfg.isUnbegun(c) {
		t.will(moveStep{c, outcome{to: Lost, lacks: lackLeft}})
		return
	}
	e := &taskRequest{of: c.task(), does: task.Get, taken: true}
	e.call = &call{CallSpec: e.spec(), epoch: c.epoch, created: c.created, sent: c.sent, target: c.target, about: e}
	t.rows.add(e.call)
	t.rows.onRequest(e.call, c.req)
	t.outgoing.handOver(c.req.id, e.call)
	for _, to := range []State{Queued, Running} {
		t.will(moveStep{e.call, outcome{to: to}})
	}
	t.will(cancelStep{e.call, cancel.ByUser, "no longer waiting for the task"})
}
