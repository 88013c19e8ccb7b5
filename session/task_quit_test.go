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

// Quitting cancels the tasks that go on, or leaves them; a server that cannot cancel a task
// is left to it in any case.
func TestQuittingWithTasks(t *testing.T) {
	requirements.Rows(t, "TSK-06", "TSK-75", "CXL-38")
	for _, c := range []struct {
		name, declares string
		quit           Quit
		cancels        int
		state          State
	}{
		{"cancels", coreTasks, Quit{}, 2, Cancelling},
		{"leaves", coreTasks, Quit{LeaveTasks: true}, 0, Lost},
		{"cannot cancel", `{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}`, Quit{}, 0, Lost},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &taskRig{rig: serving(t, mcp.Rev20251125, c.declares)}
			r.answerList(mcp.Tools, fresh, `{"name":"t","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}`)
			var ids []CallID
			for _, name := range []string{"task-4711", "task-4712"} {
				id, wire := r.wished()
				r.handle(wire, name)
				ids = append(ids, id)
			}
			plain, _ := r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`)})
			r.s.Tell(r.now, c.quit)
			r.pull()
			written := strings.Join(r.lines, "\n")
			if n := strings.Count(written, `"method":"tasks/cancel"`); n != c.cancels {
				t.Errorf("%d tasks were cancelled, want %d: %s", n, c.cancels, written)
			}
			if n := strings.Count(written, `"method":"notifications/cancelled"`); n != 1 {
				t.Errorf("%d requests were cancelled, want the plain one: %s", n, written)
			}
			for _, id := range ids {
				row := r.row(id)
				if row.State != c.state || (row.Task.End == task.Left) != (c.state == Lost) {
					t.Errorf("%v, end %v", row.State, row.Task.End)
				}
			}
			if r.row(plain).State != Cancelling {
				t.Errorf("the plain call is %v", r.row(plain).State)
			}
		})
	}
}

// Over HTTP a quit waits until the cancels of tasks are answered, for as long as it waits for
// any cancel: to close the exchange of tasks/cancel is to take it back.
func TestAQuitWaitsForTheCancelsOfTasks(t *testing.T) {
	requirements.Rows(t, "TSK-75")
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		for name, isAnswered := range map[string]bool{"answered": true, "never answered": false} {
			t.Run(string(rev)+", "+name, func(t *testing.T) {
				w := taskingWeb(t, rev)
				id, out := w.wished()
				w.handle(out, "task-4711")
				w.s.Tell(w.now, Quit{})
				w.pump()
				cancels := w.next("tasks/cancel")
				w.later(quitLimit - time.Millisecond)
				if w.count(OpClose) != 0 || w.aborted(cancels.X) || w.row(id).State != Cancelling {
					t.Fatalf("the connection ends over the head of tasks/cancel, the call is %v", w.row(id).State)
				}
				if isAnswered {
					w.answer(cancels, `"result":{"resultType":"complete",`+w.object("cancelled")+`}`)
					w.pump()
				} else {
					w.later(time.Millisecond)
				}
				if w.count(OpClose) != 1 {
					t.Errorf("%d ends", w.count(OpClose))
				}
			})
		}
	}
}

// The outcome of a task that has ended before its ID came, in the last moment of a connection, is one that
// did not come.
func TestAnOutcomeThatTheEndOfTheConnectionCutsOff(t *testing.T) {
	requirements.Rows(t, "TSK-42")
	w := taskingWeb(t, mcp.Rev20251125)
	id, out := w.wished()
	w.stop(id)
	w.later(6 * time.Second)
	w.want(id, Cancelled, cancel.NotDelivered)
	w.s.Tell(w.now, Quit{})
	w.pump()
	w.answer(out, `"result":{"task":{`+w.object("completed")+`}}`)
	if k := w.row(id).Task; !k.OutcomeOut || k.OutcomeLeft {
		t.Errorf("%+v", k)
	}
	w.later(quitLimit)
	w.s.Tell(w.now, Closed{Epoch: w.row(id).Epoch, Why: Close{ByUs: true, Status: "closed"}})
	if k := w.row(id).Task; k.OutcomeOut || !k.OutcomeLeft {
		t.Errorf("%+v", k)
	}
}
