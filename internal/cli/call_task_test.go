package cli

import (
	"testing"
	"time"

	"belay/session"
	"belay/session/cancel"
	"belay/session/task"
)

// The end of a cancelled task is awaited for as long as the grace lasts, from its cancel on.
func TestForHowLongATaskIsAwaited(t *testing.T) {
	at := time.Now()
	goesOn := &session.TaskView{GoesOn: true, View: task.View{ID: "t"}}
	sent := []session.MomentView{{At: at.Add(-time.Hour), Dir: session.Out, Kind: session.MomSent}, {At: at, Dir: session.Out, Kind: session.MomTaskCancel}}
	named := []session.MomentView{{At: at.Add(-time.Minute), Kind: session.MomCancelWanted}, {At: at, Dir: session.In, Kind: session.MomTask}, {At: at.Add(time.Second), Dir: session.In, Kind: session.MomTask}}
	for _, x := range []struct {
		what  string
		state session.State
		task  *session.TaskView
		line  []session.MomentView
		after time.Duration
		want  time.Duration
	}{
		{"it goes on", session.Cancelled, goesOn, sent, 2 * time.Second, 3 * time.Second},
		{"the grace is over", session.Cancelled, goesOn, sent, 7 * time.Second, 0},
		{"it has ended, and one poll follows", session.Cancelled, &session.TaskView{Confirming: true}, sent, 2 * time.Second, 0},
		{"it has ended, and its outcome has not come", session.Cancelled, &session.TaskView{OutcomeOut: true}, sent, 2 * time.Second, 3 * time.Second},
		{"it has ended", session.Cancelled, &session.TaskView{}, sent, time.Second, 0},
		{"no task", session.Cancelled, nil, sent, time.Second, 0},
		{"nobody has cancelled it", session.Lost, goesOn, sent, time.Second, 0},
		{"its ID came after its cancel, which is about to leave", session.Cancelled, goesOn, named, 2 * time.Second, 3 * time.Second},
		{"its cancel did not leave", session.Cancelled, goesOn, sent[:1], time.Second, 0},
	} {
		d := &session.Detail{Row: session.Row{State: x.state, Initiator: cancel.ByUser, Task: x.task}, Timeline: x.line}
		if got := taskAwaited(d, at.Add(x.after), 5*time.Second); got != x.want {
			t.Errorf("%s: %v, not %v", x.what, got, x.want)
		}
	}
	early := &session.Detail{Row: session.Row{State: session.Cancelled, Verdict: cancel.TaskCancelled, Task: &session.TaskView{OutcomeOut: true}}, Timeline: sent[:1]}
	if got := taskAwaited(early, at, 5*time.Second); got != 5*time.Second {
		t.Errorf("its cancel was answered before belay was told that it was written: %v", got)
	}
}

// The one poll after the end of a task was told elsewhere is awaited for as long as the grace lasts: from now
// on, of a cancelled call from its cancel on. One that is due later is not awaited.
func TestForHowLongTheEndOfATaskIsConfirmed(t *testing.T) {
	at := time.Now()
	const grace = 5 * time.Second
	sent := []session.MomentView{{At: at.Add(-2 * time.Second), Dir: session.Out, Kind: session.MomTaskCancel}}
	for _, x := range []struct {
		what       string
		state      session.State
		confirming bool
		next       time.Duration // 0: it is out
		most, due  time.Duration
	}{
		{"a result", session.Done, true, time.Second, grace, time.Second},
		{"a failure", session.Failed, true, time.Second, grace, time.Second},
		{"the poll is out", session.Done, true, 0, grace, 0},
		{"the poll is overdue", session.Done, true, -time.Second, grace, 0},
		{"it is due later", session.Done, true, grace, 0, 0},
		{"cancelled", session.Cancelled, true, time.Second, 3 * time.Second, time.Second},
		{"cancelled, and due later", session.Cancelled, true, 4 * time.Second, 0, 0},
		{"no poll is to come", session.Done, false, time.Second, 0, 0},
		{"it has not ended", session.Running, true, time.Second, 0, 0},
	} {
		view := &session.TaskView{Confirming: x.confirming}
		if x.next != 0 {
			view.NextPoll = at.Add(x.next)
		}
		d := &session.Detail{Row: session.Row{State: x.state, Task: view}, Timeline: sent}
		if most, due := confirmedWithin(d, at, grace); most != x.most || due != x.due {
			t.Errorf("%s: for %v, in %v", x.what, most, due)
		}
	}
	if most, _ := confirmedWithin(&session.Detail{Row: session.Row{State: session.Done}}, at, grace); most != 0 {
		t.Error("a call that runs as no task")
	}
}

// The ID of the task of a cancelled call is awaited for as long as the grace lasts, from the cancel on.
func TestForHowLongTheIDOfATaskIsAwaited(t *testing.T) {
	at := time.Now()
	wanted := []session.MomentView{{At: at.Add(-time.Hour), Kind: session.MomSent}, {At: at, Kind: session.MomCancelWanted}}
	for _, x := range []struct {
		kept  bool
		after time.Duration
		want  time.Duration
	}{{true, 5 * time.Second, 3 * time.Second}, {true, 9 * time.Second, 0}, {false, 5 * time.Second, 0}} {
		d := &session.Detail{Row: session.Row{State: session.Cancelled, KeepsCancel: x.kept}, Timeline: wanted}
		if got := idAwaited(d, at.Add(x.after), 8*time.Second); got != x.want {
			t.Errorf("kept %v, after %v: %v, not %v", x.kept, x.after, got, x.want)
		}
	}
}

