package session

import (
	"belay/session/cancel"
	"belay/session/task"
)

// next returns the next step, and false when there is none.
func (t *tasks) next() (step taskStep, ok bool) {
	for {
		switch {
		case len(t.steps) > 0:
			step, t.steps = t.steps[0], t.steps[1:]
			return step, true
		case len(t.missed) > 0:
			m := t.missed[0]
			t.missed = t.missed[1:]
			t.onMissed(m.taskRequest, m.why)
			t.settleCancel(m.of)
		case len(t.touched) > 0:
			k := t.touched[0]
			if a := k.Next(t.now); a != task.Rest {
				return taskStep{makes: t.requestFor(k, a)}, true
			}
			t.touched = t.touched[1:]
			t.rest(k)
		case t.listens.stale:
			t.listen()
		default:
			return step, false
		}
	}
}

// rest plans the next poll of a task, unless nothing more is to be asked.
func (t *tasks) rest(k *runningTask) {
	if k.row.state.Terminal() && !k.row.repeat().IsOpen() {
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
	t.timers.Set(k.row.due(dueTask), k.due())
}

// isIdle reports whether nothing was told of tasks since their last step: there is none
// then, which most messages ask.
func (t *tasks) isIdle() bool {
	return len(t.steps)+len(t.missed)+len(t.touched) == 0 && !t.listens.stale
}

// driveTasks carries out what follows from what was told of tasks.
func (s *Session) driveTasks() {
	if s.tasks.isIdle() {
		return
	}
	for step, ok := s.tasks.next(); ok; step, ok = s.tasks.next() {
		switch {
		case step.makes != nil:
			step.makes.call = s.newCall(step.makes.spec(), step.makes)
		case step.begins != nil:
			s.tasks.onListenBegun(s.newCall(*step.begins, nil))
		case step.ends != nil:
			if s.writer.checkCancel(step.ends) == nil {
				s.stopCall(step.ends, cancel.BySuperseded, step.why)
			}
		case step.closes != nil:
			if step.closes.state == Waiting {
				s.http.resumeAll(s.incoming.closeFor(step.closes, step.why))
			}
		case step.passes != nil:
			s.passOver(step.passes, step.why)
		case step.cancels != nil:
			if s.writer.checkCancel(step.cancels.call) == nil {
				s.stopCall(step.cancels.call, step.by, step.why)
			}
		case step.stops != nil:
			if err := s.writer.checkCancel(step.stops); err != nil {
				s.note(step.stops, "not cancelled: "+err.Error())
			} else {
				s.stopCall(step.stops, cancel.ByUser, "")
			}
		case step.settled != nil:
			if step.settled.state == Cancelling {
				s.end(step.settled)
			}
		case !step.row.state.Terminal():
			s.move(step.row, step.outcome)
			if step.outcome.left {
				s.retireRequest(step.row)
			}
		}
	}
}

// keep has the task be kept as it is now, or no longer where nothing more can come of it: one
// that was cancelled has no outcome, and that of any other is fetched first.
func (t *tasks) keep(k *runningTask) {
	switch {
	case k.Status().Terminal() && k.IsOver(), k.Status() == task.Cancelled, k.End() == task.Expired, k.End() == task.Gone, k.End() == task.NoPolls:
		t.kept.drop(k.ID)
	case k.forgotten:
	case !k.Status().Terminal() || !k.IsOver():
		t.kept.keep(KeptTask{ID: k.ID, Tool: t.toolOf(k.row), Protocol: k.Protocol, Made: k.View().Since, Expires: k.Expires()})
	}
}
