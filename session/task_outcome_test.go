package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// answersTo answers a request that was written, by members of a result.
func (r *taskRig) answersTo(wire mcp.ID, members string) {
	r.t.Helper()
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{%s}}`, wire, members)
}

// A tasks/result that was sent when the task asked for input, and that the server has forgotten, is
// sent once more after the end of the task. The first answer counts, whichever of the two it is to.
func TestAForgottenRequestForTheOutcomeIsMadeAgain(t *testing.T) {
	requirements.Rows(t, "TSK-28", "TSK-34", "TSK-42")
	for _, late := range []bool{false, true} {
		r := tasking(t, mcp.Rev20251125)
		id := r.begun()
		r.polled("input_required")
		held := r.wantNext("tasks/result")
		r.polled("working")
		r.polled("completed")
		r.unwritten(4 * time.Second)
		r.wait(time.Second)
		again := r.wantNext("tasks/result")
		r.unwritten(time.Hour) // one that was sent after the end is waited for
		r.want(id, Running, cancel.NoVerdict)
		answered, other := again, held
		if late {
			answered, other = held, again
		}
		r.answersTo(answered, `"content":[{"type":"text","text":"42"}],`+related)
		if d, _ := r.s.Detail(id); d.State != Done || !strings.Contains(string(d.Result), "42") {
			t.Errorf("late %v: %v, %s", late, d.State, d.Result)
		}
		if n := r.sent("notifications/cancelled", fmt.Sprintf(`"requestId":%v,`, other)); n != 1 || r.sent("notifications/cancelled") != 1 {
			t.Errorf("late %v: the other one is not left: %v", late, r.lines)
		}
		r.answersTo(other, `"content":[{"type":"text","text":"43"}],`+related)
		if d, _ := r.s.Detail(id); d.State != Done || !strings.Contains(string(d.Result), "42") || len(r.s.tasks.all) != 0 {
			t.Errorf("late %v: %v, %s; %d tasks are followed", late, d.State, d.Result, len(r.s.tasks.all))
		}
	}
}

// Neither an answer in time nor a task that was cancelled has another tasks/result be sent.
func TestARequestForTheOutcomeIsMadeOnce(t *testing.T) {
	for status, answer := range map[string]string{
		"completed": `"result":{"content":[],` + related + `}`,
		"failed":    `"error":{"code":-32603,"message":"broken"}`,
		"cancelled": "",
	} {
		r := tasking(t, mcp.Rev20251125)
		r.begun()
		r.polled("input_required")
		held := r.wantNext("tasks/result")
		r.polled(status, `"statusMessage":"it was so"`)
		r.wait(4 * time.Second)
		if answer != "" {
			r.recv(`{"jsonrpc":"2.0","id":%v,%s}`, held, answer)
		}
		r.unwritten(time.Hour)
		if n := r.sent("tasks/result"); n != 1 {
			t.Errorf("%s: tasks/result is sent %d times", status, n)
		}
	}
}

// A tasks/result that brings nothing while the task asks for input is made again after a pause,
// four times, and once more when the task has ended.
func TestTheOutcomeOfAnotherTaskWhileItAsks(t *testing.T) {
	requirements.Rows(t, "TSK-45", "TSK-49")
	const other = `"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"other"}}`
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.polled("input_required")
	asked := 0
	for range 60 {
		for r.n < len(r.lines) {
			switch method, wire := r.next(); method {
			case "tasks/result":
				asked++
				r.answersTo(wire, other)
			case "tasks/get":
				r.answersTo(wire, r.object("task-4711", "input_required"))
			}
		}
		r.wait(time.Second)
	}
	if asked != 4 || r.row(id).State != Running {
		t.Errorf("tasks/result was sent %d times, and the row is %v", asked, r.row(id).State)
	}
	r.n = len(r.lines) - 1
	r.answers("tasks/get", r.object("task-4711", "completed"))
	r.answers("tasks/result", `"content":[{"type":"text","text":"42"}],`+related)
	r.want(id, Done, cancel.NoVerdict)
}

