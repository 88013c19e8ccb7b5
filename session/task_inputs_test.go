package session

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
)

const related = `"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-4711"}}`

// asksForName is a request that a task of 2025-11-25 makes.
func (r *taskRig) asksForName(meta string) {
	r.t.Helper()
	r.recv(`{"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{"message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}%s}}`, meta)
}

// input is one thing that a task of the extension asks for.
func input(key, message string) string {
	return `"` + key + `":{"method":"elicitation/create","params":{"mode":"form","message":"` + message + `","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}`
}

func inputs(all ...string) string { return `"inputRequests":{` + strings.Join(all, ",") + `}` }

const ann = `{"action":"accept","content":{"name":"Ann"}}`

func TestARequestOfATaskNamesIt(t *testing.T) {
	requirements.Rows(t, "TSK-26", "TSK-27", "TSK-46", "TSK-28")
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.polled("input_required")
	r.wantNext("tasks/result")
	r.asksForName("," + related)
	p := r.wantQuestion(Waiting)
	if p.Task != "task-4711" || p.Owners != 1 || p.Candidates[0] != id || !r.row(id).AsksYou {
		t.Errorf("%+v", p)
	}
	if got := r.s.QuestionsOf(id); len(got) != 1 {
		t.Errorf("questions of the row: %v", got)
	}
	if _, err := r.s.Handle(r.now, Answer{Question: p.ID, Result: []byte(ann), As: Answered}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	if line := r.lines[r.n]; line != `{"jsonrpc":"2.0","id":"ask-1","result":{"action":"accept","content":{"name":"Ann"},`+related+`}}` {
		t.Errorf("%s", line)
	}
	r.n++
	r.polled("working")
	if n := len(r.s.Diagnostics()); n != 0 {
		t.Errorf("%+v", r.s.Diagnostics())
	}

	for name, tt := range map[string]struct {
		status, meta string
		code         mcp.DiagCode
		task         string
	}{
		"without the metadata":        {"input_required", "", mcp.DiagTaskRelated, ""},
		"while it says working":       {"working", "," + related, mcp.DiagTaskStatus, "task-4711"},
		"of a task that nobody knows": {"working", `,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"other"}}`, mcp.DiagTaskRelated, "other"},
	} {
		r := tasking(t, mcp.Rev20251125)
		r.begun()
		r.polled(tt.status)
		r.asksForName(tt.meta)
		if p := r.wantQuestion(Waiting); p.Task != tt.task {
			t.Errorf("%s: it is shown as one of %q", name, p.Task)
		}
		if tt.code == mcp.DiagTaskStatus { // what was known may be of before the question
			r.wantDiag(tt.code, 0)
			r.polled("working")
		}
		r.wantDiag(tt.code, 1)
	}
}

// A question that names no task is told as such where none but tasks can have asked it, and one of
// these asks for input, be that known before the question or after it. What another call may have
// asked is no fault; and whose question it is, is said as far as is known.
func TestAQuestionOfATaskThatNamesNone(t *testing.T) {
	requirements.Rows(t, "TSK-27")
	for name, tt := range map[string]struct {
		play   func(r *taskRig)
		owners int
		told   string // empty: nothing
	}{
		"before the poll": {func(r *taskRig) {
			r.asksForName("")
			r.wantDiag(mcp.DiagTaskRelated, 0)
			r.polled("input_required")
			r.wantNext("tasks/result")
			r.polled("input_required")
		}, 1, `elicitation/create, before task "task-4711" said that it asks for input`},
		"after it": {func(r *taskRig) {
			r.polled("input_required")
			r.asksForName("")
		}, 1, `elicitation/create, while task "task-4711" asks for input`},
		"the task does not ask": {func(r *taskRig) {
			r.asksForName("")
			r.polled("working")
		}, 1, ""},
		"another call runs": {func(r *taskRig) {
			r.call("t")
			r.n = len(r.lines)
			r.asksForName("")
			r.polled("input_required")
		}, 2, ""},
		"another call ran": {func(r *taskRig) {
			_, wire := r.call("t")
			r.n = len(r.lines)
			r.asksForName("")
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, wire)
			r.polled("input_required")
		}, 1, ""},
		"another call was cancelled": {func(r *taskRig) {
			other, _ := r.call("t")
			r.cancel(other, "")
			r.n = len(r.lines)
			r.asksForName("")
			r.polled("input_required")
		}, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := tasking(t, mcp.Rev20251125)
			id := r.begun()
			tt.play(r)
			p := r.wantQuestion(Waiting)
			nameless := name != "another call runs" && name != "another call ran" && name != "another call was cancelled"
			if p.Task != "" || p.Nameless != nameless || p.Owners != tt.owners || p.Candidates[0] != id || r.row(id).AsksYou != (tt.owners == 1) {
				t.Errorf("%+v", p)
			}
			if r.wantDiag(mcp.DiagTaskRelated, min(len(tt.told), 1)); tt.told != "" {
				if d := r.s.Diagnostics()[0]; d.Detail != tt.told || d.Call != id {
					t.Errorf("%+v", d)
				}
			}
			r.do(Answer{Question: p.ID, Result: []byte(ann), As: Answered})
			if n := r.sent(`{"jsonrpc":"2.0","id":"ask-1","result":` + ann + `}`); n != 1 {
				t.Errorf("answered %d times: %v", n, r.lines[r.n:])
			}
		})
	}
}

