package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
)

// A task that is known by its ID alone is called a task, and its ID stands in quotes, as no name
// of a tool does; where the tool is known, the tool stands there: in the row, the detail, the
// list, and the lines after the end.
func TestATaskThatIsPickedUpIsCalledSo(t *testing.T) {
	requirements.Rows(t, "TSK-72", "TSK-75")
	t.Run("by its ID", func(t *testing.T) {
		tasking(t, 100, 30, func(w *harness) {
			w.command("task elsewhere")
			w.sees("asking for the task")
			w.result(w.last("tasks/get"), `{`+w.task("elsewhere", "working", `"ttl":null,"pollInterval":60000`)+`}`)
			w.seesNot("asking for the task")
			if line := w.line("working"); !strings.Contains(line, ` task `) || !strings.Contains(line, `"elsewhere"`) || strings.Contains(line, "tasks/get") {
				t.Errorf("the row reads %s", line)
			}
			w.press("2", "h", "h", "h")
			w.sees(`task "elsewhere"`, "method     tasks/get", `task       "elsewhere"`, "tool       not known")
			w.golden("task-picked-up")
			w.command("tasks")
			w.sees("TOOL")
			if line := w.line(`▌"elsewhere"`); !strings.Contains(line, " - ") {
				t.Errorf("the list reads %s", line)
			}
			w.press("d")
			w.sees(`no longer waiting for #6 task "elsewhere"`)
			w.press("esc", "q")
			if told := strings.Join(w.m.Farewell(), "\n"); !strings.Contains(told, `task "elsewhere" may go on, if it outlives the server's process, of #6`) || strings.Contains(told, "tasks/get") {
				t.Errorf("%s", told)
			}
		})
	})
	t.Run("by its tool", func(t *testing.T) {
		tasking(t, 100, 30, func(w *harness) {
			w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":60000`)+`}}`)
			w.press("d")
			w.command("poll")
			w.sees(`waiting again for the task of #6 tools/call "countdown"`)
			w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":60000`)+`}`)
			if line := w.line("working"); !strings.Contains(line, "task  ") || !strings.Contains(line, "countdown") || strings.Contains(line, "4711") {
				t.Errorf("the row reads %s", line)
			}
			w.press("2", "h", "h", "h")
			w.sees(`task "countdown"`, `task       "task-4711"`, "tool       countdown")
		})
	})
}

// A task that goes on after the user stopped waiting for it still waits for the answer to its
// request of 2025-11-25, which may be given: the panel says for whom.
func TestAQuestionOfATaskThatIsNotWaitedForAnyMore(t *testing.T) {
	requirements.Rows(t, "CXS-24", "CXL-38")
	tasking(t, 100, 30, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null,"pollInterval":1000`)+`}}`)
		w.wait(1100 * time.Millisecond)
		w.result(w.last("tasks/get"), `{`+w.task("task-4711", "input_required", `"ttl":null,"pollInterval":60000`)+`}`)
		w.feed(`{"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{"message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}},` +
			`"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-4711"}}}}`)
		w.quiet()
		w.write("precious")
		w.press("ctrl+l", "d")
		w.sees("no longer waiting for", "1 asks you")
		w.press("!")
		w.sees("you stopped waiting for the task of #6", "waits for this answer", "precious", "ctrl+s send")
		w.seesNot("nobody may be waiting", "has ended")
		w.press("ctrl+s")
		if w.got(`"id":"ask-1","result":{"action":"accept","content":{"name":"precious"},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-4711"}}}`) != 1 {
			t.Errorf("%v", w.b.wrote)
		}
	})
}

