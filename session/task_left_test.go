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

// Who stops waiting while the cancel of a task is under way has the row end at once. What comes
// later still tells what the cancel did.
func TestStopWaitingWhileATaskIsCancelled(t *testing.T) {
	requirements.Rows(t, "CXL-38")
	for _, acked := range []bool{true, false} {
		everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
			id, wire := r.wished()
			r.handle(wire, "task-4711")
			r.cancel(id, "")
			if acked {
				r.answers("tasks/cancel", r.object("task-4711", "working"))
			}
			r.do(StopWaiting{Call: id})
			row := r.row(id)
			if row.State != Cancelled || !row.Task.LeftCancelling || row.Task.GoesOn {
				t.Fatalf("acked %v: %v, %v, %+v", acked, row.State, row.Verdict, row.Task)
			}
			if !acked {
				r.answers("tasks/cancel", r.object("task-4711", "working"))
			}
			if !r.row(id).Task.LeftCancelling {
				t.Errorf("acked %v: the answer to the cancel alone tells %v", acked, r.row(id).Verdict)
			}
			if !r.modern() { // where a call that was answered has progress no more
				r.wait(10 * time.Second)
				r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}`, token(wire))
				r.want(id, Cancelled, cancel.TaskWorking)
				if r.row(id).Task.LeftCancelling {
					t.Error("it is said that nothing was seen")
				}
			}
			r.unwritten(time.Hour)
		})
	}
}

// The progress of a task that the user waits for no more is no fault of the server's.
func TestProgressOfATaskThatWasLeft(t *testing.T) {
	requirements.Rows(t, "PRG-13")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		if r.modern() { // where a call that was answered has progress no more
			return
		}
		id, wire := r.wished()
		r.handle(wire, "task-4711")
		r.do(StopWaiting{Call: id})
		r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}`, token(wire))
		if found := r.s.Diagnostics(); len(found) != 0 || r.row(id).State != Lost {
			t.Errorf("%v, %+v", r.row(id).State, found)
		}
	})
}

// However long a server wants the pauses between the polls to be, one poll shows within the grace
// what a cancel did.
func TestACancelledTaskIsPolledWithinTheGrace(t *testing.T) {
	requirements.Rows(t, "TEX-38")
	for name, answer := range map[string]func(r *taskRig){
		"answered": func(r *taskRig) {
			r.answers("tasks/cancel", r.object("task-4711", "working", `"pollInterval":31536000000`, `"pollIntervalMs":31536000000`))
		},
		"refused": func(r *taskRig) { r.refuses("tasks/cancel", mcp.CodeMethodNotFound) },
	} {
		t.Run(name, func(t *testing.T) {
			everyTaskProtocol(t, func(_ *testing.T, r *taskRig) {
				id, wire := r.wished()
				r.handle(wire, "task-4711", `"pollInterval":31536000000`, `"pollIntervalMs":31536000000`)
				r.cancel(id, "")
				answer(r)
				r.unwritten(49 * time.Second)
				r.wait(time.Second)
				r.answers("tasks/get", r.object("task-4711", "working", `"pollInterval":31536000000`, `"pollIntervalMs":31536000000`))
				r.want(id, Cancelled, cancel.TaskWorking)
				r.unwritten(24 * time.Hour)
			})
		})
	}
}

// A task whose next poll was to be the last one, at the end of its time, is polled before that once it is
// cancelled: that poll is not the last one, and the time is not over.
func TestACancelledTaskHasItsTime(t *testing.T) {
	requirements.Rows(t, "TEX-23", "TSK-40")
	const times = `"ttl":100000,"ttlMs":100000,"pollInterval":120000,"pollIntervalMs":120000`
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id, wire := r.wished()
		r.handle(wire, "task-4711", times)
		r.wait(10 * time.Second)
		r.cancel(id, "")
		r.answers("tasks/cancel", r.object("task-4711", "working", times))
		r.unwritten(49 * time.Second)
		r.wait(time.Second)
		r.answers("tasks/get", r.object("task-4711", "working", times))
		r.want(id, Cancelled, cancel.TaskWorking)
		if v := r.row(id).Task; v.End != task.Alive || !v.GoesOn || strings.Contains(r.evidence(id), "the time of the task is over") {
			t.Errorf("%+v\n%s", v, r.evidence(id))
		}
		r.unwritten(39 * time.Second)
		r.wait(time.Second)
		r.answers("tasks/get", r.object("task-4711", "completed", times))
		r.want(id, Cancelled, cancel.TaskCompleted)
	})
}

// A server that asks for pauses of less than a minute is polled no sooner, also after a cancel.
func TestACancelledTaskIsPolledAtTheServersInterval(t *testing.T) {
	requirements.Rows(t, "TEX-13", "TSK-33")
	const times = `"ttl":null,"ttlMs":null,"pollInterval":45000,"pollIntervalMs":45000`
	everyTaskProtocol(t, func(_ *testing.T, r *taskRig) {
		id, wire := r.wished()
		r.handle(wire, "task-4711", times)
		r.cancel(id, "")
		r.answers("tasks/cancel", r.object("task-4711", "working", times))
		r.unwritten(44 * time.Second)
		r.wait(time.Second)
		r.answers("tasks/get", r.object("task-4711", "cancelled", times))
		r.want(id, Cancelled, cancel.TaskCancelled)
	})
}
