package session

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
)

func TestACallRunsAsATask(t *testing.T) {
	requirements.Rows(t, "TSK-15", "TSK-42", "TSK-44", "TEX-03", "TEX-04", "TEX-17", "TEX-19")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		if row := r.row(id); row.State != Running || row.Task == nil || row.Task.Status != task.Working || row.Task.NextPoll.Sub(r.now) != time.Second {
			t.Fatalf("%+v %+v", row, row.Task)
		}
		r.polled("working")
		r.completed()
		d, _ := r.s.Detail(id)
		if d.State != Done || !strings.Contains(string(d.Result), "42") || d.Task.Status != task.Completed {
			t.Errorf("%v %s %+v", d.State, d.Result, d.Task)
		}
		r.unwritten(time.Hour)
		if st := r.s.Status(); st.Tasks != 0 || st.InFlight != 0 {
			t.Errorf("%+v", st)
		}
		if n := len(r.s.Diagnostics()); n != 0 {
			t.Errorf("diagnostics: %+v", r.s.Diagnostics())
		}
	})
}

// The requests about a task have no rows.
func TestPollsAreNoRows(t *testing.T) {
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		before := len(r.s.InFlight(nil, 100))
		id := r.begun()
		_, rev, _ := r.s.Changed(nil, 0, 100)
		r.wait(time.Second)
		r.wantNext("tasks/get")
		rows, _, _ := r.s.Changed(nil, 0, 100)
		for _, row := range rows {
			if row.Method != "tools/call" && row.Origin == FromTask {
				t.Errorf("%+v", row)
			}
		}
		if n := len(r.s.InFlight(nil, 100)); n != before+1 {
			t.Errorf("%d rows are in flight, want %d", n, before+1)
		}
		if _, ok := r.s.Row(id + 1); ok {
			t.Error("a poll has a row")
		}
		_ = rev
	})
}

func TestATaskIsCancelledByTasksCancelAlone(t *testing.T) {
	requirements.Rows(t, "CXL-07", "CXL-09", "TSK-58", "TSK-61", "TEX-36", "TEX-37", "SDX-01", "SDX-05", "SD0-04")
	for _, status := range []string{"working", "input_required"} {
		everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
			id := r.begun()
			r.polled(status, `"inputRequests":{}`)
			r.n = len(r.lines)
			r.cancel(id, "a reason that stays here")
			if got := r.row(id); got.State != Cancelling {
				t.Fatalf("%v", got.State)
			}
			line := r.lines[r.n]
			if !strings.Contains(line, `"params":{"taskId":"task-4711"`) || strings.Contains(line, "reason") {
				t.Errorf("%s", line)
			}
			r.ack()
			r.polled("cancelled")
			r.want(id, Cancelled, cancel.TaskCancelled)
			r.unwritten(time.Hour)
			if r.sent("notifications/cancelled") != 0 || r.sent(`"method":"tasks/cancel"`) != 1 {
				t.Errorf("%v", r.lines)
			}
		})
	}
}

// A task that has ended, and is polled no more, stays what it was: a notification that says
// otherwise is a fault, and one of before, or of the same, is none.
func TestAStatusAfterTheEndOfATaskIsAFault(t *testing.T) {
	requirements.Rows(t, "TSK-25", "TSK-62")
	everyTaskProtocol(t, func(_ *testing.T, r *taskRig) {
		id := r.begun()
		r.cancel(id, "")
		r.ack()
		r.polled("cancelled")
		r.want(id, Cancelled, cancel.TaskCancelled)
		method := "notifications/tasks/status"
		if r.modern() {
			method = "notifications/tasks"
		}
		for _, said := range []struct {
			status, date string
			found        int
		}{
			{"completed", "2026-01-01T00:00:00Z", 0},
			{"cancelled", "2036-01-01T00:00:00Z", 0},
			{"completed", "2036-01-01T00:00:00Z", 1},
		} {
			told := strings.Replace(r.object("task-4711", said.status), `"lastUpdatedAt":"2026-07-28T12:00:00Z"`, `"lastUpdatedAt":"`+said.date+`"`, 1)
			r.recv(`{"jsonrpc":"2.0","method":%q,"params":{%s}}`, method, told)
			r.wantDiag(mcp.DiagTaskFinal, said.found)
		}
		r.want(id, Cancelled, cancel.TaskCancelled)
	})
}

