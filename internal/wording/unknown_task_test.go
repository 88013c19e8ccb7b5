package wording

import (
	"strings"
	"testing"

	"belay/internal/covers"
	"belay/session"
	"belay/session/cancel"
	"belay/session/task"
)

// A task that neither tasks/cancel nor tasks/get finds is unknown to the server, which refuses
// to cancel nothing; one that was told to have ended was known.
func TestATaskThatTheServerDoesNotKnowIsNotRefused(t *testing.T) {
	covers.Rows(t, "TEX-39")
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
