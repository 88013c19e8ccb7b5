package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// A task that has ended, and whose outcome does not come, cannot be cancelled: a rule that cancels after
// a time stops waiting for the outcome, and so does quitting. The row tells that it did not come, and
// the connection is not said to be lost.
func TestAnOutcomeThatDoesNotComeIsLeft(t *testing.T) {
	requirements.Rows(t, "TSK-06", "TSK-75", "CXL-38")
	for name, tt := range map[string]struct {
		after time.Duration
		stop  func(w *taskWeb)
		says  string
	}{
		"a rule": {4 * time.Second, func(w *taskWeb) { w.later(2 * time.Second) }, "stopped waiting after 4s, as set: the task is completed, and its outcome did not come"},
		"a quit": {0, func(w *taskWeb) {
			w.s.Tell(w.now, Quit{})
			w.pump()
			w.later(quitLimit)
			w.s.Tell(w.now, Closed{Epoch: w.epoch, Why: Close{ByUs: true, Status: "closed"}})
		}, "you stopped waiting: the task is completed, and its outcome did not come"},
	} {
		t.Run(name, func(t *testing.T) {
			w := taskingWeb(t, mcp.Rev20251125)
			reply, err := w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t","arguments":{}}`), AsTask: true, Rules: Rules{After: tt.after}}})
			if err != nil {
				t.Fatal(err)
			}
			w.pump()
			w.handle(w.next("tools/call"), "task-4711")
			w.later(time.Second)
			w.answers("tasks/get", w.object("completed"))
			w.next("tasks/result")
			w.later(2 * time.Second)
			if row := w.row(reply.Call); row.State != Running || !row.OutcomeOnly || row.Task.OutcomeLeft {
				t.Fatalf("%v, %+v", row.State, row.Task)
			}
			tt.stop(w)
			w.check()
			row := w.row(reply.Call)
			if row.State != Lost || !row.Left || !row.Task.OutcomeLeft || row.Task.OutcomeOut || row.Verdict != cancel.NoVerdict || row.Note != tt.says {
				t.Errorf("%v, left %v, %q, %+v", row.State, row.Left, row.Note, row.Task)
			}
			for _, out := range w.outs {
				if strings.Contains(string(out.Data), "tasks/cancel") {
					t.Errorf("%s", out.Data)
				}
			}
		})
	}
}
