package session

import (
	"errors"
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

// listing asks for a page of tasks, and answers with these members of a result.
func (r *taskRig) listing(more bool, members string) {
	r.t.Helper()
	if _, err := r.s.Handle(r.now, ListTasks{More: more}); err != nil {
		r.t.Fatal(err)
	}
	r.pull()
	r.answers("tasks/list", members)
}

func (r *taskRig) listed(ids ...string) string {
	var tasks []string
	for _, id := range ids {
		tasks = append(tasks, "{"+r.object(id, "working")+"}")
	}
	return `"tasks":[` + strings.Join(tasks, ",") + "]"
}

func (r *taskRig) list() TaskListView { return r.s.Status().TaskList }

// The pages come one by one, at the user's wish, and each cursor goes back to the letter.
func TestTheListOfTasks(t *testing.T) {
	requirements.Rows(t, "TSK-54", "TSK-56")
	r := tasking(t, mcp.Rev20251125)
	const odd = `"\u0001 \"\\\u00e9 é="`
	r.listing(false, r.listed("task-0001", "task-0002")+`,"nextCursor":`+odd)
	if v := r.list(); len(v.Tasks) != 2 || !v.More || v.Pages != 1 || v.Problem != "" || v.Loading {
		t.Fatalf("%+v", v)
	}
	r.listing(true, r.listed("task-0003")+`,"nextCursor":"b"`)
	if line := r.lines[len(r.lines)-1]; !strings.Contains(line, `"cursor":`+odd) {
		t.Errorf("sent %s", line)
	}
	r.listing(true, r.listed("task-0004"))
	v := r.list()
	if len(v.Tasks) != 4 || v.More || v.Pages != 3 || v.Tasks[3].ID != "task-0004" {
		t.Errorf("%+v", v)
	}
	if _, err := r.s.Handle(r.now, ListTasks{More: true}); err == nil {
		t.Error("there is a page after the last")
	}
	r.listing(false, r.listed())
	if v := r.list(); len(v.Tasks) != 0 || v.Pages != 1 {
		t.Errorf("anew: %+v", v)
	}
}

// A task that is listed again, on the same page or a later one, is one task, as it was listed last. Only
// the same page is told: a list that grows has one on two pages. What the screen had of the list before
// stays as it was.
func TestATaskThatIsListedTwice(t *testing.T) {
	requirements.Rows(t, "TSK-54")
	r := tasking(t, mcp.Rev20251125)
	r.listing(false, r.listed("task-0001", "task-0002")+`,"nextCursor":"b"`)
	before := r.list()
	r.listing(true, `"tasks":[{`+r.object("task-0001", "completed")+`},{`+r.object("task-0003", "working")+`},{`+r.object("task-0001", "failed")+`},7]`+`,"nextCursor":"c"`)
	v := r.list()
	if len(v.Tasks) != 3 || v.Tasks[0].ID != "task-0001" || v.Tasks[0].Status != "failed" || v.Tasks[2].ID != "task-0003" {
		t.Errorf("%+v", v.Tasks)
	}
	if len(v.Twice) != 1 || v.Twice[0] != "task-0001" {
		t.Errorf("listed twice: %v", v.Twice)
	}
	if before.Tasks[0].Status != "working" || len(before.Twice) != 0 {
		t.Errorf("the list of before has become %+v", before)
	}
	r.listing(true, r.listed("task-0004")+`,"nextCursor":"d"`)
	r.listing(true, r.listed("task-0003", "task-0002"))
	if v := r.list(); len(v.Twice) != 1 || len(v.Tasks) != 4 {
		t.Errorf("listed on two pages: %v", v.Twice)
	}
	if v := r.list(); v.Problem != "of 4 on page 2, 1 is no task" {
		t.Errorf("what is wrong with page 2 is forgotten: %q", v.Problem)
	}
	r.listing(false, r.listed("task-0001"))
	if v := r.list(); len(v.Twice) != 0 || v.Problem != "" || len(v.Tasks) != 1 {
		t.Errorf("anew: %+v", v)
	}
	var crowd []string
	for n := range 3 * (maxTwice + 50) {
		crowd = append(crowd, fmt.Sprintf("many-%d", n%(maxTwice+50)))
	}
	r.listing(false, r.listed(crowd...))
	twice := r.list().Twice
	if slices.Sort(twice); len(twice) != maxTwice || len(slices.Compact(twice)) != maxTwice {
		t.Errorf("%d of a crowd are told: %q", len(twice), twice)
	}
}

// Where the server declares no list, or the revision has none, nothing is sent.
func TestNoListOfTasks(t *testing.T) {
	requirements.Rows(t, "TSK-05", "TEX-56")
	for name, r := range map[string]*rig{
		"undeclared": serving(t, mcp.Rev20251125, `{"tools":{},"tasks":{"cancel":{}}}`),
		"extension":  serving(t, mcp.Rev20260728, extensionTasks),
		"older":      serving(t, mcp.Rev20250618, `{"tools":{},"tasks":{"list":{}}}`),
	} {
		var refused *Refusal
		if _, err := r.s.Handle(r.now, ListTasks{}); !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
		r.wait(time.Second)
		if strings.Contains(strings.Join(r.lines, ""), "tasks/list") {
			t.Errorf("%s: it was sent", name)
		}
	}
}

// A list that has no end, goes round in circles, is refused or is no list ends with a word.
func TestBadListsOfTasks(t *testing.T) {
	requirements.Rows(t, "TSK-54", "TSK-55", "TSK-65")
	t.Run("a circle", func(t *testing.T) {
		r := tasking(t, mcp.Rev20251125)
		r.listing(false, r.listed("task-0001")+`,"nextCursor":"a"`)
		r.listing(true, r.listed("task-0002")+`,"nextCursor":"b"`)
		r.listing(true, r.listed("task-0003")+`,"nextCursor":"a"`)
		if v := r.list(); v.More || len(v.Tasks) != 3 || !strings.Contains(v.Problem, "in circles") {
			t.Errorf("%+v", v)
		}
	})
	t.Run("a long cursor", func(t *testing.T) {
		r := tasking(t, mcp.Rev20251125)
		r.listing(false, r.listed("task-0001")+`,"nextCursor":"`+strings.Repeat("c", maxCursor-2)+`"`)
		if v := r.list(); !v.More || v.Problem != "" {
			t.Errorf("%+v", v)
		}
		r.listing(true, r.listed("task-0002")+`,"nextCursor":"`+strings.Repeat("c", maxCursor-1)+`"`)
		if v := r.list(); v.More || len(v.Tasks) != 2 || v.Problem != "the cursor of page 3 takes 16.4 kB; belay sends at most 16.4 kB back" {
			t.Errorf("%+v", v)
		}
	})
	t.Run("too many", func(t *testing.T) {
		r := tasking(t, mcp.Rev20251125)
		for page := range 3 {
			var ids []string
			for i := range 4000 {
				ids = append(ids, fmt.Sprintf("task-%d-%04d", page, i))
			}
			r.listing(page > 0, r.listed(ids...)+fmt.Sprintf(`,"nextCursor":"%d"`, page))
		}
		if v := r.list(); v.More || len(v.Tasks) != 10_000 || !strings.Contains(v.Problem, "2000 tasks of page 3 are left out") {
			t.Errorf("%d tasks, more %v, %s", len(v.Tasks), v.More, v.Problem)
		}
		if r.s.tasks.listed.call.remark.text != "4000 tasks on one page: the list ought to come in smaller ones" {
			t.Errorf("%q", r.s.tasks.listed.call.remark.text)
		}
	})
	for answer, want := range map[string]string{
		`"error":{"code":-32602,"message":"what cursor?"}`: "the server rejected its own cursor after page 1",
		`"error":{"code":-32603,"message":"broken"}`:       "refused: ",
		`"result":{"tasks":{}}`:                            "the answer is no list of tasks",
	} {
		r := tasking(t, mcp.Rev20251125)
		r.listing(false, r.listed("task-0001")+`,"nextCursor":"a"`)
		if _, err := r.s.Handle(r.now, ListTasks{More: true}); err != nil {
			t.Fatal(err)
		}
		r.pull()
		r.recv(`{"jsonrpc":"2.0","id":%v,%s}`, r.wantNext("tasks/list"), answer)
		if v := r.list(); len(v.Tasks) != 1 || !strings.Contains(v.Problem, want) {
			t.Errorf("%s: %+v", answer, v)
		}
	}
	t.Run("a task with an ID that is too long is one, and cannot be used", func(t *testing.T) {
		r := tasking(t, mcp.Rev20251125)
		long := strings.Repeat("x", mcp.MaxTaskID+1)
		r.listing(false, `"tasks":[{`+r.object(long, "working")+`},{`+r.object("task-0001", "working")+`},7]`)
		if v := r.list(); len(v.Tasks) != 1 || v.Problem != "of 3 on page 1, 1 is no task, and 1 has an ID that is too long to be used" {
			t.Errorf("%+v", v)
		}
	})
	t.Run("what is no task is told", func(t *testing.T) {
		r := tasking(t, mcp.Rev20251125)
		r.listing(false, `"tasks":[7,null,{"taskId":5},{`+r.object("task-0001", "working")+`}]`)
		if v := r.list(); len(v.Tasks) != 1 || v.Problem != "of 4 on page 1, 3 are no tasks" {
			t.Errorf("%+v", v)
		}
	})
	t.Run("no answer", func(t *testing.T) {
		r := tasking(t, mcp.Rev20251125)
		reply, err := r.s.Handle(r.now, ListTasks{})
		if err != nil {
			t.Fatal(err)
		}
		r.pull()
		if v := r.list(); !v.Loading {
			t.Errorf("%+v", v)
		}
		if _, err := r.s.Handle(r.now, ListTasks{}); err == nil {
			t.Error("asked twice at once")
		}
		if _, err := r.s.Handle(r.now, Cancel{Call: reply.Call}); err != nil {
			t.Fatal(err)
		}
		r.wait(10 * time.Second)
		if v := r.list(); v.Loading || !strings.Contains(v.Problem, "cancelled") {
			t.Errorf("%+v", v)
		}
	})
	t.Run("no second page in time", func(t *testing.T) {
		r := tasking(t, mcp.Rev20251125)
		r.listing(false, r.listed("task-0001")+`,"nextCursor":"a"`)
		if _, err := r.s.Handle(r.now, ListTasks{More: true}); err != nil {
			t.Fatal(err)
		}
		r.pull()
		wire := r.wantNext("tasks/list")
		if v := r.list(); !v.Loading || v.Stops || v.Problem != "" {
			t.Errorf("%+v", v)
		}
		r.wait(pollLimit)
		if v := r.list(); !v.Loading || !v.Stops {
			t.Errorf("its cancel is not told: %+v", v)
		}
		r.wait(10 * time.Second)
		if v := r.list(); v.Loading || v.Stops || v.Problem != "tasks/list timed out" || len(v.Tasks) != 1 || !v.More {
			t.Errorf("%+v", v)
		}
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{%s}}`, wire, r.listed("task-0002"))
		if v := r.list(); v.Problem != "tasks/list timed out, and its answer came too late" || len(v.Tasks) != 1 {
			t.Errorf("%+v", v)
		}
		r.n = len(r.lines)
		r.listing(true, r.listed("task-0002"))
		if v := r.list(); v.Problem != "" || len(v.Tasks) != 2 || v.More {
			t.Errorf("the page, asked for anew: %+v", v)
		}
	})
}

// What tasks/get finds the whole list must have.
func TestTheListLacksATask(t *testing.T) {
	requirements.Rows(t, "TSK-57")
	r := tasking(t, mcp.Rev20251125)
	r.begun()
	r.polled("working")
	r.listing(false, r.listed("task-0001")+`,"nextCursor":"a"`)
	if v := r.list(); len(v.Missing) != 0 {
		t.Errorf("told before the last page: %v", v.Missing)
	}
	r.listing(true, r.listed("task-0002"))
	if v := r.list(); len(v.Missing) != 1 || v.Missing[0] != "task-4711" {
		t.Errorf("missing %v", v.Missing)
	}
	r.listing(false, r.listed("task-4711"))
	if v := r.list(); len(v.Missing) != 0 {
		t.Errorf("missing %v", v.Missing)
	}
}

// A task that is picked up to be cancelled is looked at first: one that goes on gets one
// tasks/cancel, and one that has ended none.
func TestATaskIsPickedUpToBeCancelled(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		for _, status := range []string{"working", "completed"} {
			r.n = len(r.lines)
			id, _ := r.made(CallSpec{Method: "tasks/get", Params: mcp.TaskParams("task-" + status), Watch: true, Stop: true})
			r.answers("tasks/get", r.object("task-"+status, status))
			r.pull()
			if n := strings.Count(strings.Join(r.lines, ""), `"tasks/cancel"`); n != 1 {
				t.Errorf("%s: %d cancels", status, n)
			}
			if state := r.row(id).State; (state == Cancelling) != (status == "working") {
				t.Errorf("%s: %v", status, state)
			}
		}
	})
}

// The rows of this run that are tasks are known, newest first.
func TestTheTasksOfThisRun(t *testing.T) {
	requirements.Rows(t, "TSK-72", "TEX-56")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		r.wished()
		for i := range 3 {
			_, wire := r.wished()
			r.handle(wire, fmt.Sprintf("task-%d-of-this-run", i))
		}
		rows := r.s.TaskRows(nil, 2)
		if len(rows) != 3 || rows[0].Task.ID != "task-2-of-this-run" || rows[0].Tool != "t" || rows[1].Task.ID != "task-1-of-this-run" {
			t.Errorf("%+v", rows)
		}
	})
}

// A task that goes on, or of which nobody knows that it has ended, stays among the rows of tasks however
// many others came after it; of those that have ended only the newest are.
func TestATaskThatGoesOnIsAlwaysAmongTheRows(t *testing.T) {
	requirements.Rows(t, "TSK-72", "TEX-56")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		made := func(id string) CallID {
			call, wire := r.wished()
			r.handle(wire, id)
			return call
		}
		r.do(StopWaiting{Call: made("left")})
		made("at work")
		ids := func(limit int) (ids []string) {
			for _, row := range r.s.TaskRows(nil, limit) {
				ids = append(ids, row.Task.ID)
			}
			return ids
		}
		for i := range 3 {
			made(fmt.Sprintf("done-%d", i))
		}
		r.wait(time.Second)
		for ; r.n < len(r.lines); r.n++ {
			poll, status, complete := mcp.Decode([]byte(r.lines[r.n])), "cancelled", ""
			id := unquoted(rawjson.At(poll.Params, "taskId"))
			if id == "at work" {
				status = "working"
			}
			if r.modern() {
				complete = `"resultType":"complete",`
			}
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{%s%s}}`, poll.ID, complete, r.object(id, status))
		}
		for limit, want := range map[int]string{
			0: "[at work left]", 2: "[done-2 done-1 at work left]", -1: "[done-2 done-1 done-0 at work left]",
		} {
			if got := fmt.Sprint(ids(limit)); got != want {
				t.Errorf("at most %d: %s, want %s", limit, got, want)
			}
		}
		for i := range maxTaskRows {
			made(fmt.Sprintf("later-%04d", i))
		}
		if got := ids(0); len(got) != maxTaskRows+1 || got[maxTaskRows] != "at work" {
			t.Errorf("%d rows, the oldest of them %s", len(got), got[len(got)-1])
		}
		if got := ids(-1); slices.ContainsFunc(got, func(id string) bool { return strings.HasPrefix(id, "done") }) {
			t.Errorf("one that has ended stayed in place of one that goes on: %d rows", len(got))
		}
	})
}

