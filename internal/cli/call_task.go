package cli

import (
	"context"
	"time"

	"belay/internal/wording"
	"belay/session"
	"belay/session/cancel"
	"belay/session/task"
)

// awaitTask waits for the end of a cancelled task that goes on, and for its outcome, until the grace
// has passed since its cancel was written. The row ends with the first poll after the acknowledgement; what the
// server tells later still counts for the verdict, and a call without a screen is seen once only.
func (c *caller) awaitTask(ctx context.Context, d *session.Detail) {
	left := taskAwaited(d, c.Now(), c.f.grace)
	if left <= 0 {
		return
	}
	switch {
	case d.Task.GoesOn && d.Verdict != cancel.TaskWorking: // no poll has told
		c.say("the task may go on; its end is awaited for %s more (--grace), and ctrl+c leaves", wording.Duration(left))
	case d.Task.GoesOn:
		c.say("the task goes on; its end is awaited for %s more (--grace), and ctrl+c leaves", wording.Duration(left))
	case d.Task.OutcomeOut:
		c.say("the task is %s; its outcome is awaited for %s more (--grace), and ctrl+c leaves", d.Task.Status, wording.Duration(left))
	}
	ctx, stop := context.WithTimeout(ctx, left)
	defer stop()
	_ = c.AwaitAsked(ctx, d.ID, func(p session.QuestionView) { c.question(p, lateWords(p, d.Initiator != 0)) }, func(s *session.Session) bool {
		row, kept := s.Row(d.ID)
		return !kept || !isTaskAwaited(&row) || s.Status().Phase == session.Disconnected
	}) // what has not come by then is not waited for
	*d, _ = c.Detail(d.ID)
}

// verdictDue is in what time a poll tells what the cancel of a task did, where the server wants polls so seldom
// that this takes longer than the grace; 0: it does not.
func verdictDue(r *session.Row, now time.Time, grace time.Duration) time.Duration {
	if r.State != session.Cancelling || r.Task == nil || !r.Task.CancelAnswered || r.Task.NextPoll.IsZero() {
		return 0
	}
	if due := r.Task.NextPoll.Sub(now); due > grace {
		return due
	}
	return 0
}

// statusMost is how long the status of a task is awaited whose outcome has come.
const statusMost = 5 * time.Second

// awaitStatus waits for the next poll of a task whose outcome came while the task went on, as far as was
// known. The poll tells of the end of the task, and of a status that disagrees with the outcome.
func (c *caller) awaitStatus(ctx context.Context, d *session.Detail) {
	if !isStatusAwaited(d, c.Now()) {
		return
	}
	ctx, stop := context.WithTimeout(ctx, statusMost)
	defer stop()
	_ = c.Await(ctx, func(s *session.Session) bool {
		row, kept := s.Row(d.ID)
		return !kept || row.Task == nil || !row.Task.OutcomeAhead || row.Task.End != task.Alive || s.Status().Phase == session.Disconnected
	})
	*d, _ = c.Detail(d.ID)
}

// isStatusAwaited reports whether such a poll is out, or comes soon enough to be awaited.
func isStatusAwaited(d *session.Detail, now time.Time) bool {
	t := d.Task
	return d.State.IsTerminal() && t != nil && t.OutcomeAhead && t.End == task.Alive && t.NextPoll.Sub(now) < statusMost
}

// awaitConfirmed waits for the answer to the one poll that follows where something else than a poll has told
// the end of a task: for as long as the grace, of a cancelled call for what is left of it. A poll that comes
// later than that is not awaited.
func (c *caller) awaitConfirmed(ctx context.Context, d *session.Detail) {
	most, due := confirmedWithin(d, c.Now(), c.f.grace)
	if most <= 0 {
		return
	}
	poll := "one more tasks/get is out"
	if due > 0 {
		poll = "one more tasks/get is due in " + string(wording.Duration(due))
	}
	c.say("the task is %s, in %s; %s, and its answer is awaited for %s at most (--grace); ctrl+c leaves", d.Task.Status, d.Task.By, poll, wording.Duration(most))
	ctx, stop := context.WithTimeout(ctx, most)
	defer stop()
	_ = c.Await(ctx, func(s *session.Session) bool {
		row, kept := s.Row(d.ID)
		return !kept || row.Task == nil || !row.Task.Confirming || s.Status().Phase == session.Disconnected
	})
	*d, _ = c.Detail(d.ID)
}

