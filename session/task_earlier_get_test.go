package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// cancelledByIDAlone is a task that was looked for in vain, and is cancelled by its ID alone: its row, and
// the tasks/get that is not waited for.
func (r *taskRig) cancelledByIDAlone() (CallID, mcp.ID) {
	r.t.Helper()
	spec := pickUpOf("task-4711")
	spec.Stop = true
	id := r.do(StartCall{Spec: spec}).Call
	get := r.wantNext("tasks/get")
	r.wait(lookedWithin)
	return id, get
}

// What the server says at last in answer to the tasks/get by which it was asked for a task that is being
// cancelled is in the row, and among the evidence. What is said there of the end of the task counts, as
// it may be of before the cancel; nothing else decides.
func TestTheLateAnswerToTheFirstPollIsEvidence(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37")
	const from = "the answer to a tasks/get from before tasks/cancel "
	for name, tt := range map[string]struct {
		answer, evidence, timeline string
	}{
		"it goes on": {
			`"result":{"resultType":"complete",STATUS,"statusMessage":"step 2"}`, from + `says that the task is working: "step 2"`,
			`task working, in the answer to a tasks/get from before tasks/cancel: "step 2"`,
		},
		"a word that is no status": {
			`"result":{"resultType":"complete","taskId":"task-4711","status":"resting"}`, from + `tells nothing of the task: its status is "resting"`,
			from + `tells nothing of the task: its status is "resting"`,
		},
		"an error": {
			`"error":{"code":-32602,"message":"no such task"}`, from + `tells nothing of the task: it is error -32602`,
			from + `tells nothing of the task: it is error -32602`,
		},
		"another task": {
			`"result":{"resultType":"complete","taskId":"task-9","status":"working"}`, from + `tells nothing of the task: it is about "task-9"`,
			from + `tells nothing of the task: it is about "task-9"`,
		},
		"no task": {
			`"result":{"resultType":"complete","foo":1}`, from + "tells nothing of the task: it is no task",
			from + "tells nothing of the task: it is no task",
		},
	} {
		t.Run(name, func(t *testing.T) {
			everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
				id, get := r.cancelledByIDAlone()
				cancels := r.wantNext("tasks/cancel")
				r.recv(`{"jsonrpc":"2.0","id":%v,%s}`, get, strings.ReplaceAll(tt.answer, "STATUS", r.object("task-4711", "working")))
				if words := r.evidence(id); strings.Count(words, tt.evidence) != 1 {
					t.Errorf("not in the evidence, once:\n%s", words)
				}
				r.saysOf(id, tt.timeline)
				r.want(id, Cancelling, cancel.NoVerdict)
				members := ""
				if !r.modern() {
					members = "," + r.object("task-4711", "working")
				}
				r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete"%s}}`, cancels, members)
				r.wait(time.Second)
				r.polled("working")
				r.want(id, Cancelled, cancel.TaskWorking)
			})
		})
	}
}

// How the task has ended counts there: it may have ended before tasks/cancel was read. A poll follows.
func TestTheLateAnswerToTheFirstPollTellsTheEnd(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37")
	outcome := map[bool]string{true: `,"result":{"resultType":"complete","content":[]}`}
	for _, late := range []time.Duration{0, 10 * time.Second} {
		everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
			r.pings = true
			id, get := r.cancelledByIDAlone()
			cancels := r.wantNext("tasks/cancel")
			r.wait(late)
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s%s}}`, get, r.object("task-4711", "completed"), outcome[r.modern()])
			if words := r.evidence(id); !strings.Contains(words, "the answer to a tasks/get from before tasks/cancel says that the task is completed") {
				t.Errorf("%s", words)
			}
			r.saysOf(id, "task completed, in the answer to a tasks/get from before tasks/cancel")
			members := ""
			if !r.modern() {
				members = "," + r.object("task-4711", "completed")
			}
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete"%s}}`, cancels, members)
			for range 60 {
				for r.n < len(r.lines) {
					switch method, wire := r.next(); method {
					case "tasks/get":
						r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s%s}}`, wire, r.object("task-4711", "completed"), outcome[r.modern()])
					case "tasks/result":
						r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[],%s}}`, wire, related)
					}
				}
				r.wait(time.Second)
			}
			r.want(id, Cancelled, cancel.Crossed) // nothing tells whether it had ended before its cancel
			if words := r.evidence(id); !strings.Contains(words, "whether the task had ended before the server read the cancel is not known") {
				t.Errorf("%s", words)
			}
			if n := r.sent(`"method":"tasks/get"`); late == 0 && n != 2 || r.sent(`"method":"tasks/cancel"`) != 1 {
				t.Errorf("%d polls: %v", n, r.lines)
			}
		})
	}
}

// One that comes after the answer to a later poll tells nothing new of a task that goes on, and takes
// nothing back.
func TestTheAnswerToTheFirstPollIsOvertaken(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id, get := r.cancelledByIDAlone()
		r.ack()
		r.wait(time.Second)
		r.polled("cancelled")
		r.want(id, Cancelled, cancel.TaskCancelled)
		found := len(r.s.Diagnostics())
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, get, r.object("task-4711", "working"))
		r.want(id, Cancelled, cancel.TaskCancelled)
		words := r.evidence(id)
		if !strings.Contains(words, "the answer to a tasks/get from before tasks/cancel says that the task is working") || strings.Contains(words, "although") {
			t.Errorf("%s", words)
		}
		if n := len(r.s.Diagnostics()); n != found {
			t.Errorf("a fault is told: %+v", r.s.Diagnostics()[found:])
		}
		r.unwritten(time.Hour)
	})
}

// When the user had a task be cancelled that was looked for is told with its time, not with that at which
// tasks/cancel could be sent.
func TestWhenTheCancelOfAPickUpWasWished(t *testing.T) {
	everyPickUp(t, func(t *testing.T, r *taskRig, id CallID) {
		r.wantNext("tasks/get")
		r.wait(lookedWithin)
		r.wantNext("tasks/cancel")
		d, _ := r.s.Detail(id)
		wanted := 0
		for i := range d.Timeline {
			m := &d.Timeline[i]
			if m.Kind == MomCancelWanted {
				wanted++
				if since := r.now.Sub(m.At); since != lookedWithin {
					t.Errorf("%v before tasks/cancel, want %v", since, lookedWithin)
				}
			}
			if i > 0 && m.At.Before(d.Timeline[i-1].At) {
				t.Errorf("the timeline is not in the order of time: %+v", d.Timeline)
			}
		}
		if e := d.Evidence[0]; wanted != 1 || !strings.HasPrefix(e.Text, "cancel requested by user") || r.now.Sub(e.At) != lookedWithin {
			t.Errorf("%d times; %+v", wanted, d.Evidence)
		}
	})
}
