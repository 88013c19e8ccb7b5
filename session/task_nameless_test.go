package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// A cancel that found no ID is kept. The row says so, and so does a second press.
func TestACancelThatFoundNoIDIsKept(t *testing.T) {
	requirements.Rows(t, "TSK-73", "TMO-12", "CXL-31")
	r := tasking(t, mcp.Rev20251125)
	r.pings = true
	id, wire := r.wished()
	r.cancel(id, "")
	r.unwritten(10 * time.Second)
	r.want(id, Cancelled, cancel.NotDelivered)
	refused := func() string {
		t.Helper()
		_, err := r.s.Handle(r.now, Cancel{Call: id})
		if err == nil {
			t.Fatal("a second cancel is taken")
		}
		return err.Error()
	}
	if words := refused(); !strings.Contains(words, "tasks/cancel is sent if the ID of its task comes") || !r.row(id).UnnamedTask {
		t.Errorf("%q, unnamed %v", words, r.row(id).UnnamedTask)
	}
	if words := r.evidence(id); !strings.Contains(words, "if its ID still comes, tasks/cancel is sent") {
		t.Error(words)
	}
	r.handle(wire, "task-4711")
	r.ack()
	r.polled("cancelled")
	r.want(id, Cancelled, cancel.TaskCancelled)
	if words := refused(); !strings.Contains(words, "has ended") || r.row(id).UnnamedTask {
		t.Errorf("%q, unnamed %v", words, r.row(id).UnnamedTask)
	}
	if r.sent(`"method":"tasks/cancel"`) != 1 {
		t.Errorf("%v", r.lines)
	}

	id, _ = r.wished() // nothing is kept beyond the connection
	r.cancel(id, "")
	r.unwritten(10 * time.Second)
	r.closed()
	if words := refused(); !strings.Contains(words, "has ended") {
		t.Errorf("%q", words)
	}
}

// Quitting waits for the ID of a task whose call was cancelled and has ended, as it waits for that of one
// that is being cancelled, and for the answer to the tasks/cancel that is sent then.
func TestAQuitWaitsForTheIDOfACancelledCall(t *testing.T) {
	requirements.Rows(t, "TSK-73", "TSK-75", "CXL-33")
	for name, comes := range map[string]bool{"it comes": true, "it does not come": false} {
		t.Run(name, func(t *testing.T) {
			w := taskingWeb(t, mcp.Rev20251125)
			id, out := w.wished()
			w.stop(id)
			w.later(6 * time.Second)
			w.want(id, Cancelled, cancel.NotDelivered)
			if n := w.s.Status().KeptCancels; n != 1 {
				t.Errorf("%d cancels are kept", n)
			}
			w.s.Tell(w.now, Quit{})
			w.pump()
			w.later(quitLimit - time.Millisecond)
			if w.count(OpClose) != 0 || w.aborted(out.X) {
				t.Fatal("the ID is not waited for")
			}
			if comes {
				w.handle(out, "task-4711")
				if cancels := w.next("tasks/cancel"); w.count(OpClose) != 0 {
					t.Error("the answer to tasks/cancel is not waited for")
				} else {
					w.answer(cancels, `"result":{`+w.object("cancelled")+`}`)
				}
				w.pump()
			} else {
				w.later(time.Millisecond)
			}
			if w.count(OpClose) != 1 {
				t.Fatalf("%d ends", w.count(OpClose))
			}
			w.s.Tell(w.now, Closed{Epoch: w.epoch, Why: Close{ByUs: true}})
			w.check()
			if tasks := w.s.UnnamedTasks(); w.row(id).UnnamedTask == comes || (len(tasks) == 1 && tasks[0].Call == id && tasks[0].Tool == "t") == comes {
				t.Errorf("unnamed %v, %+v", w.row(id).UnnamedTask, tasks)
			}
			if words := w.evidence(id); strings.Contains(words, "if its ID still comes") != comes || strings.Contains(words, "tasks/cancel is not sent: belay ended the connection") == comes {
				t.Error(words)
			}
		})
	}
}

