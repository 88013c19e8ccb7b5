package session

import (
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
)

// An answer that is meant as a task and names none begins nothing.
func TestHandlesThatAreNone(t *testing.T) {
	requirements.Rows(t, "TSK-19", "TEX-08")
	for name, id := range map[string]string{"a number": `"taskId":7,`, "nothing": `"taskId":"",`, "null": `"taskId":null,`, "absent": ""} {
		everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
			row, wire := r.wished()
			body := `{"task":{` + id + `"status":"working"}}`
			if r.modern() {
				body = `{"resultType":"task",` + id + `"status":"working"}`
			}
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":%s}`, wire, body)
			if got := r.row(row); got.State != Failed || got.Task != nil || !strings.HasPrefix(got.Note, "invalid response: taskId ") {
				t.Errorf("%s: %v, %q", name, got.State, got.Note)
			}
			r.wantDiag(mcp.DiagTaskShape, 1)
			r.wantDiag(mcp.DiagResultType, 0) // which is none: the handle is what is wrong
			r.wantDiag(mcp.DiagResultShape, 0)
			r.unwritten(time.Minute)
		})
	}
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) { // one that is too long for belay is no fault of the server's
		row, wire := r.wished()
		r.handle(wire, strings.Repeat("x", mcp.MaxTaskID+1))
		if got := r.row(row); got.State != Failed || got.Task != nil || got.Note != "the task cannot be followed or cancelled: taskId has 1025 bytes; belay takes 1024 at most" {
			t.Errorf("%v, %q", got.State, got.Note)
		}
		r.wantDiag(mcp.DiagTaskLongID, 1)
		r.wantDiag(mcp.DiagTaskShape, 0)
		if page := (Diagnostic{Code: mcp.DiagTaskLongID}).Code.Cite(r.s.conn.rev).Page; page != "" {
			t.Errorf("it cites %s", page)
		}
		if _, err := r.s.Handle(r.now, StartCall{Spec: pickUpOf(strings.Repeat("x", mcp.MaxTaskID+1))}); err == nil || !strings.Contains(err.Error(), "1025 bytes") {
			t.Errorf("%v", err)
		}
	})
	r := tasking(t, mcp.Rev20260728) // the members of a task, in a result that is complete
	id, wire := r.wished()
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, wire, r.object("task-4711", "working"))
	if got := r.row(id); got.State != Done || got.Task != nil {
		t.Errorf("%v", got.State)
	}
	r.unwritten(time.Minute)
}

// Two tasks with one ID are two rows, and IDs that count are told.
func TestIDsOfTasks(t *testing.T) {
	requirements.Rows(t, "TSK-21", "TSK-69", "TEX-55")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		a := r.begun()
		b := r.begun()
		r.wantDiag(mcp.DiagTaskTwice, 1)
		if r.row(a).Task == nil || r.row(b).Task == nil || a == b {
			t.Error("the two share a row")
		}
		r.wait(time.Second)
		r.answers("tasks/get", r.object("task-4711", "cancelled"))
		if r.row(a).State.IsTerminal() == r.row(b).State.IsTerminal() {
			t.Errorf("the answer to one poll is taken by both: %v, %v", r.row(a).State, r.row(b).State)
		}
	})
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) { // what stops the one stops the other
		a, b := r.begun(), r.begun()
		refused := func(words string) {
			t.Helper()
			if _, err := r.s.Handle(r.now, Cancel{Call: b}); err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("a second cancel: %v", err)
			}
		}
		r.cancel(a, "")
		refused("the task is being cancelled already, by ")
		r.ack()
		r.polled("cancelled")
		r.want(a, Cancelled, cancel.TaskCancelled)
		refused("the cancel of the task was delivered, by ")
		if n := r.s.Tell(r.now, CancelAll{}).Cancelled; n != 0 || r.sent(`"method":"tasks/cancel"`) != 1 {
			t.Errorf("%d more are cancelled: %v", n, r.lines)
		}
	})
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) { // what belay picks up itself is the task of before
		id := r.begun()
		r.do(StopWaiting{Call: id})
		again := r.do(StartCall{Spec: CallSpec{Method: "tasks/get", Params: mcp.TaskParams("task-4711"), Watch: true}}).Call
		r.polled("working")
		if row := r.row(again); row.State != Running || row.Task == nil {
			t.Fatalf("%+v", row)
		}
		r.wantDiag(mcp.DiagTaskTwice, 0)
		r.begun() // which the server names so as well
		r.wantDiag(mcp.DiagTaskTwice, 1)
	})
	everyTaskProtocol(t, func(_ *testing.T, r *taskRig) {
		for _, id := range []string{"1", "2", "3"} {
			_, wire := r.wished()
			r.handle(wire, id)
		}
		r.wantDiag(mcp.DiagTaskID, 1)
	})
}

