package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
)

// Where the server lets no task be cancelled, a call that has no ID of its task yet is offered no
// cancel, and d stops waiting for it.
func TestACallWithoutATaskIDThatCanOnlyBeLeft(t *testing.T) {
	requirements.Rows(t, "TSK-06")
	run(t, 80, 24, Options{}, func(w *harness) {
		w.handshakeOf(strings.Replace(taskInit, `"cancel":{},`, "", 1), taskTools)
		id := w.asTask(0)
		w.clearStatus()
		w.sees("d stop waiting")
		w.seesNot("[x]", "x cancel", "c cancel")
		w.press("x")
		w.sees("its tasks can only be waited for;", "d stops waiting")
		w.press("d")
		w.sees("stopped waiting", "its task may go on at the", "server, and its ID has not come")
		if n := w.got("tasks/cancel") + w.got("notifications/cancelled"); n != 0 {
			t.Errorf("%d cancels were sent", n)
		}
		w.clearStatus()
		if foot := w.foot(); strings.Contains(foot, "stop waiting") {
			t.Errorf("the foot still reads %q", foot)
		}
		w.result(id, `{"task":{`+w.task("task-4711", "working", `"ttl":null`)+`}}`)
		w.sees("task-4711")
	})
}

// A task that is being cancelled has no button, as x does nothing there.
func TestATaskThatIsBeingCancelledHasNoButton(t *testing.T) {
	requirements.Rows(t, "CXL-31", "TSK-73")
	tasking(t, 80, 24, func(w *harness) {
		id := w.asTask(0)
		w.sees("[x]")
		w.press("x")
		w.sees("waiting for the task ID")
		w.seesNot("[x]")
		w.result(id, `{"task":{`+w.task("task-4711", "working", `"ttl":null`)+`}}`)
		w.seesNot("[x]")
		w.result(w.last("tasks/cancel"), `{`+w.task("task-4711", "working", `"ttl":null`)+`}`)
		w.sees("cancelling")
		w.seesNot("[x]", "x cancel task")
	})
}

// Quitting asks about a call that was cancelled and whose task has no ID, waits a second for that, and
// tells of the task afterwards.
func TestQuittingAfterTheCancelOfACallWithoutATaskID(t *testing.T) {
	requirements.Rows(t, "TSK-73", "TSK-75")
	for _, comes := range []bool{true, false} {
		tasking(t, 80, 24, func(w *harness) {
			id := w.asTask(0)
			w.press("x")
			w.wait(6 * time.Second)
			w.sees("not delivered")
			w.press("q")
			w.sees("1 cancelled call has no task ID yet: belay waits 1 s for it at most.")
			w.press("y")
			w.wait(900 * time.Millisecond)
			if w.quit {
				t.Fatal("it did not wait for the ID")
			}
			if comes {
				w.result(id, `{"task":{`+w.task("task-4711", "working", `"ttl":null`)+`}}`)
			}
			w.wait(500 * time.Millisecond)
			if n := w.got(`"method":"tasks/cancel"`); !w.quit || (n == 1) != comes {
				t.Errorf("comes %v: quit %v, %d cancels", comes, w.quit, n)
			}
			want := `a task of #6 "countdown" may go on, if it outlives the server's process: its ID has not come`
			if comes {
				want = `task "task-4711" may go on, if it outlives the server's process, of #6 "countdown"`
			}
			if told := strings.Join(w.m.Farewell(), "\n"); told != want {
				t.Errorf("the last lines:\n%s", told)
			}
		})
	}
}

// A task whose ID cannot be used is named by its call after the end.
func TestATaskWithAnUnusableIDIsNamedAfterTheEnd(t *testing.T) {
	requirements.Rows(t, "TSK-75")
	tasking(t, 80, 24, func(w *harness) {
		w.result(w.asTask(0), `{"task":{`+w.task(strings.Repeat("x", mcp.MaxTaskID+1), "working", `"ttl":null`)+`}}`)
		w.sees("failed")
		if told := strings.Join(w.m.Farewell(), "\n"); told != `a task of #6 "countdown" may go on, if it outlives the server's process: its ID cannot be used` {
			t.Errorf("the last lines:\n%s", told)
		}
	})
}

// A row that has ended, and whose task has an unusable ID, is offered no cancel.
func TestARowWhoseTaskHasAnUnusableIDIsOfferedNoCancel(t *testing.T) {
	requirements.Rows(t, "TSK-73")
	extending(t, 100, 30, func(w *harness) {
		w.call("countdown")
		id := w.last("tools/call")
		w.press("x")
		w.result(id, `{"resultType":"task","taskId":"`+strings.Repeat("x", mcp.MaxTaskID+1)+`","status":"working","createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":"2026-07-28T12:00:00Z","ttlMs":null}`)
		w.wait(6 * time.Second)
		w.clearStatus()
		w.sees("⊘ cancelled")
		w.seesNot("x cancel", "c cancel")
		w.press("x")
		w.sees("has ended")
	})
}

// x on a task whose connection has ended, and which may go on, names what asks for it over the next one.
func TestCancellingATaskWhoseConnectionHasEnded(t *testing.T) {
	requirements.Rows(t, "TSK-75")
	for _, status := range []string{"working", "completed"} {
		tasking(t, 100, 30, func(w *harness) {
			w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", `"ttl":null`)+`}}`)
			if status != "working" {
				w.wait(3 * time.Second)
				w.result(w.last("tasks/get"), `{`+w.task("task-4711", status, `"ttl":null`)+`}`)
			}
			w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 3"}})
			w.wait(100 * time.Millisecond)
			w.command("restart")
			w.wait(100 * time.Millisecond)
			w.handshakeOf(taskInit, taskTools)
			w.clearStatus()
			w.press("x")
			if status == "working" {
				w.sees("the connection has ended, and the task may go on: :poll asks for it, :tasks lists it")
			} else {
				w.sees("the selected call has ended: there is nothing to cancel")
			}
		})
	}
}
