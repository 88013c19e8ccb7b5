package session

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
)

// pickUpOf asks for a task by its ID.
func pickUpOf(id string) CallSpec {
	return CallSpec{Method: "tasks/get", Params: mcp.TaskParams(id), Watch: true}
}

// A task that is asked for by its ID is not done because the answer tells of another task, or of none.
func TestAPickUpThatIsToldOfNoTask(t *testing.T) {
	requirements.Rows(t, "TSK-49", "TEX-08")
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

// pickUps are the ways to have a task be looked at that is to be cancelled: by its list, by its row, and
// by a row whose request has not left.
var pickUps = map[string]func(r *taskRig) CallID{
	"picked up for that": func(r *taskRig) CallID {
		spec := pickUpOf("task-4711")
		spec.Stop = true
		return r.do(StartCall{Spec: spec}).Call
	},
	"cancelled while it is looked at": func(r *taskRig) CallID {
		id := r.do(StartCall{Spec: pickUpOf("task-4711")}).Call
		r.do(Cancel{Call: id, Reason: "no need"})
		return id
	},
	"cancelled before it is looked at": func(r *taskRig) CallID {
		reply, err := r.s.Handle(r.now, StartCall{Spec: pickUpOf("task-4711")})
		if err != nil {
			r.t.Fatal(err)
		}
		r.do(Cancel{Call: reply.Call})
		return reply.Call
	},
}

// everyPickUp runs a test with each of them, in both protocols.
func everyPickUp(t *testing.T, f func(t *testing.T, r *taskRig, id CallID)) {
	for name, begin := range pickUps {
		t.Run(name, func(t *testing.T) {
			everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
				id := begin(r)
				if row := r.row(id); row.State != Cancelling || !row.AwaitsLook || !row.Unsent || row.Initiator != cancel.ByUser {
					t.Errorf("%v, %+v", row.State, row)
				}
				if st := r.s.Status(); st.UserCancelling != 1 || st.Cancelling != 1 || st.StopsPickUps != 1 || st.PickUps != 0 {
					t.Errorf("%+v", st)
				}
				f(t, r, id)
			})
		})
	}
}

// A row that follows a task from its ID on is about the task: x has tasks/cancel be sent once the task
// is found, and leaves tasks/get alone. It is wished once, in whatever row.
func TestAPickUpIsCancelledBeforeItsAnswer(t *testing.T) {
	requirements.Rows(t, "CXL-07", "TSK-58", "TEX-37", "CXL-40")
	everyPickUp(t, func(t *testing.T, r *taskRig, id CallID) {
		again := pickUpOf("task-4711")
		again.Stop = true
		for _, in := range []Input{Cancel{Call: id}, StartCall{Spec: again}} {
			if _, err := r.s.Handle(r.now, in); !errors.Is(err, errCancelling) || !strings.Contains(err.Error(), "is being cancelled already") {
				t.Errorf("%T: %v", in, err)
			}
		}
		if n := r.do(CancelAll{}).Cancelled; n != 0 {
			t.Errorf("%d are cancelled with all", n)
		}
		get := r.wantNext("tasks/get")
		r.unwritten(lookedWithin - time.Second)
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, get, r.object("task-4711", "working"))
		if row := r.row(id); row.State != Cancelling || row.AwaitsLook || row.Note != "" {
			t.Errorf("%+v", row)
		}
		r.ack()
		if n := r.sent("tasks/cancel"); n != 1 || r.sent("notifications/cancelled") != 0 {
			t.Errorf("written: %v", r.lines)
		}
		d, _ := r.s.Detail(id)
		if line := fmt.Sprintf("%+v", d.Timeline); strings.Contains(line, "not cancelled") || strings.Count(line, "tasks/cancel is sent when tasks/get is answered") > 1 {
			t.Errorf("%s", line)
		}
		if st := r.s.Status(); st.StopsPickUps != 0 {
			t.Errorf("%+v", st)
		}
	})
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		for _, written := range []bool{true, false} { // of the body of tasks/get
			w := taskingWeb(t, rev)
			w.hold = !written
			id, get := w.looksFor("task-4711")
			w.stop(id)
			if w.count(OpAbort) != 0 || w.row(id).State != Cancelling || w.n != len(w.outs) {
				t.Errorf("%s: %+v", rev, w.outs[w.n:])
			}
			if written {
				w.answer(get, `"result":{"resultType":"complete",`+w.object("working")+`}`)
				w.next("tasks/cancel")
			}
		}
	}
}

