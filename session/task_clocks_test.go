package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// A task has no clock of belay's: there is none to extend, and none begins by that.
func TestATaskHasNoClockToExtend(t *testing.T) {
	requirements.Rows(t, "TMO-16")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		r.pings = true
		id, wire := r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"t","arguments":{}}`), AsTask: !r.modern(), Idle: 2 * time.Second, Max: 3 * time.Second})
		r.n = len(r.lines)
		r.handle(wire, "task-4711")
		if _, err := r.s.Handle(r.now, Extend{Call: id}); err == nil || !strings.Contains(err.Error(), "no clock runs") {
			t.Errorf("%v", err)
		}
		r.works(10 * time.Second)
		if row := r.row(id); row.State != Running || !row.Deadline.IsZero() {
			t.Errorf("%v, due %v", row.State, row.Deadline)
		}
	})
}

// The silence that ends a call ends no task, also where the task has told of its progress.
func TestProgressOfATaskBeginsNoClock(t *testing.T) {
	requirements.Rows(t, "TMO-07", "TMO-16", "PRG-13")
	r := tasking(t, mcp.Rev20251125)
	r.pings = true
	id, wire := r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"t","arguments":{}}`), AsTask: true, Idle: 2 * time.Second})
	r.n = len(r.lines)
	r.handle(wire, "task-4711")
	r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}`, token(wire))
	if row := r.row(id); row.Progress.Count != 1 || !row.Deadline.IsZero() {
		t.Errorf("%d notices of progress, due %v", row.Progress.Count, row.Deadline)
	}
	r.works(10 * time.Second)
	if row := r.row(id); row.State != Running || r.sent("cancel") != 0 {
		t.Errorf("%v, %q; %v", row.State, row.Note, r.lines)
	}
}
