package session

import (
	"errors"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
)

// again begins the next connection, in a revision.
func (r *taskRig) again(rev mcp.Revision) {
	r.t.Helper()
	declares := coreTasks
	if rev.IsModern() {
		declares, r.s.cfg.Pin = extensionTasks, rev
	}
	r.connect()
	r.agree(rev, declares)
	r.n = len(r.lines)
}

// pickedUp is the row in which the task of a call is taken up.
func (r *taskRig) pickedUp(id CallID) CallID {
	r.t.Helper()
	reply, err := r.s.Handle(r.now, PollTask{Call: id})
	if err != nil || reply.Call == 0 {
		r.t.Fatalf("%+v, %v", reply, err)
	}
	r.pull()
	return reply.Call
}

// refusedAs fails unless an input is refused, with a code.
func (r *taskRig) refusedAs(in Input, code RefusalCode) {
	r.t.Helper()
	if _, err := r.s.Handle(r.now, in); !errors.Is(err, &Refusal{Code: code}) {
		r.t.Errorf("%T: %v, want code %d", in, err, code)
	}
}

// adrift are the calls whose tasks are said to be without their connection, newest first.
func (r *taskRig) adrift() (calls []CallID) {
	for _, row := range r.s.TaskRows(nil, -1) {
		if row.Adrift {
			calls = append(calls, row.Call)
		}
	}
	return calls
}

// A task whose connection is lost may go on. Nothing is asked of it until the user wants that, and
// then in a row of its own, over the connection that there is; one row of a task is enough.
func TestATaskWhoseConnectionIsLost(t *testing.T) {
	requirements.Rows(t, "TEX-63", "TSK-72")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		rev := r.s.conn.rev
		id := r.begun()
		r.polled("working")
		r.closed()
		row := r.row(id)
		if row.State != Lost || row.Remedy.Kind != RemedyPickUp || !strings.Contains(row.Note, "exit status 3; the task may go on, if it outlives the server's process") {
			t.Fatalf("%v, %q, %v", row.State, row.Note, row.Remedy)
		}
		r.saysOf(id, "the task may go on, if it outlives the server's process")
		r.refusedAs(PollTask{Call: id}, RefuseNotReady)
		if len(r.adrift()) != 0 {
			t.Error("without a connection nothing can take it up")
		}

		r.again(rev)
		r.wait(time.Minute)
		if m, _ := r.next(); m != "" || len(r.adrift()) != 1 {
			t.Errorf("asked by itself: %q, adrift %v", m, r.adrift())
		}
		picked := r.pickedUp(id)
		r.answers("tasks/get", r.object("task-4711", "working"))
		r.want(picked, Running, cancel.NoVerdict)
		r.want(id, Lost, cancel.NoVerdict)
		r.refusedAs(PollTask{Call: id}, RefuseParams)
		if rows := r.s.TaskRows(nil, -1); rows[0].Call != picked || rows[0].Adrift || rows[0].Made != id || rows[0].Tool != "t" {
			t.Errorf("%+v", rows[0])
		}
		r.completed()
		r.want(picked, Done, cancel.NoVerdict)
	})
}

// The server need not know the task any more. Then the row that it was lost with tells so.
func TestALostTaskThatTheServerDoesNotKnow(t *testing.T) {
	requirements.Rows(t, "TEX-48")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		rev := r.s.conn.rev
		id := r.begun()
		r.closed()
		r.again(rev)
		picked := r.pickedUp(id)
		r.refuses("tasks/get", mcp.CodeInvalidParams)
		r.want(picked, Failed, cancel.NoVerdict)
		if row := r.row(id); row.Task.End != task.Gone || !row.Task.Unknown || len(r.adrift()) != 0 ||
			row.Note != "the server does not know the task any more" || row.Remedy != (Remedy{}) {
			t.Errorf("%v, %+v, adrift %v", row.State, row.Task.View, r.adrift())
		}
	})
}

// A task is asked for in its own protocol alone, and not after its time.
func TestALostTaskThatCannotBeTakenUp(t *testing.T) {
	requirements.Rows(t, "TEX-63")
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.closed()
	r.again(mcp.Rev20260728)
	r.refusedAs(PollTask{Call: id}, RefuseUnsupported)
	if len(r.adrift()) != 0 {
		t.Error("another protocol could take it up")
	}
	r = tasking(t, mcp.Rev20251125)
	_, wire := r.wished()
	r.handle(wire, "task-4711", `"ttl":1500`)
	r.closed()
	r.again(mcp.Rev20251125)
	r.wait(2 * time.Second)
	r.s.Tell(r.now, Tick{})
	if len(r.adrift()) != 0 {
		t.Error("its time is over")
	}
}

