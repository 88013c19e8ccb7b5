package session

import (
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// How late a task of 2025-11-25 ended is told by the poll that saw its end, be the outcome fetched
// long after that, or not yet. The outcome itself came when it came.
func TestHowLateATaskEndedIsToldByThePoll(t *testing.T) {
	requirements.Rows(t, "TSK-61")
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.cancel(id, "")
	r.answers("tasks/cancel", r.object("task-4711", "working"))
	r.polled("working")
	r.wait(time.Second)
	r.polled("completed")
	told := r.now.Sub(r.row(id).Sent)
	d, _ := r.s.Detail(id)
	after := d.TaskEndAfter
	if d.Verdict != cancel.TaskCompleted || d.Late != nil || after < time.Second || after > told {
		t.Fatalf("%v, %+v, %v", d.Verdict, d.Late, after)
	}
	poll := r.now
	r.wait(9 * time.Second)
	r.answers("tasks/result", `"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-4711"}}`)
	if d, _ = r.s.Detail(id); d.Late == nil || d.Late.After != after+r.now.Sub(poll) || d.Late.After < 9*time.Second || d.TaskEndAfter != after {
		t.Errorf("%+v, the poll came after %v, and the row says %v", d.Late, after, d.TaskEndAfter)
	}
}
