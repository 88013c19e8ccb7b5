package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
)

// Where belay ends the connection before a poll told what the cancel of a task did, that is said, and
// not that the task was not seen again.
func TestAConnectionThatEndsBeforeACancelledTaskIsSeen(t *testing.T) {
	requirements.Rows(t, "TSK-61", "TEX-38")
	for name, c := range map[string]struct {
		acked, seen, byUs bool
		want              bool
	}{
		"acknowledged, and belay ends it":      {true, false, true, true},
		"not acknowledged, and belay ends it":  {false, false, true, true},
		"seen at work, and belay ends it":      {true, true, true, false},
		"acknowledged, and the server ends it": {true, false, false, false},
		"seen at work, and the server ends it": {true, true, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
				id := r.begun()
				r.cancel(id, "")
				if c.acked {
					r.answers("tasks/cancel", r.object("task-4711", "working"))
				}
				if c.seen {
					r.polled("working")
				}
				r.wait(200 * time.Millisecond)
				r.s.Tell(r.now, Closed{Epoch: r.s.conn.epoch, Why: Close{ByUs: c.byUs}})
				d, _ := r.s.Detail(id)
				if d.State != Cancelled || d.Task.CutOff != c.want {
					t.Fatalf("%v · %v, cut off: %v; %v", d.State, d.Verdict, d.Task.CutOff, d.Evidence)
				}
				if d.Verdict != cancel.TaskWorking && c.seen {
					t.Errorf("%v", d.Verdict)
				}
				if d.Task.CutByUs != c.want || strings.Contains(r.evidence(id), "belay ended the connection before a poll told what the cancel did") != c.want {
					t.Error(r.evidence(id))
				}
				events := r.s.CancelEvents()
				if last := events[len(events)-1]; (last.Note == "belay left") != c.want || last.Note == "connection ended" {
					t.Errorf("the log says %q", last.Note)
				}
			})
		})
	}
}