// What belay asks about a task carries no metadata that names the task, as its parameters do.
func TestRequestsAboutATaskNameItOnce(t *testing.T) {
	requirements.Rows(t, "TSK-47", "TSK-48", "TSK-20")
	r := tasking(t, mcp.Rev20251125)
	id, _ := r.wished()
	if line := r.lines[len(r.lines)-1]; strings.Contains(line, "taskId") {
		t.Errorf("the client names the task: %s", line)
	}
	r.handle(r.row(id).Wire, "task-4711")
	r.polled("input_required")
	r.wantNext("tasks/result")
	r.cancel(id, "")
	for _, line := range r.lines {
		if strings.Contains(line, "related-task") {
			t.Errorf("%s", line)
		}
	}
	if r.sent("tasks/get") == 0 || r.sent("tasks/result") == 0 || r.sent("tasks/cancel") == 0 {
		t.Errorf("%v", r.lines)
	}
}

// The outcome of a task names it, and the answers about one have the type of every result.
func TestWhatAnswersAboutTasksLack(t *testing.T) {
	requirements.Rows(t, "TSK-45", "TEX-09", "TEX-21", "TEX-22")
	for name, tt := range map[string]struct {
		meta string
		told int
	}{
		"without metadata": {"", 1},
		"as it should be":  {"," + related, 0},
	} {
		r := tasking(t, mcp.Rev20251125)
		id := r.begun()
		r.polled("completed")
		r.answers("tasks/result", `"content":[]`+tt.meta)
		r.want(id, Done, cancel.NoVerdict)
		if n := r.diag(mcp.DiagTaskRelated); n != tt.told {
			t.Errorf("%s: told %d times", name, n)
		}
	}
	for name, resultType := range map[string]string{"task": `"resultType":"task",`, "missing": ""} {
		r := tasking(t, mcp.Rev20260728)
		id := r.begun()
		r.wait(time.Second)
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{%s%s}}`, r.wantNext("tasks/get"), resultType, r.object("task-4711", "input_required", inputs()))
		if r.taskStatus(id) != task.InputRequired || r.diag(mcp.DiagResultType) != 1 {
			t.Errorf("%s: %v, %d diagnostics", name, r.taskStatus(id), r.diag(mcp.DiagResultType))
		}
	}
	r := tasking(t, mcp.Rev20260728) // failed without its error, completed without its result
	id := r.begun()
	r.polled("failed")
	r.want(id, Failed, cancel.NoVerdict)
	r.wantDiag(mcp.DiagTaskOutcome, 1)
	id = r.begun()
	r.polled("failed", `"error":{"code":-32603,"message":"the disk is full"}`)
	if d, _ := r.s.Detail(id); d.State != Failed || d.Err == nil || d.Err.Message != "the disk is full" {
		t.Errorf("%v %+v", d.State, d.Err)
	}
}

// In the extension tasks/cancel and tasks/update are acknowledged with an empty result. A fuller one is told,
// and acknowledges all the same, but tells nothing of the task.
func TestAnAcknowledgementThatIsNotEmpty(t *testing.T) {
	requirements.Rows(t, "TEX-33", "TEX-38", "TEX-40")
	for members, told := range map[string]int{
		`"resultType":"complete"`:                                                 0,
		`"resultType":"complete","_meta":{"a":1}`:                                 0,
		`"resultType":"complete","taskId":"task-4711","status":"cancelled"`:       1,
		`"_meta":{},"resultType":"complete","task":{"status":"cancelled"},"b":[]`: 1,
	} {
		r := tasking(t, mcp.Rev20260728)
		id := r.begun()
		r.cancel(id, "")
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{%s}}`, r.wantNext("tasks/cancel"), members)
		r.wantDiag(mcp.DiagTaskAck, told)
		if r.taskStatus(id) != task.Working || r.row(id).State != Cancelling {
			t.Errorf("%s: %v, %v", members, r.taskStatus(id), r.row(id).State)
		}
		r.polled("cancelled")
		r.want(id, Cancelled, cancel.TaskCancelled)

		id = r.begun()
		r.polled("input_required", inputs(input("name", "Your name?")))
		r.tell(ann)
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{%s}}`, r.wantNext("tasks/update"), members)
		r.wantDiag(mcp.DiagTaskAck, 2*told)
		if got := r.taskStatus(id); got != task.InputRequired {
			t.Errorf("%s: %v", members, got)
		}
	}
}

// What names another task is nothing that is known of this one: neither its outcome, nor its
// status, nor that its cancel stopped it.
func TestAnswersOfAnotherTask(t *testing.T) {
	requirements.Rows(t, "TSK-45", "TSK-49")
	const other = `"content":[{"type":"text","text":"42"}],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"other"}}`
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.polled("completed")
	r.answers("tasks/result", other)
	r.want(id, Running, cancel.NoVerdict)
	named := slices.ContainsFunc(r.s.Diagnostics(), func(d Diagnostic) bool { return strings.Contains(d.Detail, `names "other"`) })
	if r.diag(mcp.DiagTaskRelated) != 1 || !named {
		t.Errorf("%v", r.s.Diagnostics())
	}
	r.wait(2 * time.Second)
	r.answers("tasks/result", `"content":[],`+related)
	r.want(id, Done, cancel.NoVerdict)

	id = r.begun()
	r.polled("completed")
	ended, pauses := r.now, ""
	for range 4 {
		for r.n == len(r.lines) {
			r.wait(100 * time.Millisecond)
		}
		pauses += r.now.Sub(ended).String() + " "
		r.want(id, Running, cancel.NoVerdict)
		r.answers("tasks/result", other)
	}
	r.want(id, Failed, cancel.NoVerdict)
	if pauses != "0s 2s 5s 9.5s " {
		t.Errorf("tasks/result was sent after %s", pauses)
	}
	if row := r.row(id); !strings.Contains(row.Note, `its outcome did not come: the result of another task, "other"`) || r.n != len(r.lines) {
		t.Errorf("%q, and %v", row.Note, r.lines[r.n:])
	}
	r.unwritten(time.Hour)

	everyTaskProtocol(t, func(_ *testing.T, r *taskRig) {
		id := r.begun()
		r.wait(time.Second)
		r.answers("tasks/get", r.object("other", "completed"))
		r.want(id, Running, cancel.NoVerdict)
		r.wantDiag(mcp.DiagTaskOther, 1)
		r.cancel(id, "")
		r.answers("tasks/cancel", r.object("other", "cancelled"))
		r.want(id, Cancelling, cancel.NoVerdict)
		r.polled("working")
		verdict := cancel.TaskWorking
		if !r.modern() { // the answer is the task in 2025-11-25, and another one acknowledges nothing
			verdict = cancel.TaskUnacknowledged
		}
		r.want(id, Cancelled, verdict)
	})
}

// A server that does not know tasks/get: the task goes on for all that is known, and can be
// cancelled. Its outcome is what tasks/result brings, where that is known.
func TestATaskThatCannotBePolled(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		r.wait(time.Second)
		r.refuses("tasks/get", mcp.CodeMethodNotFound)
		r.want(id, Running, cancel.NoVerdict)
		r.wantDiag(mcp.DiagTaskUnpolled, 1)
		if !r.modern() {
			r.refuses("tasks/result", mcp.CodeMethodNotFound)
			r.want(id, Running, cancel.NoVerdict)
		}
		r.wait(time.Hour)
		if r.n != len(r.lines) {
			t.Fatalf("written: %v", r.lines[r.n:])
		}
		if row := r.row(id); !row.Task.GoesOn || !row.Task.Blind {
			t.Errorf("%+v", row.Task)
		}
		r.cancel(id, "")
		if r.modern() {
			r.answers("tasks/cancel", "")
			r.want(id, Cancelled, cancel.TaskUnseen)
		} else {
			r.answers("tasks/cancel", r.object("task-4711", "cancelled"))
			r.want(id, Cancelled, cancel.TaskCancelled)
		}
	})
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.wait(time.Second)
	r.refuses("tasks/get", mcp.CodeMethodNotFound)
	r.answers("tasks/result", `"content":[{"type":"text","text":"42"}],`+related)
	r.want(id, Done, cancel.NoVerdict)
	if row := r.row(id); row.Task.GoesOn {
		t.Error("the task goes on, although its outcome came")
	}
}

// Progress of a task goes on after its handle in 2025-11-25, until the task has ended; the
// extension has none.
func TestProgressOfATask(t *testing.T) {
	requirements.Rows(t, "PRG-13", "PRG-14", "PRG-15", "PRG-16", "TSK-60")
	progress := func(r *taskRig, wire mcp.ID, n int) {
		r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":%d}}`, wire, n)
	}
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	wire := r.row(id).Wire
	progress(r, wire, 1)
	r.polled("working")
	progress(r, wire, 2)
	if got := r.row(id).Progress; got.Count != 2 || got.Value != 2 {
		t.Errorf("%+v", got)
	}
	progress(r, mcp.IntID(999), 3)
	r.wantDiag(mcp.DiagProgressToken, 1)
	r.polled("completed")
	progress(r, wire, 3)
	if got := r.row(id).Progress; got.Count != 2 || r.diag(mcp.DiagProgressAfter) != 1 {
		t.Errorf("after its end: %+v", got)
	}

	id = r.begun()
	r.cancel(id, "")
	progress(r, r.row(id).Wire, 1)
	if got := r.row(id).AfterCount; got != 1 {
		t.Errorf("%d messages after the cancel", got)
	}
	r.wantDiag(mcp.DiagProgressAfter, 1)
	r.ack()
	progress(r, r.row(id).Wire, 2)
	if got := r.row(id).AfterCount; got != 2 {
		t.Errorf("%d messages after the cancel, the last of them after the end", got)
	}
	r.wantDiag(mcp.DiagProgressAfter, 2)

	r = tasking(t, mcp.Rev20260728)
	id = r.begun()
	progress(r, r.row(id).Wire, 1)
	if got := r.row(id).Progress; got.Count != 0 || r.diag(mcp.DiagProgressAfter) != 1 {
		t.Errorf("in the extension: %+v", got)
	}
}

