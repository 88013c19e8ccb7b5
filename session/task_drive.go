package session

import "belay/session/task"

// next implements follower.
func (t *tasks) next() followStep {
	for {
		switch {
		case len(t.steps) > 0:
			step := t.steps[0]
			t.steps = t.steps[1:]
			return step
		case len(t.missed) > 0:
			t.takeMissed()
		case len(t.touched) > 0:
			k := t.touched[0]
			if a := k.Next(t.now); a != task.NoAction {
				return requestStep{k.requestFor(a)}
			}
			t.touched = t.touched[1:]
			t.planPoll(k)
		default:
			return nil
		}
	}
}

// planPoll plans the next poll of a task, unless nothing more is to be asked.
func (t *tasks) planPoll(k *runningTask) {
	if k.row.state.IsTerminal() && !k.row.repeat().IsOpen() {
		k.GraceOver()
	}
	k.cancel.judgeOverdue(t.now)
	t.leaveHeld(k)
	t.keep(k)
	k.row.touch()
	if k.IsOver() && k.leaveHeldAt.IsZero() {
		t.drop(k)
		return
	}
	t.timers.Set(k.row.due(dueFollow), k.due())
}

// keep has the task be kept as it is now, or no longer where nothing more can come of it: one
// that was cancelled has no outcome, and that of any other is fetched first.
func (t *tasks) keep(k *runningTask) {
	switch {
	case k.Status().IsTerminal() && k.IsOver(), k.Status() == task.Cancelled, k.End() == task.Expired, k.End() == task.Gone, k.End() == task.NoPolls:
		t.kept.drop(k.ID)
	case k.forgotten:
	case !k.Status().IsTerminal() || !k.IsOver():
		made := k.View().Since
		if at := t.madeAt(k.row); k.row.Watch && !at.IsZero() {
			made = at
		}
		t.kept.keep(KeptTask{ID: k.ID, Tool: t.toolOf(k.row), Protocol: k.Protocol, Made: made, Expires: k.Expires()})
	}
}