// A task that has ended by itself is not cancelled, and its row ends with its outcome.
func TestAPickUpThatIsToBeCancelledHasEnded(t *testing.T) {
	requirements.Rows(t, "TSK-59", "TEX-37")
	everyPickUp(t, func(t *testing.T, r *taskRig, id CallID) {
		r.completed()
		if row := r.row(id); row.State != Done || r.sent("tasks/cancel") != 0 {
			t.Errorf("%v: %v", row.State, r.lines)
		}
	})
}

// Where the server does not tell of the task, the row says that the cancel was not sent.
func TestAPickUpThatIsToBeCancelledIsNotFound(t *testing.T) {
	requirements.Rows(t, "TEX-39", "CXL-07")
	for name, tt := range map[string]struct {
		answer string
		says   string
	}{
		"unknown":      {`"error":{"code":-32602,"message":"no such task"}`, "tasks/cancel was not sent: the server did not tell of the task"},
		"no task":      {`"result":{"resultType":"complete","foo":1}`, "invalid response: it tells of no task; tasks/cancel was not sent"},
		"another task": {`"result":{"resultType":"complete","taskId":"task-9","status":"working"}`, "tells of another task; tasks/cancel was not sent"},
	} {
		everyPickUp(t, func(t *testing.T, r *taskRig, id CallID) {
			r.recv(`{"jsonrpc":"2.0","id":%v,%s}`, r.wantNext("tasks/get"), tt.answer)
			if row := r.row(id); row.State != Failed || row.NotFound != (name == "unknown") || !strings.HasSuffix(row.Note, tt.says) || r.sent("tasks/cancel") != 0 {
				t.Errorf("%s: %v, %q, %v", name, row.State, row.Note, r.lines)
			}
		})
	}
	everyPickUp(t, func(t *testing.T, r *taskRig, id CallID) { // the connection ends
		r.do(Closed{Epoch: r.row(id).Epoch, Why: Close{Status: "exited"}})
		if row := r.row(id); row.State != Lost || !strings.HasSuffix(row.Note, "; the task may go on, if it outlives the server's process; tasks/cancel was not sent") {
			t.Errorf("%v, %q", row.State, row.Note)
		}
	})
}

// A server that does not tell of the task in time gets tasks/cancel for all that: the user wants that, and
// the ID is all that it takes. tasks/get is waited for no more, and the polls tell what became of the task.
func TestAPickUpThatIsToBeCancelledTakesTooLong(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37", "CXL-39")
	everyPickUp(t, func(t *testing.T, r *taskRig, id CallID) {
		get := r.wantNext("tasks/get")
		r.unwritten(lookedWithin - time.Millisecond)
		r.wait(time.Millisecond)
		if row := r.row(id); row.State != Cancelling || row.Initiator != cancel.ByUser || row.AwaitsLook || row.Task == nil || row.Note != "tasks/get was not answered: tasks/cancel is sent for the ID alone" {
			t.Errorf("%+v", row)
		}
		r.ack()
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, get, r.object("task-4711", "working"))
		if d, _ := r.s.Detail(id); d.State == Done || d.Late != nil {
			t.Errorf("the answer to tasks/get is taken for that of the call: %v, %+v", d.State, d.Late)
		}
		r.wait(time.Second) // whose interval is not known
		r.polled("cancelled")
		r.want(id, Cancelled, cancel.TaskCancelled)
		r.unwritten(time.Minute)
		if r.sent(`"method":"tasks/cancel"`) != 1 || r.sent("notifications/cancelled") != 0 || r.sent(`"method":"tasks/get"`) != 2 {
			t.Errorf("%v", r.lines)
		}
	})
	everyPickUp(t, func(t *testing.T, r *taskRig, id CallID) { // nor does it answer that
		r.wantNext("tasks/get")
		r.wait(lookedWithin)
		r.wantNext("tasks/cancel")
		r.pings = true
		r.wait(time.Minute)
		r.want(id, Cancelled, cancel.TaskUnacknowledged)
		if r.sent(`"method":"tasks/cancel"`) != 1 {
			t.Errorf("%v", r.lines)
		}
	})
	everyPickUp(t, func(_ *testing.T, r *taskRig, id CallID) { // nor does it know the task
		r.wantNext("tasks/get")
		r.wait(lookedWithin)
		r.refuses("tasks/cancel", mcp.CodeInvalidParams)
		r.wait(2 * time.Second)
		r.refuses("tasks/get", mcp.CodeInvalidParams)
		r.want(id, Cancelled, cancel.TaskRefused)
	})
}