// A task may say that it asks only when it is polled, and is not accused of its status of before;
// nor by a poll that was out when it asked, or for a question that is open no more.
func TestATaskThatAsksBeforeItIsPolledIsNotAccused(t *testing.T) {
	requirements.Rows(t, "TSK-26")
	for name, play := range map[string]func(r *taskRig){
		"it says so when it is polled": func(r *taskRig) {
			r.asksForName("," + related)
			r.polled("input_required")
		},
		"the poll was out": func(r *taskRig) {
			r.wait(time.Second)
			r.asksForName("," + related)
			r.polled("working")
			r.polled("input_required")
		},
		"the question is withdrawn": func(r *taskRig) {
			r.asksForName("," + related)
			r.recv(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"ask-1"}}`)
			r.polled("working")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := tasking(t, mcp.Rev20251125)
			r.begun()
			play(r)
			r.wantDiag(mcp.DiagTaskStatus, 0)
		})
	}
}

// What a task asked may be taken back on any stream, and on stdio: that its row has ended says nothing
// of that.
func TestAQuestionOfACancelledTaskCanBeTakenBack(t *testing.T) {
	requirements.Rows(t, "TSK-30")
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.polled("input_required")
	r.wantNext("tasks/result")
	r.asksForName("," + related)
	r.cancel(id, "")
	r.n = len(r.lines) - 1
	r.ack()
	r.want(id, Cancelled, cancel.TaskCancelled)
	for _, p := range r.s.Questions() {
		if p.StreamOver {
			t.Errorf("%+v", p)
		}
	}
}

// A task whose questions are all answered is to go on. That it does not is told once, and not
// while a question of it is open, or an answer to it on its way.
func TestATaskGoesOnAskingAfterItsAnswers(t *testing.T) {
	requirements.Rows(t, "TSK-29", "TEX-33")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		asks := inputs(input("name", "Your name?"), input("town", "Your town?"))
		if r.polled("input_required", asks); !r.modern() {
			r.wantNext("tasks/result")
			r.asksForName("," + related)
			r.recv(`{"jsonrpc":"2.0","id":"ask-2","method":"elicitation/create","params":{"message":"Your town?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}},%s}}`, related)
		}
		all := r.waiting()
		if len(all) != 2 {
			t.Fatalf("%+v", all)
		}
		stays := func(told int) {
			t.Helper()
			for range 15 {
				r.polled("input_required", asks)
			}
			if r.modern() { // there it may, and tells each time what it asks for
				told = 0
			}
			r.wantDiag(mcp.DiagTaskStuck, told)
		}
		answer := func(p QuestionView) {
			t.Helper()
			if r.n = len(r.lines); p.State != Waiting {
				t.Fatalf("%+v", p)
			}
			r.do(Answer{Question: p.ID, Result: []byte(ann), As: Answered})
			if !r.modern() {
				r.n++
			}
		}
		answer(all[0])
		if r.modern() {
			r.answers("tasks/update", "")
		}
		stays(0)
		answer(all[1])
		if r.modern() {
			out := r.wantNext("tasks/update")
			stays(0)
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete"}}`, out)
		}
		for range 5 {
			r.polled("input_required", asks)
		}
		if asks = inputs(input("name", "Your name?"), input("ship", "Your ship?")); !r.modern() { // which may wait as long as it takes
			r.recv(`{"jsonrpc":"2.0","id":"ask-3","method":"elicitation/create","params":{"message":"Your ship?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}},%s}}`, related)
		}
		stays(0)
		if answer(r.wantQuestion(Waiting)); r.modern() {
			r.answers("tasks/update", "")
		}
		stays(1)
		r.want(id, Running, cancel.NoVerdict)
	})
}

