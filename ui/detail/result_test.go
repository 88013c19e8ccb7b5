package detail

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/task"
	"belay/ui/doc"
	"belay/ui/theme"
	"belay/ui/write"
)

// What the server said of a failed task is shown with its result, whether belay still has that or
// not.
func TestAFailedTaskWhoseResultIsGoneShowsItsMessage(t *testing.T) {
	requirements.Rows(t, "TSK-66")
	core := session.New(session.Config{}, time.Time{})
	for _, dropped := range []int{0, 5 << 20} {
		c := content{status: &session.Status{}, view: func(f func(*session.Session)) { f(core) }}
		c.call.State, c.call.ToolError, c.call.Dropped = session.Done, true, dropped
		c.call.Task = &session.TaskView{View: task.View{Status: task.Failed, Message: "pressure lost"}}
		if dropped == 0 {
			c.call.Result = []byte(`{}`)
		}
		d := doc.New(120, 100)
		c.resultTab(write.To(d, theme.Looks{Styles: theme.NewStyles(true)}, nil))
		var got strings.Builder
		for _, l := range d.Lines {
			got.WriteString(l.String() + "\n")
		}
		if says := `the server says of the task, which is failed: "pressure lost"`; strings.Count(got.String(), says) != 1 || strings.Contains(got.String(), "no longer kept") != (dropped > 0) {
			t.Errorf("%d bytes are dropped: %s", dropped, got.String())
		}
	}
}