// A row says as long as tasks/result is asked for that the outcome of its task has not come, also once
// the row has ended by a cancel.
func TestAnOutcomeIsOut(t *testing.T) {
	requirements.Rows(t, "TSK-42")
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.cancel(id, "")
	r.answers("tasks/cancel", r.object("task-4711", "working"))
	r.polled("working")
	r.want(id, Cancelled, cancel.TaskWorking)
	if r.row(id).Task.OutcomeOut {
		t.Error("the outcome of a task that goes on is out")
	}
	for r.n == len(r.lines) {
		r.wait(time.Second)
	}
	r.answers("tasks/get", r.object("task-4711", "completed"))
	wire := r.wantNext("tasks/result")
	if k := r.row(id).Task; !k.OutcomeOut || k.GoesOn {
		t.Errorf("%+v", k)
	}
	r.answersTo(wire, `"content":[],`+related)
	if r.row(id).Task.OutcomeOut {
		t.Error("it is out after its answer")
	}
	if d, _ := r.s.Detail(id); d.Late == nil || d.Verdict != cancel.TaskCompleted {
		t.Errorf("%v, %+v", d.Verdict, d.Late)
	}
}

// Where the answer to a tasks/result that the server held back tells first that a task has ended, the
// evidence has it, before what a poll tells after that.
func TestABlockedOutcomeIsEvidence(t *testing.T) {
	requirements.Rows(t, "TSK-43", "TSK-61")
	for _, first := range []bool{true, false} {
		r := tasking(t, mcp.Rev20251125)
		id := r.begun()
		r.polled("input_required")
		held := r.wantNext("tasks/result")
		r.cancel(id, "")
		r.answers("tasks/cancel", r.object("task-4711", "working"))
		r.wait(500 * time.Millisecond)
		want := []string{"the answer to tasks/result brings the outcome of the task", "tasks/get says that the task is completed"}
		if first {
			r.answersTo(held, `"content":[],`+related)
		} else {
			want = want[1:]
		}
		if r.polled("completed"); !first {
			r.answersTo(held, `"content":[],`+related)
		}
		words := r.evidence(id)
		for _, w := range want {
			_, after, is := strings.Cut(words, w)
			if words = after; !is {
				t.Errorf("%q is not told, or too late:\n%s", w, r.evidence(id))
			}
		}
		if !first && strings.Contains(r.evidence(id), "brings the outcome") {
			t.Errorf("the outcome is told as what was seen first:\n%s", r.evidence(id))
		}
	}
}

// A row says what the server said of the task that it cancelled.
func TestTheServerSaysWhyItCancelledATask(t *testing.T) {
	requirements.Rows(t, "TSK-66", "TEX-62")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		r.polled("cancelled", `"statusMessage":"quota \"x\" used up"`)
		r.want(id, Failed, cancel.NoVerdict)
		if note := r.row(id).Note; note != `the task was cancelled, but not by way of this call: "quota \"x\" used up"` {
			t.Error(note)
		}
	})
}

// Of a task that is picked up, and cancelled by then, it is not said who cancelled the task; of one that
// is cancelled later it is.
func TestATaskIsFoundCancelled(t *testing.T) {
	requirements.Rows(t, "TSK-66", "TEX-62")
	for first, want := range map[string]string{"cancelled": `the task is cancelled: "no need"`, "working": `the task was cancelled, but not by way of this call: "no need"`} {
		everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
			id, _ := r.made(pickUpOf("task-4711"))
			r.answers("tasks/get", r.object("task-4711", first, `"statusMessage":"no need"`))
			if first == "working" {
				r.polled("cancelled", `"statusMessage":"no need"`)
			}
			if row := r.row(id); row.State != Failed || row.Note != want || row.Task.FoundCancelled != (first == "cancelled") {
				t.Errorf("%v, %q", row.State, row.Note)
			}
		})
	}
}
