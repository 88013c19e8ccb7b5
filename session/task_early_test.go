package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
)

// overtakes sends a notification about task-4711, which has no handle yet.
func (r *taskRig) overtakes(status, updated string) {
	r.t.Helper()
	said := strings.Replace(r.object("task-4711", status), `"lastUpdatedAt":"2026-07-28T12:00:00Z"`, fmt.Sprintf(`"lastUpdatedAt":%q`, updated), 1)
	r.recv(`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{%s}}`, said)
}

// A notification may come before the answer that creates its task. It belongs to the task from
// then on; what it tells counts by its date, and nothing is wrong with one that is older.
func TestANotificationBeforeTheHandle(t *testing.T) {
	requirements.Rows(t, "TSK-50")
	for _, c := range []struct {
		name, status, updated string
		want                  task.Status
		told                  bool
	}{
		{"older", "working", "2026-07-28T11:59:59Z", task.Working, false},
		{"older, and of another status", "input_required", "2026-07-28T11:59:59Z", task.Working, false},
		{"of the same time", "working", "2026-07-28T12:00:00Z", task.Working, true},
		{"newer", "input_required", "2026-07-28T12:00:01Z", task.InputRequired, true},
		{"newer, and the end", "completed", "2026-07-28T12:00:01Z", task.Completed, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := tasking(t, mcp.Rev20251125)
			id, wire := r.wished()
			r.overtakes(c.status, c.updated)
			r.wait(time.Second)
			_, noted := r.s.HistorySpan()
			if n := len(r.s.Diagnostics()); n != 0 {
				t.Errorf("before the handle: %+v", r.s.Diagnostics())
			}
			r.handle(wire, "task-4711")
			if found := r.s.Diagnostics(); len(found) != 0 {
				t.Errorf("after the handle: %+v", found)
			}
			if got := r.row(id).Task.Status; got != c.want {
				t.Errorf("the task is %v, want %v", got, c.want)
			}
			if told := r.noted(id, "in a notification before its ID"); told != c.told {
				t.Errorf("whether the timeline tells of it: %v", told)
			}
			if e, _ := r.s.Entry(noted); e.Call != id {
				t.Errorf("the notification belongs to call %d, not to %d", e.Call, id)
			}
			d, _ := r.s.Detail(id)
			if c.told && !slices.ContainsFunc(d.Timeline, func(m MomentView) bool { return m.Kind == MomTask && m.Entry == noted }) {
				t.Error("no moment leads to the notification")
			}
			if e, _ := r.s.Entry(noted); c.told {
				first := slices.IndexFunc(d.Timeline, func(m MomentView) bool { return m.Kind == MomTask })
				if m := d.Timeline[first]; m.Entry != noted || !m.At.Equal(e.At) {
					t.Errorf("the notification came before the handle, and the timeline has first %q at %v", m.Text, m.At)
				}
			}
		})
	}
}

// The end of a task that a notification tells is confirmed by one poll, also where the answer that creates the task
// tells the same.
func TestAnEndThatANotificationAndTheHandleTell(t *testing.T) {
	requirements.Rows(t, "TSK-50", "TSK-25")
	for _, status := range []string{"completed", "cancelled"} {
		r := tasking(t, mcp.Rev20251125)
		id, wire := r.wished()
		r.overtakes(status, "2026-07-28T12:00:00Z")
		r.handle(wire, "task-4711", fmt.Sprintf(`"status":%q`, status))
		if status == "completed" {
			r.answers("tasks/result", `"content":[],`+related)
		}
		r.wait(time.Second)
		r.answers("tasks/get", r.object("task-4711", status))
		r.wait(time.Minute)
		if n := r.sent("tasks/get"); n != 1 || r.row(id).Task.Unconfirmed {
			t.Errorf("%s: %d polls after its end was confirmed", status, n)
		}
	}
}

// A task that ends as cancelled before its ID came, and which the user wanted cancelled: nothing was sent for it.
func TestATaskThatIsCancelledBeforeItsCancelLeft(t *testing.T) {
	requirements.Rows(t, "TSK-73")
	r := tasking(t, mcp.Rev20251125)
	id, wire := r.wished()
	r.cancel(id, "")
	r.overtakes("cancelled", "2026-07-28T12:00:01Z")
	r.handle(wire, "task-4711")
	r.polled("cancelled")
	if row := r.row(id); row.State != Failed || !strings.HasPrefix(row.Note, "the task was cancelled, but not by way of this call") || !strings.HasSuffix(row.Note, "tasks/cancel was not sent") || r.sent("tasks/cancel") != 0 {
		t.Errorf("%v, %q", row.State, row.Note)
	}
}

// A notification that was overtaken tells of what the task was: it is diagnosed, and is no
// news in the timeline, takes back no question, and is no evidence of what a cancel did.
func TestANotificationThatWasOvertaken(t *testing.T) {
	requirements.Rows(t, "TSK-50", "TEX-42", "TEX-31")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		name := inputs(input("name", "Your name?"))
		overtaken := func(status, more string) {
			t.Helper()
			method := "notifications/tasks/status"
			if r.modern() {
				method = "notifications/tasks"
			}
			r.recv(`{"jsonrpc":"2.0","method":%q,"params":{%s}}`, method,
				strings.Replace(r.object("task-4711", status, more), `"lastUpdatedAt":"2026-07-28T12:00:00Z"`, `"lastUpdatedAt":"2026-07-28T11:59:59Z"`, 1))
			if !slices.ContainsFunc(r.s.Diagnostics(), func(d Diagnostic) bool {
				return d.Code == mcp.DiagTaskNotice && strings.Contains(d.Detail, status)
			}) {
				t.Errorf("an old notification of %s: %+v", status, r.s.Diagnostics())
			}
		}
		id := r.begun()
		r.polled("input_required", name)
		if r.modern() {
			r.wantQuestion(Waiting)
		}
		overtaken("working", `"ttlMs":null`)
		if r.noted(id, "working, in a notification") || r.taskStatus(id) != task.InputRequired {
			t.Error("the timeline or the row takes an old state for news")
		}
		if r.modern() {
			r.wantQuestion(Waiting)
		} else {
			r.wantNext("tasks/result")
		}
		r.polled("working")
		overtaken("input_required", name+`,"ttlMs":null`)
		if n := len(r.waiting()); n != 0 {
			t.Errorf("an old state asks %d questions", n)
		}
		r.cancel(id, "")
		r.ack()
		overtaken("completed", `"result":{"content":[]},"ttlMs":null`)
		if r.noted(id, "completed, in a notification") {
			t.Error("an old end of the task is told after its cancel")
		}
		r.polled("cancelled")
		r.wait(time.Hour)
		r.want(id, Cancelled, cancel.TaskCancelled)
	})
}
