package session

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

const (
	urlEntry     = `{"mode":"url","message":"m","url":"https://a.b/c","elicitationId":%q}`
	completeNote = `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":%s}`
)

// failsFor answers a call with error -32042 and these elicitations.
func (r *rig) failsFor(elicitations string) CallID {
	id, wire := r.call("t")
	r.lines = nil
	r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32042,"message":"visit these","data":{"elicitations":%s}}}`, wire, elicitations)
	return id
}

func TestURLElicitationsOfAnError(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id := r.failsFor("[" + fmt.Sprintf(urlEntry, "e1") + "," + fmt.Sprintf(urlEntry, "e2") + "]")
	r.want(id, Failed, cancel.NoVerdict)
	ps := r.s.Questions()
	if len(ps) != 2 || r.s.Status().Waiting != 2 {
		t.Fatalf("%d questions", len(ps))
	}
	for i, p := range ps {
		e, problems := mcp.ParseElicitation(mcp.Rev20251125, p.Params)
		if !p.Needed || p.State != Waiting || len(p.Candidates) != 1 || p.Candidates[0] != id || !p.Wire.IsZero() || p.Unsolicited ||
			e.Mode != mcp.ElicitURL || e.ElicitationID != fmt.Sprintf("e%d", i+1) || len(problems) != 0 {
			t.Errorf("%+v, %+v", p, e)
		}
	}
	if _, err := r.s.Handle(r.now, Answer{Question: 1, Result: mcp.ElicitationResult(mcp.ElicitURL, mcp.ElicitAccept, nil), As: Answered}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.s.Handle(r.now, Refuse{Question: 2, Code: mcp.CodeRejected, Message: "no", As: Declined}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	r.wantLines() // the call was answered by the error: nothing is owed
	if ps := r.s.Questions(); ps[0].State != Answered || ps[1].State != Declined || r.s.Status().Waiting != 0 {
		t.Errorf("%v, %v", ps[0].State, ps[1].State)
	}
	if err := r.answer(1); !errors.Is(err, errAnswered) {
		t.Errorf("again: %v", err)
	}
	r.recv(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":""}}`) // nor is it a request that could be withdrawn
	r.want(id, Failed, cancel.NoVerdict)

	t.Run("they hold no clock, and go with the connection", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		r.failsFor("[" + fmt.Sprintf(urlEntry, "e1") + "]")
		other, _ := r.call("other")
		if row := r.row(other); row.Paused || row.AsksYou {
			t.Errorf("%+v", row)
		}
		r.closed()
		r.wantQuestion(QuestionLost)
		if err := r.answer(1); !errors.Is(err, errNotReady) {
			t.Errorf("answering: %v", err)
		}
	})
	t.Run("only where somebody waits for them", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		id, wire := r.call("t")
		r.cancel(id, "")
		r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32042,"message":"m","data":{"elicitations":[`+urlEntry+`]}}}`, wire, "e1")
		if n := len(r.s.Questions()); n != 0 {
			t.Errorf("a call that was cancelled asks for %d", n)
		}
		for _, r := range []*rig{ready(t, mcp.Rev20250618), ready(t, mcp.Rev20251125, func(c *Config) { c.NoURLs = true })} {
			id := r.failsFor("[" + fmt.Sprintf(urlEntry, "e1") + "]")
			r.want(id, Failed, cancel.NoVerdict)
			if n := len(r.s.Questions()); n != 0 {
				t.Errorf("%d questions", n)
			}
		}
	})
}

func TestErrorsThatListElicitationsWrongly(t *testing.T) {
	requirements.Rows(t, "ELI-54")
	for _, tt := range []struct {
		list      string
		questions int
	}{
		{`[{"message":"m","requestedSchema":{"type":"object","properties":{}}}]`, 0},
		{`[{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{}}},` + fmt.Sprintf(urlEntry, "e") + `]`, 1},
		{`[{"mode":"url","message":"m","url":"https://a.b"}]`, 0},
		{`[{"mode":"url","message":"m","elicitationId":"e"}]`, 0},
		{`[7]`, 0},
		{`[]`, 0},
		{`{}`, 0},
		{`null`, 0},
	} {
		r := ready(t, mcp.Rev20251125)
		id := r.failsFor(tt.list)
		r.want(id, Failed, cancel.NoVerdict)
		r.wantDiag(mcp.DiagURLRequired, 1)
		if n := len(r.s.Questions()); n != tt.questions {
			t.Errorf("%s: %d questions", tt.list, n)
		}
	}
	r := ready(t, mcp.Rev20251125)
	many := "["
	for i := range mcp.MaxNeeded {
		many += fmt.Sprintf(urlEntry, fmt.Sprint(i)) + ","
	}
	r.failsFor(many + fmt.Sprintf(urlEntry, "x") + "]")
	r.wantDiag(mcp.DiagURLRequired, 1)
	if n := r.s.Status().Waiting; n != mcp.MaxNeeded {
		t.Errorf("%d wait", n)
	}
}

func TestCompletionNotices(t *testing.T) {
	requirements.Rows(t, "ELI-48", "ELI-49")
	r := ready(t, mcp.Rev20251125)
	r.call("t")
	r.ask(1, askElicit, simpleURL)
	complete := func(params string) { r.recv(completeNote, params) }
	completed := func() time.Time { return r.s.Questions()[0].Completed }

	complete(`{"elicitationId":"other"}`)
	complete(`{"elicitationId":"E1"}`)
	if !completed().IsZero() || len(r.s.Diagnostics()) != 0 {
		t.Error("a notice about something else")
	}
	r.lines = nil
	if _, err := r.s.Handle(r.now, Answer{Question: 1, Result: mcp.ElicitationResult(mcp.ElicitURL, mcp.ElicitAccept, nil), As: Answered}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	r.wantLines(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}`)
	r.lines = nil
	at := r.now
	complete(`{"elicitationId":"e1"}`)
	if completed() != at || r.s.Questions()[0].State != Answered {
		t.Errorf("%+v", r.s.Questions()[0])
	}
	r.wait(time.Second)
	complete(`{"elicitationId":"e1"}`)
	if completed() != at || len(r.s.Diagnostics()) != 0 {
		t.Error("a repeated notice changed something")
	}
	r.wantLines() // nothing is ever written for a notice
	for i, params := range []string{`{}`, `{"elicitationId":7}`, `{"elicitationId":""}`, `[]`} {
		complete(params)
		r.wantDiag(mcp.DiagElicitComplete, i+1)
	}

	t.Run("what was declined, withdrawn or lost is not completed", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		for i := range 3 {
			r.ask(i, askElicit, fmt.Sprintf(urlEntry, fmt.Sprint(i)))
		}
		if _, err := r.s.Handle(r.now, Answer{Question: 1, Result: mcp.ElicitationResult(mcp.ElicitURL, mcp.ElicitDecline, nil), As: Declined}); err != nil {
			t.Fatal(err)
		}
		r.recv(cancelledNote, 1)
		for _, id := range []int{0, 1} {
			r.recv(completeNote, fmt.Sprintf(`{"elicitationId":"%d"}`, id))
		}
		r.closed()
		r.reconnect(mcp.Rev20251125)
		r.recv(completeNote, `{"elicitationId":"2"}`)
		for i, p := range r.s.Questions() {
			if !p.Completed.IsZero() || p.State != []QuestionState{Declined, Withdrawn, QuestionLost}[i] {
				t.Errorf("%+v", p)
			}
		}
	})
	t.Run("an error's is completed while it waits", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		r.failsFor("[" + fmt.Sprintf(urlEntry, "e1") + "]")
		r.recv(completeNote, `{"elicitationId":"e1"}`)
		if p := r.wantQuestion(Waiting); p.Completed.IsZero() {
			t.Errorf("%+v", p)
		}
		r.wantLines()
	})
	t.Run("a revision without them", func(t *testing.T) {
		r := ready(t, mcp.Rev20250618)
		r.recv(completeNote, `{"elicitationId":"e1"}`)
		r.wantDiag(mcp.DiagUnknownMethod, 1)
	})
}