// What a task asks for, and may not, is told once: each poll has to list it.
func TestARefusedInputIsToldOnce(t *testing.T) {
	requirements.Rows(t, "TEX-18")
	r := tasking(t, mcp.Rev20260728)
	r.begun()
	const roots, odd = `"r":{"method":"roots/list","params":{}}`, `"q":{"method":"foo/bar","params":{}}`
	for _, asked := range []string{roots, roots + "," + odd, odd, roots + "," + odd} {
		r.polled("input_required", `"inputRequests":{`+asked+`}`)
	}
	r.wantDiag(mcp.DiagUndeclared, 1)
	r.wantDiag(mcp.DiagTaskInputs, 1)
}

// What a task asks for is listed again by each poll. How long that is makes no work under the lock.
func TestALongInputIsListedAgain(t *testing.T) {
	const roots = `"%s":{"method":"roots/list","params":{"a":"%s"}}` // which was not declared: refused at each poll
	for name, listed := range map[string]func(long string) string{
		"asked":               func(long string) string { return inputs(input("name", long)) },
		"refused":             func(long string) string { return inputs(fmt.Sprintf(roots, "r", long)) },
		"refused, a long key": func(long string) string { return inputs(fmt.Sprintf(roots, long, "")) },
	} {
		took := func(long string) uint64 {
			r := tasking(t, mcp.Rev20260728)
			r.begun()
			r.polled("input_required", listed(long))
			least := uint64(math.MaxUint64)
			for range 3 {
				r.wait(time.Second)
				raw := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, r.wantNext("tasks/get"), r.object("task-4711", "input_required", listed(long)))
				f := new(mcp.Decoder).DecodeOwned(raw)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, f)
				runtime.ReadMemStats(&after)
				least = min(least, after.TotalAlloc-before.TotalAlloc)
				r.pull()
			}
			return least
		}
		if short, long := took("short"), took(strings.Repeat("x", 4<<20)); long > short+64<<10 {
			t.Errorf("%s: a long one takes %d bytes, a short one %d", name, long, short)
		}
	}
}