// What the server did about the cancel of a task.
func TestWhatBecameOfACancelledTask(t *testing.T) {
	requirements.Rows(t, "TSK-59", "TSK-61", "TSK-62", "TSK-63", "TEX-38", "TEX-40")
	for name, tt := range map[string]struct {
		core, modern bool
		then         func(r *taskRig)
		want         cancel.Verdict
		evidence     string
	}{
		"it stops": {true, true, func(r *taskRig) {
			r.ack()
			r.polled("cancelled")
		}, cancel.TaskCancelled, "says that the task is cancelled"},
		"it is completed all the same": {false, true, func(r *taskRig) {
			r.ack()
			r.polled("working")
			r.wait(time.Second)
			r.completed()
		}, cancel.TaskCompleted, "tasks/get says that the task is completed"},
		"it fails": {false, true, func(r *taskRig) {
			r.ack()
			r.polled("failed", `"error":{"code":-32603,"message":"broken"},"statusMessage":"broken"`)
		}, cancel.TaskFailed, `tasks/get says that the task is failed`},
		"it works on": {false, true, func(r *taskRig) {
			r.ack()
			r.polled("working")
		}, cancel.TaskWorking, "tasks/get says that the task is working"},
		"it is gone": {false, true, func(r *taskRig) {
			r.ack()
			r.wait(time.Second)
			r.refuses("tasks/get", mcp.CodeInvalidParams)
		}, cancel.TaskUnseen, "does not find the task any more"},
		"it was cancelled, and is gone": {true, false, func(r *taskRig) {
			r.ack()
			r.wait(time.Second)
			r.refuses("tasks/get", mcp.CodeInvalidParams)
		}, cancel.TaskCancelled, "the answer to tasks/cancel says that the task is cancelled"},
		"no poll is answered": {false, true, func(r *taskRig) {
			r.ack()
			r.wait(time.Minute)
		}, cancel.TaskUnseen, "no poll after the answer to tasks/cancel was answered"},
		"it is refused, as the task had ended": {true, true, func(r *taskRig) {
			r.refuses("tasks/cancel", mcp.CodeInvalidParams)
			r.wait(time.Second)
			r.completed()
		}, cancel.TaskRefused, "the server refused tasks/cancel: error -32602"},
		"it is refused, and works on": {true, true, func(r *taskRig) {
			r.refuses("tasks/cancel", mcp.CodeInternal)
			r.polled("working")
		}, cancel.TaskWorking, "the server refused tasks/cancel: error -32603"},
		"it is refused, as the method is unknown, and works on": {true, true, func(r *taskRig) {
			r.refuses("tasks/cancel", mcp.CodeMethodNotFound)
			r.polled("working")
		}, cancel.TaskWorking, `error -32601: "no such task", which means that the server does not know tasks/cancel`},
		"it is not answered": {true, true, func(r *taskRig) {
			r.wait(6 * time.Second)
			r.pings = true
			r.wait(time.Minute)
		}, cancel.TaskUnacknowledged, "tasks/cancel was not answered"},
		"its answer is an array, and it works on": {true, true, func(r *taskRig) {
			r.oddAck(`"result":[1,2]`)
			r.polled("working")
		}, cancel.TaskUnacknowledged, "malformed, and acknowledges nothing: its result is an array, not an object"},
		"its answer is a string, and it stops": {true, true, func(r *taskRig) {
			r.oddAck(`"result":"ok"`)
			r.polled("cancelled")
		}, cancel.TaskCancelled, "its result is a string, not an object"},
		"it is unknown": {true, true, func(r *taskRig) {
			r.refuses("tasks/cancel", mcp.CodeInvalidParams)
			r.wait(2 * time.Second)
			r.refuses("tasks/get", mcp.CodeInvalidParams)
		}, cancel.TaskRefused, "tasks/get does not find the task any more"},
		"its answer is no task, and it works on": {true, false, func(r *taskRig) {
			r.oddAck(`"result":{"foo":1}`)
			r.polled("working")
		}, cancel.TaskUnacknowledged, "malformed, and acknowledges nothing: it is no task"},
		"its answer is another task, and it works on": {true, false, func(r *taskRig) {
			r.oddAck(`"result":{` + r.object("task-4712", "cancelled") + `}`)
			r.polled("working")
		}, cancel.TaskUnacknowledged, `malformed, and acknowledges nothing: it is about "task-4712"`},
		"its answer is no task, and it stops": {true, false, func(r *taskRig) {
			r.oddAck(`"result":{}`)
			r.polled("cancelled")
		}, cancel.TaskCancelled, "malformed, and acknowledges nothing: it is no task"},
		"its answer is nothing, and no poll is answered": {true, true, func(r *taskRig) {
			r.oddAck(`"okay":true`)
			r.wait(time.Minute)
		}, cancel.TaskUnacknowledged, "it is neither a result nor an error"},
		"it says so, and then that it was completed": {true, false, func(r *taskRig) {
			r.ack()
			r.polled("completed")
		}, cancel.TaskCancelled, "although the task had ended: the first word stays"},
		"it says so, and then in a notification that it works on": {true, true, func(r *taskRig) {
			r.ack()
			method := "notifications/tasks/status"
			if r.modern() {
				r.polled("cancelled")
				method = "notifications/tasks"
			}
			r.recv(`{"jsonrpc":"2.0","method":%q,"params":{%s}}`, method, r.object("task-4711", "working"))
		}, cancel.TaskCancelled, "a notification says that the task is working, although the task had ended: the first word stays"},
	} {
		for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
			if rev.IsModern() && !tt.modern || !rev.IsModern() && !tt.core {
				continue
			}
			t.Run(name+" "+string(rev), func(t *testing.T) {
				r := tasking(t, rev)
				r.pings = name != "it is not answered"
				id := r.begun()
				r.cancel(id, "enough")
				r.wait(300 * time.Millisecond)
				tt.then(r)
				d, _ := r.s.Detail(id)
				if d.State != Cancelled || d.Verdict != tt.want {
					t.Fatalf("%v · %v, want %v; %v", d.State, d.Verdict, tt.want, d.Evidence)
				}
				if d.Verdict == cancel.TaskCompleted && (d.Late == nil || d.Late.After != 2300*time.Millisecond) {
					t.Errorf("the outcome came late: %+v", d.Late)
				}
				if !strings.Contains(r.evidence(id), tt.evidence) {
					t.Errorf("no %q in\n%s", tt.evidence, r.evidence(id))
				}
				if r.sent(`"method":"tasks/cancel"`) != 1 || r.sent("notifications/cancelled", `"requestId":2,`) != 0 {
					t.Errorf("%v", r.lines)
				}
			})
		}
	}
}