// The task of a cancelled row that goes on is polled until the user waits for it no more. It
// gets no second row, and no second cancel once the server has answered the first.
func TestACancelledTaskGoesOn(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37", "CXL-38")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		r.pings = true
		id := r.begun()
		watch := CallSpec{Method: "tasks/get", Params: mcp.TaskParams("task-4711"), Watch: true}
		stop := watch
		stop.Stop = true
		r.cancel(id, "")
		if _, err := r.s.Handle(r.now, StartCall{Spec: watch}); !errors.Is(err, errParams) {
			t.Errorf("a second row for the task: %v", err)
		}
		r.answers("tasks/cancel", r.object("task-4711", "working"))
		r.polled("working")
		r.want(id, Cancelled, cancel.TaskWorking)
		if k := r.row(id).Task; !k.GoesOn || !k.CancelAnswered {
			t.Errorf("%+v", k)
		}
		if _, err := r.s.Handle(r.now, StartCall{Spec: stop}); !errors.Is(err, errCancelling) || !strings.Contains(err.Error(), "has answered the cancel") {
			t.Errorf("a second cancel of the task: %v", err)
		}
		if _, err := r.s.Handle(r.now, StopWaiting{Call: id}); err != nil {
			t.Fatal(err)
		}
		r.pull()
		r.unwritten(time.Hour)
		if r.row(id).Task.GoesOn {
			t.Error("it is said to be polled on")
		}
		r.want(id, Cancelled, cancel.TaskWorking)
	})
	stop := CallSpec{Method: "tasks/get", Params: mcp.TaskParams("task-4711"), Watch: true, Stop: true}
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) { // its cancel was read, and not answered
		r.pings = true
		id := r.begun()
		r.cancel(id, "")
		r.wait(10 * time.Second)
		r.want(id, Cancelled, cancel.TaskUnacknowledged)
		if k := r.row(id).Task; !k.GoesOn || k.CancelAnswered || !k.CancelRead {
			t.Errorf("%+v", k)
		}
		if _, err := r.s.Handle(r.now, StartCall{Spec: stop}); !errors.Is(err, errCancelling) {
			t.Errorf("a second cancel of the task: %v", err)
		}
	})
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) { // nothing shows that it was read, until it is picked up
		id := r.begun()
		r.cancel(id, "")
		r.wait(11 * time.Second)
		if k := r.row(id).Task; !k.GoesOn || k.CancelRead {
			t.Fatalf("%+v", k)
		}
		again, _ := r.made(stop)
		r.n = len(r.lines) - 1
		r.polled("working")
		if _, err := r.s.Handle(r.now, Cancel{Call: again}); !errors.Is(err, errCancelling) {
			t.Errorf("a second cancel of the task: %v", err)
		}
		if r.pull(); r.sent(`"method":"tasks/cancel"`) != 1 || r.row(again).State != Running {
			t.Errorf("%v", r.lines)
		}
	})
	t.Run("the connection ends", func(t *testing.T) {
		r := tasking(t, mcp.Rev20260728)
		id := r.begun()
		r.cancel(id, "")
		r.ack()
		r.polled("working")
		r.want(id, Cancelled, cancel.TaskWorking)
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 1"}})
		if r.row(id).Task.GoesOn {
			t.Error("it is said to be polled on")
		}
	})
}

