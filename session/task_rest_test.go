package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
)

// said are the texts of the timeline of a call, each behind how long after the call it stands.
func (r *taskRig) said(id CallID) string {
	r.t.Helper()
	d, ok := r.s.Detail(id)
	if !ok {
		r.t.Fatal("the call is not kept")
	}
	var all strings.Builder
	for _, m := range d.Timeline {
		all.WriteString(m.At.Sub(d.Created).String() + " " + m.Text + "\n")
	}
	return all.String()
}

func (r *taskRig) saysOf(id CallID, texts ...string) {
	r.t.Helper()
	for _, text := range texts {
		if said := r.said(id); !strings.Contains(said, text) {
			r.t.Errorf("the timeline lacks %q:\n%s", text, said)
		}
	}
}

// When the handle came is told, and what the server says until the outcome comes.
func TestTheAnswerThatCreatesATask(t *testing.T) {
	requirements.Rows(t, "TSK-16", "TSK-17")
	r := tasking(t, mcp.Rev20251125)
	id, wire := r.wished()
	r.wait(700 * time.Millisecond)
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"task":{%s},"_meta":{"io.modelcontextprotocol/model-immediate-response":"it may \u001b[31mtake\n a while"}}}`, wire, r.object("task-4711", "working"))
	r.saysOf(id, `700ms runs as task "task-4711"`, "the server says")
}

// A server that says that a task has failed says why; one that does not is told of, once.
func TestATaskThatFailsWithoutAWord(t *testing.T) {
	requirements.Rows(t, "TSK-66", "TEX-51")
	for name, message := range map[string]string{"with a word": `,"statusMessage":"no wind"`, "without": ""} {
		everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
			id := r.begun()
			more := []string{`"error":{"code":-32603,"message":"broken"}` + message}
			r.polled("failed", more...)
			if !r.modern() {
				r.refuses("tasks/result", mcp.CodeInternal)
			}
			found := 0
			for _, d := range r.s.Diagnostics() {
				if d.Code == mcp.DiagTaskShape && strings.Contains(d.Detail, "statusMessage") {
					found += d.Count
				}
			}
			if (found == 1) != (message == "") || found > 1 {
				t.Errorf("%s: told %d times", name, found)
			}
			if row := r.row(id); row.State != Failed || message != "" && row.Task.Message != "no wind" {
				t.Errorf("%s: %v, %q", name, row.State, row.Task.Message)
			}
		})
	}
	r := tasking(t, mcp.Rev20260728)
	r.begun()
	r.polled("failed", `"statusMessage":"no wind"`)
	r.wantDiag(mcp.DiagTaskOutcome, 1)
}

// The error of a tool: in 2025-11-25 the task has failed, and its result tells why; in the
// extension it is completed, and the row says that the tool failed.
func TestATaskWhoseToolFails(t *testing.T) {
	requirements.Rows(t, "TSK-67", "TEX-50", "TEX-10")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		const result = `"isError":true,"content":[{"type":"text","text":"the mast broke"}]`
		status := task.Failed
		if r.modern() {
			status = task.Completed
			r.polled("completed", `"result":{"resultType":"complete",`+result+`}`)
		} else {
			r.polled("failed", `"statusMessage":"it broke"`)
			r.answers("tasks/result", result+`,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-4711"}}`)
		}
		d, _ := r.s.Detail(id)
		if d.State != Failed || !d.ToolError || d.Task.Status != status || !strings.Contains(string(d.Result), "the mast broke") {
			t.Errorf("%v, by the tool: %v, task %v: %s", d.State, d.ToolError, d.Task.Status, d.Result)
		}
		r.saysOf(id, "runs as task", "task "+status.String()+", in tasks/get")
	})
	r := tasking(t, mcp.Rev20260728) // which calls the error of a tool a failure of the task
	id := r.begun()
	r.polled("failed", `"statusMessage":"it broke","result":{"resultType":"complete","isError":true,"content":[{"type":"text","text":"the mast broke"}]}`)
	if d, _ := r.s.Detail(id); d.State != Failed || !d.ToolError || !strings.Contains(string(d.Result), "the mast broke") {
		t.Errorf("%v, by the tool: %v: %s", d.State, d.ToolError, d.Result)
	}
	r.wantDiag(mcp.DiagTaskShape, 1)
	r.wantDiag(mcp.DiagTaskOutcome, 0)
}