func TestATaskOfTheExtensionAsksForInput(t *testing.T) {
	requirements.Rows(t, "TEX-18", "TEX-25", "TEX-27", "TEX-29", "TEX-31", "TEX-32", "TEX-33", "TEX-35", "CXS-25")
	r := tasking(t, mcp.Rev20260728)
	id := r.begun()
	both := inputs(input("name", "Your name?"), input("town", "Your town?"))
	for range 3 { // asked once, however often it is listed
		r.polled("input_required", both)
	}
	all := r.waiting()
	if len(all) != 2 || all[0].Task != "task-4711" || all[0].Key != "name" || !r.row(id).AsksYou {
		t.Fatalf("%+v", all)
	}
	r.n = len(r.lines)
	if _, err := r.s.Handle(r.now, Answer{Question: all[0].ID, Result: []byte(ann), As: Answered}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	if line := r.lines[r.n]; !strings.Contains(line, `"method":"tasks/update","params":{"taskId":"task-4711","inputResponses":{"name":`+ann+`}`) {
		t.Errorf("%s", line)
	}
	r.answers("tasks/update", "")
	if r.taskStatus(id) != task.InputRequired {
		t.Error("an accepted answer is taken for the task going on")
	}
	r.polled("input_required", both) // the server has not looked at the answer yet
	if got := r.waiting(); len(got) != 1 || got[0].Key != "town" {
		t.Errorf("%+v", got)
	}
	r.polled("working") // and does not need the other one any more
	if got := r.waiting(); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	town := r.s.Questions()[1]
	if town.State != Withdrawn || town.Closed != "no longer needed by the server" {
		t.Errorf("%+v", town)
	}
	if _, err := r.s.Handle(r.now, Answer{Question: town.ID, Result: []byte(ann), As: Answered}); !errors.Is(err, errWithdrawn) {
		t.Errorf("%v", err)
	}
	r.completed()
	r.want(id, Done, cancel.NoVerdict)
	if r.sent(`"method":"tasks/update"`) != 1 {
		t.Errorf("%v", r.lines)
	}
}

// A task that asks for two things gets an update for each answer, with that answer alone.
func TestEachAnswerForATaskIsAnUpdate(t *testing.T) {
	requirements.Rows(t, "TEX-26")
	r := tasking(t, mcp.Rev20260728)
	id := r.begun()
	r.polled("input_required", inputs(input("name", "Your name?"), input("town", "Your town?")))
	for i, q := range r.waiting() {
		r.n = len(r.lines)
		if _, err := r.s.Handle(r.now, Answer{Question: q.ID, Result: []byte(ann), As: Answered}); err != nil {
			t.Fatal(err)
		}
		r.pull()
		want := `"method":"tasks/update","params":{"taskId":"task-4711","inputResponses":{"` + []string{"name", "town"}[i] + `":` + ann + `}`
		if len(r.lines) != r.n+1 || !strings.Contains(r.lines[r.n], want) {
			t.Errorf("%q, want %s", r.lines[r.n:], want)
		}
		r.answers("tasks/update", "")
	}
	r.completed()
	r.want(id, Done, cancel.NoVerdict)
	if n := r.sent(`"method":"tasks/update"`); n != 2 {
		t.Errorf("%d updates", n)
	}
}

// tells reports whether the timeline of a row has a text.
func (r *taskRig) tells(id CallID, text string) bool {
	d, _ := r.s.Detail(id)
	return slices.ContainsFunc(d.Timeline, func(m MomentView) bool { return strings.Contains(m.Text, text) })
}

func (r *taskRig) taskStatus(id CallID) task.Status { return r.row(id).Task.Status }

func TestInputsOfATaskThatCannotBe(t *testing.T) {
	requirements.Rows(t, "TEX-18", "TEX-30", "TEX-34")
	r := tasking(t, mcp.Rev20260728)
	id := r.begun()
	r.polled("input_required")
	r.wantDiag(mcp.DiagTaskInputs, 1)
	r.polled("input_required", inputs(input("name", "Your name?")))
	r.tell(ann)
	r.refuses("tasks/update", mcp.CodeInvalidParams)
	if words := r.s.Questions()[0].NotAccepted; !strings.Contains(words, "task not found") {
		t.Errorf("%q", words)
	}
	for range 3 {
		r.polled("input_required", inputs(input("name", "Your card?")))
	}
	r.wantDiag(mcp.DiagTaskKey, 1)
	if n := len(r.waiting()); n != 0 {
		t.Errorf("%d questions wait", n)
	}
	if n := r.row(id).Task.ReusedKeys; n != 1 || r.s.Status().ReusedKeys != 1 {
		t.Errorf("%d keys are used twice", n)
	}
	r.polled("input_required", inputs(`"x":{"method":"sampling/createMessage","params":{"messages":"none"}}`))
	r.polled("input_required", inputs(`"y":{"method":"tools/call"}`))
	if n := len(r.waiting()); n != 0 {
		t.Errorf("%d questions wait", n)
	}
}

// An answer that the server refuses is not lost: its question waits again, as long as the task
// asks it, and can be answered again. Nothing else is taken for the server's fault.
func TestARefusedAnswerToATask(t *testing.T) {
	requirements.Rows(t, "TEX-31", "TEX-34")
	name := inputs(input("name", "Your name?"))
	for _, code := range []int{mcp.CodeInvalidParams, mcp.CodeInternal} {
		r := tasking(t, mcp.Rev20260728)
		id := r.begun()
		r.polled("input_required", name)
		first := r.wantQuestion(Waiting).ID
		r.tell(ann)
		r.refuses("tasks/update", code)
		p := r.wantQuestion(Waiting)
		if p.ID != first || !strings.Contains(p.NotAccepted, `"no such task"`) || p.Closed != "" || !r.row(id).AsksYou || r.s.Status().Waiting != 1 {
			t.Fatalf("%d: %+v", code, p)
		}
		for range 12 { // it is not stuck: nothing was answered
			r.polled("input_required", name)
		}
		r.wantDiag(mcp.DiagTaskStuck, 0)
		if n := len(r.waiting()); n != 1 {
			t.Errorf("%d: %d questions wait", code, n)
		}
		r.n = len(r.lines)
		r.tell(ann)
		if p := r.wantQuestion(Answered); p.NotAccepted != "" {
			t.Errorf("%d: %+v", code, p)
		}
		r.answers("tasks/update", "")
		r.completed()
		r.want(id, Done, cancel.NoVerdict)
	}

	for want, then := range map[string]func(r *taskRig){
		"no longer needed by the server":      func(r *taskRig) { r.polled("working") },
		"the task has ended":                  func(r *taskRig) { r.completed() },
		"its key asks for something else now": func(r *taskRig) { r.polled("input_required", inputs(input("name", "Your card?"))) },
	} {
		for _, before := range []bool{true, false} {
			r := tasking(t, mcp.Rev20260728)
			r.begun()
			r.polled("input_required", name)
			r.tell(ann)
			update := r.wantNext("tasks/update")
			if before {
				then(r)
			}
			r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32603,"message":"no"}}`, update)
			if !before {
				then(r)
			}
			p := r.wantQuestion(Withdrawn)
			if p.Closed != want || p.NotAccepted == "" || r.sent("tasks/update") != 1 {
				t.Errorf("%s, %v: %+v", want, before, p)
			}
		}
	}
}

// What a task asks for under a key that it used is shown when the user says so, and not before.
// The question of before is closed by it: its answer would answer another one.
func TestATaskUsesAKeyTwice(t *testing.T) {
	requirements.Rows(t, "TEX-30", "TEX-31", "TEX-32")
	r := tasking(t, mcp.Rev20260728)
	id := r.begun()
	if _, err := r.s.Handle(r.now, PollTask{Call: id, Anew: true}); err == nil {
		t.Error("there is something to be asked anew")
	}
	r.polled("input_required", inputs(input("name", "Your name?")))
	r.polled("input_required", inputs(input("name", "Your card?")))
	if p := r.wantQuestion(Withdrawn); p.Closed != "its key asks for something else now" {
		t.Errorf("%+v", p)
	}
	r.wantDiag(mcp.DiagTaskKey, 1)
	r.do(PollTask{Call: id, Anew: true})
	r.polled("input_required", inputs(input("name", "Your card?")))
	r.polled("input_required", inputs(input("name", "Your card?")))
	if n := len(r.waiting()); n != 1 {
		t.Fatalf("%d questions wait", n)
	}
	if row := r.row(id); row.Task.ReusedKeys != 0 {
		t.Errorf("%d keys are used twice", row.Task.ReusedKeys)
	}
	r.tell(ann)
	if line := r.lines[r.n]; !strings.Contains(line, `"inputResponses":{"name":`) {
		t.Errorf("written: %s", line)
	}
	r.answers("tasks/update", "")
	r.polled("input_required", inputs(input("name", "Your name?"))) // and once more
	r.wantDiag(mcp.DiagTaskKey, 2)
	if n := len(r.waiting()); n != 0 || r.sent("tasks/update") != 1 {
		t.Errorf("%d questions wait", n)
	}
}

// What a task asked is closed when the task ends, or is cancelled by the user.
func TestTheQuestionsOfATaskThatHasEnded(t *testing.T) {
	requirements.Rows(t, "TEX-61", "CXS-25")
	for name, tt := range map[string]struct {
		ends func(r *taskRig, id CallID)
		core QuestionState
	}{
		"it was completed":       {func(r *taskRig, _ CallID) { r.completed() }, Withdrawn},
		"it was cancelled there": {func(r *taskRig, _ CallID) { r.polled("cancelled") }, Withdrawn},
		"it is not found": {func(r *taskRig, id CallID) {
			r.refusesPoll()
			if words := r.s.Questions()[0].Closed; words != "the task was not found" || r.row(id).Task.End != task.Gone {
				r.t.Errorf("%q, %v", words, r.row(id).Task.End)
			}
		}, Withdrawn},
		"its time is over": {func(r *taskRig, id CallID) { r.expires(id, r.polled) }, Withdrawn},
		"its time is over, and it asks once more": {func(r *taskRig, id CallID) {
			r.expires(id, func(status string, more ...string) {
				r.polled(status, more[0], inputs(input("name", "Your name?"), input("town", "Your town?")))
			})
		}, Withdrawn},
		"it is not found when its time is over": {func(r *taskRig, id CallID) {
			r.expires(id, func(string, ...string) { r.refusesPoll() })
		}, Withdrawn},
		"the user cancelled it": {func(r *taskRig, id CallID) { r.cancel(id, "") }, Waiting}, // and orphaned
		"the user stopped waiting": {func(r *taskRig, id CallID) {
			if _, err := r.s.Handle(r.now, StopWaiting{Call: id}); err != nil {
				r.t.Fatal(err)
			}
		}, Waiting},
	} {
		everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
			id := r.begun()
			if r.modern() {
				r.polled("input_required", inputs(input("name", "Your name?")))
			} else {
				r.polled("working")
				r.asksForName("," + related)
			}
			tt.ends(r, id)
			r.pull()
			want := tt.core
			if r.modern() {
				want = Withdrawn
			}
			p := r.wantQuestion(want)
			if want == Withdrawn && p.Closed == "" || want == Waiting && !p.Orphaned {
				t.Errorf("%s: %+v", name, p)
			}
			if _, err := r.s.Handle(r.now, Answer{Question: p.ID, Result: []byte(ann), As: Answered}); want == Withdrawn && (err == nil || err.Error() != "too late: "+p.Closed) {
				t.Errorf("%s: %v", name, err)
			}
			if got := r.events("withdrawn by the server"); len(got) != 0 || want == Withdrawn && !r.modern() && len(r.events("closed: "+p.Closed)) != 1 {
				t.Errorf("%s: the server took nothing back: %v", name, got)
			}
			if r.modern() && !r.tells(id, "closed: "+p.Closed) {
				t.Errorf("%s: the timeline does not say %q", name, p.Closed)
			}
			if r.sent(`"id":"ask-1"`) != 0 || r.sent("tasks/update") != 0 {
				t.Errorf("%s: written: %v", name, r.lines)
			}
		})
	}
}

// refusesPoll answers the next poll with the error that says that the task is not known.
func (r *taskRig) refusesPoll() {
	r.t.Helper()
	if r.n == len(r.lines) {
		r.wait(time.Second)
	}
	r.refuses("tasks/get", mcp.CodeInvalidParams)
}

// expires has the time of the task be over, and the poll then be answered so, as one that asks.
func (r *taskRig) expires(id CallID, last func(status string, more ...string)) {
	r.t.Helper()
	ttl := `"ttl":3500`
	if r.modern() {
		ttl = `"ttlMs":3500`
	}
	name := inputs(input("name", "Your name?"))
	r.polled("input_required", ttl, name)
	if !r.modern() {
		r.wantNext("tasks/result")
	}
	r.polled("input_required", ttl, name)
	last("input_required", ttl, name)
	if words := r.s.Questions()[0].Closed; words != "the task expired" || r.row(id).Task.End != task.Expired || len(r.s.Questions()) != 1 {
		r.t.Errorf("%q, %v, %d questions", words, r.row(id).Task.End, len(r.s.Questions()))
	}
}

// A task that is found again after all asks again, in a question of its own.
func TestATaskThatIsFoundAgainAsksAgain(t *testing.T) {
	requirements.Rows(t, "TEX-31")
	r := tasking(t, mcp.Rev20260728)
	id := r.begun()
	name := inputs(input("name", "Your name?"))
	r.polled("input_required", name)
	r.refusesPoll()
	gone := r.wantQuestion(Withdrawn)
	r.do(PollTask{Call: id})
	r.polled("input_required", name)
	if p := r.wantQuestion(Waiting); p.ID == gone.ID || len(r.waiting()) != 1 {
		t.Errorf("%+v", p)
	}
	r.tell(ann)
	r.wantNext("tasks/update")
}

// A task that is picked up and asks for input asks at once, by the answer that tells of it (TEX-25).
func TestAPickedUpTaskAsksAtOnce(t *testing.T) {
	requirements.Rows(t, "TEX-25")
	r := tasking(t, mcp.Rev20260728)
	r.n = len(r.lines)
	r.do(StartCall{Spec: watchSpec("task-4711")})
	r.answers("tasks/get", r.object("task-4711", "input_required", inputs(input("name", "Your name?"))))
	r.wantQuestion(Waiting)
	r.tell(ann)
	r.wantNext("tasks/update")
}

// A status that is told before the handle, and an outcome before the acknowledgement.
func TestMessagesOfATaskInAnyOrder(t *testing.T) {
	requirements.Rows(t, "TSK-50", "TEX-42", "TSK-53")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		method := "notifications/tasks/status"
		if r.modern() {
			method = "notifications/tasks"
		}
		id, wire := r.wished()
		r.recv(`{"jsonrpc":"2.0","method":%q,"params":{%s}}`, method, r.object("task-4711", "input_required", inputs()))
		r.handle(wire, "task-4711")
		if got := r.taskStatus(id); got != task.InputRequired {
			t.Errorf("%v", got)
		}
		r.n = len(r.lines)
		r.cancel(id, "")
		r.recv(`{"jsonrpc":"2.0","method":%q,"params":{%s}}`, method, r.object("task-4711", "completed", `"result":{"content":[]}`))
		r.wait(time.Second)
		if got := r.row(id); got.State != Cancelled && got.State != Cancelling {
			t.Errorf("%v", got.State)
		}
		r.wait(time.Hour)
		r.want(id, Cancelled, cancel.Crossed)
	})
}

// An answer to a task that nothing answers is not lost: its question waits again with it, and
// says that nobody knows. The next state of the task tells.
func TestAnAnswerToATaskThatNothingAnswers(t *testing.T) {
	requirements.Rows(t, "TEX-32", "TEX-33")
	name := inputs(input("name", "Your name?"))
	begin := func() (r *taskRig, id CallID, first QuestionID) {
		r = tasking(t, mcp.Rev20260728)
		id = r.begun()
		r.polled("input_required", name)
		first = r.wantQuestion(Waiting).ID
		r.tell(ann)
		r.wantNext("tasks/update")
		return r, id, first
	}
	unanswered := func() (r *taskRig, id CallID, first QuestionID) {
		r, id, first = begin()
		for range 29 { // as long as the server may take
			r.polled("input_required", name)
		}
		r.wait(time.Second)
		p := r.wantQuestion(Waiting)
		if p.ID != first || p.NotAccepted == "" || !p.Unsure || p.Closed != "" || !r.row(id).AsksYou || !r.noted(id, "may not have arrived") {
			t.Fatalf("%+v", p)
		}
		r.n = len(r.lines) - 1 // the poll that is out, after the cancel of tasks/update
		return r, id, first
	}
	t.Run("the task asks on", func(t *testing.T) {
		r, id, first := unanswered()
		r.polled("input_required", name)
		if p := r.wantQuestion(Waiting); p.ID != first {
			t.Errorf("%+v", p)
		}
		r.n = len(r.lines)
		r.tell(ann)
		if p := r.wantQuestion(Answered); p.NotAccepted != "" || p.Unsure {
			t.Errorf("%+v", p)
		}
		r.answers("tasks/update", "")
		if note := r.row(id).Note; note != "the answer to elicitation/create was accepted" {
			t.Errorf("the row says %q", note)
		}
		r.completed()
		r.want(id, Done, cancel.NoVerdict)
	})
	t.Run("the task asks no more", func(t *testing.T) {
		r, _, _ := unanswered()
		r.polled("working")
		if p := r.wantQuestion(Withdrawn); !strings.Contains(p.Closed, "may have arrived") || !p.Unsure || r.sent("tasks/update") != 1 {
			t.Errorf("%+v", p)
		}
	})
	t.Run("the connection ends", func(t *testing.T) {
		r, _, first := begin()
		r.do(Closed{Epoch: r.s.conn.epoch, Why: Close{Status: "exit status 3"}})
		if p := r.wantQuestion(QuestionLost); p.ID != first || p.NotAccepted == "" || !p.Unsure {
			t.Errorf("%+v", p)
		}
	})
	t.Run("it had not left", func(t *testing.T) {
		r := tasking(t, mcp.Rev20260728)
		r.begun()
		r.polled("input_required", name)
		if _, err := r.s.Handle(r.now, Answer{Question: r.wantQuestion(Waiting).ID, Result: []byte(ann), As: Answered}); err != nil {
			t.Fatal(err)
		}
		r.do(Closed{Epoch: r.s.conn.epoch, Why: Close{Status: "exit status 3"}})
		if p := r.wantQuestion(QuestionLost); p.NotAccepted == "" || p.Unsure {
			t.Errorf("%+v", p)
		}
	})
}
