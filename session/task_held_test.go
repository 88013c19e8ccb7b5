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

// heldResult is a call whose task asks for input, with the tasks/result that the server holds back.
func (w *taskWeb) heldResult() (CallID, Output) {
	w.t.Helper()
	id, out := w.wished()
	w.handle(out, "task-4711")
	w.later(time.Second)
	w.answers("tasks/get", w.object("input_required"))
	held := w.next("tasks/result")
	w.stream(held.X)
	return id, held
}

// A server may hold tasks/result back for ever. Once the task has ended otherwise, and the row with
// it, the exchange is closed, which the timeline tells. Nothing is sent for that.
func TestAHeldResultOfAnEndedTaskIsLeft(t *testing.T) {
	requirements.Rows(t, "TSK-32")
	const told = "tasks/result was not answered, and is waited for no more: the task has ended"
	for name, ends := range map[string]func(w *taskWeb, id CallID){
		"cancelled, by the answer to tasks/cancel": func(w *taskWeb, id CallID) {
			w.stop(id)
			w.answers("tasks/cancel", w.object("cancelled"))
			w.want(id, Cancelled, cancel.TaskCancelled)
		},
		"completed after the cancel": func(w *taskWeb, id CallID) {
			w.stop(id)
			w.answers("tasks/cancel", w.object("working"))
			w.later(time.Second)
			w.answers("tasks/get", w.object("completed"))
			w.want(id, Cancelled, cancel.TaskCompleted)
		},
		"forgotten after the cancel": func(w *taskWeb, id CallID) {
			w.stop(id)
			w.answers("tasks/cancel", w.object("working"))
			w.later(time.Second)
			w.answer(w.next("tasks/get"), `"error":{"code":-32602,"message":"no such task"}`)
			w.want(id, Cancelled, cancel.TaskUnseen)
		},
		"cancelled by somebody else": func(w *taskWeb, id CallID) {
			w.later(time.Second)
			w.answers("tasks/get", w.object("cancelled"))
			w.want(id, Failed, cancel.NoVerdict)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := taskingWeb(t, mcp.Rev20251125)
			id, held := w.heldResult()
			ends(w, id)
			if w.aborted(held.X) {
				t.Fatal("the exchange is closed while an answer may be on its way")
			}
			w.later(time.Minute)
			if !w.aborted(held.X) || !w.noted(id, told) {
				d, _ := w.s.Detail(id)
				t.Errorf("closed: %v; %+v", w.aborted(held.X), d.Timeline)
			}
			for _, out := range w.outs {
				if n := mcp.Decode(out.Data).Cancelled; n != nil && n.ID == mcp.Decode(held.Data).ID {
					t.Errorf("%s", out.Data)
				}
			}
		})
	}
}

// A task that goes on after its cancel may still bring an outcome: its tasks/result is kept.
func TestAHeldResultOfALiveTaskIsKept(t *testing.T) {
	w := taskingWeb(t, mcp.Rev20251125)
	id, held := w.heldResult()
	w.stop(id)
	w.answers("tasks/cancel", w.object("working"))
	w.later(time.Second)
	w.answers("tasks/get", w.object("working"))
	w.want(id, Cancelled, cancel.TaskWorking)
	w.later(40 * time.Second)
	if w.aborted(held.X) {
		t.Error("the exchange is closed")
	}
	w.recvOn(held.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[{"type":"text","text":"42"}]}}`, mcp.Decode(held.Data).ID)
	if d, _ := w.s.Detail(id); d.Late == nil || !strings.Contains(string(d.Late.Result), "42") {
		t.Errorf("%+v", d.Late)
	}
}

// An outcome that was on its way when the task was seen to have ended is evidence.
func TestAResultWithinTheBoundIsEvidence(t *testing.T) {
	w := taskingWeb(t, mcp.Rev20251125)
	id, held := w.heldResult()
	w.stop(id)
	w.answers("tasks/cancel", w.object("cancelled"))
	w.later(w.s.conn.trips.Bound() / 2)
	w.recvOn(held.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[{"type":"text","text":"42"}]}}`, mcp.Decode(held.Data).ID)
	w.ended(held.X, End{})
	if d, _ := w.s.Detail(id); d.Late == nil || !strings.Contains(string(d.Late.Result), "42") || d.Task.Status != task.Cancelled {
		t.Errorf("%+v, %v", d.Late, d.Task.Status)
	}
	if w.later(time.Minute); w.noted(id, "tasks/result was not answered") {
		t.Error("it is said not to be answered")
	}
}

