package ui

import (
	"testing"
	"time"

	"belay/internal/covers"
)

// What a task asks after the user has cancelled it takes no key: it is announced as such, and opened by
// the user alone, where it is said to belong to a task that was cancelled.
func TestAQuestionOfACancelledTaskOpensByNoOtherKey(t *testing.T) {
	covers.Rows(t, "TEX-61", "SEC-31")
	later := func(w *harness) {
		t.Helper()
		w.wait(100 * time.Millisecond)
		w.seesNot("Your name?", "no key is taken")
		w.sees("a cancelled task asks you: elicitation/create · ! shows it", "1 asks you · !")
		w.press("j", "k", "2", "1")
		w.seesNot("Your name?")
		w.press("!")
		w.sees("Your name?", "you cancelled the task of #", "which it was for")
	}
	asks := func(w *harness) {
		w.feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}},` +
			`"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-1"}}}}`)
	}
	extending(t, 100, 30, func(w *harness) {
		w.asExtensionTask("task-1")
		w.press("x")
		w.result(w.last("tasks/cancel"), `{"resultType":"complete"}`)
		w.taskAsks("name", "Your name?")
		later(w)
	})
	tasking(t, 100, 30, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-1", "working", `"ttl":null,"pollInterval":1000`)+`}}`)
		w.press("x")
		asks(w)
		later(w)
	})
	// It does not come up behind another question that is answered either.
	tasking(t, 100, 30, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-1", "working", `"ttl":null,"pollInterval":1000`)+`}}`)
		w.press("x")
		asks(w)
		w.asksForm("q2", "Which branch?")
		w.quiet()
		w.sees("Which branch?")
		w.press("esc")
		w.seesNot("asks you to fill in a form", "Your name?")
	})
}
