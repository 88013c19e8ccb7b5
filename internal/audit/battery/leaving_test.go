package battery

import (
	"testing"

	"belay/session"
	"belay/session/task"
)

// A task may go on that has not ended, as far as is known, also where the server did not answer its cancel.
func TestATaskMayGoOn(t *testing.T) {
	for what, x := range map[string]struct {
		of   *session.TaskView
		want bool
	}{
		"none":                        {nil, false},
		"at work":                     {&session.TaskView{View: task.View{Status: task.Working}}, true},
		"nobody waits for it":         {&session.TaskView{View: task.View{Status: task.Working, End: task.Left}}, true},
		"cancelled":                   {&session.TaskView{View: task.View{Status: task.Cancelled}}, false},
		"completed":                   {&session.TaskView{View: task.View{Status: task.Completed}}, false},
		"the server does not know it": {&session.TaskView{View: task.View{Status: task.Working, End: task.Gone}}, false},
	} {
		if got := mayGoOn(x.of); got != x.want {
			t.Errorf("%s: %t", what, got)
		}
	}
}
