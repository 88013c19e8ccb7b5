package session

import (
	"errors"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// A question that a task lists no more is closed, and asked again when the task lists it again. One
// that was answered is not.
func TestAKeyThatComesBack(t *testing.T) {
	requirements.Rows(t, "TEX-25", "TEX-29", "TEX-31", "TEX-32", "CXS-25")
	both := inputs(input("name", "Your name?"), input("town", "Your town?"))
	r := tasking(t, mcp.Rev20260728)
	id := r.begun()
	r.polled("input_required", both)
	gone := r.waiting()
	r.tell(ann) // the name
	r.answers("tasks/update", "")
	r.polled("input_required", inputs())
	if n := len(r.waiting()); n != 0 || r.row(id).AsksYou {
		t.Fatalf("%d questions wait", n)
	}
	for range 3 {
		r.polled("input_required", both)
	}
	all := r.waiting()
	if len(all) != 1 || all[0].Key != "town" || all[0].ID == gone[1].ID || !r.row(id).AsksYou || r.s.Status().Waiting != 1 {
		t.Fatalf("%+v", all)
	}
	if _, err := r.s.Handle(r.now, Answer{Question: gone[1].ID, Result: []byte(ann), As: Answered}); !errors.Is(err, errWithdrawn) {
		t.Errorf("the question of before takes an answer: %v", err)
	}
	r.n = len(r.lines)
	r.tell(ann)
	r.answers("tasks/update", "")
	for range 3 {
		r.polled("input_required", both)
	}
	if n := len(r.waiting()); n != 0 || r.sent(`"method":"tasks/update"`) != 2 {
		t.Errorf("%d questions wait, after %d answers", n, r.sent(`"method":"tasks/update"`))
	}
	r.wantDiag(mcp.DiagTaskKey, 0)
}

// What comes back may have been answered: then the question says so.
func TestAKeyThatComesBackAfterAnAnswerThatMayHaveArrived(t *testing.T) {
	requirements.Rows(t, "TEX-32")
	name := inputs(input("name", "Your name?"))
	r := tasking(t, mcp.Rev20260728)
	r.begun()
	r.polled("input_required", name)
	r.tell(ann)
	r.wantNext("tasks/update")
	r.works(40 * time.Second) // no answer to it
	if p := r.wantQuestion(Withdrawn); !p.Unsure {
		t.Fatalf("%+v", p)
	}
	r.polled("input_required", name)
	if p := r.wantQuestion(Waiting); !p.Unsure || p.NotAccepted == "" {
		t.Errorf("%+v", p)
	}
}

// A task that the user has cancelled asks nothing again.
func TestAKeyComesBackAfterTheCancel(t *testing.T) {
	requirements.Rows(t, "TEX-61")
	name := inputs(input("name", "Your name?"))
	r := tasking(t, mcp.Rev20260728)
	id := r.begun()
	r.polled("input_required", name)
	r.cancel(id, "")
	r.ack()
	r.polled("input_required", name)
	if n := len(r.waiting()); n != 0 || len(r.s.Questions()) != 1 {
		t.Errorf("%d questions wait, of %d", n, len(r.s.Questions()))
	}
}

// A question whose key the task used for something else is asked again where the user wants to see
// what stands there, and the task has gone back to it.
func TestAKeyGoesBackToItsQuestion(t *testing.T) {
	requirements.Rows(t, "TEX-30")
	name, card := inputs(input("name", "Your name?")), inputs(input("name", "Your card?"))
	r := tasking(t, mcp.Rev20260728)
	id := r.begun()
	r.polled("input_required", name)
	r.polled("input_required", card)
	for range 2 {
		r.polled("input_required", name)
	}
	if n := len(r.waiting()); n != 0 || r.row(id).Task.ReusedKeys != 1 {
		t.Fatalf("%d questions wait, %d keys are reused", n, r.row(id).Task.ReusedKeys)
	}
	r.do(PollTask{Call: id, Anew: true})
	r.polled("input_required", name)
	if p := r.wantQuestion(Waiting); len(r.waiting()) != 1 || r.row(id).Task.ReusedKeys != 0 {
		t.Errorf("%+v", p)
	}
}

// A key that the task goes on listing although its answer was accepted is told of, once, in words that
// are true of a task that has ended, too.
func TestAnAnsweredKeyStaysListed(t *testing.T) {
	requirements.Rows(t, "TEX-29", "TEX-33")
	const says = `the task went on listing the key "name" after its answer was accepted: it is not asked again`
	both := inputs(input("name", "Your name?"), input("town", "Your town?"))
	r := tasking(t, mcp.Rev20260728)
	id := r.begun()
	r.polled("input_required", both)
	r.tell(ann)
	out := r.wantNext("tasks/update")
	for range 3 { // before the answer is accepted
		r.polled("input_required", both)
	}
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete"}}`, out)
	r.polled("input_required", both) // which may have been on its way
	if r.tells(id, "went on listing") {
		t.Error("it is told too early")
	}
	for range 3 {
		r.polled("input_required", both)
	}
	if n := strings.Count(r.said(id), says); n != 1 {
		t.Errorf("told %d times:\n%s", n, r.said(id))
	}
	r.completed()
	if row := r.row(id); row.State != Done || row.Note != says {
		t.Errorf("%v: %s", row.State, row.Note)
	}
}

// One entry that is no request hides none of the others, and closes no question.
func TestOneBadInputHidesNoOther(t *testing.T) {
	requirements.Rows(t, "TEX-18", "TEX-35")
	for name, tt := range map[string]struct{ bad, says string }{
		"no object":         {`"bad":7`, `the request "bad" is a number, not an object`},
		"no method":         {`"bad":{}`, `the request "bad" has no method`},
		"another method":    {`"bad":{"method":"tools/call"}`, `the request "bad" is tools/call, which cannot be asked for in an answer`},
		"a number a method": {`"bad":{"method":7}`, `the method of the request "bad" is a number, not a string`},
		"a key twice":       {input("name", "Your card?"), `two requests have the key "name"`},
	} {
		r := tasking(t, mcp.Rev20260728)
		id := r.begun()
		r.polled("input_required", inputs(input("name", "Your name?"), tt.bad, input("town", "Your town?")))
		all := r.waiting()
		if len(all) != 2 || all[0].Key != "name" || all[1].Key != "town" {
			t.Errorf("%s: %+v", name, all)
		}
		if d := r.s.Diagnostics(); len(d) != 1 || d[0].Code != mcp.DiagTaskInputs || d[0].Detail != tt.says {
			t.Errorf("%s: %+v", name, d)
		}
		r.polled("input_required", inputs(`"name":7`, input("town", "Your town?")))
		if n := len(r.waiting()); n != 2 || !r.row(id).AsksYou {
			t.Errorf("%s: what stands under a key is spoiled, and %d questions wait", name, n)
		}
		r.polled("input_required", `"inputRequests":7`)
		if n := len(r.waiting()); n != 2 {
			t.Errorf("%s: there is no list, and %d questions wait", name, n)
		}
		r.polled("input_required", inputs(input("town", "Your town?")))
		if n := len(r.waiting()); n != 1 {
			t.Errorf("%s: %d questions wait", name, n)
		}
	}
}

// Of more inputs than belay takes the first ones are asked, and none of those that may be among the
// others is closed.
func TestMoreInputsThanBelayTakes(t *testing.T) {
	requirements.Rows(t, "TEX-18")
	r := tasking(t, mcp.Rev20260728)
	r.begun()
	r.polled("input_required", inputs(input("last", "Your name?")))
	many := make([]string, 0, mcp.MaxInputs+1)
	for i := range mcp.MaxInputs {
		many = append(many, `"k`+strings.Repeat("x", i)+`":{"method":"roots/list"}`)
	}
	many[0] = input("first", "Your town?")
	r.polled("input_required", inputs(append(many, input("last", "Your name?"))...))
	if n := len(r.waiting()); n != 2 || r.diag(mcp.DiagTaskInputs) != 1 {
		t.Errorf("%d questions wait; %+v", n, r.s.Diagnostics())
	}
}
