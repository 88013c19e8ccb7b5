package battery

import (
	"fmt"
	"slices"
	"strings"

	"belay/internal/audit"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/task"
)

// learn notes what the calls that were left alone were like.
func (r *run) learn() {
	for _, p := range r.c.Questions() {
		r.rounds = r.rounds || p.Round > 0
		r.asks = r.asks || isAsked(p)
	}
}

// isAsked reports whether a question is a request of the server's own to the user, about a call.
func isAsked(p session.QuestionView) bool {
	return p.Round == 0 && p.Task == "" && !p.Needed && mcp.AsksUser(p.Method)
}

// repeat tries a situation as often as planned, unless there is a reason to skip it.
func (r *run) repeat(s audit.Situation, skipped string, try func()) {
	if r.isOver() {
		return
	}
	if skipped != "" {
		r.seen.Trials = append(r.seen.Trials, audit.Trial{Situation: s, Skipped: skipped})
		return
	}
	for n := range r.Tries {
		if r.isOver() {
			return
		}
		r.tell(fmt.Sprintf("%v, %d of %d", s, n+1, r.Tries))
		try()
	}
}

// askingWhy says why no call is cancelled while it asks; empty: some are.
func (r *run) askingWhy() string {
	switch {
	case r.rounds && !r.asks:
		return "in 2026-07-28 a server asks by its answer to the call: nothing is in flight meanwhile that could be cancelled"
	case !r.asks:
		return "the tool asked nothing while it was left alone"
	}
	return ""
}

// onlyAsks is the battery for a tool that is too fast for any other.
func (r *run) onlyAsks() {
	stop := r.decline()
	defer stop()
	defer r.late()
	r.repeat(audit.Asking, "", r.asking)
}

// asking cancels a call while its question is open, and sees what becomes of that. A question
// that stays open is declined in the end: the server may still wait for its answer.
func (r *run) asking() {
	if !r.rest() {
		return
	}
	r.holds.Store(true)
	defer r.holds.Store(false)
	began := r.now()
	id, err := r.call(0)
	if err != nil {
		return
	}
	var open session.QuestionView
	_ = r.c.Await(r.within(2*r.seen.Took+patience), func(s *session.Session) bool {
		for _, p := range s.Questions() {
			if p.State == session.Waiting && isAsked(p) && slices.Contains(p.Candidates, id) {
				open = p
			}
		}
		row, ok := s.Row(id)
		return open.ID != 0 || !ok || row.State.IsTerminal()
	})
	if r.ctx.Err() != nil {
		return
	}
	due := r.c.Now()
	_ = r.c.Cancel(id, "belay audit: "+audit.Asking.String())
	r.askBehind(id)
	t := audit.Trial{Situation: audit.Asking, Cancelled: r.verdicts(began, due, id)}
	if r.ctx.Err() != nil {
		return
	}
	if open.ID != 0 {
		t.Cancelled[0].Question = r.question(id, open.ID)
	}
	r.after(&t)
	r.add(t, []session.CallID{id})
}

// question is what became of a question when its call was cancelled. One that is not withdrawn
// is waited for as long as any message is.
func (r *run) question(call session.CallID, id session.QuestionID) *audit.Question {
	d, _ := r.c.Detail(call)
	cancelled := momentsOf(&d).cancelled
	find := func(s *session.Session) (p session.QuestionView) {
		for _, p = range s.Questions() {
			if p.ID == id {
				return p
			}
		}
		return session.QuestionView{}
	}
	var p session.QuestionView
	_ = r.c.Await(r.within(max(0, cancelled.Add(r.grace()).Sub(r.c.Now()))), func(s *session.Session) bool {
		p = find(s)
		return p.State != session.Waiting
	})
	q := &audit.Question{Method: p.Method, Withdrawn: p.State == session.Withdrawn, After: r.c.Now().Sub(cancelled)}
	switch {
	case q.Withdrawn && p.Ended.Before(cancelled):
		q.Withdrawn, q.Ended = false, true
	case q.Withdrawn:
		q.After = p.Ended.Sub(cancelled)
	case p.State == session.Waiting:
		_ = r.c.Decline(p)
	default:
		q.Ended = true
	}
	return q
}

// asTaskWhy says why no call is cancelled as a task; empty: some are.
func (r *run) asTaskWhy() string {
	st := r.c.Status()
	switch {
	case r.tasks, r.tool.TakesTask && st.HasTasks() && st.Server.Has.TaskCalls && !st.Revision.IsModern():
		return ""
	case st.HasTasks():
		return "the tool does not run as a task"
	}
	return "the server has no tasks"
}