// A task that belay stopped waiting for was cancelled by nobody, and the connection was not lost.
func TestTheExitCodeOfALeftTask(t *testing.T) {
	for left, want := range map[bool]int{true: ExitCancelled, false: ExitConnect} {
		if got := exitOf(&session.Detail{Row: session.Row{State: session.Lost, Left: left}}); got != want {
			t.Errorf("left %v: %d, not %d", left, got, want)
		}
	}
}

// What the server has not answered is no error of the server's.
func TestTheExitCodeOfACallThatNothingAnswered(t *testing.T) {
	for unanswered, want := range map[bool]int{true: ExitConnect, false: ExitError} {
		if got := exitOf(&session.Detail{Row: session.Row{State: session.Failed, Unanswered: unanswered}}); got != want {
			t.Errorf("unanswered %v: %d, not %d", unanswered, got, want)
		}
	}
}

// A task that ended without a result is the failure of the call, whatever ended the task.
func TestTheExitCodeOfATaskWithoutAResult(t *testing.T) {
	for _, end := range []task.End{task.Expired, task.Gone, task.Alive} {
		view := &session.TaskView{View: task.View{ID: "t", Status: task.Working, End: end}}
		if got := exitOf(&session.Detail{Row: session.Row{State: session.Failed, Task: view}}); got != ExitError {
			t.Errorf("end %v: %d", end, got)
		}
	}
}

// The status of a task whose outcome has come is awaited where the poll that tells it is out, or due soon.
func TestTheStatusOfATaskIsAwaitedAfterItsOutcome(t *testing.T) {
	at := time.Now()
	for _, x := range []struct {
		what  string
		state session.State
		view  task.View
		want  bool
	}{
		{"the poll is due soon", session.Done, task.View{OutcomeAhead: true, NextPoll: at.Add(time.Second)}, true},
		{"it is out", session.Done, task.View{OutcomeAhead: true}, true},
		{"the call has failed", session.Failed, task.View{OutcomeAhead: true}, true},
		{"none is to come", session.Done, task.View{OutcomeAhead: true, End: task.Gone}, false},
		{"the poll is due late", session.Done, task.View{OutcomeAhead: true, NextPoll: at.Add(statusMost)}, false},
		{"the end is told", session.Done, task.View{Status: task.Completed}, false},
	} {
		d := &session.Detail{Row: session.Row{State: x.state, Task: &session.TaskView{View: x.view}}}
		if got := isStatusAwaited(d, at); got != x.want {
			t.Errorf("%s: %v", x.what, got)
		}
	}
	if isStatusAwaited(&session.Detail{Row: session.Row{State: session.Done}}, at) {
		t.Error("a call that runs as no task")
	}
}

// A task that the server calls failed is no success, also where that is told after its result.
func TestTheExitCodeOfAFailedTaskWithAResult(t *testing.T) {
	for status, want := range map[task.Status]int{task.Failed: ExitError, task.Completed: ExitOK, task.Working: ExitOK} {
		view := &session.TaskView{View: task.View{ID: "t", Status: status}}
		if got := exitOf(&session.Detail{Row: session.Row{State: session.Done, Task: view}}); got != want {
			t.Errorf("%v: %d", status, got)
		}
	}
}

// Where the server wants polls seldom, it is told when one says what the cancel of a task did.
func TestWhenAVerdictOnATaskIsDue(t *testing.T) {
	now := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	const grace = 5 * time.Second
	row := func(change func(*session.Row)) session.Row {
		r := session.Row{State: session.Cancelling, Task: &session.TaskView{View: task.View{CancelAnswered: true, NextPoll: now.Add(time.Minute)}}}
		change(&r)
		return r
	}
	for what, c := range map[string]struct {
		change func(*session.Row)
		want   time.Duration
	}{
		"in a minute":                {func(*session.Row) {}, time.Minute},
		"within the grace":           {func(r *session.Row) { r.Task.NextPoll = now.Add(grace) }, 0},
		"the cancel is unanswered":   {func(r *session.Row) { r.Task.CancelAnswered = false }, 0},
		"nothing is polled":          {func(r *session.Row) { r.Task.NextPoll = time.Time{} }, 0},
		"no task":                    {func(r *session.Row) { r.Task = nil }, 0},
		"the verdict has come":       {func(r *session.Row) { r.State = session.Cancelled }, 0},
		"nobody has cancelled it":    {func(r *session.Row) { r.State = session.Running }, 0},
		"a little after the grace":   {func(r *session.Row) { r.Task.NextPoll = now.Add(grace + 1) }, grace + 1},
		"it is due already, and out": {func(r *session.Row) { r.Task.NextPoll = now.Add(-time.Second) }, 0},
	} {
		r := row(c.change)
		if got := verdictDue(&r, now, grace); got != c.want {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
}
