package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/task"
)

func withListening(c *Config) { c.NoListen = false }

// taskNote is a notification about a task.
func (r *taskRig) taskNote(sub mcp.ID, members string) {
	r.t.Helper()
	r.recv(`{"jsonrpc":"2.0","method":"notifications/tasks","params":{%s,"_meta":{"io.modelcontextprotocol/subscriptionId":%v}}}`, members, sub)
}

// listensFor takes the next line, which must subscribe to these tasks and declare tasks.
func (r *taskRig) listensFor(ids ...string) mcp.ID {
	r.t.Helper()
	wire := r.wantNext(methodListen)
	line := r.lines[r.n-1]
	m := read(r.t, line)
	want := `{"taskIds":["` + strings.Join(ids, `","`) + `"]}`
	if got := string(rawjson.At(m.Params, "notifications")); got != want || !strings.Contains(line, `"extensions":{"io.modelcontextprotocol/tasks":{}}`) {
		r.t.Fatalf("written: %s, want the filter %s", line, want)
	}
	return wire
}

func (r *taskRig) agreesTo(wire mcp.ID, ids ...string) {
	r.t.Helper()
	r.recv(agreedNote, wire, `{"taskIds":["`+strings.Join(ids, `","`)+`"]}`)
}

// A task that goes on is subscribed to. What is told of it counts as an answer to a poll
// does, and the polls go on, at five times the interval (TEX-46).
func TestTheServerTellsOfATask(t *testing.T) {
	requirements.Rows(t, "TEX-42", "TEX-43", "TEX-46")
	r := tasking(t, mcp.Rev20260728, withListening)
	id := r.begun()
	sub := r.listensFor("task-4711")
	r.agreesTo(sub, "task-4711")
	r.polled("working") // what happened before the server agreed is seen by this one
	for range 3 {
		r.unwritten(4900 * time.Millisecond)
		r.wait(100 * time.Millisecond)
		r.polled("working")
	}
	r.taskNote(sub, r.object("task-4711", "working", `"statusMessage":"halfway"`))
	if row := r.row(id); row.Task.Message != "halfway" {
		t.Errorf("%+v", row.Task)
	}
	r.wait(2 * time.Second)
	r.taskNote(sub, r.object("task-4711", "completed", `"result":{"resultType":"complete","content":[]}`))
	r.want(id, Done, cancel.NoVerdict)
	r.unwritten(900 * time.Millisecond)
	r.wait(100 * time.Millisecond) // what a notification tells is read once more, after the server's interval
	r.polled("completed", `"result":{"resultType":"complete","content":[]}`)
	if method, _ := r.next(); method != "notifications/cancelled" || !strings.Contains(r.lines[r.n-1], `"requestId":`+sub.String()+`,`) {
		t.Errorf("the subscription to a task that has ended goes on: %v", r.lines[r.n-1:])
	}
	r.recv(finalAnswer, sub, sub)
	r.unwritten(time.Hour)
	r.wantDiag(mcp.DiagUnsubscribed, 0)
	r.wantDiag(mcp.DiagSubStream, 0)
	r.wantDiag(mcp.DiagSubTag, 0)
}

// While a cancel is under way the polls keep to the server's interval: they are the proof.
func TestACancelledTaskIsPolledAtItsInterval(t *testing.T) {
	r := tasking(t, mcp.Rev20260728, withListening)
	id := r.begun()
	r.agreesTo(r.listensFor("task-4711"), "task-4711")
	r.polled("working")
	r.cancel(id, "")
	r.ack()
	r.unwritten(900 * time.Millisecond)
	r.wait(100 * time.Millisecond)
	r.polled("working")
	r.want(id, Cancelled, cancel.TaskWorking)
	r.unwritten(900 * time.Millisecond) // later evidence makes the verdict grow
	r.wait(100 * time.Millisecond)
	r.polled("working")
}

// What is told by a notification is evidence about the cancel.
func TestANotificationTellsOfTheCancel(t *testing.T) {
	r := tasking(t, mcp.Rev20260728, withListening)
	id := r.begun()
	sub := r.listensFor("task-4711")
	r.agreesTo(sub, "task-4711")
	r.cancel(id, "")
	r.ack()
	r.wait(100 * time.Millisecond)
	r.taskNote(sub, r.object("task-4711", "cancelled"))
	r.want(id, Cancelled, cancel.TaskCancelled)
	r.wait(900 * time.Millisecond)
	r.polled("completed", `"result":{"resultType":"complete","content":[]}`)
	r.want(id, Cancelled, cancel.TaskCancelled)
	r.wantDiag(mcp.DiagTaskFinal, 1)
}

