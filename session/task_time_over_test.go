package session

import (
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
)

// Whoever reads that a cancelled task goes on is told as well that nothing is polled any more, once its
// time is over: no later evidence is to be expected.
func TestACancelledTaskIsPolledUntilItsTimeIsOver(t *testing.T) {
	const says = "nothing more is polled: the time of the task is over"
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id, wire := r.wished()
		r.handle(wire, "task-4711", r.ttl(9000))
		r.cancel(id, "")
		if r.modern() {
			r.ack()
		} else {
			r.answers("tasks/cancel", r.object("task-4711", "working", r.ttl(9000)))
		}
		r.polled("working", r.ttl(9000))
		r.want(id, Cancelled, cancel.TaskWorking)
		if words := r.evidence(id); strings.Contains(words, says) {
			t.Errorf("while it is polled: %s", words)
		}
		for r.now.Before(r.row(id).Task.Expires) {
			r.wait(time.Second)
			if r.n < len(r.lines) {
				r.answers("tasks/get", r.object("task-4711", "working", r.ttl(9000)))
			}
		}
		r.want(id, Cancelled, cancel.TaskWorking)
		if words := r.evidence(id); strings.Count(words, says) != 1 || !strings.HasSuffix(strings.TrimSpace(words), says) {
			t.Errorf("%s", words)
		}
		r.unwritten(time.Hour)
	})
}
