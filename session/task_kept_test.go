package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
	"belay/session/task"
)

// kept are the changes of what is kept that the core has, as "+ID" and "-ID".
func (r *taskRig) kept() string {
	var all []string
	for {
		change, ok := r.s.NextKept()
		if !ok {
			return strings.Join(all, " ")
		}
		sign := "+"
		if change.Gone {
			sign = "-"
		}
		all = append(all, sign+change.Task.ID)
	}
}

func keeping(c *Config) { c.KeepTasks = true }

// A task is kept from its handle on, and dropped when nothing more can come of it. One that
// may go on stays: the user left it, or quit.
func TestWhatIsKeptOfATask(t *testing.T) {
	requirements.Rows(t, "TEX-16", "TSK-71")
	for name, tt := range map[string]struct {
		then func(r *taskRig, id CallID)
		want string
	}{
		"it is completed": {func(r *taskRig, _ CallID) { r.completed() }, "-task-4711"},
		"the server forgot it": {func(r *taskRig, _ CallID) {
			r.polled("working")
			r.wait(time.Second)
			r.refuses("tasks/get", mcp.CodeInvalidParams)
		}, "-task-4711"},
		"it is cancelled": {func(r *taskRig, id CallID) {
			r.cancel(id, "")
			r.ack()
			r.polled("cancelled")
		}, "-task-4711"},
		"the server says that it is cancelled": {func(r *taskRig, _ CallID) {
			if r.modern() {
				r.recv(`{"jsonrpc":"2.0","method":"notifications/tasks","params":{%s}}`, r.object("task-4711", "cancelled"))
				return
			}
			r.recv(`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{%s}}`, r.object("task-4711", "cancelled"))
		}, "-task-4711"},
		"the server says that it is completed": {func(r *taskRig, _ CallID) { // its outcome is to be fetched
			if r.modern() {
				r.recv(`{"jsonrpc":"2.0","method":"notifications/tasks","params":{%s}}`, r.object("task-4711", "completed"))
				return
			}
			r.recv(`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{%s}}`, r.object("task-4711", "completed"))
		}, ""},
		"its time is over": {func(r *taskRig, _ CallID) {
			ttl := `"ttl":1500`
			if r.modern() {
				ttl = `"ttlMs":1500`
			}
			r.polled("working", ttl)
			r.wait(2 * time.Second)
			r.answers("tasks/get", r.object("task-4711", "working", ttl))
		}, "+task-4711 -task-4711"}, // the time to live has changed
		"it goes on":               {func(r *taskRig, _ CallID) { r.polled("working") }, ""},
		"the user left it":         {func(r *taskRig, id CallID) { r.do(StopWaiting{Call: id}) }, ""},
		"the connection ends":      {func(r *taskRig, _ CallID) { r.do(Disconnect{}) }, ""},
		"it is left by quitting":   {func(r *taskRig, _ CallID) { r.do(Quit{LeaveTasks: true}) }, ""},
		"the user wants it forgot": {func(r *taskRig, _ CallID) { r.do(ForgetTask{ID: "task-4711"}) }, "-task-4711"},
	} {
		for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
			t.Run(name+" "+string(rev), func(t *testing.T) {
				r := tasking(t, rev, keeping)
				id := r.begun()
				change, _ := r.s.NextKept()
				if k := change.Task; change.Gone || k.ID != "task-4711" || k.Tool != "t" || k.Protocol != r.s.conn.taskProtocol() || !k.Made.Equal(r.now) {
					t.Fatalf("its handle came: %+v", change)
				}
				tt.then(r, id)
				if got := r.kept(); got != tt.want {
					t.Errorf("then %q, want %q", got, tt.want)
				}
			})
		}
	}
	r := tasking(t, mcp.Rev20260728)
	r.begun()
	if got := r.kept(); got != "" {
		t.Errorf("kept although nobody wants that: %s", got)
	}
}