// A task that is forgotten is listed as belay has seen it since the list came. One that has ended never
// goes on again, and what the list told later stays. What the screen had of the list stays as it was.
func TestAForgottenTaskIsListedAsItWasSeenLast(t *testing.T) {
	requirements.Rows(t, "TSK-25", "TEX-41")
	for name, tt := range map[string]struct {
		then func(r *taskRig, id CallID)
		want string
		end  task.End
	}{
		"cancelled since": {then: func(r *taskRig, id CallID) {
			r.cancel(id, "")
			r.ack()
		}, want: "cancelled"},
		"not found since": {func(r *taskRig, _ CallID) {
			r.polled("working")
			r.wait(time.Second)
			r.refuses("tasks/get", -32602)
		}, "working", task.Gone},
		"not found, and listed since": {func(r *taskRig, _ CallID) {
			r.polled("working")
			r.wait(time.Second)
			r.refuses("tasks/get", -32602)
			r.wait(time.Millisecond)
			r.listing(false, r.listed("task-0001", "task-4711"))
		}, "working", task.Alive},
		"it asks since": {then: func(r *taskRig, _ CallID) { r.polled("input_required") }, want: "input_required"},
		"completed, and listed as it was before": {then: func(r *taskRig, _ CallID) {
			r.completed()
			r.wait(time.Second)
			r.listing(false, r.listed("task-0001", "task-4711"))
		}, want: "completed"},
		"listed as ended since": {then: func(r *taskRig, _ CallID) {
			r.polled("working")
			r.wait(time.Millisecond)
			r.listing(false, `"tasks":[{`+r.object("task-0001", "working")+`},{`+r.object("task-4711", "failed")+`}]`)
		}, want: "failed"},
		"listed later than it was polled": {then: func(r *taskRig, _ CallID) {
			r.polled("working")
			r.wait(time.Millisecond)
			r.listing(false, `"tasks":[{`+r.object("task-0001", "working")+`},{`+r.object("task-4711", "input_required")+`}]`)
		}, want: "input_required"},
	} {
		r := tasking(t, mcp.Rev20251125)
		id := r.begun()
		r.listing(false, r.listed("task-0001", "task-4711"))
		tt.then(r, id)
		before := r.list()
		was := before.Tasks[1]
		r.do(ForgetTask{ID: "task-4711"})
		if now := r.list(); now.Tasks[1].Status != tt.want || now.Tasks[1].End != tt.end || now.Tasks[0].Status != "working" {
			t.Errorf("%s: listed as %+v", name, now.Tasks)
		}
		if before.Tasks[1] != was {
			t.Errorf("%s: what the screen had has changed", name)
		}
		r.do(ForgetTask{ID: "never listed"})
	}
}

