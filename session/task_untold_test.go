package session

import (
	"maps"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
)

// untold are answers to tasks/get that tell nothing of task-4711, and what is said of each.
var untold = map[string]struct{ answer, says string }{
	"of another task":      {`"result":{"resultType":"complete",OTHER}`, `it is about "other"`},
	"of a task without ID": {`"result":{"resultType":"complete","taskId":7,"status":"working"}`, "taskId is a number, not a string"},
	"no task, but meta":    {`"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"other"}}}`, "it is no task"},
	"no task":              {`"result":{"resultType":"complete"}`, "it is no task"},
	"an error":             {`"error":{"code":-32603,"message":"busy"}`, `it is error -32603: "busy"`},
	"malformed":            {`"okay":true`, "malformed response: neither a method, nor a result, nor an error"},
}

// unreadable are answers that find task-4711, and do not tell what it does.
var unreadable = map[string]struct{ answer, says string }{
	"an unknown status":   {`"result":{"resultType":"complete",STATUS}`, `its status is "canceled"`},
	"no status":           {`"result":{"resultType":"complete","taskId":"task-4711","ttl":null,"pollInterval":1000,"pollIntervalMs":1000}`, "it has no status"},
	"a status of no text": {`"result":{"resultType":"complete","taskId":"task-4711","status":5,"ttl":null,"pollInterval":1000,"pollIntervalMs":1000}`, "it has no status"},
}

// allUntold are both.
func allUntold() map[string]struct{ answer, says string } {
	all := maps.Clone(untold)
	maps.Copy(all, unreadable)
	return all
}

// untelling is one of these.
func (r *taskRig) untelling(answer string) string {
	return strings.NewReplacer("OTHER", r.object("other", "completed"), "STATUS", r.object("task-4711", "canceled")).Replace(answer)
}

// untellsPoll answers the next poll, which is due within a second, by one of these.
func (r *taskRig) untellsPoll(answer string) {
	r.t.Helper()
	if r.n == len(r.lines) {
		r.wait(time.Second)
	}
	r.recv(`{"jsonrpc":"2.0","id":%v,%s}`, r.wantNext("tasks/get"), r.untelling(answer))
}

// After the server has acknowledged the cancel of a task, the first answer to a poll ends the wait,
// whatever the answer says. What tells nothing of the task is evidence of nothing else, and what a
// later poll tells counts.
func TestAPollAfterTheAcknowledgementTellsNothing(t *testing.T) {
	requirements.Rows(t, "TSK-49", "TSK-61", "TEX-38")
	for name, tt := range allUntold() {
		t.Run(name, func(t *testing.T) {
			everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
				id := r.begun()
				r.cancel(id, "")
				if r.modern() {
					r.ack()
				} else { // the acknowledgement is the task, which is not cancelled
					r.answers("tasks/cancel", r.object("task-4711", "working"))
				}
				r.want(id, Cancelling, cancel.NoVerdict)
				r.untellsPoll(tt.answer)
				r.want(id, Cancelled, cancel.TaskUnseen)
				if words := r.evidence(id); !strings.Contains(words, "tells nothing of the task: "+tt.says) {
					t.Errorf("the evidence lacks %q:\n%s", tt.says, words)
				}
				r.wait(2 * time.Second)
				r.answers("tasks/get", r.object("task-4711", "cancelled"))
				r.want(id, Cancelled, cancel.TaskCancelled)
			})
		})
	}
}

// A poll that was sent before the acknowledgement ends no wait.
func TestAPollFromBeforeTheAcknowledgementTellsNothing(t *testing.T) {
	for _, tt := range allUntold() {
		everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
			id := r.begun()
			r.wait(time.Second)
			poll := r.wantNext("tasks/get")
			r.cancel(id, "")
			r.answers("tasks/cancel", r.object("task-4711", "working"))
			r.recv(`{"jsonrpc":"2.0","id":%v,%s}`, poll, r.untelling(tt.answer))
			r.want(id, Cancelling, cancel.NoVerdict)
			if words := r.evidence(id); strings.Contains(words, "tells nothing") {
				t.Errorf("it is evidence:\n%s", words)
			}
			r.wait(2 * time.Second)
			r.answers("tasks/get", r.object("task-4711", "working"))
			r.want(id, Cancelled, cancel.TaskWorking)
		})
	}
}

// The row of a task ends with the last poll at the end of its time, also where that poll tells
// nothing of the task.
func TestTheLastPollTellsNothing(t *testing.T) {
	requirements.Rows(t, "TSK-40", "TEX-23")
	for name, tt := range untold {
		everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
			id, wire := r.wished()
			r.handle(wire, "task-4711", `"ttl":500,"ttlMs":500`)
			r.untellsPoll(tt.answer)
			row := r.row(id)
			if row.State != Failed || row.Task.End != task.Expired {
				t.Errorf("%s: %v, the task is %v", name, row.State, row.Task.End)
			}
			r.unwritten(time.Hour)
		})
	}
}

// What an answer about another task asks for is not asked for by this task, and closes none of its
// questions.
func TestThePollOfAnotherTaskAsksNothing(t *testing.T) {
	requirements.Rows(t, "TSK-49", "TEX-31")
	r := tasking(t, mcp.Rev20260728)
	id := r.begun()
	r.polled("input_required", inputs(input("name", "Your name?")))
	for _, status := range []string{"working", "input_required"} {
		for r.n == len(r.lines) {
			r.wait(time.Second)
		}
		r.answers("tasks/get", r.object("other", status, inputs(input("card", "Your card?"))))
		if all := r.waiting(); len(all) != 1 || all[0].Key != "name" || r.taskStatus(id) != task.InputRequired {
			t.Errorf("%s: %+v", status, all)
		}
	}
	r.wantDiag(mcp.DiagTaskOther, 2)
}

// An answer to a poll that is over the limit is said to be that.
func TestAPollThatIsTooLarge(t *testing.T) {
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		r.wait(time.Second)
		wire := r.wantNext("tasks/get")
		r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, &mcp.Frame{
			Kind: mcp.FrameOversize, ID: wire, Answer: true, Size: 3 << 20, Problems: []mcp.Problem{{Code: mcp.DiagOversize, Detail: "3.0 MiB"}},
		})
		r.pull()
		if !r.tells(id, "tells nothing of the task: malformed response: 3.0 MiB") {
			t.Errorf("the timeline:\n%s", r.said(id))
		}
	})
}