// Where the exchange of such a call has ended, its ID cannot come any more: nothing waits for it, and
// nothing says that tasks/cancel is still to be sent. The task is told of all the same.
func TestACallWhoseTaskCannotBeNamedAnyMore(t *testing.T) {
	requirements.Rows(t, "TSK-73", "TSK-75")
	for name, after := range map[string]time.Duration{"while it is being cancelled": time.Second, "when it has ended": 6 * time.Second} {
		t.Run(name, func(t *testing.T) {
			w := taskingWeb(t, mcp.Rev20251125)
			id, out := w.wished()
			w.stop(id)
			w.later(after)
			w.ended(out.X, End{Err: "EOF"})
			w.want(id, Cancelled, cancel.NotDelivered)
			if tasks := w.s.UnnamedTasks(); w.s.Status().KeptCancels != 0 || len(tasks) != 1 || tasks[0].Call != id {
				t.Errorf("%d cancels are kept, %+v", w.s.Status().KeptCancels, tasks)
			}
			if words := w.evidence(id); strings.Contains(words, "if its ID still comes") || !strings.Contains(words, "tasks/cancel is not sent: ") {
				t.Error(words)
			}
			if _, err := w.s.Handle(w.now, Cancel{Call: id}); err == nil || strings.Contains(err.Error(), "is sent if the ID") {
				t.Errorf("%v", err)
			}
			w.s.Tell(w.now, Quit{})
			w.pump()
			if w.count(OpClose) != 1 {
				t.Error("the ID is waited for")
			}
		})
	}
	w := taskingWeb(t, mcp.Rev20251125)
	id, out := w.wished() // which nobody cancelled
	w.ended(out.X, End{Err: "EOF"})
	if tasks := w.s.UnnamedTasks(); w.row(id).State != Lost || len(tasks) != 1 || tasks[0].Call != id {
		t.Errorf("%v, %+v", w.row(id).State, tasks)
	}
}

// A create answer with an ID that belay cannot take leaves a task that goes on: who has cancelled the call is told
// that nothing was sent for it.
func TestACancelledCallIsAnsweredWithAnUnusableID(t *testing.T) {
	requirements.Rows(t, "TSK-73")
	r := tasking(t, mcp.Rev20251125)
	id, wire := r.wished()
	r.cancel(id, "")
	r.handle(wire, strings.Repeat("x", mcp.MaxTaskID+1))
	if row := r.row(id); row.State != Failed || !strings.HasSuffix(row.Note, "belay takes 1024 at most; tasks/cancel was not sent") {
		t.Errorf("%v, %q", row.State, row.Note)
	}
	r.unwritten(time.Minute)
}

// Such a task is told of after the end, whatever the call had become by then, unless the handle says that the task
// has ended.
func TestATaskWithAnUnusableIDIsToldOfAfterTheEnd(t *testing.T) {
	requirements.Rows(t, "TSK-75")
	const both = ""
	cancelled := func(r *taskRig, id CallID) { r.cancel(id, "") }
	for name, tt := range map[string]struct {
		only   mcp.Revision
		status string
		before func(r *taskRig, id CallID)
		state  State
		told   bool
	}{
		"in flight":               {both, "working", func(*taskRig, CallID) {}, Failed, true},
		"in flight, it has ended": {both, "completed", func(*taskRig, CallID) {}, Failed, false},
		"being cancelled":         {mcp.Rev20251125, "working", cancelled, Failed, true},
		"cancelled by its note":   {mcp.Rev20260728, "working", cancelled, Cancelled, true},
		"cancelled":               {mcp.Rev20251125, "working", func(r *taskRig, id CallID) { cancelled(r, id); r.unwritten(10 * time.Second) }, Cancelled, true},
		"ended by its note":       {mcp.Rev20260728, "working", func(r *taskRig, id CallID) { cancelled(r, id); r.wait(10 * time.Second) }, Cancelled, true},
	} {
		everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
			if tt.only != both && tt.only != r.s.conn.rev {
				return
			}
			r.pings = true
			id, wire := r.wished()
			tt.before(r, id)
			r.handle(wire, strings.Repeat("x", mcp.MaxTaskID+1), `"status":"`+tt.status+`"`)
			tasks := r.s.UnnamedTasks()
			isTold := len(tasks) == 1 && tasks[0].Call == id && tasks[0].Unusable
			if row := r.row(id); row.State != tt.state || isTold != tt.told || row.UnnamedTask != tt.told {
				t.Errorf("%s: %v, %q, unnamed %v, %+v", name, row.State, row.Note, row.UnnamedTask, tasks)
			}
		})
	}
	r := taskingThat(t, mcp.Rev20251125, `{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}`)
	id, wire := r.wished()
	r.do(StopWaiting{Call: id})
	r.handle(wire, strings.Repeat("x", mcp.MaxTaskID+1))
	if tasks := r.s.UnnamedTasks(); r.row(id).State != Lost || len(tasks) != 1 || !tasks[0].Unusable {
		t.Errorf("left: %v, %+v", r.row(id).State, tasks)
	}
}
