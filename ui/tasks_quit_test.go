package ui

import (
	"testing"
	"time"

	"belay/internal/requirements"
)

// Whoever quits is told what becomes of a call whose task has no ID yet.
func TestQuittingBeforeATaskIDHasCome(t *testing.T) {
	requirements.Rows(t, "TSK-73", "TSK-75")
	tasking(t, 80, 24, func(w *harness) {
		w.asTask(0)
		w.press("q")
		w.sees("1 call in flight: belay cancels it first.", "1 of these has no task ID yet: it is cancelled if that comes within 1 s.")
		w.press("esc", "x", "q")
		w.sees("1 call is being cancelled already", "1 of these has no task ID yet: it is cancelled if that comes within 1 s.")
		w.press("esc")
		second := w.asTask(1)
		w.press("q")
		w.sees("2 of these have no task ID yet: cancelled if that comes within 1 s.")
		w.result(second, `{"task":{`+w.task("task-4711", "working", `"ttl":null`)+`}}`)
		w.sees("1 of these has no task ID yet")
		w.press("y")
		w.wait(2 * time.Second)
		if n := w.got(`"method":"tasks/cancel"`); n != 1 {
			t.Errorf("%d tasks were cancelled", n)
		}
	})
}