// A cancel is wanted before there is a task that it could name.
func TestATaskIsCancelledBeforeItHasAnID(t *testing.T) {
	requirements.Rows(t, "TSK-73", "TEX-59", "CXL-39", "TMO-12")
	t.Run("the handle comes in time", func(t *testing.T) {
		r := tasking(t, mcp.Rev20251125)
		id, wire := r.wished()
		r.cancel(id, "")
		r.unwritten(time.Second)
		r.handle(wire, "task-4711")
		r.ack()
		r.polled("cancelled")
		r.want(id, Cancelled, cancel.TaskCancelled)
		if r.sent("notifications/cancelled") != 0 || r.sent(`"method":"tasks/cancel"`) != 1 {
			t.Errorf("%v", r.lines)
		}
	})
	t.Run("it comes after belay has given up", func(t *testing.T) {
		r := tasking(t, mcp.Rev20251125)
		id, wire := r.wished()
		r.cancel(id, "")
		r.unwritten(10 * time.Second)
		r.want(id, Cancelled, cancel.NotDelivered)
		if words := r.evidence(id); !strings.Contains(words, "no task ID came") {
			t.Error(words)
		}
		r.handle(wire, "task-4711")
		r.ack()
		r.polled("cancelled")
		r.want(id, Cancelled, cancel.TaskCancelled)
	})
	t.Run("the answer is no handle", func(t *testing.T) {
		r := tasking(t, mcp.Rev20251125)
		id, wire := r.wished()
		r.cancel(id, "")
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, wire)
		r.want(id, Done, cancel.NoVerdict)
		r.unwritten(time.Minute)
	})
	t.Run("the extension: as the request that it is", func(t *testing.T) {
		r := tasking(t, mcp.Rev20260728)
		id, wire := r.wished()
		r.cancel(id, "")
		r.wantNext("notifications/cancelled")
		r.handle(wire, "task-4711")
		r.ack()
		r.wait(time.Second)
		r.polled("cancelled")
		r.wait(time.Minute)
		r.want(id, Cancelled, cancel.TaskCancelled)
		if r.sent("notifications/cancelled") != 1 || r.sent(`"method":"tasks/cancel"`) != 1 {
			t.Errorf("%v", r.lines)
		}
	})
	t.Run("the extension: the row has ended", func(t *testing.T) {
		r := tasking(t, mcp.Rev20260728, func(c *Config) { c.NoProbe = true })
		id, wire := r.wished()
		r.cancel(id, "")
		r.wantNext("notifications/cancelled")
		r.wait(time.Minute)
		r.want(id, Cancelled, cancel.NothingHeard)
		r.handle(wire, "task-4711")
		r.ack()
		r.polled("working")
		r.want(id, Cancelled, cancel.TaskWorking)
	})
}