// What was typed for a task is not lost where nothing answers it, and the panel says what is
// known of it.
func TestAnAnswerToATaskThatNothingAnswers(t *testing.T) {
	requirements.Rows(t, "TEX-32")
	extending(t, 100, 30, func(w *harness) {
		w.asExtensionTask("task-1")
		w.taskAsks("name", "Your name?")
		w.quiet()
		w.write("precious")
		w.press("ctrl+s")
		w.seesNot("precious")
		w.wait(31 * time.Second)
		w.quiet()
		w.sees("whether your answer arrived is not known: it took too long", "Your name?", "precious", "ctrl+s send")
		w.seesNot("not accepted")
		w.wait(5 * time.Second) // the poll brought nothing either, and is made again
		w.result(w.last("tasks/get"), `{"resultType":"complete",`+w.task("task-1", "working", `"ttlMs":null,"pollIntervalMs":60000`)+`}`)
		w.sees("the task asks for it no more, so your answer may have arrived", "precious", "your answer may have arrived, or not · esc dismisses")
		w.seesNot("nothing was sent")
	})
	extending(t, 100, 30, func(w *harness) { // and then the server has ended
		w.asExtensionTask("task-1")
		w.taskAsks("name", "Your name?")
		w.quiet()
		w.write("precious")
		w.press("ctrl+s")
		w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 3"}})
		w.wait(100 * time.Millisecond)
		w.press("!")
		w.sees("whether your answer arrived is not known", "precious", "your answer may have arrived, or not · esc dismisses")
	})
}

// The subscription by which belay hears of tasks is belay's own affair, whether it stands or is
// refused: its row is folded away.
func TestTheSubscriptionToTasksIsFoldedAway(t *testing.T) {
	requirements.Rows(t, "TEX-45", "TEX-46")
	for name, end := range map[string]func(w *harness, sub int){
		"it stands": func(w *harness, sub int) {
			w.feed(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"taskIds":["task-1"]},"_meta":{"io.modelcontextprotocol/subscriptionId":%d}}}`, sub)
		},
		"it is refused": func(w *harness, sub int) {
			w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32601,"message":"no such method"}}`, sub)
		},
	} {
		t.Run(name, func(t *testing.T) {
			extending(t, 100, 30, func(w *harness) {
				w.asExtensionTask("task-1")
				end(w, w.last("subscriptions/listen"))
				w.wait(500 * time.Millisecond)
				w.sees("requests by belay itself")
				w.seesNot("subscript", "failed")
				w.press("b")
				w.sees("subscript")
				w.seesNot("failed")
			})
		})
	}
}

// Whether belay asks the server to tell of tasks is the user's to say, and a test of the server
// shows whether it refuses what does not declare the extension.
func TestTheCommandsOfTheExtension(t *testing.T) {
	requirements.Rows(t, "TEX-43", "TEX-45", "TEX-49")
	extending(t, 100, 30, func(w *harness) {
		w.asExtensionTask("task-1")
		sub := w.last("subscriptions/listen")
		w.feed(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"taskIds":["task-1"]},"_meta":{"io.modelcontextprotocol/subscriptionId":%d}}}`, sub)
		w.command("hear")
		w.sees("tasks are polled alone")
		if w.got(`notifications/cancelled`) != 1 {
			t.Errorf("%v", w.b.wrote)
		}
		w.command("hear")
		w.sees("the server is asked to tell of tasks")
		if w.last("subscriptions/listen") == sub {
			t.Error("the server is not asked again")
		}
		w.command("task-check")
		w.sees("the server must refuse both requests")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32021,"message":"no"}}`, w.last("tasks/get"))
		w.result(w.last("tasks/update"), `{"resultType":"complete"}`)
		w.press("g")
		w.press("2", "h", "h", "h")
		w.sees("did not declare the extension of tasks", "-32021: it was served")
		w.press("1", "j")
		w.sees("as it must be")
	})
	extending(t, 140, 30, func(w *harness) { // a server that refuses is said to do so, each time
		w.asExtensionTask("task-1")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32021,"message":"no","data":{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}`, w.last("subscriptions/listen"))
		w.clearStatus()
		w.command("hear")
		w.sees("the server is asked to tell of tasks")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32601,"message":"`+hostileTask+`"}}`, w.last("subscriptions/listen"))
		w.sees("the server takes no subscription to its tasks: belay polls them · error -32601")
		w.seesNot("is asked to tell of tasks")
	})
	tasking(t, 100, 30, func(w *harness) {
		for _, name := range []string{"hear", "task-check"} {
			w.command(name)
			w.seesNot("polled alone", "must refuse")
		}
	})
}