// A round comes before the handle, and the keys of the two are not one.
func TestARoundBeforeTheTask(t *testing.T) {
	requirements.Rows(t, "TEX-12", "TEX-57")
	r := tasking(t, mcp.Rev20260728)
	id, _ := r.wished()
	r.round(id, asking(askName))
	r.tell(tellName)
	r.n = len(r.lines)
	r.handle(r.row(id).Latest, "task-4711")
	r.polled("input_required", inputs(input("name", "Your name?")))
	if all := r.waiting(); len(all) != 1 || all[0].Task != "task-4711" || all[0].Round != 0 {
		t.Errorf("%+v", all)
	}
	r.completed()
	r.want(id, Done, cancel.NoVerdict)
}

// On a connection of 2025-11-25 the extension means nothing.
func TestTheExtensionBelongsToItsRevision(t *testing.T) {
	requirements.Rows(t, "TEX-52", "TEX-53", "TEX-54")
	r := &taskRig{rig: serving(t, mcp.Rev20251125, extensionTasks)}
	r.answerList(mcp.Tools, "", `{"name":"t","inputSchema":{"type":"object"}}`)
	r.lines = nil
	id, wire := r.call("t")
	if strings.Contains(r.lines[0], mcp.TasksExtension) {
		t.Errorf("%s", r.lines[0])
	}
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"task",%s}}`, wire, r.object("task-4711", "working"))
	if got := r.row(id); got.State != Done || got.Task != nil {
		t.Errorf("%v", got.State)
	}
	k := tasking(t, mcp.Rev20260728)
	made, _ := k.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"t","task":{}}`)})
	if line := k.lines[len(k.lines)-1]; strings.Contains(line, `"task"`) || !strings.Contains(k.row(made).Note, "this revision has none") {
		t.Errorf("%s; %q", line, k.row(made).Note)
	}
}

