package ui

import (
	"fmt"
	"testing"
	"time"

	"belay/internal/requirements"
)

// A task that goes on is counted, and is in the list, however many came and ended after it: whoever quits
// may leave it.
func TestATaskThatGoesOnIsFoundBehindManyOthers(t *testing.T) {
	requirements.Rows(t, "TSK-72", "TSK-75")
	tasking(t, 80, 24, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("the-old-one", "working", `"ttl":null,"pollInterval":600000`)+`}}`)
		for i := range 210 {
			id := fmt.Sprintf("later-%03d", i)
			w.result(w.asTask(0), `{"task":{`+w.task(id, "working", `"ttl":null,"pollInterval":250`)+`}}`)
			w.wait(300 * time.Millisecond)
			w.result(w.last("tasks/get"), `{`+w.task(id, "cancelled", `"ttl":null`)+`}`)
		}
		if n := w.m.tasks.Running(); n != 1 {
			t.Errorf("%d tasks run", n)
		}
		w.press("q")
		w.sees("It runs as a task: l leaves it, and prints its ID.")
		w.press("esc")
		w.press(":")
		w.write("tasks")
		w.press("enter")
		for range 210 {
			w.press("j")
		}
		w.sees(`"the-old-one"`, "working")
		w.press("g")
		w.seesNot(`"the-old-one"`)
		w.press("G")
		w.sees(`"the-old-one"`, "working")
	})
}
