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

// handleOf is the answer that creates task-4711 with a status.
func (r *taskRig) handleOf(wire mcp.ID, status string) {
	r.t.Helper()
	said := r.object("task-4711", status)
	if !r.modern() {
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"task":{%s}}}`, wire, said)
		return
	}
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"task",%s}}`, wire, said)
}

// ends gives the outcome of task-4711, which has ended.
func (r *taskRig) ends() {
	r.t.Helper()
	const result = `"content":[{"type":"text","text":"42"}]`
	if r.modern() {
		r.wait(time.Second)
		r.answers("tasks/get", r.object("task-4711", "completed", `"result":{"resultType":"complete",`+result+`}`))
		return
	}
	r.answers("tasks/result", result+`,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-4711"}}`)
}

// A task that has ended when its ID comes is not cancelled, be that told by its handle or before: the
// call has its outcome, however long that takes, and nothing was sent.
func TestATaskThatEndedBeforeItsIDIsNotCancelled(t *testing.T) {
	requirements.Rows(t, "TSK-73", "CXL-39")
	for name, tt := range map[string]struct {
		handle func(r *taskRig, wire mcp.ID)
		by     string
	}{
		"its handle tells that": {func(r *taskRig, wire mcp.ID) { r.handleOf(wire, "completed") }, "the answer that created it"},
		"a notification before the handle": {func(r *taskRig, wire mcp.ID) {
			r.overtakes("completed", "2026-07-28T12:00:01Z")
			r.handleOf(wire, "working")
		}, "a notification before its ID"},
	} {
		t.Run(name, func(t *testing.T) {
			r := tasking(t, mcp.Rev20251125)
			id, wire := r.wished()
			r.cancel(id, "")
			r.wait(time.Second)
			tt.handle(r, wire)
			outcome := r.wantNext("tasks/result")
			if name != "its handle tells that" { // a notification is confirmed by one poll
				r.polled("completed")
			}
			if r.unwritten(0); r.row(id).State != Cancelling {
				t.Fatalf("before its outcome the row is %v", r.row(id).State)
			}
			r.unwritten(time.Minute)
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-4711"}}}}`, outcome)
			if row := r.row(id); row.State != Done || row.Note != "the task ended before the cancel left (completed, in "+tt.by+"): nothing was sent" {
				t.Errorf("%v, %q", row.State, row.Note)
			}
			r.unwritten(time.Minute)
		})
	}
}

// A server may keep that outcome to itself: the user stops waiting for it, and the row ends.
func TestTheOutcomeOfSuchATaskIsWaitedForNoMore(t *testing.T) {
	requirements.Rows(t, "TSK-73")
	r := tasking(t, mcp.Rev20251125)
	id, wire := r.wished()
	r.cancel(id, "")
	r.wait(2 * time.Second)
	r.handleOf(wire, "completed")
	r.wantNext("tasks/result")
	if r.row(id).Task.Status != task.Completed {
		t.Errorf("%+v", r.row(id).Task)
	}
	r.do(StopWaiting{Call: id})
	r.want(id, Cancelled, cancel.NothingRunning)
	d, _ := r.s.Detail(id)
	last := d.Evidence[len(d.Evidence)-1]
	if last.Text != "the task ended before the cancel left (completed, in the answer that created it): nothing was sent" || last.At != d.Evidence[0].At.Add(2*time.Second) {
		t.Errorf("%+v", d.Evidence)
	}
	if r.wait(time.Minute); r.sent(`"method":"tasks/cancel"`) != 0 {
		t.Errorf("%v", r.lines)
	}
}

// One that is told to be cancelled by then is no other.
func TestATaskThatWasCancelledBeforeItsID(t *testing.T) {
	requirements.Rows(t, "TSK-73")
	r := tasking(t, mcp.Rev20251125)
	id, wire := r.wished()
	r.cancel(id, "")
	r.handleOf(wire, "cancelled")
	if row := r.row(id); row.State != Failed || !strings.HasPrefix(row.Note, "the task was cancelled") {
		t.Errorf("%v, %q", row.State, row.Note)
	}
	r.unwritten(time.Minute)
}

// Nor is one cancelled whose ID comes after the row has ended.
func TestATaskThatEndedBeforeItsLateID(t *testing.T) {
	requirements.Rows(t, "TSK-73")
	r := tasking(t, mcp.Rev20251125)
	id, wire := r.wished()
	r.cancel(id, "")
	r.wait(time.Minute)
	r.want(id, Cancelled, cancel.NotDelivered)
	r.handleOf(wire, "completed")
	r.ends()
	r.unwritten(time.Minute)
	if row := r.row(id); row.Verdict != cancel.NotDelivered || row.Note != "the task ended before the cancel left (completed, in the answer that created it): nothing was sent" {
		t.Errorf("%v, %q", row.Verdict, row.Note)
	}
	words := r.evidence(id)
	if strings.Contains(words, "if its ID still comes") || !strings.Contains(words, "the handle of the task came, and the task has ended by then (completed, in the answer that created it): tasks/cancel is not sent") {
		t.Errorf("the evidence is %s", words)
	}
}