// On stdio there is nothing to close, and an outcome that comes after belay had stopped waiting is
// evidence still.
func TestAResultThatIsNotWaitedForIsEvidence(t *testing.T) {
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.polled("input_required")
	held := r.wantNext("tasks/result")
	r.cancel(id, "")
	r.ack()
	r.polled("cancelled")
	r.wait(time.Minute)
	if n := len(r.s.tasks.all); n != 0 || !r.noted(id, "tasks/result was not answered") {
		t.Errorf("%d tasks are followed", n)
	}
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[{"type":"text","text":"42"}]}}`, held)
	if d, _ := r.s.Detail(id); d.Late == nil || !strings.Contains(string(d.Late.Result), "42") || d.State != Cancelled {
		t.Errorf("%+v, %v", d.Late, d.State)
	}
	r.unwritten(time.Hour)
}

// What a cancelled call may bring is awaited until its grace is over, however its task has ended. That it has
// not come by then is told, until it comes.
func TestAHeldResultIsAwaitedUntilTheGraceIsOver(t *testing.T) {
	requirements.Rows(t, "TSK-42", "TSK-43")
	for _, status := range []string{"cancelled", "completed"} {
		t.Run(status, func(t *testing.T) {
			const grace = 40 * time.Second
			r := tasking(t, mcp.Rev20251125, func(c *Config) { c.Grace = grace })
			id := r.begun()
			r.polled("input_required")
			held := r.wantNext("tasks/result")
			r.cancel(id, "")
			r.answers("tasks/cancel", r.object("task-4711", status))
			left := r.now
			r.polled(status)
			r.want(id, Cancelled, r.row(id).Verdict)
			if status == "completed" { // the server may have forgotten what it held back
				r.wait(5 * time.Second)
				r.wantNext("tasks/result")
			}
			r.wait(grace - time.Second - r.now.Sub(left))
			if k := r.row(id).Task; !k.OutcomeOut || k.OutcomeLeft {
				t.Errorf("within the grace: %+v", k)
			}
			r.wait(2 * time.Second)
			if k := r.row(id).Task; k.OutcomeOut || !k.OutcomeLeft {
				t.Errorf("after the grace: %+v", k)
			}
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[{"type":"text","text":"42"}]}}`, held)
			if k := r.row(id).Task; k.OutcomeLeft || len(r.s.tasks.all) != 0 {
				t.Errorf("it has come: %+v", k)
			}
		})
	}
}

// An outcome that is awaited when the connection ends has not come.
func TestAHeldResultThatTheEndOfTheConnectionCutsOff(t *testing.T) {
	requirements.Rows(t, "TSK-42")
	for _, status := range []string{"cancelled", "completed"} {
		r := tasking(t, mcp.Rev20251125)
		id := r.begun()
		r.polled("input_required")
		r.wantNext("tasks/result")
		r.cancel(id, "")
		r.answers("tasks/cancel", r.object("task-4711", status))
		if k := r.row(id).Task; !k.OutcomeOut || k.OutcomeLeft {
			t.Errorf("%s: %+v", status, k)
		}
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 1"}})
		if k := r.row(id).Task; k.OutcomeOut || !k.OutcomeLeft {
			t.Errorf("%s: %+v", status, k)
		}
	}
}
