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

// A tasks/cancel without an answer is no request that belay gives up: to cancel it would take the
// cancel back. The verdict comes with the grace of its row, and stays.
func TestAnUnansweredCancelIsNotCancelled(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		r.pings = true
		id := r.begun()
		r.cancel(id, "")
		held := r.wantNext("tasks/cancel")
		r.wait(6 * time.Second)
		r.want(id, Cancelled, cancel.TaskUnacknowledged)
		before := r.evidence(id)
		r.works(20 * time.Minute)
		if n := r.sent(fmt.Sprintf(`"requestId":%v`, held)); n != 0 || r.sent(`"method":"tasks/cancel"`) != 1 {
			t.Errorf("%d cancels of the cancel, and %d of the task", n, r.sent(`"method":"tasks/cancel"`))
		}
		r.want(id, Cancelled, cancel.TaskUnacknowledged)
		if after := r.evidence(id); !strings.HasPrefix(after, before) || strings.Contains(after, "brought no answer") {
			t.Errorf("the evidence was\n%s\nand is\n%s", before, after)
		}
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, held, r.object("task-4711", "working"))
		r.works(2 * time.Minute)
		r.want(id, Cancelled, cancel.TaskWorking)
	})
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		w := taskingWeb(t, rev)
		id, out := w.wished()
		w.handle(out, "task-4711")
		w.stop(id)
		held := w.next("tasks/cancel")
		w.later(10 * time.Minute)
		for _, out := range w.outs {
			if out.X == held.X && out.Op != OpWrite || out.Op == OpWrite && mcp.Decode(out.Data).Cancelled != nil && mcp.Decode(out.Data).Cancelled.ID == mcp.Decode(held.Data).ID {
				t.Errorf("%s: the cancel is taken back: %+v", rev, out)
			}
		}
	}
}

// A task whose end is known needs nothing more, whether its cancel is answered or not.
func TestATaskEndsWhileItsCancelIsUnanswered(t *testing.T) {
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		r.cancel(id, "")
		r.wantNext("tasks/cancel")
		r.polled("cancelled")
		r.want(id, Cancelled, cancel.TaskCancelled)
		if n := len(r.s.tasks.all); n != 0 {
			t.Errorf("%d tasks are followed", n)
		}
		r.unwritten(time.Hour)
	})
}

// A task that ends by itself while its tasks/cancel is unanswered: the row waits for that answer as
// long as the grace lasts, and is told to be completed all the same only of a server that gave it.
func TestATaskCompletesWhileItsCancelIsUnanswered(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		r.pings = true
		id := r.begun()
		r.cancel(id, "")
		held := r.wantNext("tasks/cancel")
		r.completed()
		r.want(id, Cancelling, cancel.NoVerdict)
		r.unwritten(3500 * time.Millisecond)
		r.want(id, Cancelling, cancel.NoVerdict)
		r.wait(2 * time.Second)
		r.want(id, Cancelled, cancel.TaskUnacknowledged)
		if words := r.evidence(id); !strings.Contains(words, "says that the task is completed") || !strings.Contains(words, "tasks/cancel was not answered while the grace lasted") {
			t.Error(words)
		}
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, held, r.object("task-4711", "completed"))
		r.want(id, Cancelled, cancel.TaskCompleted)
	})
	everyTaskProtocol(t, func(_ *testing.T, r *taskRig) {
		id := r.begun()
		r.cancel(id, "")
		held := r.wantNext("tasks/cancel")
		r.completed()
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, held, r.object("task-4711", "completed"))
		r.want(id, Cancelled, cancel.TaskCompleted)
	})
	everyTaskProtocol(t, func(_ *testing.T, r *taskRig) {
		id := r.begun()
		r.cancel(id, "")
		held := r.wantNext("tasks/cancel")
		r.completed()
		r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32602,"message":"it has ended"}}`, held)
		r.want(id, Cancelled, cancel.TaskRefused)
	})
}

// An HTTP error that answers tasks/cancel acknowledges nothing, and what the task does by itself then
// is no answer to it either.
func TestATaskCompletesAfterAnHTTPErrorToItsCancel(t *testing.T) {
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		w := taskingWeb(t, rev)
		id, out := w.wished()
		w.handle(out, "task-4711")
		w.stop(id)
		x := w.next("tasks/cancel").X
		w.opened(x, Head{Status: 503})
		w.ended(x, End{})
		w.later(time.Second)
		if rev.IsModern() {
			w.answers("tasks/get", w.object("completed", `"result":{"resultType":"complete","content":[]}`))
		} else {
			w.answers("tasks/get", w.object("completed"))
			w.answers("tasks/result", `"content":[]`)
		}
		d, _ := w.s.Detail(id)
		if d.State != Cancelled || d.Verdict != cancel.TaskUnacknowledged {
			t.Errorf("%s: %v · %v; %v", rev, d.State, d.Verdict, d.Evidence)
		}
	}
}
