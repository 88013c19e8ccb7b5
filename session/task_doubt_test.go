package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// An error that answers tasks/result while the task goes on, as far as is known, may be its outcome: the server
// waited, as it must, and the task has failed. The next poll tells that, and then the same answer is the outcome.
func TestAnErrorOfTasksResultThatIsTheOutcome(t *testing.T) {
	requirements.Rows(t, "TSK-42", "TSK-44")
	for status, errText := range map[string]string{"failed": "unknown tool, or invalid arguments", "completed": "task not found, or it has no result"} {
		r := tasking(t, mcp.Rev20251125)
		id := r.begun()
		r.polled("input_required")
		r.refuses("tasks/result", mcp.CodeInvalidParams)
		r.want(id, Running, cancel.NoVerdict)
		r.polled(status)
		r.want(id, Running, cancel.NoVerdict)
		r.refuses("tasks/result", mcp.CodeInvalidParams)
		d, _ := r.s.Detail(id)
		if d.State != Failed || d.Err == nil || d.Err.Code != mcp.CodeInvalidParams || d.ErrText != errText {
			t.Errorf("%s: %v, %+v, %q", status, d.State, d.Err, d.ErrText)
		}
		r.wantDiag(mcp.DiagTaskEarly, 0)
		if n := r.sent("tasks/result"); n != 2 {
			t.Errorf("%s: the outcome is asked for %d times", status, n)
		}
	}
}

// Where the poll says that the task goes on, the error was about tasks/result itself: nothing has ended,
// the question stays open, and the outcome is fetched once the task has ended.
func TestAnErrorOfTasksResultThatIsNoOutcome(t *testing.T) {
	requirements.Rows(t, "TSK-42", "TSK-43", "TSK-35")
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.polled("input_required")
	r.recv(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"how many?","requestedSchema":{"type":"object","properties":{}},%s}}`, related)
	result := r.wantNext("tasks/result")
	r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32602,"message":"Task not completed yet (current state: input_required)"}}`, result)
	open := func() {
		t.Helper()
		r.want(id, Running, cancel.NoVerdict)
		for _, q := range r.s.Questions() {
			if q.State != Waiting {
				t.Errorf("the question is %v, %q", q.State, q.Closed)
			}
		}
		if n := len(r.s.Questions()); n != 1 {
			t.Errorf("%d questions", n)
		}
	}
	open()
	statuses, early := []string{"input_required", "input_required", "working", "completed"}, 0
	for range 100 {
		switch method, wire := r.next(); {
		case method == "tasks/get" && len(statuses) > 0:
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{%s}}`, wire, r.object("task-4711", statuses[0]))
			if statuses = statuses[1:]; len(statuses) > 0 {
				open()
			}
		case method == "tasks/result" && len(statuses) > 0:
			early++
			r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32602,"message":"Task not completed yet"}}`, wire)
			open()
		case method == "tasks/result":
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[{"type":"text","text":"42"}],%s}}`, wire, related)
		case method != "":
			t.Fatal(method)
		case r.row(id).State == Running:
			r.wait(time.Second)
		}
	}
	if d, _ := r.s.Detail(id); d.State != Done || !strings.Contains(string(d.Result), "42") || early == 0 {
		t.Errorf("%v, %s; asked %d times before the end", d.State, d.Result, early)
	}
	r.wantDiag(mcp.DiagTaskEarly, 1)
}

// The task may vanish before a poll tells: the error is all that was told of its end.
func TestAnErrorOfTasksResultOfATaskThatVanishes(t *testing.T) {
	requirements.Rows(t, "TSK-42")
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.polled("input_required")
	r.refuses("tasks/result", -32603)
	r.wait(time.Second)
	r.refuses("tasks/get", mcp.CodeInvalidParams)
	if d, _ := r.s.Detail(id); d.State != Failed || d.Err == nil || d.Err.Code != -32603 {
		t.Errorf("%v, %+v", d.State, d.Err)
	}
}

// A result in the place of the error is no outcome of a failed task of the extension, and is shown.
func TestAFailedTaskOfTheExtensionWithAResult(t *testing.T) {
	requirements.Rows(t, "TEX-21")
	r := tasking(t, mcp.Rev20260728)
	id := r.begun()
	r.polled("failed", `"result":{"content":[{"type":"text","text":"42"}]}`)
	d, _ := r.s.Detail(id)
	if d.State != Failed || !strings.Contains(string(d.Result), "42") || d.Note != failedWithResult {
		t.Errorf("%v, %s, %q", d.State, d.Result, d.Note)
	}
	r = tasking(t, mcp.Rev20260728)
	id = r.begun()
	r.cancel(id, "")
	r.ack()
	r.polled("failed", `"result":{"content":[{"type":"text","text":"42"}]}`)
	if d, _ := r.s.Detail(id); d.Verdict != cancel.TaskFailed || d.Late == nil || !strings.Contains(string(d.Late.Result), "42") {
		t.Errorf("%v, %+v", d.Verdict, d.Late)
	}
}