// looksFor picks a task up, and returns the row and the tasks/get.
func (w *taskWeb) looksFor(task string) (CallID, Output) {
	w.t.Helper()
	reply, err := w.s.Handle(w.now, StartCall{Spec: pickUpOf(task)})
	if err != nil {
		w.t.Fatal(err)
	}
	w.pump()
	return reply.Call, w.next("tasks/get")
}

// Over HTTP the exchange of that tasks/get is closed, and tasks/cancel is a POST as any other.
func TestAPickUpThatIsToBeCancelledTakesTooLongOverHTTP(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37")
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		w := taskingWeb(t, rev)
		id, get := w.looksFor("task-4711")
		w.stop(id)
		w.later(lookedWithin)
		w.answer(w.next("tasks/cancel"), `"result":{"resultType":"complete",`+w.object("cancelled")+`}`)
		if !w.aborted(get.X) {
			t.Errorf("%s: %+v", rev, w.outs)
		}
		w.later(2 * time.Second)
		w.answers("tasks/get", w.object("cancelled"))
		w.want(id, Cancelled, cancel.TaskCancelled)
	}
}

// A shorter limit of tasks/get counts as well, and one that nobody cancels keeps its own.
func TestAPickUpWithALimit(t *testing.T) {
	everyTaskProtocol(t, func(_ *testing.T, r *taskRig) {
		spec := pickUpOf("task-4711")
		spec.Idle = 3 * time.Second
		id, _ := r.made(spec)
		r.cancel(id, "")
		r.n = len(r.lines)
		r.wait(3 * time.Second)
		r.wantNext("tasks/cancel")

		id, _ = r.made(pickUpOf("task-4712"))
		r.wait(2 * lookedWithin)
		r.want(id, Running, cancel.NoVerdict)
	})
}