// In the extension another cancel goes before the handle. That of a task that has ended is an answer
// after the cancel, late or not, and no tasks/cancel follows.
func TestTheHandleOfAnEndedTaskAnswersTheCancelledCall(t *testing.T) {
	requirements.Rows(t, "TEX-59")
	statuses := map[time.Duration]string{0: "completed", 2 * time.Second: "completed", 3 * time.Second: "failed", 4 * time.Second: "cancelled", 20 * time.Second: "completed"}
	for after, status := range statuses {
		want := cancel.AnsweredLate
		if after == 0 {
			want = cancel.Crossed
		}
		t.Run(after.String(), func(t *testing.T) {
			r := tasking(t, mcp.Rev20260728)
			id, wire := r.wished()
			r.cancel(id, "")
			r.wantNext("notifications/cancelled")
			for end := r.now.Add(after); r.now.Before(end); r.wait(time.Second) {
				for r.n < len(r.lines) { // the probe
					_, probe := r.next()
					r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete"}}`, probe)
				}
			}
			r.handleOf(wire, status)
			r.want(id, Cancelled, want)
			if words := r.evidence(id); !strings.Contains(words, "answered with the handle of a task that is "+status+" already") || strings.Contains(words, "invalid") {
				t.Error(words)
			}
			if d, _ := r.s.Detail(id); d.Late == nil || !d.Late.Handle || d.Late.Malformed {
				t.Errorf("%+v", d.Late)
			}
			if status == "completed" {
				r.ends()
			} else {
				r.polled(status)
			}
			r.want(id, Cancelled, want)
			r.unwritten(time.Minute)
		})
	}
}

// A task whose first status was told before its handle begins as that.
func TestHowATaskBeginsIsToldByWhatCameFirst(t *testing.T) {
	requirements.Rows(t, "TSK-22")
	for name, told := range map[string][]string{
		"": {"working", "completed"}, "completed": {"completed"}, "input_required": {"input_required", "completed"},
	} {
		r := tasking(t, mcp.Rev20251125)
		_, wire := r.wished()
		for _, status := range told {
			r.overtakes(status, "2026-07-28T12:00:00Z")
		}
		r.handleOf(wire, "completed")
		r.wantDiag(mcp.DiagTaskStatus, min(len(name), 1))
		if d := r.s.Diagnostics(); name != "" && !strings.Contains(d[0].Detail, `it begins as "`+name) {
			t.Errorf("%+v", d)
		}
	}
	many := tasking(t, mcp.Rev20251125)
	_, wire := many.wished()
	many.overtakes("working", "2026-07-28T12:00:00Z")
	for range maxNotices {
		many.overtakes("input_required", "2026-07-28T12:00:00Z")
	}
	many.handleOf(wire, "input_required")
	many.wantDiag(mcp.DiagTaskStatus, 0)
}

// The outcome that the poll behind such a handle brings is shown beside the handle, and changes nothing of
// the verdict.
func TestTheOutcomeBehindALateHandle(t *testing.T) {
	requirements.Rows(t, "TEX-59", "TEX-20")
	for name, tt := range map[string]struct {
		status, outcome string
		is              func(l *LateAnswer) bool
	}{
		"a result":            {"completed", `"result":{"resultType":"complete","content":[{"type":"text","text":"42"}]}`, func(l *LateAnswer) bool { return strings.Contains(string(l.Result), "42") && !l.ToolError }},
		"the error of a tool": {"completed", `"result":{"resultType":"complete","isError":true,"content":[]}`, func(l *LateAnswer) bool { return l.ToolError }},
		"an error":            {"failed", `"statusMessage":"no wind","error":{"code":-32603,"message":"no wind"}`, func(l *LateAnswer) bool { return l.Err != nil && l.Err.Message == "no wind" }},
	} {
		r := tasking(t, mcp.Rev20260728)
		id, wire := r.wished()
		r.cancel(id, "")
		r.wantNext("notifications/cancelled")
		r.wait(2 * time.Second)
		r.handleOf(wire, tt.status)
		r.want(id, Cancelled, cancel.AnsweredLate)
		before, _ := r.s.Detail(id)
		if l := before.Late; l == nil || l.Outcome != nil || l.Shown() != l {
			t.Fatalf("%s: %+v", name, l)
		}
		r.wait(time.Second)
		r.answers("tasks/get", r.object("task-4711", tt.status, tt.outcome))
		d, _ := r.s.Detail(id)
		if l := d.Late; l == nil || !l.Handle || l.After != before.Late.After || l.Outcome == nil || !tt.is(l.Shown()) {
			t.Errorf("%s: %+v", name, l)
		}
		r.want(id, Cancelled, cancel.AnsweredLate)
		r.saysOf(id, "tasks/get brings the outcome of the task")
		r.unwritten(time.Minute)
	}
}
