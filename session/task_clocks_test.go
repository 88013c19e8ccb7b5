package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/covers"
)

// A task has no clock of belay's: there is none to extend, and none begins by that.
func TestATaskHasNoClockToExtend(t *testing.T) {
	covers.Rows(t, "TMO-16")
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
