package wording

import (
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/cancel"
	"belay/session/task"
)

// A task that neither tasks/cancel nor tasks/get finds is unknown to the server, which refuses
// to cancel nothing; one that was told to have ended was known.
func TestATaskThatTheServerDoesNotKnowIsNotRefused(t *testing.T) {
	requirements.Rows(t, "TEX-39")
	for _, x := range []struct {
		of   task.View
		want string
	}{
		{task.View{Status: task.Working, Unknown: true}, "the server does not know the task"},
		{task.View{Status: task.Working}, "it refuses to cancel the task"},
		{task.View{Status: task.Completed, Unknown: true}, "it refuses to cancel the task"},
	} {
		d := &session.Detail{Row: session.Row{Verdict: cancel.TaskRefused, Task: &session.TaskView{View: x.of}}}
		if got := string(Verdict(d)); !strings.Contains(got, x.want) {
			t.Errorf("%+v: %s", x.of, got)
		}
	}
}

// What a server said of a task that it does not know any more is not told as if the task were still
// doing that.
func TestTheLastWordsOnATaskAreOfThen(t *testing.T) {
	requirements.Rows(t, "TSK-40", "TEX-23")
	for _, x := range []struct {
		of   task.View
		want string
	}{
		{task.View{Status: task.Working, End: task.Expired, Message: "half done"}, `the server said of the task last, which was working then: "half done"`},
		{task.View{Status: task.InputRequired, End: task.Gone, Message: "waiting"}, `the server said of the task last, which was input_required then: "waiting"`},
		{task.View{Status: task.Working, IsOdd: true, Odd: "paused", End: task.Gone, Message: "hm"}, `the server said of the task last, with "paused", no status: "hm"`},
		{task.View{Status: task.Working, IsOdd: true, End: task.Gone, Message: "hm"}, `the server said of the task last, with status missing: "hm"`},
		{task.View{Status: task.Failed, IsOdd: true, Odd: "paused", Message: "hm"}, `the server said of the task last, with "paused", no status: "hm"`},
		{task.View{Status: task.Failed, Message: "disk full"}, `the server says of the task, which is failed: "disk full"`},
	} {
		r := session.Row{State: session.Failed, Task: &session.TaskView{View: x.of}}
		if got := string(TaskSays(&r)); got != x.want {
			t.Errorf("%+v: %s", x.of, got)
		}
	}
}

// The handle of a task that has ended is an answer to a cancelled call, and nothing malformed. What
// cancelled a task is not told by that.
func TestALateHandleOfAnEndedTaskIsNamed(t *testing.T) {
	requirements.Rows(t, "TEX-59")
	for status, want := range map[task.Status]string{
		task.Completed: "the server answered the cancelled call with the handle of a task that is completed already",
		task.Failed:    "the server answered the cancelled call with the handle of a task that is failed already",
		task.Cancelled: "the server answered the cancelled call with the handle of a task that is cancelled already: by what is not known",
	} {
		d := &session.Detail{
			Row:  session.Row{Verdict: cancel.AnsweredLate, Task: &session.TaskView{View: task.View{Status: status}}},
			Late: &session.LateAnswer{Handle: true},
		}
		if got := string(Verdict(d)); got != want {
			t.Errorf("%v: %s", status, got)
		}
	}
}

// A call that its outcome has ended as done is no success once the server calls its task failed.
func TestADeniedSuccessIsShownAsFailed(t *testing.T) {
	r := session.Row{State: session.Done, Task: &session.TaskView{View: task.View{Status: task.Failed, Message: "broken"}}}
	if s := StateOf(r, "…"); s.Wide != "done" || s.Sign != SignDone {
		t.Errorf("%+v", s)
	}
	r.Denied = true
	if s := StateOf(r, "…"); s.Wide != "failed" || s.Sign != SignFailed || TaskSays(&r) == "" {
		t.Errorf("%+v, %q", s, TaskSays(&r))
	}
}
