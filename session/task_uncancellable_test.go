package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// uncancellable is a server whose tasks can only be waited for.
func uncancellable(t *testing.T) *taskRig {
	t.Helper()
	r := taskingThat(t, mcp.Rev20251125, `{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}`)
	r.pings = true
	return r
}

// A rule and a timeout stop waiting where the server declares no cancel of tasks: nothing is sent
// for a task, nor once the handle of one comes later.
func TestARuleStopsWaitingWhereTasksCannotBeCancelled(t *testing.T) {
	requirements.Rows(t, "TSK-06")
	for name, tt := range map[string]struct {
		spec CallSpec
		says string
		lone bool // it comes true before there is a handle alone
	}{
		"rule":    {CallSpec{Rules: Rules{After: 2500 * time.Millisecond}}, "stopped waiting after 2.5s, as set, as the server does not declare tasks.cancel", false},
		"silence": {CallSpec{Idle: 3 * time.Second}, "stopped waiting by the timeout: silent for 3s, as the server", true},
		"maximum": {CallSpec{Max: 3 * time.Second}, "stopped waiting by the timeout: no end after 3s, as the server", true},
	} {
		tt.spec.Method, tt.spec.Params, tt.spec.AsTask = "tools/call", []byte(`{"name":"t","arguments":{}}`), true
		stops := func(r *taskRig, id CallID) {
			t.Helper()
			if row := r.row(id); row.State != Lost || !strings.Contains(row.Note, tt.says) || row.Verdict != cancel.NoVerdict {
				t.Errorf("%v, %q", row.State, row.Note)
			}
			if r.sent("cancel") != 0 {
				t.Errorf("%v", r.lines)
			}
		}
		t.Run(name+", before the handle", func(t *testing.T) {
			r := uncancellable(t)
			id, wire := r.made(tt.spec)
			r.wait(3 * time.Second)
			stops(r, id)
			if row := r.row(id); !row.Left || !row.UnnamedTask || !strings.Contains(row.Note, "its ID has not come") {
				t.Errorf("%+v", row)
			}
			r.handle(wire, "task-4711")
			r.n = len(r.lines)
			r.unwritten(20 * time.Second)
			if row := r.row(id); row.Task == nil || row.UnnamedTask || !strings.Contains(row.Note, "the task goes on at the server, as \"task-4711\"") || len(r.s.Diagnostics()) != 0 {
				t.Errorf("%+v, %v", row, r.s.Diagnostics())
			}
		})
		if tt.lone {
			continue
		}
		t.Run(name+", after the handle", func(t *testing.T) {
			r := uncancellable(t)
			id, wire := r.made(tt.spec)
			r.n = len(r.lines)
			r.handle(wire, "task-4711")
			r.polled("working")
			r.polled("working")
			r.wait(time.Second / 2)
			stops(r, id)
			r.unwritten(20 * time.Second)
		})
	}
	t.Run("by the user, and it ends at once", func(t *testing.T) {
		r := uncancellable(t)
		id, wire := r.wished()
		r.do(StopWaiting{Call: id})
		r.want(id, Lost, cancel.NoVerdict)
		r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32603,"message":"broken"}}`, wire)
		if row := r.row(id); !strings.Contains(row.Note, "answered after belay had stopped waiting") || len(r.s.Diagnostics()) != 0 {
			t.Errorf("%+v, %v", row, r.s.Diagnostics())
		}
	})
}

// A task that was left is not picked up again to be cancelled where the server declares no cancel of
// tasks: nothing is asked.
func TestALeftTaskIsNotPickedUpForACancelThatThereIsNot(t *testing.T) {
	requirements.Rows(t, "TSK-06")
	r := uncancellable(t)
	id := r.begun()
	r.do(StopWaiting{Call: id})
	spec := pickUpOf("task-4711")
	spec.Stop = true
	if _, err := r.s.Handle(r.now, StartCall{Spec: spec}); err == nil || !strings.Contains(err.Error(), "does not declare tasks.cancel") {
		t.Errorf("%v", err)
	}
	r.unwritten(10 * time.Second)
	r.made(pickUpOf("task-4711"))
	r.wantNext("tasks/get")
}