// A server keeps tasks/result back until the task ends. belay waits for hours, polls beside it,
// and takes the outcome when it comes.
func TestTheOutcomeIsAwaitedWithoutALimit(t *testing.T) {
	requirements.Rows(t, "TMO-16")
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	const everyMinute = `"pollInterval":60000`
	r.polled("input_required", everyMinute)
	held := r.wantNext("tasks/result")
	began := r.now
	for range 120 {
		r.wait(time.Minute)
		r.answers("tasks/get", r.object("task-4711", "input_required", everyMinute))
	}
	if r.now.Sub(began) < 2*time.Hour || r.sent("tasks/result") != 1 || r.sent("notifications/cancelled") != 0 || r.row(id).State != Running {
		t.Fatalf("after %s the row is %v; sent: %d tasks/result, %d cancels", r.now.Sub(began), r.row(id).State,
			r.sent("tasks/result"), r.sent("notifications/cancelled"))
	}
	r.wait(time.Minute)
	r.answers("tasks/get", r.object("task-4711", "completed", everyMinute))
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[{"type":"text","text":"42"}],%s}}`, held, related)
	if r.row(id).State != Done {
		t.Errorf("the outcome came, and the row is %v", r.row(id).State)
	}
}

// A test of the server: a request about a task that does not declare the extension is to be
// refused for that, and nothing else counts.
func TestARequestAboutATaskThatDoesNotDeclareIt(t *testing.T) {
	requirements.Rows(t, "TEX-49")
	for answer, want := range map[string]struct {
		note string
		told int
	}{
		`"error":{"code":-32021,"message":"no","data":{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}`: {"as it must be", 0},
		`"error":{"code":-32602,"message":"no"}`: {"had to be refused with -32021: error -32602", 1},
		`"result":{"resultType":"complete"}`:     {"had to be refused with -32021: it was served", 1},
	} {
		for _, method := range []string{"tasks/get", "tasks/update"} {
			r := tasking(t, mcp.Rev20260728)
			task := r.begun()
			id, wire := r.made(CallSpec{Method: method, Params: mcp.TaskParams("task-4711"), Undeclared: true})
			if line := r.lines[len(r.lines)-1]; strings.Contains(line, mcp.TasksExtension) {
				t.Errorf("%s", line)
			}
			r.recv(`{"jsonrpc":"2.0","id":%v,%s}`, wire, answer)
			row := r.row(id)
			if !strings.Contains(row.Note, want.note) || row.Remedy.Kind == RemedyDeclare || r.diag(mcp.DiagTaskLax) != want.told {
				t.Errorf("%s, %s: %q, %v, %d told", method, answer, row.Note, row.Remedy, r.diag(mcp.DiagTaskLax))
			}
			r.n = len(r.lines)
			r.wait(time.Second)
			if next := r.lines[r.n]; !strings.Contains(next, mcp.TasksExtension) || r.row(task).State != Running {
				t.Errorf("the polls suffer from it: %s", next)
			}
		}
	}
}

// A task that a server gave twice by one ID, and that goes on after its cancel, counts once: by the row in which it
// is in flight.
func TestOneTaskInTwoRowsCountsOnce(t *testing.T) {
	requirements.Rows(t, "TSK-75")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		r.pings = true
		id, wire := r.wished()
		r.handle(wire, "task-4711")
		r.cancel(id, "")
		if r.modern() {
			r.answers("tasks/cancel", "")
		} else {
			r.answers("tasks/cancel", r.object("task-4711", "working"))
		}
		r.polled("working")
		r.want(id, Cancelled, cancel.TaskWorking)
		if n := r.s.Status().PolledOn; n != 1 {
			t.Errorf("%d tasks are polled on, want 1", n)
		}
		_, wire = r.wished()
		r.handle(wire, "task-4711")
		if st := r.s.Status(); st.PolledOn != 0 || st.Tasks != 2 {
			t.Errorf("%d of %d tasks are polled on, want none", st.PolledOn, st.Tasks)
		}
	})
}

// The requests about a task declare what the call declared that has made it: the server goes by that.
func TestRequestsAboutATaskDeclareWhatItsCallDid(t *testing.T) {
	requirements.Rows(t, "VER-44", "TEX-01")
	r := tasking(t, mcp.Rev20260728)
	id, wire := r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"t","arguments":{}}`), Declare: []Capability{CapRoots}})
	r.n = len(r.lines)
	r.handle(wire, "task-4711")
	r.polled("working")
	r.cancel(id, "")
	r.answers("tasks/cancel", "")
	r.polled("working")
	asked := 0
	for _, line := range r.lines {
		if strings.Contains(line, `"method":"tasks/`) {
			asked++
			if !strings.Contains(line, `"roots":{}`) || !strings.Contains(line, `"io.modelcontextprotocol/tasks":{}`) {
				t.Errorf("it lacks a capability: %s", line)
			}
		}
	}
	if asked != 3 {
		t.Errorf("%d requests", asked)
	}
}