// What was known of a task last stays, also where the server deletes a task that is cancelled.
func TestACancelledTaskIsDeleted(t *testing.T) {
	requirements.Rows(t, "TSK-64", "TSK-63")
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.polled("working", `"statusMessage":"half of it is done"`)
	r.cancel(id, "")
	r.answers("tasks/cancel", r.object("task-4711", "cancelled", `"statusMessage":"half of it was done"`))
	r.wait(time.Second)
	r.refuses("tasks/get", mcp.CodeInvalidParams)
	row := r.row(id)
	if row.State != Cancelled || row.Verdict != cancel.TaskCancelled || row.Task.Status != task.Cancelled || row.Task.Message != "half of it was done" {
		t.Errorf("%v · %v: %+v", row.State, row.Verdict, row.Task)
	}
	if n := len(r.s.Diagnostics()); n != 0 {
		t.Errorf("that is no fault: %+v", r.s.Diagnostics())
	}
}

// A server that has enough tasks says so in its own words.
func TestATaskTooMany(t *testing.T) {
	requirements.Rows(t, "TSK-79")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		for i := range 4 {
			_, wire := r.wished()
			r.handle(wire, "task-471"+string(rune('a'+3*i)), `"statusMessage":"x"`)
		}
		id, wire := r.wished()
		r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32603,"message":"four tasks at a time, please"}}`, wire)
		d, _ := r.s.Detail(id)
		if d.State != Failed || d.Task != nil || d.Err == nil || d.Err.Message != "four tasks at a time, please" {
			t.Errorf("%v: %+v", d.State, d.Err)
		}
		if n := r.s.Status().Tasks; n != 4 {
			t.Errorf("%d tasks go on", n)
		}
	})
}

// Which methods may be answered by a task is a table: another line of it is all that it takes.
func TestMethodsThatRunAsTasks(t *testing.T) {
	requirements.Rows(t, "TEX-07", "TEX-05")
	for _, takes := range []bool{false, true} {
		r := tasking(t, mcp.Rev20260728)
		if takes {
			taskMethods["prompts/get"] = true
			defer delete(taskMethods, "prompts/get")
		}
		id, wire := r.made(CallSpec{Method: "prompts/get", Params: []byte(`{"name":"p"}`)})
		r.handle(wire, "task-4711")
		if row := r.row(id); (row.Task != nil) != takes || (row.State == Running) != takes {
			t.Errorf("in the table %v: %v, %+v", takes, row.State, row.Task)
		}
	}
}

// A wish that is written by hand leaves as it is, also where no task may be created, and the row
// says what is wrong with it. So it does of methods that the extension reserves.
func TestTasksWrittenByHand(t *testing.T) {
	requirements.Rows(t, "TSK-03", "TEX-58")
	for _, c := range []struct{ name, method, params, note string }{
		{"a wish", "tools/call", `{"name":"t","arguments":{},"task":{}}`, "as you wrote it, although the server does not declare tasks.requests.tools.call"},
		{"no wish", "tools/call", `{"name":"t","arguments":{}}`, ""},
		{"a reserved method", "tasks/foo", `{"taskId":"x"}`, "reserves"},
		{"a method of tasks", "tasks/get", `{"taskId":"x"}`, ""},
	} {
		r := serving(t, mcp.Rev20251125, `{"tools":{}}`)
		id, _ := r.made(CallSpec{Method: c.method, Params: []byte(c.params), Raw: true})
		note := r.row(id).Note
		if c.note == "" && note != "" || !strings.Contains(note, c.note) {
			t.Errorf("%s: %q", c.name, note)
		}
		if r.sent(`"method":"`+c.method+`"`, strings.TrimSuffix(c.params, "}")) != 1 {
			t.Errorf("%s: it is not sent as it was written: %v", c.name, r.lines)
		}
	}
}
