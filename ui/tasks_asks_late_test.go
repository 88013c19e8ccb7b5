package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/ui/question"
)

// What a task asks after the user has cancelled it takes no key: it is announced as such, and opened by
// the user alone, where it is said to belong to a task that was cancelled.
func TestAQuestionOfACancelledTaskOpensByNoOtherKey(t *testing.T) {
	requirements.Rows(t, "TEX-61", "SEC-31")
	later := func(w *harness) {
		t.Helper()
		w.wait(100 * time.Millisecond)
		w.seesNot("Your name?", "no key is taken")
		w.sees("a cancelled task asks you: elicitation/create · ! shows it", "1 asks you · !")
		w.press("j", "k", "2", "1")
		w.seesNot("Your name?")
		w.press("!")
		w.sees("Your name?", "came after you cancelled the task of #", "it was for; the server has not taken it back")
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

// A model's answer that belay gives by itself has a cancelled task go on: what such a task asks is left
// to the user, who is told why.
func TestACancelledTaskIsNotAnsweredAutomatically(t *testing.T) {
	requirements.Rows(t, "SMP-34", "TSK-26")
	const related = `"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-1"}}`
	hello := sayHello + `,"maxTokens":9`
	left := func(w *harness) {
		t.Helper()
		w.wait(100 * time.Millisecond)
		w.sees("AUTO does not answer: came after the cancel of its task · ! shows it", "1 asks you · !")
		w.press("!")
		w.sees("to answer for a model", "came after you cancelled the task of #", "it was for; the server has not taken it back", "esc dismiss")
	}
	tasking(t, 100, 30, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-1", "working", `"ttl":null,"pollInterval":1000`)+`}}`)
		w.command("sampling echo")
		w.asksModel("q0", hello+","+related)
		w.wait(100 * time.Millisecond)
		w.gets(`"id":"q0","result":{"role":"assistant"`) // the task is at work
		w.press("x")
		w.asksModel("q1", hello+","+related)
		left(w)
		w.getsNothingFor("q1")
		w.press("esc")
		w.gets(`"id":"q1","error":{"code":-1,"message":"User rejected sampling request"`)
	})
	extending(t, 100, 30, func(w *harness) {
		w.asExtensionTask("task-1")
		w.command("sampling echo")
		w.press("x")
		w.result(w.last("tasks/cancel"), `{"resultType":"complete"}`)
		w.wait(1100 * time.Millisecond)
		w.result(w.last("tasks/get"), `{"resultType":"complete",`+w.task("task-1", "input_required", `"ttlMs":null,"pollIntervalMs":1000,"inputRequests":{"k":{"method":"sampling/createMessage","params":{`+hello+`}}}`)+`}`)
		left(w)
		if n := w.got("tasks/update"); n != 0 {
			t.Errorf("%d answers", n)
		}
	})
}

// A large request is read beside the screen. Where its task is cancelled meanwhile, it is not answered
// either.
func TestATaskIsCancelledWhileBelayMakesItsAnswer(t *testing.T) {
	requirements.Rows(t, "SMP-34")
	large := `"messages":[{"role":"user","content":{"type":"text","text":"` + strings.Repeat("Say hello. ", question.ParamsAtOnce/10) + `"}}],"maxTokens":90000`
	tasking(t, 100, 30, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task("task-1", "working", `"ttl":null,"pollInterval":1000`)+`}}`)
		w.command("sampling echo")
		overtaken := false
		w.turn = func(what string, update func()) {
			if what == "question.cannedMsg" {
				overtaken = true
				x, _ := w.m.keys.Named("cancel request")
				w.m.run(x, "")
				w.m.Update(nil)
			}
			update()
		}
		w.asksModel("q1", large+`,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-1"}}`)
		if !overtaken || w.got("tasks/cancel") == 0 {
			t.Fatalf("the task is not cancelled meanwhile: %v", overtaken)
		}
		w.sees("AUTO does not answer: its task was cancelled meanwhile · ! shows it")
		w.getsNothingFor("q1")
	})
}
