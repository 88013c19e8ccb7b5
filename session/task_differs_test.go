package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// A task of 2025-11-25 that the server calls failed is no success, also where its outcome is the result
// of a tool that says nothing of an error: the row says both, and that they disagree.
func TestAFailedTaskWithAResultIsNoSuccess(t *testing.T) {
	requirements.Rows(t, "TSK-42", "TSK-66", "TSK-67")
	const plain, says = `"content":[{"type":"text","text":"42"}],`, "the server says that the task is failed, and its outcome is a result that says no isError"
	for name, tt := range map[string]struct {
		status, outcome string
		state           State
		note            string
		told            int
	}{
		"failed, with a result":        {"failed", plain, Failed, says, 1},
		"failed, with isError false":   {"failed", plain + `"isError":false,`, Failed, says, 1},
		"failed, with isError":         {"failed", plain + `"isError":true,`, Failed, "", 0},
		"completed, with a result":     {"completed", plain, Done, "", 0},
		"completed, with isError true": {"completed", plain + `"isError":true,`, Failed, "the server says that the task is completed, and its outcome is a result that says isError", 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := tasking(t, mcp.Rev20251125)
			id := r.begun()
			r.polled(tt.status, `"statusMessage":"the disk is full"`)
			r.answers("tasks/result", tt.outcome+related)
			d, _ := r.s.Detail(id)
			if d.State != tt.state || d.Note != tt.note || !strings.Contains(string(d.Result), "42") || d.Task.Status.String() != tt.status {
				t.Errorf("%v, %q, %s, %v", d.State, d.Note, d.Result, d.Task.Status)
			}
			r.wantDiag(mcp.DiagTaskDiffers, tt.told)
		})
	}
}

// The same is told where it is seen otherwise: in the answer to a tasks/result that was held back, before
// a poll tells the status, and after a cancel. It is told once, no end of a row changes, and the row is shown as no success.
func TestStatusAndOutcomeOfATaskDisagreeInAnyOrder(t *testing.T) {
	requirements.Rows(t, "TSK-61", "TSK-67")
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.polled("input_required")
	r.answers("tasks/result", `"content":[],`+related)
	r.want(id, Done, cancel.NoVerdict)
	r.wantDiag(mcp.DiagTaskDiffers, 0)
	r.recv(`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{%s}}`, r.object("task-4711", "failed"))
	r.polled("failed")
	r.want(id, Done, cancel.NoVerdict)
	if row := r.row(id); row.Shown() != Failed {
		t.Errorf("shown as %v", row.Shown())
	}
	r.wantDiag(mcp.DiagTaskDiffers, 1)

	r = tasking(t, mcp.Rev20251125)
	id = r.begun()
	r.cancel(id, "")
	r.answers("tasks/cancel", r.object("task-4711", "working"))
	r.polled("failed", `"statusMessage":"broken"`)
	r.answers("tasks/result", `"content":[],`+related)
	if d, _ := r.s.Detail(id); d.State != Cancelled || d.Verdict != cancel.TaskFailed || d.Late == nil {
		t.Errorf("%v, %v, %+v", d.State, d.Verdict, d.Late)
	}
	r.wantDiag(mcp.DiagTaskDiffers, 1)
}

// Nor do completed and an error go together, unless that may be about tasks/result itself. The call ends
// with its error in any case.
func TestACompletedTaskWithAnError(t *testing.T) {
	requirements.Rows(t, "TSK-42")
	for code, told := range map[int]int{-32000: 1, mcp.CodeInternal: 1, mcp.CodeInvalidParams: 0, mcp.CodeMethodNotFound: 0} {
		r := tasking(t, mcp.Rev20251125)
		id := r.begun()
		r.polled("completed")
		r.refuses("tasks/result", code)
		d, _ := r.s.Detail(id)
		if says := strings.Contains(d.Note, "the server says that the task is completed, and its outcome is an error"); d.State != Failed || d.Err == nil || says != (told == 1) {
			t.Errorf("%d: %v, %q, %+v", code, d.State, d.Note, d.Err)
		}
		r.wantDiag(mcp.DiagTaskDiffers, told)

		r = tasking(t, mcp.Rev20251125)
		id = r.begun()
		r.cancel(id, "")
		r.answers("tasks/cancel", r.object("task-4711", "working"))
		r.polled("completed")
		r.refuses("tasks/result", code)
		r.want(id, Cancelled, cancel.TaskCompleted)
		if says := strings.Contains(r.evidence(id), "the server says that the task is completed, and its outcome is an error"); says != (told == 1) {
			t.Errorf("%d: %s", code, r.evidence(id))
		}
		r.wantDiag(mcp.DiagTaskDiffers, told)
	}
}

