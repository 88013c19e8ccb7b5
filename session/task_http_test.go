package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
)

// taskWeb is a server of tasks over HTTP.
type taskWeb struct {
	*webRig
	n int // outputs that were looked at
}

func taskingWeb(t testing.TB, rev mcp.Revision, change ...func(*Config)) *taskWeb {
	t.Helper()
	declares := coreTasks
	if rev.IsModern() {
		declares = extensionTasks
	}
	return taskingWebThat(t, rev, declares, change...)
}

// taskingWebThat is one whose server declares something of its own.
func taskingWebThat(t testing.TB, rev mcp.Revision, declares string, change ...func(*Config)) *taskWeb {
	t.Helper()
	w := &taskWeb{webRig: servingWeb(t, rev, declares, append([]func(*Config){withoutListening}, change...)...)}
	w.answerList(mcp.Tools, fresh, `{"name":"t","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}`)
	w.n = len(w.outs)
	return w
}

// next is the next output, which must be a POST of a method.
func (w *taskWeb) next(method string) Output {
	w.t.Helper()
	for w.n < len(w.outs) {
		out := w.outs[w.n]
		w.n++
		if out.Op == OpWrite {
			if got := mcp.Decode(out.Data).Method; got != method {
				w.t.Fatalf("%q is posted next, want %q", got, method)
			}
			return out
		}
	}
	w.t.Fatalf("nothing is posted, want %q", method)
	return Output{}
}

// answers answers the next POST with members of a result.
func (w *taskWeb) answers(method, members string) Output {
	w.t.Helper()
	out := w.next(method)
	w.answer(out, `"result":{`+strings.TrimSuffix(`"resultType":"complete",`+members, ",")+`}`)
	return out
}

// answer answers a POST.
func (w *taskWeb) answer(out Output, member string) {
	w.t.Helper()
	w.opened(out.X, Head{Status: 200, Media: mediaJSON})
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,%s}`, mcp.Decode(out.Data).ID, member)
	w.ended(out.X, End{})
}

func (w *taskWeb) object(status string, more ...string) string {
	r := taskRig{rig: w.rig}
	return r.object("task-4711", status, more...)
}

// wished is a call that is posted.
func (w *taskWeb) wished() (CallID, Output) {
	w.t.Helper()
	modern := w.s.conn.rev.IsModern()
	reply, err := w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t","arguments":{}}`), AsTask: !modern}})
	if err != nil {
		w.t.Fatal(err)
	}
	w.pump()
	return reply.Call, w.next("tools/call")
}

func (w *taskWeb) handle(out Output, id string) {
	w.t.Helper()
	r := taskRig{rig: w.rig}
	if w.s.conn.rev.IsModern() {
		w.answer(out, `"result":{"resultType":"task",`+r.object(id, "working")+`}`)
		return
	}
	w.answer(out, `"result":{"task":{`+r.object(id, "working")+`}}`)
}

func (w *taskWeb) stop(id CallID) {
	w.t.Helper()
	if _, err := w.s.Handle(w.now, Cancel{Call: id}); err != nil {
		w.t.Fatal(err)
	}
	w.pump()
}