// What an earlier run has kept is offered in its own protocol alone, until its time is over,
// and until this run follows it or finds it gone.
func TestWhatAnEarlierRunHasKept(t *testing.T) {
	requirements.Rows(t, "TEX-16", "TEX-63")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		made := r.now.Add(-time.Hour)
		mine, other := task.Core, task.Extension
		if r.modern() {
			mine, other = other, mine
		}
		r = tasking(t, r.s.conn.rev, keeping, func(c *Config) {
			c.Kept = []KeptTask{
				{ID: "task-4711", Tool: "t", Protocol: mine, Made: made},
				{ID: "foreign", Tool: "t", Protocol: other, Made: made},
				{ID: "over", Tool: "t", Protocol: mine, Made: made, Expires: made.Add(time.Minute)},
				{ID: "gone", Tool: "t", Protocol: mine, Made: made},
			}
		})
		offered := func() string {
			var ids []string
			for _, k := range r.s.KeptBefore(r.now) {
				ids = append(ids, k.ID)
			}
			return strings.Join(ids, " ")
		}
		if got := offered(); got != "task-4711 gone" {
			t.Fatalf("offered: %s", got)
		}
		if r.sent("tasks/") != 0 {
			t.Fatal("they are asked for by themselves")
		}
		id := r.do(StartCall{Spec: watchSpec("task-4711")}).Call
		r.answers("tasks/get", r.object("task-4711", "working"))
		if got := offered(); got != "gone" || r.row(id).State != Running {
			t.Errorf("one is taken up: %q is offered, its row is %v", got, r.row(id).State)
		}
		for {
			change, ok := r.s.NextKept()
			if !ok {
				break
			}
			if k := change.Task; k.ID != "task-4711" || change.Gone || k.Tool != "t" || !k.Made.Equal(made) {
				t.Errorf("%+v: its tool and its time are not what they were", change)
			}
		}
		r.completed()
		r.do(StartCall{Spec: watchSpec("gone")})
		r.refuses("tasks/get", mcp.CodeInvalidParams)
		if got := r.kept(); got != "-task-4711 -gone" || offered() != "" {
			t.Errorf("%q; %q is offered", got, offered())
		}
		r.do(ForgetTask{ID: "over"})
		if got := r.kept(); got != "-over" {
			t.Errorf("forgotten: %q", got)
		}
	})
}

// Of a task that is to be forgotten nothing is left in any map, and nothing is asked of the
// server, or sent there.
func TestATaskIsForgotten(t *testing.T) {
	requirements.Rows(t, "TEX-41")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		r.polled("working")
		r.do(ForgetTask{ID: "task-4711"})
		ts := &r.s.tasks
		if _, known := ts.ids["task-4711"]; known || ts.byID["task-4711"] != nil || len(ts.all)+len(ts.touched)+len(ts.notices)+len(r.s.kept.held) != 0 {
			t.Errorf("left: %v, %v, %v", ts.ids, ts.byID, ts.all)
		}
		r.unwritten(time.Hour)
		if row := r.row(id); row.State != Lost {
			t.Errorf("its row is %v", row.State)
		}
		r.do(ForgetTask{ID: "never heard of"})
	})
}

// What is kept is bounded, in number and in size.
func TestWhatIsKeptIsBounded(t *testing.T) {
	var k keptTasks
	k.begin(&Config{KeepTasks: true})
	for range maxKept + 10 {
		k.keep(KeptTask{ID: strings.Repeat("i", len(k.held)+1), Tool: strings.Repeat("t", keptToolMost+1)})
	}
	k.drop("i")
	k.keep(KeptTask{ID: strings.Repeat("i", keptIDMost+1)})
	if len(k.held) != maxKept-1 || k.held["ii"].Tool != "" {
		t.Errorf("%d are kept, the tool of one is %q", len(k.held), k.held["ii"].Tool)
	}
}
