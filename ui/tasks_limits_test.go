package ui

import (
	"testing"

	"belay/internal/covers"
)

// The form says of a call that may become a task until when its limits hold.
func TestTheLimitsOfATask(t *testing.T) {
	covers.Rows(t, "TMO-06", "TMO-16")
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
