package session

import (
	"strings"
	"testing"

	"belay/internal/covers"
	"belay/session/mcp"
)

// pickUpOf asks for a task by its ID.
func pickUpOf(id string) CallSpec {
	return CallSpec{Method: "tasks/get", Params: mcp.TaskParams(id), Watch: true}
}

// A task that is asked for by its ID is not done because the answer tells of another task, or of none.
func TestAPickUpThatIsToldOfNoTask(t *testing.T) {
	covers.Rows(t, "TSK-49", "TEX-08")
	for name, tt := range map[string]struct {
		members, says string
		code          mcp.DiagCode
	}{
		"nothing of a task": {`"foo":1`, "invalid response: it tells of no task", mcp.DiagTaskOther},
		"no status":         {`"taskId":"task-4711"`, "invalid response: it tells of no task", mcp.DiagTaskOther},
		"a member task":     {`"task":{"taskId":"task-4711","status":"working"}`, "invalid response: it tells of no task", mcp.DiagTaskOther},
		"another":           {`"taskId":"task-9","status":"working"`, `invalid response: asked of "task-4711", told of "task-9": the answer tells of another task`, mcp.DiagTaskOther},
		"no string":         {`"taskId":7,"status":"working"`, "invalid response: taskId is a number, not a string", mcp.DiagTaskShape},
	} {
		everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
			id, wire := r.made(pickUpOf("task-4711"))
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, wire, tt.members)
			if row := r.row(id); row.State != Failed || row.Task != nil || row.Note != tt.says {
				t.Errorf("%s: %v, %q", name, row.State, row.Note)
			}
			r.wantDiag(tt.code, 1)
		})
	}
}

// Where the asking for a task is cancelled before its first answer, the row says what that does to
// the task: over HTTP in 2026-07-28 nothing, else the task is cancelled once it is found.
func TestAPickUpIsCancelledBeforeItsAnswer(t *testing.T) {
	covers.Rows(t, "TSK-74", "CXL-40")
	w := taskingWeb(t, mcp.Rev20260728)
	id, _ := w.made(pickUpOf("task-4711"))
	w.cancel(id, "")
	if note := w.row(id).Note; note != "only the asking for the task was cancelled: the task itself is not" {
		t.Errorf("%q", note)
	}
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id, wire := r.made(pickUpOf("task-4711"))
		r.cancel(id, "")
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, wire, r.object("task-4711", "working"))
		if note := r.row(id).Note; note != "task found after the cancel was wanted: cancelling it" {
			t.Errorf("%q", note)
		}
		r.n = len(r.lines) - 1
		r.ack()
		if note := r.row(id).Note; strings.Contains(note, "cancelling it") || !strings.Contains(note, "task found after the cancel was wanted") {
			t.Errorf("when that is over: %q", note)
		}
	})
}