// confirmedWithin is for how long the answer to such a poll is awaited, and in what time the poll is made; 0:
// it is not awaited, or out.
func confirmedWithin(d *session.Detail, now time.Time, grace time.Duration) (most, due time.Duration) {
	if !d.State.IsTerminal() || d.Task == nil || !d.Task.Confirming {
		return 0, 0
	}
	if most = grace; d.State == session.Cancelled {
		most = graceLeft(d, now, grace)
	}
	if !d.Task.NextPoll.IsZero() {
		due = max(0, d.Task.NextPoll.Sub(now))
	}
	if due >= most {
		return 0, 0
	}
	return most, due
}

// awaitID waits for the ID of the task of a call that was cancelled and has ended, until the grace has
// passed since the cancel was wanted: tasks/cancel is sent when the ID comes.
func (c *caller) awaitID(ctx context.Context, d *session.Detail) {
	left := idAwaited(d, c.Now(), c.f.grace)
	if left <= 0 {
		return
	}
	c.say("its task has no ID yet, and is cancelled when the ID comes; that is awaited for %s more (--grace), and ctrl+c leaves", wording.Duration(left))
	ctx, stop := context.WithTimeout(ctx, left)
	defer stop()
	_ = c.Await(ctx, func(s *session.Session) bool {
		row, kept := s.Row(d.ID)
		return !kept || !row.KeepsCancel
	})
	*d, _ = c.Detail(d.ID)
}

// idAwaited is for how long the ID of a call's task is still awaited; 0: it is not.
func idAwaited(d *session.Detail, now time.Time, grace time.Duration) time.Duration {
	if !d.KeepsCancel {
		return 0
	}
	for i := range d.Timeline {
		if m := &d.Timeline[i]; m.Kind == session.MomCancelWanted {
			return max(0, grace-now.Sub(m.At))
		}
	}
	return 0
}

// isTaskAwaited reports whether a call was cancelled, and its task goes on, or has an outcome that has not come.
func isTaskAwaited(r *session.Row) bool {
	return r.State == session.Cancelled && r.Task != nil && (r.Task.GoesOn || r.Task.OutcomeOut)
}

// taskAwaited is for how long the end of a call's task is still awaited; 0: it is not.
func taskAwaited(d *session.Detail, now time.Time, grace time.Duration) time.Duration {
	if !isTaskAwaited(&d.Row) {
		return 0
	}
	return graceLeft(d, now, grace)
}

// graceLeft is what is left of the grace of the cancel of a task; 0: nothing is, or tasks/cancel did not leave.
func graceLeft(d *session.Detail, now time.Time, grace time.Duration) time.Duration {
	var named time.Time // the ID came, which the cancel had waited for
	wanted := false
	for i := range d.Timeline {
		switch m := &d.Timeline[i]; {
		case m.Kind == session.MomTaskCancel && m.Dir == session.Out:
			return max(0, grace-now.Sub(m.At))
		case m.Kind == session.MomCancelWanted:
			wanted = true
		case m.Kind == session.MomTask && wanted && named.IsZero():
			named = m.At
		}
	}
	if !named.IsZero() { // tasks/cancel is about to be written
		return max(0, grace-now.Sub(named))
	}
	switch d.Verdict {
	case cancel.NoVerdict, cancel.NothingRunning, cancel.NotDelivered:
		return 0 // tasks/cancel did not leave, so that nothing ends the task
	default:
		return grace // its answer came before belay was told that it was written
	}
}
