package session

import (
	"testing"
	"time"

	"belay/internal/covers"
	"belay/session/mcp"
)

// What a task asks that is being cancelled, or was, is kept as a question, known to be one of that
// task, which stops no clock and interrupts nobody.
func TestATaskAsksAfterItsCancel(t *testing.T) {
	covers.Rows(t, "TSK-26", "TEX-25")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		other, _ := r.call("t") // another call is no candidate
		r.n = len(r.lines)
		r.cancel(id, "")
		if r.modern() {
			r.ack()
			r.polled("input_required", inputs(input("name", "Your name?")))
		} else {
			r.asksForName("," + related)
			r.ack()
		}
		p := r.wantQuestion(Waiting)
		if !p.AfterCancel || !p.Orphaned || p.Task != "task-4711" || p.Owners != 1 || p.Candidates[0] != id {
			t.Errorf("%+v", p)
		}
		if r.row(other).AsksYou || r.s.rows.get(other).asked != 0 {
			t.Error("another call is held by the question")
		}
		r.wantDiag(mcp.DiagTaskRelated, 0)
		if r.polled("cancelled"); !r.modern() {
			return
		}
		if p := r.s.Questions()[0]; p.State != Withdrawn {
			t.Errorf("after the end of the task: %+v", p)
		}
	})
}

// A task of the extension that vanishes after its cancel takes with it what it asked since.
func TestWhatATaskAskedAfterItsCancelEndsWithIt(t *testing.T) {
	r := tasking(t, mcp.Rev20260728)
	id := r.begun()
	r.cancel(id, "")
	r.ack()
	r.polled("input_required", inputs(input("name", "Your name?")))
	r.wantQuestion(Waiting)
	r.wait(2 * time.Second)
	r.refuses("tasks/get", mcp.CodeInvalidParams)
	if p := r.s.Questions()[0]; p.State != Withdrawn {
		t.Errorf("%+v", p)
	}
}

// A request of a task that was cancelled, and is followed no more, is one of that task still.
func TestATaskThatWasCancelledAsks(t *testing.T) {
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.cancel(id, "")
	r.ack()
	r.polled("cancelled")
	r.asksForName("," + related)
	if p := r.wantQuestion(Waiting); !p.AfterCancel || p.Candidates[0] != id {
		t.Errorf("%+v", p)
	}
	r.wantDiag(mcp.DiagTaskRelated, 1)
}
