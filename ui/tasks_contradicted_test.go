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
		w.sees("cancelled; listed: working", "1 listed by the server, in 1 page")
		w.seesNot("ago")
		w.wait(12 * time.Second)
		w.sees("in 1 page, 12 s ago · r asks anew")
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

// A question of a task is told to be of a cancelled one also where another row of the task was cancelled, and closes
// with the end of the task that another row has.
func TestAQuestionOfATaskThatAnotherRowCancels(t *testing.T) {
	requirements.Rows(t, "CXS-24", "TEX-61")
	for _, ends := range []bool{false, true} {
		tasking(t, 100, 30, func(w *harness) {
			asking := w.task("task-4711", "input_required", `"ttl":null,"pollInterval":60000`)
			w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)+`}}`)
			w.wait(1100 * time.Millisecond)
			w.result(w.last("tasks/get"), `{`+asking+`}`)
			w.feed(`{"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{"message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}},` +
				`"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-4711"}}}}`)
			w.quiet()
			w.write("precious")
			w.press("ctrl+l", "d")
			w.command("task task-4711")
			if ends {
				w.result(w.last("tasks/get"), `{`+w.task("task-4711", "completed", `"ttl":null`)+`}`)
				w.result(w.last("tasks/result"), `{"content":[]}`)
				w.press("!")
				w.sees("precious", "the task has ended", "nothing was sent")
				return
			}
			w.result(w.last("tasks/get"), `{`+asking+`}`)
			w.press("x")
			w.result(w.last("tasks/cancel"), `{`+w.task("task-4711", "cancelled", `"ttl":null`)+`}`)
			w.press("!")
			w.sees("you cancelled the task of #6", "the server has not taken it back")
			w.seesNot("waits for this answer", "goes on, as far as is known")
		})
	}
}

// The status of a cancelled task that is none is told as one, in the list and in the sentence of the verdict.
func TestAStatusThatIsNoneAfterACancel(t *testing.T) {
	requirements.Rows(t, "TSK-54", "TSK-62")
	tasking(t, 100, 30, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)+`}}`)
		w.press("x")
		w.result(w.last("tasks/cancel"), `{`+w.task("task-4711", "stopping", `"ttl":null,"pollInterval":1000`)+`}`)
		for range 3 {
			w.wait(2 * time.Second)
			w.result(w.last("tasks/get"), `{`+w.task("task-4711", "stopping", `"ttl":null,"pollInterval":1000`)+`}`)
		}
		w.wait(time.Second)
		w.press("2", "G")
		w.sees("tells no status of the task that the specification", `knows: "stopping"`)
		w.press("esc", "1")
		w.command("tasks")
		w.sees(`"stopping"`)
		w.seesNot("#6    working")
	})
}
