package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
)

// A server that says that a task is cancelled, and then that it goes on, is told as one: in the verdict's sentence, in
// the list beside what the server lists, and in the last lines, which name the task.
func TestATaskThatGoesOnAfterItsEnd(t *testing.T) {
	requirements.Rows(t, "TSK-54", "TSK-75")
	tasking(t, 100, 30, func(w *harness) {
		working := w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)
		w.result(w.asTask(0), `{"task":{`+working+`}}`)
		w.press("x")
		w.feed(`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{%s}}`, w.task("task-4711", "cancelled", `"ttl":null`))
		w.result(w.last("tasks/cancel"), `{`+working+`}`)
		w.wait(2 * time.Second)
		w.result(w.last("tasks/get"), `{`+working+`}`)
		w.wait(time.Second)
		w.press("2", "G")
		w.sees("task cancelled", "the server said that the task is cancelled, and later that it is working")
		w.press("esc", "1")
		w.command("tasks")
		w.sees("cancelled, then working")
		w.wait(time.Second)
		w.result(w.last("tasks/list"), `{"tasks":[{`+working+`}]}`)
		w.sees("cancelled; listed: working", "1 listed by the server")
		w.press("x")
		w.sees("the server said before that the task is cancelled: :task and its ID follows it anew")
		w.seesNot("the task has ended")
		w.press("esc", "q")
		w.wait(2 * time.Second)
		w.b.locked(func(s *session.Session, now time.Time) {
			s.Tell(now, session.Closed{Epoch: w.b.epoch, Why: session.Close{ByUs: true}})
		})
		w.settle()
		if told := strings.Join(w.m.Farewell(), "\n"); !strings.Contains(told, `"task-4711" may go on`) {
			t.Errorf("the last lines:\n%s", told)
		}
	})
}

// A task whose ID an earlier one had, which has ended, is cancelled from the list as any other.
func TestAListedTaskWithTheIDOfAnEarlierOne(t *testing.T) {
	requirements.Rows(t, "TSK-21", "TSK-54")
	tasking(t, 100, 30, func(w *harness) {
		working := w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)
		w.result(w.asTask(0), `{"task":{`+working+`}}`)
		w.wait(1100 * time.Millisecond)
		w.result(w.last("tasks/get"), `{`+w.task("task-4711", "completed", `"ttl":null`)+`}`)
		w.result(w.last("tasks/result"), `{"content":[]}`)
		w.sees("done")
		w.result(w.asTask(0), `{"task":{`+working+`}}`)
		w.command("tasks")
		w.result(w.last("tasks/list"), `{"tasks":[{`+working+`}]}`)
		w.sees("x cancel task", "working")
		w.press("x")
		if n := w.got(`"method":"tasks/cancel"`); n != 1 {
			t.Errorf("%d cancels", n)
		}
	})
}