// Quitting waits a second at most for the ID of a task that was asked for: what has no name cannot
// be cancelled, and nobody could pick it up. What then is still without one is told.
func TestAQuitWaitsForTheIDsOfTasks(t *testing.T) {
	requirements.Rows(t, "TSK-73", "TSK-75", "CXL-33")
	quits := func(t *testing.T, declares string) (*taskRig, CallID, mcp.ID) {
		r := &taskRig{rig: serving(t, mcp.Rev20251125, declares)}
		r.answerList(mcp.Tools, fresh, `{"name":"t","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}`)
		id, wire := r.wished()
		r.do(Quit{})
		r.wait(quitLimit - time.Millisecond)
		if r.n != len(r.lines) {
			t.Fatalf("before the ID has come: %v", r.lines[r.n:])
		}
		return r, id, wire
	}
	ends := func(r *taskRig, written ...string) {
		r.t.Helper()
		for _, l := range r.lines[r.n:] {
			if len(written) == 0 || !strings.Contains(l, written[0]) {
				r.t.Fatalf("written: %v, want %v", r.lines[r.n:], written)
			}
			written = written[1:]
		}
		if len(written) != 0 {
			r.t.Fatalf("written: %v, and not %v", r.lines[r.n:], written)
		}
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{ByUs: true}})
		r.check()
	}
	const waitsOnly = `{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}`
	t.Run("it comes", func(t *testing.T) {
		r, id, wire := quits(t, coreTasks)
		r.handle(wire, "task-4711")
		if ends(r, `"method":"tasks/cancel"`, "CLOSE"); r.row(id).UnnamedTask || r.row(id).Task == nil {
			t.Errorf("%+v", r.row(id))
		}
	})
	t.Run("it comes, and the server cannot cancel", func(t *testing.T) {
		r, id, wire := quits(t, waitsOnly)
		r.handle(wire, "task-4711")
		ends(r, "CLOSE")
		if row := r.row(id); row.State != Lost || row.UnnamedTask || row.Task.ID != "task-4711" {
			t.Errorf("%+v", row)
		}
	})
	for name, declares := range map[string]string{"it does not come": coreTasks, "it does not come, and the server cannot cancel": waitsOnly} {
		t.Run(name, func(t *testing.T) {
			r, id, _ := quits(t, declares)
			r.wait(time.Millisecond)
			ends(r, "CLOSE")
			if row := r.row(id); !row.UnnamedTask || !strings.Contains(row.Note, "its ID has not come") {
				t.Errorf("%v, %q, unnamed %v", row.State, row.Note, row.UnnamedTask)
			}
		})
	}
}

// In 2026-07-28 nobody asks for a task. One may have been made where the tool has made tasks
// before, and nowhere else (TEX-60).
func TestACallThatIsLostMayHaveMadeATask(t *testing.T) {
	requirements.Rows(t, "TEX-60")
	r := tasking(t, mcp.Rev20260728)
	for _, madeBefore := range []bool{false, true} {
		id, _ := r.wished()
		stopped, _ := r.wished()
		r.cancel(stopped, "")
		r.closed()
		for _, id := range []CallID{id, stopped} {
			if row := r.row(id); row.UnnamedTask != madeBefore || strings.Contains(row.Note, "its ID has not come") != madeBefore {
				t.Errorf("made before %v: %v, %q, unnamed %v", madeBefore, row.State, row.Note, row.UnnamedTask)
			}
		}
		r.again(mcp.Rev20260728)
		r.begun()
	}
}

// Where the server answers the question for one task with another, the row says so: no task is
// left without a name.
func TestATaskThatIsAskedForAndAnotherIsTold(t *testing.T) {
	requirements.Rows(t, "TSK-19")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.do(StartCall{Spec: watchSpec("task-4711")}).Call
		r.answers("tasks/get", r.object("other-9", "working"))
		row := r.row(id)
		if row.State != Failed || !strings.HasSuffix(row.Note, `told of "other-9": the answer tells of another task`) {
			t.Errorf("%v, note %q", row.State, row.Note)
		}
	})
}
