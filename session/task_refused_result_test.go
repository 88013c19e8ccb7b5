package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// A server that stops a task may answer the tasks/result that waits with an error before it answers
// tasks/cancel. The error tells nothing of the cancel: the row waits for the answer.
func TestTheErrorOfTasksResultBeforeTheAcknowledgement(t *testing.T) {
	requirements.Rows(t, "TSK-44")
	for status, verdict := range map[string]cancel.Verdict{"cancelled": cancel.TaskCancelled, "working": cancel.TaskWorking} {
		r := tasking(t, mcp.Rev20251125)
		id := r.begun()
		r.polled("input_required")
		result := r.wantNext("tasks/result")
		r.cancel(id, "")
		cancelled := r.wantNext("tasks/cancel")
		r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32603,"message":"Task cancelled"}}`, result)
		r.want(id, Cancelling, 0)
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{%s}}`, cancelled, r.object("task-4711", status))
		r.wait(time.Second)
		r.answers("tasks/get", r.object("task-4711", status))
		r.want(id, Cancelled, verdict)
		for _, e := range r.s.CancelEvents() {
			if e.Stage == CancelEnded && e.Note != verdict.String() {
				t.Errorf("the log says %q", e.Note)
			}
		}
		if strings.Contains(r.evidence(id), "nothing") {
			t.Errorf("the evidence is %s", r.evidence(id))
		}
	}
}

// A server that does not know tasks/get tells by tasks/result alone how a task ended, and by the answer to
// tasks/cancel what that did, whichever comes first.
func TestTheErrorOfTasksResultOfAServerWithoutPolls(t *testing.T) {
	requirements.Rows(t, "TSK-44")
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.wait(time.Second)
	r.refuses("tasks/get", mcp.CodeMethodNotFound)
	result := r.wantNext("tasks/result")
	r.cancel(id, "")
	cancelled := r.wantNext("tasks/cancel")
	r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32603,"message":"Task cancelled"}}`, result)
	r.want(id, Cancelling, 0)
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{%s}}`, cancelled, r.object("task-4711", "cancelled"))
	r.want(id, Cancelled, cancel.TaskCancelled)
}

// The error of tasks/result is read by that method where the task is completed: else it may be the
// error that the call itself would have had.
func TestTheMeaningOfTheErrorOfTasksResult(t *testing.T) {
	requirements.Rows(t, "TSK-42", "ERR-01")
	for status, want := range map[string]string{"completed": "task not found, or it has no result", "failed": "unknown tool, or invalid arguments"} {
		r := tasking(t, mcp.Rev20251125)
		id := r.begun()
		r.polled(status)
		r.refuses("tasks/result", mcp.CodeInvalidParams)
		if d, _ := r.s.Detail(id); d.State != Failed || d.ErrText != want {
			t.Errorf("%s: %v, %q", status, d.State, d.ErrText)
		}
	}
}

// An error of tasks/result that comes while the task of a cancelled call goes on, as far as is known, may be
// about tasks/result itself. It is evidence, and no late answer: the outcome is asked for once the task has ended
// otherwise than by the cancel.
func TestAnEarlyErrorOfTasksResultWhileCancelling(t *testing.T) {
	requirements.Rows(t, "TSK-42", "TSK-43")
	const told = `tasks/result was answered with error -32603: "not yet" before anything had told that the task has ended`
	for status, verdict := range map[string]cancel.Verdict{"completed": cancel.TaskCompleted, "cancelled": cancel.TaskCancelled, "working": cancel.TaskWorking} {
		t.Run(status, func(t *testing.T) {
			r := tasking(t, mcp.Rev20251125)
			id := r.begun()
			r.polled("input_required")
			result := r.wantNext("tasks/result")
			r.cancel(id, "")
			cancelled := r.wantNext("tasks/cancel")
			r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32603,"message":"not yet"}}`, result)
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{%s}}`, cancelled, r.object("task-4711", "working"))
			r.wait(time.Second)
			r.answers("tasks/get", r.object("task-4711", status))
			r.want(id, Cancelled, verdict)
			if !strings.Contains(r.evidence(id), told) || strings.Contains(r.evidence(id), "its outcome is") {
				t.Errorf("the evidence is %s", r.evidence(id))
			}
			if d, _ := r.s.Detail(id); d.Late != nil || d.Task.OutcomeAhead {
				t.Errorf("it is taken for the outcome: %+v, %+v", d.Late, d.Task)
			}
			if status != "completed" {
				r.unwritten(200 * time.Millisecond)
				return
			}
			r.answers("tasks/result", `"content":[{"type":"text","text":"42"}],`+related)
			if d, _ := r.s.Detail(id); d.Late == nil || !strings.Contains(string(d.Late.Result), "42") || d.Verdict != verdict {
				t.Errorf("%v, %+v", d.Verdict, d.Late)
			}
		})
	}
}