// asTask cancels a call that runs as a task midway, and looks at the task again when it would
// long have ended.
func (r *run) asTask() {
	if !r.rest() {
		return
	}
	r.wishes = true
	defer func() { r.wishes = false }()
	began := r.now()
	id, err := r.call(0)
	if err != nil {
		return
	}
	sent, ok := r.sent(audit.AsTask, id)
	due := sent.Add(r.seen.Took / 2)
	if !ok || !r.sleep(due.Sub(r.c.Now())) {
		return
	}
	if err := r.c.Cancel(id, "belay audit: "+audit.AsTask.String()); err != nil {
		if row, ok := r.c.Row(id); ok && row.IsInFlight() {
			r.seen.Trials = append(r.seen.Trials, audit.Trial{Situation: audit.AsTask, Skipped: "belay cannot cancel the task: " + err.Error()})
			r.await([]session.CallID{id}, r.others())
			return
		}
	}
	t := audit.Trial{Situation: audit.AsTask, Cancelled: r.verdicts(began, due, id)}
	if r.ctx.Err() != nil {
		return
	}
	if c := &t.Cancelled[0]; c.Task != nil {
		d, _ := r.c.Detail(id)
		if r.sleep(momentsOf(&d).task.Add(r.grace() - c.Ran).Sub(r.c.Now())) {
			r.lookAgain(&d, c.Task)
		}
		if d, _ = r.c.Detail(id); d.Task != nil {
			c.Task.Answer = d.Task.CancelAnswered
		}
	}
	r.after(&t)
	r.add(t, []session.CallID{id})
}

// lookAgain asks for the status of a task once more.
func (r *run) lookAgain(d *session.Detail, t *audit.Task) {
	if d.Task == nil {
		return
	}
	id, err := r.c.Call(session.CallSpec{Method: "tasks/get", Params: mcp.TaskParams(d.Task.ID), Idle: -1, Max: -1})
	if err != nil {
		return
	}
	got, err := r.c.Watch(r.within(patience), id, nil)
	t.Asked = r.ctx.Err() == nil
	switch {
	case err != nil:
		t.Silent = true
		_ = r.c.Cancel(id, "belay audit: not answered")
	case got.Err != nil:
		t.Lapsed = got.Err.Message
	case got.State != session.Done:
		t.Silent = true
	default:
		if t.Later, _ = rawjson.TextAt(got.Result, "status"); t.Later == "" {
			t.Lapsed = "a result without a status"
		}
	}
}

// fates are what the verdicts say of a task.
var fates = map[cancel.Verdict]audit.Fate{
	cancel.TaskCancelled: audit.FateCancelled, cancel.TaskCompleted: audit.FateCompleted, cancel.TaskFailed: audit.FateFailed, cancel.Crossed: audit.FateCompleted,
	cancel.TaskWorking: audit.FateWorking, cancel.TaskRefused: audit.FateRefused, cancel.TaskUnacknowledged: audit.FateUnanswered,
}

// mayHaveEndedBefore reports whether a task may have ended by itself before its cancel was read, whatever the verdict
// stands on.
func mayHaveEndedBefore(d *session.Detail) bool {
	switch d.TaskEnd {
	case cancel.EndToldBefore, cancel.EndBeforeCancel, cancel.EndInDoubt:
		return true
	case cancel.NoEnd, cancel.EndAfterCancel:
	}
	return d.Verdict == cancel.Crossed
}

// becameOf is what was seen of a task first, after tasks/cancel had left.
func becameOf(d *session.Detail) *audit.Task {
	t := &audit.Task{Fate: fates[d.Verdict]}
	if d.Task != nil && d.Task.CancelRefused {
		atWork := []cancel.Verdict{cancel.TaskWorking, cancel.TaskCompleted, cancel.TaskFailed} // when it had been refused
		t.Fate, t.GoesOn = audit.FateRefused, slices.Contains(atWork, d.Verdict)
	}
	if d.Task != nil && t.Fate == audit.FateUnanswered { // what the verdict leaves to its sentence
		ended := map[task.Status]audit.Fate{task.Completed: audit.FateCompleted, task.Failed: audit.FateFailed}
		if fate, ok := ended[d.Task.Status]; ok {
			t.Fate = fate
		}
	}
	for _, e := range d.Evidence {
		if strings.Contains(e.Text, "tasks/cancel") && (t.Fate == audit.FateRefused || t.Fate == audit.FateUnanswered) {
			t.Why = e.Text // the last word on it
		}
		if strings.Contains(e.Text, "answer to tasks/cancel is malformed") {
			t.Malformed = e.Text
		}
	}
	return t
}
