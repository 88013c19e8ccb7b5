package ui

import (
	"testing"
	"time"

	"belay/internal/requirements"
)

// The form says of a call that may become a task until when its limits hold.
func TestTheLimitsOfATask(t *testing.T) {
	requirements.Rows(t, "TMO-06", "TMO-16")
	limits := []string{"of silence, of a task until its ID: 30s, off", "in all, of a task until its ID: 10m, 1h, off"}
	tasking(t, 80, 24, func(w *harness) {
		w.press("n")
		w.write("countdown")
		w.press("alt+enter", "ctrl+t")
		w.seesNot(limits...)
		for range 6 {
			w.press("tab")
		}
		w.press("space")
		w.sees(limits...)
	})
	extending(t, 80, 24, func(w *harness) {
		w.press("n")
		w.write("countdown")
		w.press("alt+enter", "ctrl+t")
		w.sees(limits...)
	})
}

// Of a cancelled task that is polled no more, as its time is over, the detail tells no interval of polls.
func TestPollingEndsWithTheTimeOfACancelledTask(t *testing.T) {
	tasking(t, 100, 34, func(w *harness) {
		const limits = `"ttl":3000,"pollInterval":1000`
		w.result(w.asTask(0), `{"task":{`+w.task("task-1", "working", limits)+`}}`)
		w.press("x")
		w.result(w.last("tasks/cancel"), `{`+w.task("task-1", "working", limits)+`}`)
		w.wait(1100 * time.Millisecond)
		w.result(w.last("tasks/get"), `{`+w.task("task-1", "working", limits)+`}`)
		w.sees("task still working")
		w.press("2", "[", "[")
		w.sees("answer · every")
		for range 2 { // the poll that goes on, and the last one
			w.wait(2500 * time.Millisecond)
			w.result(w.last("tasks/get"), `{`+w.task("task-1", "working", limits)+`}`)
		}
		w.sees("3 answers · polling ended with its time")
		w.press("]", "]")
		w.sees("nothing more is polled: the time of the task is over")
	})
}
