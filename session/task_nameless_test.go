package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/covers"
	"belay/session/cancel"
	"belay/session/mcp"
)

// A cancel that found no ID is kept. The row says so, and so does a second press.
func TestACancelThatFoundNoIDIsKept(t *testing.T) {
	covers.Rows(t, "TSK-73", "TMO-12", "CXL-31")
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