func header(out Output, name string) string {
	for _, h := range out.Header {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

func TestTasksOverHTTP(t *testing.T) {
	requirements.Rows(t, "TEX-36", "TEX-47", "TSK-76", "TSK-77", "TEX-01", "VER-20")
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		t.Run(string(rev), func(t *testing.T) {
			w := taskingWeb(t, rev)
			id, out := w.wished()
			if rev.IsModern() && !strings.Contains(string(out.Data), `"extensions":{"io.modelcontextprotocol/tasks":{}}`) {
				t.Errorf("the call does not declare tasks: %s", out.Data)
			}
			w.handle(out, "täsk-4711")
			w.later(time.Second)
			poll := w.next("tasks/get")
			if rev.IsModern() {
				if got := header(poll, "Mcp-Name"); got != fieldValue("täsk-4711") || header(poll, "Mcp-Method") != "tasks/get" {
					t.Errorf("the head of a poll: %v", poll.Header)
				}
				if !strings.Contains(string(poll.Data), `"extensions":{"io.modelcontextprotocol/tasks":{}}`) {
					t.Errorf("a poll does not declare tasks: %s", poll.Data)
				}
			}
			w.opened(poll.X, Head{Status: 429})
			w.ended(poll.X, End{})
			if row := w.row(id); row.State != Running || row.Task.Missed != 1 || row.Task.NextPoll.Sub(w.now) != 1500*time.Millisecond {
				t.Fatalf("%v %+v", row.State, row.Task)
			}
			w.stop(id)
			stop := w.next("tasks/cancel")
			if rev.IsModern() && header(stop, "Mcp-Name") != fieldValue("täsk-4711") {
				t.Errorf("the head of the cancel: %v", stop.Header)
			}
			w.answer(stop, `"result":{"resultType":"complete"}`)
			w.later(2 * time.Second)
			w.answer(w.next("tasks/get"), `"result":{"resultType":"complete",`+strings.ReplaceAll(w.object("cancelled"), "task-4711", "täsk-4711")+`}`)
			w.want(id, Cancelled, cancel.TaskCancelled)
			w.later(time.Hour)
			for _, out := range w.outs {
				if strings.Contains(string(out.Data), "notifications/cancelled") {
					t.Errorf("%s", out.Data)
				}
			}
		})
	}
}

// In 2025-11-25 the exchange of a call is kept until its handle comes, whatever the user
// wants: nothing else would name the task.
func TestTheHandleIsAwaitedOverHTTP(t *testing.T) {
	requirements.Rows(t, "TMO-12", "TSK-73")
	w := taskingWeb(t, mcp.Rev20251125)
	id, out := w.wished()
	w.stop(id)
	w.later(time.Minute)
	w.want(id, Cancelled, cancel.NotDelivered)
	for _, out := range w.outs[w.n:] {
		t.Errorf("%+v", out)
	}
	w.handle(out, "task-4711")
	w.answers("tasks/cancel", w.object("cancelled"))
	w.later(time.Second)
	w.answers("tasks/get", w.object("cancelled"))
	w.want(id, Cancelled, cancel.TaskCancelled)
}

// Over HTTP nothing can be heard of a call of 2026-07-28 whose exchange was closed: that a
// task may have begun is told, where the tool has made tasks before.
func TestATaskMayHaveBegun(t *testing.T) {
	requirements.Rows(t, "TEX-60")
	w := taskingWeb(t, mcp.Rev20260728)
	note := func() string {
		id, out := w.wished()
		w.stop(id)
		w.ended(out.X, End{Err: "closed"})
		w.want(id, Cancelled, cancel.StreamClosed)
		return w.row(id).Note
	}
	if text := note(); text != "" {
		t.Errorf("%q", text)
	}
	_, out := w.wished()
	w.handle(out, "task-4711")
	if text := note(); !strings.Contains(text, "a task may be running on the server") {
		t.Errorf("%q", text)
	}
}

// A request that does not declare the extension may be refused for that.
func TestTheServerNeedsTheExtension(t *testing.T) {
	requirements.Rows(t, "TEX-02", "TEX-05", "TEX-06", "BASE-16")
	w := taskingWeb(t, mcp.Rev20260728, func(c *Config) { c.NoTasks = true })
	id, out := w.wished()
	if strings.Contains(string(out.Data), mcp.TasksExtension) {
		t.Errorf("%s", out.Data)
	}
	w.answer(out, `"error":{"code":-32021,"message":"tasks, please","data":{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}`)
	d, _ := w.s.Detail(id)
	if d.State != Failed || len(d.MissingCapabilities) != 1 || d.MissingCapabilities[0] != CapTasks {
		t.Fatalf("%v %v", d.State, d.MissingCapabilities)
	}
	reply, err := w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: d.Method, Params: d.Params, Declare: d.MissingCapabilities}})
	if err != nil {
		t.Fatal(err)
	}
	w.pump()
	again := w.next("tools/call")
	if !strings.Contains(string(again.Data), mcp.TasksExtension) {
		t.Errorf("%s", again.Data)
	}
	w.handle(again, "task-4711")
	if row := w.row(reply.Call); row.Task == nil || row.Task.Status != task.Working {
		t.Errorf("%+v", row)
	}
	undeclared, out := w.wished()
	w.handle(out, "task-4712")
	if row := w.row(undeclared); row.State != Failed || row.Task != nil || !strings.Contains(row.Note, "invalid response") {
		t.Errorf("%v %q", row.State, row.Note)
	}
	reply, _ = w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "resources/read", Params: []byte(`{"uri":"x://"}`), Declare: []Capability{CapTasks}}})
	w.pump()
	w.handle(w.next("resources/read"), "task-4713")
	if row := w.row(reply.Call); row.State != Failed || row.Task != nil {
		t.Errorf("%v %q", row.State, row.Note)
	}
}

