package ui

import (
	"testing"
	"time"

	"belay/session"
)

// The row of a task whose server says a word that is no status shows that word, and not the status of
// before as if the server still said it.
func TestAWordThatIsNoStatusIsShown(t *testing.T) {
	extending(t, 100, 30, func(w *harness) {
		w.asExtensionTask("task-1")
		w.sees("working")
		says := func(status string) {
			w.wait(1100 * time.Millisecond)
			w.result(w.last("tasks/get"), `{"resultType":"complete",`+w.task("task-1", status, `"ttlMs":null,"pollIntervalMs":1000`)+`}`)
		}
		says("canceled")
		if r := w.row(); r.State != session.Running || r.Task.Odd != "canceled" {
			t.Errorf("%v, %+v", r.State, r.Task)
		}
		w.sees(`"canceled", no status`)
		w.command("tasks")
		w.sees(`"task-1"`, `"canceled", no status`)
		w.press("esc")
		says("")
		w.sees("status missing")
		says("working")
		w.seesNot("no status", "status missing")
	})
}