// What was told before the cancel left counts, and nothing is sent.
func TestATaskEndsBeforeItsCancelLeaves(t *testing.T) {
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		r.wait(time.Second)
		poll := r.wantNext("tasks/get")
		r.mute = true
		r.cancel(id, "")
		const done = `{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`
		if r.modern() {
			r.recv(done, poll, r.object("task-4711", "completed", `"result":{"content":[]}`))
			r.want(id, Done, cancel.NoVerdict)
		} else {
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{%s}}`, poll, r.object("task-4711", "cancelled"))
			r.want(id, Failed, cancel.NoVerdict)
		}
		r.mute = false
		r.pull()
		if r.sent("tasks/cancel") != 0 {
			t.Errorf("%v", r.lines)
		}
	})
}

func TestServersWithoutCancelOfTasks(t *testing.T) {
	requirements.Rows(t, "TSK-06", "CXL-38", "TSK-74")
	r := serving(t, mcp.Rev20251125, `{"tasks":{"requests":{"tools":{"call":{}}}}}`)
	r.lines = nil
	k := &taskRig{rig: r}
	id := k.begun()
	_, err := r.s.Handle(r.now, Cancel{Call: id})
	refusal := new(Refusal)
	if !errors.As(err, &refusal) || refusal.Remedy.Kind != RemedyStopWaiting {
		t.Fatalf("%v", err)
	}
	k.polled("input_required")
	result := k.wantNext("tasks/result")
	if _, err := r.s.Handle(r.now, StopWaiting{Call: id}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	if f := mcp.Decode([]byte(r.lines[k.n])); f.Cancelled == nil || f.Cancelled.ID != result {
		t.Errorf("%s", r.lines[k.n])
	}
	k.n++
	r.want(id, Lost, cancel.NoVerdict)
	if r.pings = true; !strings.Contains(r.row(id).Note, "goes on at the server") {
		t.Errorf("%q", r.row(id).Note)
	}
	r.wait(time.Hour)
	if r.sent(`"method":"tasks/cancel"`) != 0 || r.sent(`"method":"tasks/get"`) != 1 {
		t.Errorf("%v", r.lines)
	}
}

// A task that the user waits for no more is taken up by a poll in a row of its own, and its
// outcome comes there. One that goes on is polled at once, and one that has ended is not.
func TestAPollTakesALeftTaskUp(t *testing.T) {
	requirements.Rows(t, "TSK-33", "CXL-38")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		if reply := r.do(PollTask{Call: id}); reply.Call != 0 {
			t.Errorf("a poll before its time makes row %d", reply.Call)
		}
		r.answers("tasks/get", r.object("task-4711", "working"))
		r.do(StopWaiting{Call: id})
		r.unwritten(time.Minute)
		again := r.do(PollTask{Call: id}).Call
		r.answers("tasks/get", r.object("task-4711", "working"))
		if row := r.row(again); again == 0 || row.State != Running || row.Task == nil || row.Task.ID != "task-4711" {
			t.Fatalf("it was not taken up: %+v", row)
		}
		r.completed()
		if row := r.row(again); row.State != Done {
			t.Errorf("%v: %s", row.State, row.Note)
		}
		if row := r.row(id); row.State != Lost {
			t.Errorf("the row in which it was left is %v", row.State)
		}
		if _, err := r.s.Handle(r.now, PollTask{Call: again}); err == nil {
			t.Error("a task that has ended is polled")
		}
	})
}

// A task is polled again in a row of its own, too, whose row has ended as its time was over or as the
// server did not know it: what comes of it is seen there.
func TestAPollTakesAnExpiredTaskUp(t *testing.T) {
	requirements.Rows(t, "TSK-40", "TEX-23", "TSK-33")
	for name, ends := range map[string]func(r *taskRig){
		"expired": func(r *taskRig) {
			r.polled("working", r.ttl(1500))
			r.polled("working", r.ttl(1500))
		},
		"not found": func(r *taskRig) {
			r.polled("working", r.ttl(60_000))
			r.wait(2 * time.Second)
			r.refuses("tasks/get", mcp.CodeInvalidParams)
		},
	} {
		t.Run(name, func(t *testing.T) {
			everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
				id, wire := r.wished()
				r.handle(wire, "task-4711", r.ttl(1500))
				ends(r)
				note := r.row(id).Note
				if r.row(id).State != Failed {
					t.Fatalf("%v: %s", r.row(id).State, note)
				}
				again := r.pickedUp(id)
				r.answers("tasks/get", r.object("task-4711", "working"))
				r.completed()
				if row := r.row(again); row.State != Done {
					t.Errorf("%v: %s", row.State, row.Note)
				}
				if row := r.row(id); row.State != Failed || row.Note != note || row.Task.Status.IsTerminal() {
					t.Errorf("the row of before has become %v: %s, %+v", row.State, row.Note, row.Task)
				}
			})
		})
	}
}

// The row of a call whose task was created after the cancel says that the task is being cancelled, for
// as long as that is so.
func TestALateTaskIsSaidToBeCancelledUntilThatIsOver(t *testing.T) {
	requirements.Rows(t, "TEX-59", "CXL-39")
	for name, over := range map[string]func(r *taskRig){
		"acknowledged": func(r *taskRig) { r.ack() },
		"refused":      func(r *taskRig) { r.refuses("tasks/cancel", mcp.CodeInternal) },
		"not answered": func(r *taskRig) { r.wait(time.Minute) },
		"cut off":      func(r *taskRig) { r.closed() },
	} {
		for _, ended := range []bool{false, true} {
			everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
				id, wire := r.wished()
				r.cancel(id, "")
				if r.modern() {
					r.wantNext("notifications/cancelled")
				}
				if ended {
					r.wait(time.Minute)
					r.n = len(r.lines)
				}
				r.handle(wire, "task-4711")
				if note := r.row(id).Note; note != "task ID came after the cancel was wanted: cancelling it" {
					t.Errorf("%s, row over %v: the row says %q", name, ended, note)
				}
				over(r)
				want := "task ID came after the cancel was wanted"
				if ended && name == "not answered" { // no grace is over by then, and the cancel is out
					want += ": cancelling it"
				}
				if note := r.row(id).Note; note != want {
					t.Errorf("%s, row over %v: when that is over the row says %q, want %q", name, ended, note, want)
				}
			})
		}
	}
}

// The tasks/cancel of a task whose handle came after the cancel of its call stands in the
// timeline, beside the cancel of the call.
func TestTheCancelOfALateTaskIsTold(t *testing.T) {
	requirements.Rows(t, "TEX-59")
	for _, over := range []bool{false, true} {
		r := tasking(t, mcp.Rev20260728, func(c *Config) { c.NoProbe = true })
		id, wire := r.wished()
		r.cancel(id, "")
		r.wantNext("notifications/cancelled")
		if over {
			r.wait(time.Minute)
		}
		r.handle(wire, "task-4711")
		r.ack()
		var told []MomentKind
		d, _ := r.s.Detail(id)
		for _, m := range d.Timeline {
			if m.Dir == Out && m.Kind != MomSent {
				told = append(told, m.Kind)
				if e, _ := r.s.Entry(m.Entry); m.Kind == MomTaskCancel && e.Method != "tasks/cancel" {
					t.Errorf("it leads to %+v", e)
				}
			}
		}
		if !slices.Equal(told, []MomentKind{MomCancelSent, MomTaskCancel}) {
			t.Errorf("row over %v: the timeline tells of %v", over, told)
		}
		if n := strings.Count(r.evidence(id), "tasks/cancel written"); n != 1 {
			t.Errorf("row over %v: the evidence tells of tasks/cancel %d times: %s", over, n, r.evidence(id))
		}
	}
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) { // any other has one line
		id := r.begun()
		r.cancel(id, "")
		r.ack()
		n := 0
		d, _ := r.s.Detail(id)
		for _, m := range d.Timeline {
			if m.Kind == MomTaskCancel {
				n++
			}
		}
		if n != 1 || strings.Count(r.evidence(id), "tasks/cancel written") != 1 {
			t.Errorf("%d lines tell of it; %s", n, r.evidence(id))
		}
	})
}