// What a task asks for comes on any stream, also on the server's own: it is the task that is
// named that asks (TSK-30).
func TestATaskAsksOnAnyStream(t *testing.T) {
	requirements.Rows(t, "TSK-30")
	for _, where := range []string{"its own stream", "the stream of tasks/result"} {
		t.Run(where, func(t *testing.T) {
			w := taskingWeb(t, mcp.Rev20251125, withListening)
			x := w.gets()[0].X
			w.stream(x)
			id, out := w.wished()
			w.handle(out, "task-4711")
			w.later(time.Second)
			w.answers("tasks/get", w.object("input_required"))
			if held := w.next("tasks/result").X; where == "the stream of tasks/result" {
				x = held
				w.stream(x)
			}
			w.recvOn(x, `{"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{"message":"Your name?","requestedSchema":{"type":"object","properties":{}},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-4711"}}}}`)
			all := w.s.Questions()
			if len(all) != 1 || len(all[0].Candidates) != 1 || all[0].Candidates[0] != id || !w.row(id).AsksYou {
				t.Fatalf("%+v", all)
			}
			if n := w.diag(mcp.DiagTaskRelated); n != 0 {
				t.Errorf("%d diagnostics", n)
			}
		})
	}
}

// A question that names no task is that of the task on the stream of whose request it came, or of the
// call on whose stream it came: a task that asks as well is then not accused.
func TestAQuestionThatNamesNoTaskIsThatOfItsStream(t *testing.T) {
	requirements.Rows(t, "TSK-27", "TSK-30")
	for _, ofTask := range []bool{true, false} {
		w := taskingWeb(t, mcp.Rev20251125)
		id, out := w.wished()
		w.handle(out, "task-4711")
		w.later(time.Second)
		w.answers("tasks/get", w.object("input_required"))
		x, told := w.next("tasks/result").X, 1
		if !ofTask {
			reply, err := w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`)}})
			if err != nil {
				t.Fatal(err)
			}
			w.pump()
			id, x, told = reply.Call, w.next("tools/call").X, 0
		}
		w.stream(x)
		w.recvOn(x, `{"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{"message":"Your name?","requestedSchema":{"type":"object","properties":{}}}}`)
		all := w.s.Questions()
		if len(all) != 1 || len(all[0].Candidates) != 1 || all[0].Candidates[0] != id || !w.row(id).AsksYou || all[0].Nameless != ofTask {
			t.Fatalf("%+v", all)
		}
		if n := w.diag(mcp.DiagTaskRelated); n != told {
			t.Errorf("told %d times, want %d", n, told)
		}
	}
}

// A stream as the answer to a poll is read, and told: servers should not open one.
func TestAPollIsAnsweredByAStream(t *testing.T) {
	requirements.Rows(t, "TSK-31")
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		w := taskingWeb(t, rev)
		id, out := w.wished()
		w.handle(out, "task-4711")
		w.later(time.Second)
		poll := w.next("tasks/get")
		w.stream(poll.X)
		w.recvOn(poll.X, `{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, mcp.Decode(poll.Data).ID, w.object("working", `"statusMessage":"halfway"`))
		w.ended(poll.X, End{})
		told := 1
		if rev.IsModern() {
			told = 0
		}
		if row := w.row(id); row.Task.Message != "halfway" || row.Task.Polls != 1 || w.diag(mcp.DiagTaskStream) != told {
			t.Errorf("%s: %+v, told %d times", rev, row.Task, w.diag(mcp.DiagTaskStream))
		}
		w.later(time.Second)
		poll = w.next("tasks/get")
		w.stream(poll.X)
		w.s.Tell(w.now, EventReceived{ExchangeID: poll.X, Event: Event{Name: "odd", Data: "x", Retry: -1}})
		all := w.s.Diagnostics()
		if d := all[len(all)-1]; d.Code != mcp.DiagEventName || d.Call != id {
			t.Errorf("%s: %+v is not told of the row of the task", rev, d)
		}
		if d, _ := w.s.Detail(id); !strings.Contains(fmt.Sprintf("%+v", d.Timeline), mcp.DiagEventName.Words()) {
			t.Errorf("%s: the timeline is %+v", rev, d.Timeline)
		}
	}
}

// Whoever stops waiting for a task drops the stream on which its outcome was to come; the task
// goes on, and can be asked for again.
func TestTheStreamOfAnOutcomeIsDropped(t *testing.T) {
	requirements.Rows(t, "TSK-32")
	w := taskingWeb(t, mcp.Rev20251125)
	id, out := w.wished()
	w.handle(out, "task-4711")
	w.later(time.Second)
	w.answers("tasks/get", w.object("input_required"))
	held := w.next("tasks/result")
	w.stream(held.X)
	if _, err := w.s.Handle(w.now, StopWaiting{Call: id}); err != nil {
		t.Fatal(err)
	}
	w.pump()
	w.later(time.Minute)
	if !w.aborted(held.X) {
		t.Error("the stream of tasks/result is kept")
	}
	for _, out := range w.outs {
		if strings.Contains(string(out.Data), "tasks/cancel") {
			t.Errorf("%s", out.Data)
		}
	}
	w.want(id, Lost, cancel.NoVerdict)
	w.n = len(w.outs)
	reply, err := w.s.Handle(w.now, PollTask{Call: id})
	if err != nil {
		t.Fatal(err)
	}
	w.pump()
	w.answers("tasks/get", w.object("working"))
	if row := w.row(reply.Call); row.State != Running || row.Task.Status != task.Working {
		t.Errorf("%v %+v", row.State, row.Task)
	}
}

// A server that lists the tasks of others for a client that shows no identity is told of; one
// that was shown an identity, or lists what was made here alone, is not.
func TestTasksAreListedForAnybody(t *testing.T) {
	requirements.Rows(t, "TSK-70")
	for name, tt := range map[string]struct {
		credentials bool
		listed      string
		told        int
	}{
		"tasks of others":                   {false, "elsewhere", 1},
		"… for somebody who is known there": {true, "elsewhere", 0},
		"the tasks of this client":          {false, "task-4711", 0},
	} {
		w := taskingWeb(t, mcp.Rev20251125)
		_, out := w.wished()
		w.handle(out, "task-4711")
		if _, err := w.s.Handle(w.now, ListTasks{}); err != nil {
			t.Fatal(err)
		}
		w.pump()
		list := w.next("tasks/list")
		w.opened(list.X, Head{Status: 200, Media: mediaJSON, Credentials: tt.credentials})
		w.recvOn(list.X, `{"jsonrpc":"2.0","id":%v,"result":{"tasks":[{%s}]}}`, mcp.Decode(list.Data).ID, strings.ReplaceAll(w.object("working"), "task-4711", tt.listed))
		w.ended(list.X, End{})
		if n := w.diag(mcp.DiagTaskLists); n != tt.told {
			t.Errorf("%s: told %d times", name, n)
		}
	}
}

// However many pages such a list has, that is one fault of the server.
func TestPagesThatAreListedForAnybodyAreOneFault(t *testing.T) {
	requirements.Rows(t, "TSK-70")
	w := taskingWeb(t, mcp.Rev20251125)
	const pages = 3
	for page := range pages {
		if _, err := w.s.Handle(w.now, ListTasks{More: page > 0}); err != nil {
			t.Fatal(err)
		}
		w.pump()
		w.answer(w.next("tasks/list"), `"result":{"tasks":[{`+strings.ReplaceAll(w.object("working"), "task-4711", fmt.Sprint("elsewhere-", page))+fmt.Sprintf(`}],"nextCursor":"%d"}`, page))
	}
	var found []Diagnostic
	for _, d := range w.s.Diagnostics() {
		if d.Code == mcp.DiagTaskLists {
			found = append(found, d)
		}
	}
	if len(found) != 1 || found[0].Count != pages {
		t.Errorf("%d pages: %+v", pages, found)
	}
}

// A task that this run made is none of others, be it from an earlier connection, or one whose ID has not
// come; of more than there are of these the others are told.
func TestTasksOfBeforeAreNotThoseOfOthers(t *testing.T) {
	requirements.Rows(t, "TSK-70")
	for name, tt := range map[string]struct {
		unnamed bool
		listed  []string
		told    int
	}{
		"made over the connection before": {false, []string{"task-4711"}, 0},
		"and another one":                 {false, []string{"task-4711", "elsewhere"}, 1},
		"its ID has not come":             {true, []string{"task-4711", "task-4712"}, 0},
		"its ID has not come, of one":     {true, []string{"task-4711", "task-4712", "elsewhere"}, 1},
	} {
		w := taskingWeb(t, mcp.Rev20251125)
		_, out := w.wished()
		w.handle(out, "task-4711")
		if tt.unnamed {
			w.wished()
		}
		w.s.Tell(w.now, Closed{Epoch: w.epoch, Why: Close{ByUs: true}})
		w.epoch = w.s.Tell(w.now, Connect{}).Epoch
		w.pump()
		w.agree(mcp.Rev20251125, coreTasks)
		w.n = len(w.outs)
		if _, err := w.s.Handle(w.now, ListTasks{}); err != nil {
			t.Fatal(err)
		}
		w.pump()
		var tasks []string
		for _, id := range tt.listed {
			tasks = append(tasks, "{"+strings.ReplaceAll(w.object("working"), "task-4711", id)+"}")
		}
		list := w.next("tasks/list")
		w.answer(list, `"result":{"tasks":[`+strings.Join(tasks, ",")+`]}`)
		if n := w.diag(mcp.DiagTaskLists); n != tt.told {
			t.Errorf("%s: told %d times", name, n)
		}
	}
}

// A server without the extension gets ordinary calls, and what it answers is their result.
func TestTheServerLacksTheExtension(t *testing.T) {
	requirements.Rows(t, "VER-41")
	w := &taskWeb{webRig: servingWeb(t, mcp.Rev20260728, `{"tools":{}}`, withoutListening)}
	w.answerList(mcp.Tools, fresh, `{"name":"t","inputSchema":{"type":"object"}}`)
	w.n = len(w.outs)
	id, out := w.wished()
	if strings.Contains(string(out.Data), mcp.TasksExtension) {
		t.Errorf("%s", out.Data)
	}
	w.answer(out, `"result":{"resultType":"complete","content":[]}`)
	w.want(id, Done, cancel.NoVerdict)
	if s := w.s.Status(); s.HasTasks() {
		t.Error("the server is said to have tasks")
	}
}

// A server that refuses a request for want of the extension which that request declared is at
// fault. To declare it once more would help nothing, and is not offered.
func TestTheServerWantsWhatWasDeclared(t *testing.T) {
	requirements.Rows(t, "TEX-06", "TEX-49")
	const lacking = `"error":{"code":-32021,"message":"tasks, please","data":{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}`
	const fault = "although this request declared it: a fault of the server"
	w := taskingWeb(t, mcp.Rev20260728)
	id, out := w.wished()
	if !strings.Contains(string(out.Data), mcp.TasksExtension) {
		t.Fatalf("%s", out.Data)
	}
	w.answer(out, lacking)
	d, _ := w.s.Detail(id)
	if d.State != Failed || d.MissingCapabilities != nil || d.Remedy.Kind == RemedyDeclare || !strings.Contains(d.Note, fault) || strings.Contains(d.ErrText, "did not declare") {
		t.Errorf("%v, %v, %q, %q", d.State, d.MissingCapabilities, d.Note, d.ErrText)
	}
	id, out = w.wished()
	w.handle(out, "task-4711")
	w.later(time.Second)
	w.answer(w.next("tasks/get"), lacking)
	if !w.noted(id, fault) || w.row(id).State != Running {
		t.Errorf("%+v", w.row(id))
	}
}

// What belay asks of a task declares the extension, however the task came to be.
func TestTheRequestsOfATaskDeclareTheExtension(t *testing.T) {
	requirements.Rows(t, "TEX-01")
	w := taskingWeb(t, mcp.Rev20260728, func(c *Config) { c.NoTasks = true })
	reply, err := w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t","arguments":{}}`), Declare: []Capability{CapTasks}}})
	if err != nil {
		t.Fatal(err)
	}
	w.pump()
	w.handle(w.next("tools/call"), "task-4711")
	w.later(time.Second)
	get := w.next("tasks/get")
	w.stop(reply.Call)
	for _, out := range []Output{get, w.next("tasks/cancel")} {
		if !strings.Contains(string(out.Data), mcp.TasksExtension) {
			t.Errorf("%s", out.Data)
		}
	}

	w = taskingWeb(t, mcp.Rev20260728, func(c *Config) { c.NoTasks = true }) // of a task that no call of this run has made
	id, look := w.looksFor("task-4711")
	w.answer(look, `"result":{"resultType":"complete",`+w.object("working")+`}`)
	w.later(time.Second)
	get = w.next("tasks/get")
	w.stop(id)
	for _, out := range []Output{get, w.next("tasks/cancel")} {
		if !strings.Contains(string(out.Data), mcp.TasksExtension) {
			t.Errorf("picked up: %s", out.Data)
		}
	}
}

// A poll whose exchange ends without an answer was no cancel of its task, and is not said to be one.
func TestAPollThatBrokeIsNoCancelOfTheTask(t *testing.T) {
	requirements.Rows(t, "TEX-36")
	for what, end := range map[string]End{
		"the stream ended without a response, which is no cancel of the task":                    {},
		"the exchange broke before the answer, which is no cancel of the task: connection reset": {Err: "connection reset"},
	} {
		w := taskingWeb(t, mcp.Rev20260728)
		id, out := w.wished()
		w.handle(out, "task-4711")
		w.later(time.Second)
		poll := w.next("tasks/get")
		w.stream(poll.X)
		w.ended(poll.X, end)
		if !w.noted(id, "tasks/get brought nothing: "+what) || w.noted(id, "as a cancellation") {
			d, _ := w.s.Detail(id)
			t.Errorf("%q is not told: %+v", what, d.Timeline)
		}
		if row := w.row(id); row.State != Running {
			t.Errorf("%v", row.State)
		}
	}
}
