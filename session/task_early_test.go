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