// A task that nobody cancelled has no outcome if the server calls it cancelled. What comes of one that belay
// has had cancelled may be as far as the work came.
func TestACancelledTaskWithAResult(t *testing.T) {
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.polled("input_required")
	r.answers("tasks/result", `"content":[],`+related)
	r.polled("cancelled")
	r.want(id, Done, cancel.NoVerdict)
	if row := r.row(id); row.Shown() != Failed || row.Note != "the server says that the task is cancelled, and its outcome is a result that says no isError" {
		t.Errorf("%q", row.Note)
	}
	r.wantDiag(mcp.DiagTaskDiffers, 1)

	r = tasking(t, mcp.Rev20251125)
	id = r.begun()
	r.polled("input_required")
	held := r.wantNext("tasks/result")
	r.cancel(id, "")
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[],%s}}`, held, related)
	r.ack()
	r.want(id, Cancelled, cancel.TaskCancelled)
	r.wantDiag(mcp.DiagTaskDiffers, 0)
}

// The row of a call that its outcome has ended says so where a poll finds the task at work after that, or
// with a status that does not go with it. Until then it is known that no status has told the end.
func TestTheRowOfAnEarlyOutcomeSaysSo(t *testing.T) {
	requirements.Rows(t, "TSK-43")
	for status, says := range map[string]string{
		"working":   "the outcome came before the task had ended: tasks/get says working after it",
		"completed": "",
		"failed":    "the server says that the task is failed, and its outcome is a result that says no isError",
	} {
		r := tasking(t, mcp.Rev20251125)
		id := r.begun()
		r.polled("input_required")
		r.answers("tasks/result", `"content":[],`+related)
		row := r.row(id)
		if row.State != Done || row.Note != "" || !row.Task.OutcomeAhead || row.Task.NextPoll.IsZero() {
			t.Errorf("%v, %q, %+v", row.State, row.Note, row.Task.View)
		}
		r.polled(status)
		want := map[string]State{"working": Done, "completed": Done, "failed": Failed}[status]
		if row = r.row(id); row.State != Done || row.Shown() != want || row.Note != says || row.Task.OutcomeAhead {
			t.Errorf("%s: %v, %q, %+v", status, row.State, row.Note, row.Task.View)
		}
		if n := r.diag(mcp.DiagTaskEarly); (n == 1) != (status == "working") {
			t.Errorf("%s: told %d times", status, n)
		}
	}
}

// A poll after an early outcome that tells no status says nothing of it: the status of before is none that
// was told after it, and the end of the task is not told.
func TestAPollThatTellsNothingAfterAnEarlyOutcome(t *testing.T) {
	requirements.Rows(t, "TSK-43")
	for what, tell := range map[string]func(r *taskRig){
		"a word that is no status":       func(r *taskRig) { r.polled("weird") },
		"the task is not known (-32602)": func(r *taskRig) { r.wait(5 * time.Second); r.refuses("tasks/get", mcp.CodeInvalidParams) },
	} {
		r := tasking(t, mcp.Rev20251125)
		id := r.begun()
		r.polled("input_required")
		r.answers("tasks/result", `"content":[],`+related)
		tell(r)
		if row := r.row(id); row.State != Done || strings.Contains(row.Note, "input_required") || !row.Task.OutcomeAhead {
			t.Errorf("%s: %v, %q, %+v", what, row.State, row.Note, row.Task.View)
		}
		r.wantDiag(mcp.DiagTaskEarly, 0)
	}
}

// How a call is shown that ran as a task does not depend on the message that tells the end of the task, nor on
// which comes first, that or the outcome.
func TestStatusAndOutcomeOfATaskEndItsRowAlikeInAnyOrder(t *testing.T) {
	requirements.Rows(t, "TSK-42", "TSK-66", "TSK-67")
	outcomes := map[string]string{
		"a result":              `"result":{"content":[],` + related + `}`,
		"a result with isError": `"result":{"content":[],"isError":true,` + related + `}`,
		"an error":              `"error":{"code":-32603,"message":"broken"}`,
	}
	orders := []string{"poll, result", "notification, result, poll", "notification, poll, result", "result, poll", "result, notification, poll"}
	for _, status := range []string{"completed", "failed", "cancelled"} {
		for name, outcome := range outcomes {
			want := Failed
			if status == "completed" && name == "a result" {
				want = Done
			}
			for _, order := range orders {
				r := tasking(t, mcp.Rev20251125)
				id := r.begun()
				r.polled("input_required")
				held := r.wantNext("tasks/result")
				answered := false
				for _, what := range append(strings.Split(order, ", "), "poll", "poll") {
					switch what {
					case "result":
						r.recv(`{"jsonrpc":"2.0","id":%v,%s}`, held, outcome)
						answered = true
					case "notification":
						r.recv(`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{%s}}`, r.object("task-4711", status, `"statusMessage":"so"`))
					case "poll":
						r.wait(time.Second)
						for r.n < len(r.lines) {
							switch method, wire := r.next(); {
							case method == "tasks/get":
								r.answersTo(wire, r.object("task-4711", status, `"statusMessage":"so"`))
							case method == "tasks/result" && answered: // once more, as an error was in doubt
								r.recv(`{"jsonrpc":"2.0","id":%v,%s}`, wire, outcome)
							}
						}
					}
				}
				if row := r.row(id); row.Shown() != want {
					t.Errorf("%s, %s, in the order %s: %v, %q", status, name, order, row.State, row.Note)
				}
			}
		}
	}
}

// In the extension status and outcome come in one message. Where they do not go together the row says so,
// and after a cancel the evidence does; the error of a tool is what a task is completed with.
func TestStatusAndOutcomeOfATaskDisagreeInOneMessage(t *testing.T) {
	requirements.Rows(t, "TEX-21")
	for name, tt := range map[string]struct {
		status, outcome, says string
		state                 State
		verdict               cancel.Verdict
	}{
		"completed, with an error": {
			"completed", `"error":{"code":-32602,"message":"no wind"}`,
			"the server says that the task is completed, and its outcome is an error", Failed, cancel.TaskCompleted,
		},
		"failed, with a result": {
			"failed", `"statusMessage":"no wind","result":{"content":[]}`,
			"the server says that the task is failed, and its outcome is a result that says no isError", Failed, cancel.TaskFailed,
		},
		"completed, with the error of a tool": {"completed", `"result":{"content":[],"isError":true}`, "", Failed, cancel.TaskCompleted},
		"completed":                           {"completed", `"result":{"content":[]}`, "", Done, cancel.TaskCompleted},
		"failed":                              {"failed", `"statusMessage":"no wind","error":{"code":-32603,"message":"no wind"}`, "", Failed, cancel.TaskFailed},
	} {
		wrong := 0
		if tt.says != "" {
			wrong = 1
		}
		r := tasking(t, mcp.Rev20260728)
		id := r.begun()
		r.polled(tt.status, tt.outcome)
		if row := r.row(id); row.State != tt.state || row.Note != tt.says {
			t.Errorf("%s: %v, %q", name, row.State, row.Note)
		}
		r.wantDiag(mcp.DiagTaskShape, wrong)

		r = tasking(t, mcp.Rev20260728)
		id = r.begun()
		r.cancel(id, "")
		r.ack()
		r.polled(tt.status, tt.outcome)
		r.want(id, Cancelled, tt.verdict)
		words := r.evidence(id)
		if tt.says != "" && !strings.Contains(words, tt.says) || tt.says == "" && strings.Contains(words, "its outcome is") {
			t.Errorf("%s: %s", name, words)
		}
		if d, _ := r.s.Detail(id); d.Late == nil {
			t.Errorf("%s: the outcome is not shown", name)
		}
		r.wantDiag(mcp.DiagTaskShape, wrong)
		r.wantDiag(mcp.DiagTaskDiffers, 0)
	}
}