// The subscription follows the tasks: another takes its place where a task comes that it does
// not name, and the first is ended when the server has agreed to that.
func TestTheSubscriptionFollowsTheTasks(t *testing.T) {
	requirements.Rows(t, "TEX-43")
	r := tasking(t, mcp.Rev20260728, withListening)
	r.begun()
	first := r.listensFor("task-4711")
	r.agreesTo(first, "task-4711")
	_, wire := r.wished()
	r.handle(wire, "task-fourscore")
	second := r.listensFor("task-4711", "task-fourscore")
	_, wire = r.wished()
	r.handle(wire, "task-and-ten")
	r.unwritten(0) // until the server has agreed to the second
	ended := func(over mcp.ID) {
		t.Helper()
		if method, _ := r.next(); method != "notifications/cancelled" || !strings.Contains(r.lines[r.n-1], `"requestId":`+over.String()+`,`) {
			t.Fatalf("%v is not ended: %v", over, r.lines[r.n-1:])
		}
		r.recv(finalAnswer, over, over)
	}
	r.agreesTo(second, "task-4711", "task-fourscore")
	ended(first)
	third := r.listensFor("task-4711", "task-fourscore", "task-and-ten")
	r.agreesTo(third, "task-4711", "task-fourscore", "task-and-ten")
	ended(second)
	if row := r.own(); row.Wire != third || r.s.Status().Subscriptions != 1 {
		t.Errorf("%+v; %d subscriptions stand", row, r.s.Status().Subscriptions)
	}
}

// A task that the server did not agree to tell of is polled at its interval, and is not asked
// for again.
func TestTheServerAgreesToTellOfOneTask(t *testing.T) {
	requirements.Rows(t, "TEX-44")
	w := taskingWeb(t, mcp.Rev20260728, withListening)
	polls := map[string]int{}
	_, out := w.wished()
	w.handle(out, "task-agreed")
	first := w.next(methodListen)
	agree := func(out Output, ids string) {
		w.stream(out.X)
		w.recvOn(out.X, agreedNote, mcp.Decode(out.Data).ID, `{"taskIds":[`+ids+`]}`)
	}
	agree(first, `"task-agreed"`)
	_, out = w.wished()
	w.handle(out, "task-polled")
	second := w.next(methodListen)
	if !strings.Contains(string(second.Data), `"taskIds":["task-agreed","task-polled"]`) {
		t.Fatalf("%s", second.Data)
	}
	agree(second, `"task-agreed"`)
	if !slices.ContainsFunc(w.outs, func(out Output) bool { return out.Op == OpAbort && out.X == first.X }) {
		t.Error("the first subscription goes on")
	}
	listens := 0
	for range 20 {
		w.later(time.Second)
		for ; w.n < len(w.outs); w.n++ {
			out := w.outs[w.n]
			if out.Op != OpWrite {
				continue
			}
			f := mcp.Decode(out.Data)
			if f.Method == methodListen {
				listens++
				continue
			}
			id, _ := rawjson.TextAt(f.Params, "taskId")
			polls[id]++
			object := (&taskRig{rig: w.rig}).object(id, "working")
			w.answer(out, `"result":{"resultType":"complete",`+object+`}`)
		}
	}
	if polls["task-polled"] != 20 || polls["task-agreed"] != 4 || listens != 0 {
		t.Errorf("polls %v, %d more subscriptions", polls, listens)
	}
	if own := w.own(); own.Note != "the server did not agree to: task task-polled" {
		t.Errorf("%+v", own)
	}
}

// A server that takes no such subscription is not asked again, and the tasks are polled.
func TestTheServerTellsOfNoTask(t *testing.T) {
	requirements.Rows(t, "TEX-45")
	for _, code := range []int{-32021, -32601, -32602} {
		r := tasking(t, mcp.Rev20260728, withListening)
		id := r.begun()
		r.refuses(methodListen, code)
		if told := r.events("belay polls them"); len(told) != 1 {
			t.Errorf("%d: it is told as %q", code, told)
		}
		r.polled("working")
		_, wire := r.wished()
		r.handle(wire, "task-fourscore")
		r.wait(time.Second)
		r.wantNext("tasks/get")
		r.wantNext("tasks/get")
		r.want(id, Running, cancel.NoVerdict)
	}
	// Where the user declares no tasks, the error names what is missing, and offers it.
	w := taskingWeb(t, mcp.Rev20260728, withListening, func(c *Config) { c.NoTasks = true })
	reply, err := w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: methodListen, Params: mcp.Filter{Tasks: []string{"task-4711"}}.Params()}})
	if err != nil {
		t.Fatal(err)
	}
	w.pump()
	out := w.next(methodListen)
	if strings.Contains(string(out.Data), mcp.TasksExtension) {
		t.Errorf("%s", out.Data)
	}
	w.answer(out, `"error":{"code":-32021,"message":"tasks, please","data":{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}`)
	d, _ := w.s.Detail(reply.Call)
	if d.State != Failed || !slices.Equal(d.MissingCapabilities, []Capability{CapTasks}) || !strings.Contains(d.Note, "tasks") || d.Remedy.Kind != RemedyDeclare {
		t.Errorf("%v %v %q %v", d.State, d.MissingCapabilities, d.Note, d.Remedy)
	}
}