// A task that was picked up was made when the server says, else when its call was, or what was kept of it
// says, and never when it was picked up. It is kept with that time.
func TestWhenAPickedUpTaskWasMade(t *testing.T) {
	requirements.Rows(t, "TSK-36", "TEX-16")
	said, past := time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC), time.Date(1999, 12, 31, 20, 0, 0, 0, time.UTC)
	for rev, protocol := range map[mcp.Revision]task.Protocol{mcp.Rev20251125: task.Core, mcp.Rev20260728: task.Extension} {
		for name, tt := range map[string]struct {
			id, says string
			want     func(r *taskRig, own CallID) time.Time
		}{
			"the server says it":         {"task-0815", "", func(*taskRig, CallID) time.Time { return said }},
			"its call is of this run":    {"task-4711", "no", func(r *taskRig, own CallID) time.Time { return r.row(own).Created }},
			"an earlier run has kept it": {"task-past", "no", func(*taskRig, CallID) time.Time { return past }},
			"nobody says it":             {"task-0815", "no", func(*taskRig, CallID) time.Time { return time.Time{} }},
		} {
			r := tasking(t, rev, keeping, func(c *Config) {
				c.Kept = []KeptTask{{ID: "task-past", Protocol: protocol, Made: past}}
			})
			own := r.begun()
			r.do(StopWaiting{Call: own})
			r.wait(time.Minute)
			r.n = len(r.lines)
			id := r.do(StartCall{Spec: pickUpOf(tt.id)}).Call
			object := r.object(tt.id, "working")
			if tt.says == "no" {
				object = strings.Replace(object, `"createdAt":"2026-07-28T12:00:00Z",`, "", 1)
			}
			r.kept()
			r.answers("tasks/get", object)
			row := r.s.TaskRows(nil, 1)[0]
			if want := tt.want(r, own); row.Call != id || !row.Created.Equal(want) {
				t.Errorf("%s: %v, want %v", name, row.Created, want)
			}
			if kept, _ := r.s.NextKept(); name == "the server says it" && !kept.Task.Made.Equal(said) {
				t.Errorf("kept as made at %v", kept.Task.Made)
			}
		}
	}
}

// What belay knows of a task is told by its ID, however many came after it: by its row, and where that is
// remembered no more by how it ended.
func TestATaskIsKnownByItsID(t *testing.T) {
	requirements.Rows(t, "TSK-72", "TSK-25")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		r.cancel(id, "")
		r.ack()
		r.polled("cancelled")
		if row := r.s.TaskRow("task-4711"); row == nil || row.Call != id || row.Task.Status != task.Cancelled {
			t.Errorf("%+v", row)
		}
		for i := range maxTaskRows {
			_, wire := r.wished()
			r.handle(wire, fmt.Sprintf("later-%04d", i))
		}
		for _, id := range []string{"task-4711", "elsewhere"} {
			if row := r.s.TaskRow(id); row != nil {
				t.Errorf("%s: %+v", id, row)
			}
		}
		if r.s.conn.taskProtocol() != task.Core {
			return
		}
		r.listing(false, r.listed("task-4711", "elsewhere"))
		if v := r.list(); v.Tasks[0].Past != task.Cancelled || v.Tasks[1].Past != task.Unknown {
			t.Errorf("%+v", v.Tasks)
		}
	})
}