// A task that was asked for by its ID, and of which the server did not tell, is kept in mind, so that its
// ID is not lost; one of which it told is not, be that by an error or for another row.
func TestATaskThatWasAskedForInVain(t *testing.T) {
	requirements.Rows(t, "TSK-75", "TEX-16")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		spec := pickUpOf("task-4711")
		spec.Idle = 3 * time.Second
		for range 2 {
			r.made(spec)
			r.wait(20 * time.Second)
			if all := r.s.TaskRows(nil, -1); len(all) == 0 || all[0].Task.ID != "task-4711" || all[0].State != Lost {
				t.Fatalf("%+v", all)
			}
		}
		_, wire := r.made(pickUpOf("other"))
		r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32602,"message":"no such task"}}`, wire)
		if all := r.s.UnseenTasks(); len(all) != 0 {
			t.Errorf("%+v", all)
		}
		_, wire = r.made(spec)
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, wire, r.object("task-4711", "working"))
		if all := r.s.UnseenTasks(); len(all) != 0 {
			t.Errorf("after the server told of it: %+v", all)
		}
	})
}

// The cancel that was promised leaves with the key that stops waiting, also in the moment in which a rule
// would cancel the call.
func TestAPickUpIsLeftAsItsRuleIsDue(t *testing.T) {
	requirements.Rows(t, "TSK-73")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		spec := pickUpOf("7")
		spec.Rules = Rules{After: 3 * time.Second}
		id, _ := r.made(spec)
		r.wait(2 * time.Second)
		r.do(Cancel{Call: id, Reason: "mine"})
		r.now = r.now.Add(time.Second)
		r.do(StopWaiting{Call: id})
		d, _ := r.s.Detail(id)
		if r.sent("tasks/cancel") != 1 || d.Initiator != cancel.ByUser || d.Reason != "mine" {
			t.Errorf("%v by %v, %q: %v", d.State, d.Initiator, d.Reason, r.lines)
		}
	})
}

// A task that was cancelled, left and picked up again: what is told of it then is evidence about its cancel, and no row
// of it may send tasks/cancel again.
func TestACancelledTaskIsPickedUpAgain(t *testing.T) {
	requirements.Rows(t, "TSK-62", "TEX-40")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		r.cancel(id, "")
		r.answers("tasks/cancel", r.object("task-4711", "working"))
		r.wait(time.Second)
		r.answers("tasks/get", r.object("task-4711", "working"))
		r.want(id, Cancelled, cancel.TaskWorking)
		r.do(StopWaiting{Call: id})
		r.wait(time.Second)
		again := r.do(StartCall{Spec: pickUpOf("task-4711")}).Call
		r.polled("working")
		if v := r.row(again).Task; !strings.HasSuffix(v.CancelSentBy, `tools/call "t"`) || r.row(id).Task.CancelSentBy != "" {
			t.Errorf("sent by %q, and %q", v.CancelSentBy, r.row(id).Task.CancelSentBy)
		}
		r.want(id, Cancelled, cancel.TaskWorking)
		r.polled("completed", `"result":{"resultType":"complete","content":[]}`)
		r.want(id, Cancelled, cancel.TaskCompleted)
		if r.sent("tasks/cancel") != 1 {
			t.Errorf("%v", r.lines)
		}
	})
}

// How long tasks/get may take before tasks/cancel is sent for the ID alone is told as it is.
func TestHowLongATaskIsLookedForIsTold(t *testing.T) {
	requirements.Rows(t, "TSK-73")
	for idle, want := range map[time.Duration]string{0: "was not for 5s", 3 * time.Second: "was not for 3s", time.Minute: "was not for 5s"} {
		r := tasking(t, mcp.Rev20251125)
		spec := pickUpOf("7")
		spec.Idle = idle
		id, _ := r.made(spec)
		r.do(Cancel{Call: id})
		if _, err := r.s.Handle(r.now, Cancel{Call: id}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", idle, err)
		}
	}
}

// To stop waiting for a task that is looked at is to cancel tasks/get, and nothing else. The row is that of a
// task that was left: what is told of it later changes nothing, and it is asked for or cancelled in another row.
func TestAPickUpIsLeft(t *testing.T) {
	requirements.Rows(t, "TSK-74", "CXL-38")
	const goesOn = `the task may go on at the server, as "7": the server had not told of it`
	for _, by := range []string{"the user", "a timeout"} {
		everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
			spec, says := pickUpOf("7"), "you stopped waiting: "+goesOn
			if by == "a timeout" {
				spec.Idle, says = 3*time.Second, "stopped waiting by the timeout: silent for 3s: "+goesOn
			}
			id, wire := r.made(spec)
			if r.wait(3 * time.Second); by == "the user" {
				r.do(StopWaiting{Call: id})
			}
			if r.sent("notifications/cancelled", fmt.Sprintf(`"requestId":%v`, wire)) != 1 || r.sent("notifications/cancelled") != 1 {
				t.Errorf("%v", r.lines)
			}
			r.n = len(r.lines)
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, wire, r.object("7", "working"))
			r.unwritten(time.Minute)
			d, _ := r.s.Detail(id)
			if d.State != Lost || !d.Left || d.Task == nil || d.Task.Status != task.Unknown || d.Task.End != task.Left || d.Note != says {
				t.Errorf("%v, %q, %+v", d.State, d.Note, d.Task)
			}
			if d.Initiator != 0 || d.Reason != "" || len(d.Evidence) != 0 {
				t.Errorf("it is told to be cancelled: %+v", d)
			}
			if _, ok := r.s.PickUp("7"); ok || len(r.s.TaskRows(nil, -1)) != 1 || len(r.s.UnseenTasks()) != 0 {
				t.Errorf("%+v, %+v", r.s.TaskRows(nil, -1), r.s.UnseenTasks())
			}
			r.wantDiag(mcp.DiagTaskID, 0)
			again := r.do(PollTask{Call: id}).Call
			r.do(Cancel{Call: again})
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, r.wantNext("tasks/get"), r.object("7", "working"))
			r.ack()
			if r.sent("tasks/cancel") != 1 || r.row(id).State != Lost {
				t.Errorf("%v, %v", r.row(id).State, r.lines)
			}
		})
	}
}

// Over HTTP the exchange of tasks/get is closed, or its cancel is posted. One whose body was not begun is
// given up, and one that waits for a login asks for none any more.
func TestAPickUpIsLeftOverHTTP(t *testing.T) {
	requirements.Rows(t, "TSK-74", "CXL-38")
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		for _, moment := range []string{"written", "unbegun"} {
			w := taskingWeb(t, rev)
			w.hold = moment == "unbegun"
			id, get := w.looksFor("task-4711")
			if _, err := w.s.Handle(w.now, StopWaiting{Call: id}); err != nil {
				t.Fatal(err)
			}
			w.pump()
			if row := w.row(id); row.State != Lost || !row.Left {
				t.Errorf("%s, %s: %+v", rev, moment, row)
			}
			if noted := rev == mcp.Rev20251125 && moment == "written"; noted {
				w.next("notifications/cancelled")
			} else if !w.aborted(get.X) {
				t.Errorf("%s, %s: %+v", rev, moment, w.outs)
			}
		}
	}
}

// A pick-up that waits for a login has nothing in flight: whoever stops waiting for it ends that, its task is to be
// cancelled or not, and no word tells of a task without an ID.
func TestAPickUpIsLeftWhileItWaitsForALogin(t *testing.T) {
	requirements.Rows(t, "CXL-38")
	for _, wished := range []bool{false, true} {
		w := taskingWebThat(t, mcp.Rev20260728, extensionTasks, withLogin)
		id, get := w.looksFor("task-4711")
		if wished {
			w.stop(id)
		}
		w.refuse(get.X, Head{Status: 401, Media: mediaJSON, Challenge: []string{"Bearer"}})
		w.pump()
		if !w.row(id).Login {
			t.Fatalf("it waits for no login: %+v", w.row(id))
		}
		if _, err := w.s.Handle(w.now, StopWaiting{Call: id}); err != nil {
			t.Fatal(err)
		}
		w.pump()
		d, _ := w.s.Detail(id)
		if line := fmt.Sprintf("%+v", d.Timeline); d.State != Cancelled || strings.Contains(d.Note+line, "ID has not come") {
			t.Errorf("wished %v: %v, %q, %s", wished, d.State, d.Note, line)
		}
	}
}

// Whoever stops waiting for a task that is to be cancelled has tasks/cancel leave at once, for the ID alone:
// that was promised. The row ends when it is written, and what the server answers is evidence.
func TestAPickUpThatIsToBeCancelledIsLeft(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37", "CXL-38")
	everyPickUp(t, func(t *testing.T, r *taskRig, id CallID) {
		get := r.wantNext("tasks/get")
		r.do(StopWaiting{Call: id})
		row := r.row(id)
		if r.sent("tasks/cancel") != 1 || r.sent("notifications/cancelled") != 0 {
			t.Errorf("%v", r.lines)
		}
		if row.State != Cancelled || !row.Task.LeftCancelling || row.Initiator != cancel.ByUser {
			t.Errorf("%v, %+v", row.State, row.Task)
		}
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, get, r.object("task-4711", "working"))
		r.ack()
		r.unwritten(time.Minute)
		if r.row(id).State != Cancelled || len(r.s.Diagnostics()) != 0 {
			t.Errorf("%+v", r.s.Diagnostics())
		}
	})
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		for _, written := range []bool{true, false} { // of the body of tasks/get
			w := taskingWeb(t, rev)
			w.hold = !written
			id, get := w.looksFor("task-4711")
			w.stop(id)
			w.hold = false
			if _, err := w.s.Handle(w.now, StopWaiting{Call: id}); err != nil {
				t.Fatal(err)
			}
			w.pump()
			w.next("tasks/cancel")
			if row := w.row(id); !w.aborted(get.X) || row.State != Cancelled || !row.Task.LeftCancelling {
				t.Errorf("%s, written %v: %v", rev, written, row.State)
			}
		}
	}
}

// A task whose cancel the server has read gets no second one, in no row and also by its ID alone.
func TestAPickUpOfATaskThatWasCancelled(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		stop := pickUpOf("task-4711")
		stop.Stop = true
		id := r.do(StartCall{Spec: stop}).Call
		r.wantNext("tasks/get")
		r.wait(lookedWithin)
		r.ack()
		r.do(StopWaiting{Call: id})
		again, _ := r.made(pickUpOf("task-4711"))
		if _, err := r.s.Handle(r.now, Cancel{Call: again}); !errors.Is(err, errCancelling) {
			t.Errorf("%v", err)
		}
		r.do(StopWaiting{Call: again})
		if _, err := r.s.Handle(r.now, StartCall{Spec: stop}); !errors.Is(err, errCancelling) || !strings.Contains(err.Error(), "was delivered, by #3") {
			t.Errorf("%v", err)
		}
		r.wait(time.Minute)
		if n := r.sent(`"method":"tasks/cancel"`); n != 1 {
			t.Errorf("%d cancels: %v", n, r.lines)
		}
	})
}

// A pick-up of which nothing has left is dropped, with the wish to cancel its task or without.
func TestAPickUpIsLeftBeforeItIsSent(t *testing.T) {
	for _, wished := range []bool{false, true} {
		everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
			spec := pickUpOf("task-4711")
			spec.Stop = wished
			reply, err := r.s.Handle(r.now, StartCall{Spec: spec})
			if err != nil {
				t.Fatal(err)
			}
			r.do(StopWaiting{Call: reply.Call})
			if row := r.row(reply.Call); row.State != Dropped || row.Task != nil || strings.Contains(row.Note, "tasks/cancel was not sent") != wished {
				t.Errorf("%v, %q", row.State, row.Note)
			}
			r.unwritten(time.Minute)
			if all := r.s.UnseenTasks(); len(all) != 1 {
				t.Errorf("%+v", all)
			}
		})
	}
}

// A task that the server lets only be waited for is not cancelled while it is looked at, either.
func TestAPickUpThatCannotBeCancelled(t *testing.T) {
	requirements.Rows(t, "TSK-06")
	r := uncancellable(t)
	id, _ := r.made(pickUpOf("task-4711"))
	r.n = len(r.lines)
	if _, err := r.s.Handle(r.now, Cancel{Call: id}); err == nil || !strings.Contains(err.Error(), "does not declare tasks.cancel") {
		t.Errorf("%v", err)
	}
	if row := r.row(id); !row.WaitsOnly || row.State != Running || r.s.Status().WaitsOnly != 1 {
		t.Errorf("%+v", row)
	}
	r.unwritten(10 * time.Second)
}

// Quitting has a task that is looked at be cancelled if tasks/get is answered before the connection is
// closed, and by its ID alone just before that, or leaves the task.
func TestQuittingWithAPickUp(t *testing.T) {
	requirements.Rows(t, "TSK-75", "CXL-38", "TSK-58", "TEX-37")
	for _, wished := range []bool{false, true} {
		everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
			id, wire := r.made(pickUpOf("task-4711"))
			if st := r.s.Status(); st.PickUps != 1 || st.StopsPickUps != 0 {
				t.Errorf("%+v", st)
			}
			if wished {
				r.cancel(id, "")
			}
			r.do(Quit{LeaveTasks: wished}) // what is being cancelled is not left
			r.wait(500 * time.Millisecond)
			if r.s.Status().Ending || r.sent("notifications/cancelled") != 0 {
				t.Errorf("the connection is closed: %v", r.lines)
			}
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, wire, r.object("task-4711", "working"))
			if r.sent("tasks/cancel") != 1 {
				t.Errorf("not cancelled: %v", r.lines)
			}
		})
	}
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) { // it is not answered
		id, _ := r.made(pickUpOf("task-4711"))
		r.do(Quit{})
		r.wait(quitLimit*3/4 - time.Millisecond)
		if r.s.Status().Ending || r.sent("tasks/cancel") != 0 {
			t.Errorf("%v", r.lines)
		}
		r.wait(time.Millisecond)
		if !r.s.Status().Ending || r.row(id).State != Cancelling || r.sent(`"method":"tasks/cancel"`) != 1 || r.sent("notifications/cancelled") != 0 {
			t.Errorf("%+v, %v", r.s.Status(), r.lines)
		}
	})
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) { // it is left
		id, _ := r.made(pickUpOf("task-4711"))
		r.do(Quit{LeaveTasks: true})
		if row := r.row(id); r.sent("notifications/cancelled") != 1 || r.sent("tasks/cancel") != 0 || row.State != Lost || !row.Left {
			t.Errorf("%+v, %v", row, r.lines)
		}
		r.do(Closed{Epoch: r.row(id).Epoch, Why: Close{ByUs: true, Status: "closed"}})
		if row := r.row(id); row.State != Lost || row.Task.End != task.Left {
			t.Errorf("%+v", row)
		}
	})
}

// A second row for a task that is looked at is refused, and the first one is found by the ID.
func TestATaskIsLookedAtOnce(t *testing.T) {
	requirements.Rows(t, "TSK-72")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		if _, ok := r.s.PickUp("task-4711"); ok {
			t.Error("one before the first")
		}
		id, _ := r.made(pickUpOf("task-4711"))
		if got, ok := r.s.PickUp("task-4711"); !ok || got != id {
			t.Errorf("%v, %v", got, ok)
		}
		if _, err := r.s.Handle(r.now, StartCall{Spec: pickUpOf("task-4711")}); !errors.Is(err, errParams) {
			t.Errorf("%v", err)
		}
		if _, ok := r.s.PickUp("task-4712"); ok {
			t.Error("another task has the row")
		}
		r.made(pickUpOf("task-4712"))
	})
}