// A subscription that breaks off is begun again, and meanwhile the tasks are polled as if
// there was none; one that the server ends is not.
func TestTheSubscriptionToTasksEnds(t *testing.T) {
	w := taskingWeb(t, mcp.Rev20260728, withListening)
	id, out := w.wished()
	w.handle(out, "task-4711")
	out = w.next(methodListen)
	w.stream(out.X)
	w.recvOn(out.X, agreedNote, mcp.Decode(out.Data).ID, `{"taskIds":["task-4711"]}`)
	w.later(time.Second)
	w.answers("tasks/get", w.object("working"))
	if due := w.row(id).Task.NextPoll.Sub(w.now); due != 5*time.Second {
		t.Fatalf("the next poll is due in %v", due)
	}
	w.ended(out.X, End{Err: "connection reset"})
	if due := w.row(id).Task.NextPoll.Sub(w.now); due != time.Second {
		t.Errorf("the next poll is due in %v", due)
	}
	w.later(time.Second)
	out = w.next(methodListen)
	w.stream(out.X)
	wire := mcp.Decode(out.Data).ID
	w.recvOn(out.X, agreedNote, wire, `{"taskIds":["task-4711"]}`)
	w.answers("tasks/get", w.object("working"))
	w.recvOn(out.X, finalAnswer, wire, wire)
	if due := w.row(id).Task.NextPoll.Sub(w.now); due != time.Second {
		t.Errorf("the next poll is due in %v", due)
	}
	w.later(time.Second)
	w.answers("tasks/get", w.object("working"))
	if row := w.row(id); row.State != Running || row.Task.End != task.Alive {
		t.Errorf("%+v", row)
	}
}

// Who ends belay's own subscription wants no other one.
func TestTheUserEndsTheSubscriptionToTasks(t *testing.T) {
	r := tasking(t, mcp.Rev20260728, withListening)
	r.begun()
	sub := r.listensFor("task-4711")
	r.agreesTo(sub, "task-4711")
	r.cancel(r.own().ID, "")
	r.wantNext("notifications/cancelled")
	r.recv(finalAnswer, sub, sub)
	r.polled("working")
	_, wire := r.wished()
	r.handle(wire, "task-fourscore")
	r.wait(time.Second)
	if method, _ := r.next(); method != "tasks/get" {
		t.Errorf("%q is written", method)
	}
}

// The IDs in a subscription are bounded; the tasks beyond that are polled.
func TestManyTasksAreSubscribedTo(t *testing.T) {
	r := tasking(t, mcp.Rev20260728, withListening)
	_, wire := r.wished()
	r.handle(wire, "task-4711")
	sub := r.listensFor("task-4711")
	const size = mcp.MaxTaskID
	for i := range 9 + watchedBytes/size {
		_, wire := r.wished()
		r.handle(wire, fmt.Sprintf("%0*d", size, i))
	}
	r.agreesTo(sub, "task-4711")
	r.wantNext(methodListen)
	if n := len(r.lines[r.n-1]); n < watchedBytes-size || n > watchedBytes+2000 {
		t.Errorf("a subscription of %d bytes", n)
	}
}

// The user turns the subscription to tasks off and on while belay runs: off, they are polled at
// the server's interval; on, the server is asked again, also where it had refused or belay was
// started without.
func TestTheSubscriptionToTasksIsTurnedOffAndOn(t *testing.T) {
	requirements.Rows(t, "TEX-43", "TEX-46")
	r := tasking(t, mcp.Rev20260728, withListening)
	r.begun()
	sub := r.listensFor("task-4711")
	r.agreesTo(sub, "task-4711")
	r.polled("working")
	if !r.s.Status().SubscribesToTasks || r.s.Status().OwnSubscriptions != 1 {
		t.Errorf("%+v", r.s.Status())
	}
	r.do(SubscribeToTasks{Off: true})
	r.wantNext("notifications/cancelled")
	r.recv(finalAnswer, sub, sub)
	r.polled("working") // after a second, as the server asks
	r.polled("working")
	if r.s.Status().SubscribesToTasks {
		t.Error("it is said to be on")
	}
	r.do(SubscribeToTasks{})
	r.refuses(methodListen, -32601)
	r.polled("working")
	r.do(SubscribeToTasks{})
	r.agreesTo(r.listensFor("task-4711"), "task-4711")
	r.polled("working")
	r.unwritten(4900 * time.Millisecond)

	without := tasking(t, mcp.Rev20260728)
	without.begun()
	without.do(SubscribeToTasks{})
	without.listensFor("task-4711")
	if _, err := tasking(t, mcp.Rev20251125).s.Handle(without.now, SubscribeToTasks{}); err == nil {
		t.Error("2025-11-25 has no such subscription")
	}
}
