package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
)

// A task that was asked for by its ID, and left before the server told of it, is in the list of tasks, and
// can be asked for or cancelled as any other that was left.
func TestATaskThatWasLeftUntold(t *testing.T) {
	requirements.Rows(t, "TSK-74", "CXL-38", "TSK-58", "TEX-37")
	left := func(w *harness) {
		w.t.Helper()
		w.command("task elsewhere")
		w.press("d")
		w.sees(`no longer waiting for #6 task "elsewhere": its task may go on at the server`, "stopped waiting")
		w.wait(time.Minute) // of which the server tells nothing
		w.clearStatus()
	}
	tasking(t, 100, 30, func(w *harness) {
		left(w)
		w.press("2", "h", "h", "h")
		w.sees("status     not told", "had not told of it")
		w.seesNot("cancel requested", "told at", "every 2 s")
		w.command("tasks")
		w.sees("not told, left")
		w.seesNot(" ago")
		w.press("esc", "1")
		w.command("poll")
		w.sees(`waiting again for #6 task "elsewhere"`)
		if n := w.got(`"method":"tasks/get"`); n != 2 {
			t.Errorf("%d polls", n)
		}
	})
	tasking(t, 100, 30, func(w *harness) {
		left(w)
		w.press("x")
		w.sees("asking for the task, to cancel it if it goes on")
		w.result(w.last("tasks/get"), `{`+w.task("elsewhere", "working", `"ttl":null`)+`}`)
		w.wait(100 * time.Millisecond)
		if n := w.got(`"method":"tasks/cancel"`); n != 1 {
			t.Errorf("%d cancels", n)
		}
	})
}

// Who leaves belay is told that such a task may go on at the server, and not that it does.
func TestATaskThatWasLeftUntoldIsNamedAtTheEnd(t *testing.T) {
	requirements.Rows(t, "TSK-75")
	taskingOverHTTP(t, func(w *harness) {
		w.command("task elsewhere")
		w.press("d")
		w.press("q")
		w.wait(2 * time.Second)
		if told := strings.Join(w.m.Farewell(), "\n"); !strings.Contains(told, `task "elsewhere" may go on at the server, of #`) {
			t.Errorf("the last lines:\n%s", told)
		}
	})
}

// Whoever cancels such a task, and then stops waiting for it, is told that tasks/cancel is sent for all that.
func TestATaskThatIsLeftWhileItIsToBeCancelled(t *testing.T) {
	requirements.Rows(t, "CXL-38", "TSK-58", "TEX-37")
	tasking(t, 100, 30, func(w *harness) {
		w.command("task elsewhere")
		w.press("x")
		w.sees("waiting for tasks/get")
		w.press("d")
		w.sees(`no longer waiting for #6 task "elsewhere": its task gets tasks/cancel, by its ID alone`)
		w.wait(100 * time.Millisecond)
		if n := w.got(`"method":"tasks/cancel"`); n != 1 {
			t.Errorf("%d cancels", n)
		}
		w.clearStatus()
		w.sees("stopped waiting")
		w.press("x")
		w.sees("the task was cancelled already, and is waited for no more: :poll asks what it does")
		w.command("tasks")
		w.sees("elsewhere", "left")
	})
}
