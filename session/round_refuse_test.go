package session

import (
	"fmt"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

func TestARoundThatCannotBeTakenIsRefusedHere(t *testing.T) {
	requirements.Rows(t, "MRT-03", "MRT-04", "MRT-05", "MRT-06", "MRT-07", "SMP-09", "SMP-29", "ELI-07")
	many := make([]string, mcp.MaxInputs+1)
	for i := range many {
		many[i] = fmt.Sprintf(`"k%d":{"method":"roots/list"}`, i)
	}
	form := func(c *Config) { c.NoURLs = true }
	sampling := func(params string) string {
		return asking(`"s":{"method":"sampling/createMessage","params":{` + params + `}}`)
	}
	message := `"messages":[{"role":"user","content":{"type":"text","text":"x"}}]`
	for _, tt := range []struct {
		name, method, members string
		code                  mcp.DiagCode
		why                   string
		change                func(*Config)
	}{
		{"another method", "completion/complete", asking(askName), mcp.DiagRoundPlace, "as the answer to completion/complete", nil},
		{"neither member", "", "", mcp.DiagRoundShape, "neither inputRequests nor requestState", nil},
		{"a state that is no string", "", `"requestState":{"a":1}`, mcp.DiagRoundShape, "requestState is an object", nil},
		{"a state that is null", "", `"requestState":null`, mcp.DiagRoundShape, "requestState is null", nil},
		{"two states", "", `"requestState":"a","requestState":"b"`, mcp.DiagRoundShape, "stands there twice", nil},
		{"a huge state", "", `"requestState":"` + strings.Repeat("x", mcp.MaxState) + `"`, mcp.DiagRoundShape, "carries at most", nil},
		{"a list", "", `"inputRequests":[]`, mcp.DiagRoundShape, "inputRequests is an array", nil},
		{"a key twice", "", asking(askName + "," + askName), mcp.DiagRoundShape, `the key "name"`, nil},
		{"a key twice, escaped", "", asking(askName + `,` + strings.Replace(askAge, "age", `n\u0061me`, 1)), mcp.DiagRoundShape, `the key "name"`, nil},
		{"a thousand", "", asking(strings.Join(many, ",")), mcp.DiagRoundShape, "101 requests in one answer", nil},
		{"a request that is none", "", asking(askName + `,"x":7`), mcp.DiagRoundShape, `"x" is a number`, nil},
		{"no method", "", asking(askName + `,"x":{}`), mcp.DiagRoundShape, `"x" has no method`, nil},
		{"a method that is a number", "", asking(askName + `,"x":{"method":5}`), mcp.DiagRoundShape, `the method of the request "x" is a number, not a string`, nil},
		{"a method that is null", "", asking(askName + `,"x":{"method":null}`), mcp.DiagRoundShape, `the method of the request "x" is null, not a string`, nil},
		{"another request", "", asking(askName + `,"x":{"method":"ping"}`), mcp.DiagRoundShape, `"x" is ping`, nil},
		{"undeclared sampling", "", asking(askStory), mcp.DiagUndeclared, "undeclared sampling", func(c *Config) { c.NoSampling = true }},
		{"undeclared elicitation", "", asking(askName), mcp.DiagUndeclared, "undeclared elicitation", func(c *Config) { c.NoElicitation = true }},
		{"undeclared URLs", "", asking(askName + "," + askURL), mcp.DiagUndeclared, `undeclared elicitation in mode "url"`, form},
		{"an unknown mode", "", asking(strings.Replace(askURL, `"url",`, `"voice",`, 1)), mcp.DiagUndeclared, `mode "voice"`, nil},
		{"undeclared roots", "", asking(askRoots), mcp.DiagUndeclared, "undeclared roots", nil},
		{"undeclared tools", "", sampling(message + `,"maxTokens":1,"tools":[{"name":"t"}]`), mcp.DiagUndeclared, "sampling.tools", nil},
		{"an undeclared choice of tools", "", sampling(message + `,"maxTokens":1,"toolChoice":{"mode":"auto"}`), mcp.DiagUndeclared, "sampling.tools", nil},
		{"a role that is none", "", sampling(`"maxTokens":1,"messages":[{"role":"system","content":{"type":"text","text":"x"}}]`), mcp.DiagSamplingShape, "role", nil},
		{"a message without content", "", sampling(`"maxTokens":1,"messages":[{"role":"user"}]`), mcp.DiagSamplingShape, "content", nil},
		{"no messages", "", sampling(`"maxTokens":1`), mcp.DiagSamplingShape, "messages is missing", nil},
		{"no limit", "", sampling(message), mcp.DiagSamplingShape, "maxTokens", nil},
		{"tool results that match nothing", "", sampling(`"maxTokens":1,"messages":[{"role":"user","content":[{"type":"tool_result","toolUseId":"1","content":[]},{"type":"text","text":"x"}]}]`), mcp.DiagToolResults, "", nil},
		{"a form without a schema", "", asking(`"f":{"method":"elicitation/create","params":{"message":"x"}}`), mcp.DiagElicitShape, "requestedSchema is missing", nil},
		{"a form without a message", "", asking(`"f":{"method":"elicitation/create","params":{"requestedSchema":{"type":"object","properties":{}}}}`), mcp.DiagElicitShape, "message is missing", nil},
		{"no URL", "", asking(`"u":{"method":"elicitation/create","params":{"mode":"url","message":"x"}}`), mcp.DiagElicitShape, "which is no URL", nil},
		{"no parameters", "", asking(`"f":{"method":"elicitation/create"}`), mcp.DiagElicitShape, "the parameters are missing", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var change []func(*Config)
			if tt.change != nil {
				change = append(change, tt.change)
			}
			r := ready(t, mcp.Rev20260728, change...)
			method := "tools/call"
			if tt.method != "" {
				method = tt.method
			}
			id, _ := r.made(CallSpec{Method: method, Params: []byte(`{"name":"t"}`)})
			r.lines = nil
			r.round(id, tt.members)
			r.want(id, Failed, cancel.NoVerdict)
			row := r.row(id)
			if !strings.HasPrefix(row.Note, "refused: ") || !strings.Contains(row.Note, tt.why) || !strings.HasSuffix(row.Note, " · no answer to it was sent") {
				t.Errorf("the note is %q", row.Note)
			}
			if r.diag(tt.code) == 0 {
				t.Errorf("found wrong: %v", r.s.Diagnostics())
			}
			if d, _ := r.s.Detail(id); d.Result == nil {
				t.Error("the answer is not shown")
			}
			if st := r.s.Status(); st.TurnedAway != 1 || len(r.s.Questions()) != 0 {
				t.Errorf("%d were turned away, %d questions", st.TurnedAway, len(r.s.Questions()))
			}
			r.silent(id)
		})
	}
	t.Run("a revision that has no rounds", func(t *testing.T) {
		for _, rev := range []mcp.Revision{mcp.Rev20241105, mcp.Rev20251125} {
			r := ready(t, rev)
			id, _ := r.call("t")
			r.lines = nil
			r.round(id, asking(askName)+`,"content":[]`)
			r.want(id, Failed, cancel.NoVerdict)
			r.wantDiag(mcp.DiagRoundPlace, 1)
			r.silent(id)
		}
	})
	t.Run("one of belay's own lists", func(t *testing.T) {
		r := ready(t, mcp.Rev20260728)
		r.s.catalog.lists[mcp.Tools].Declared = true
		if _, err := r.s.Handle(r.now, Reload{}); err != nil {
			t.Fatal(err)
		}
		r.pull()
		id := r.s.rows.newest.id
		r.lines = nil
		r.round(id, asking(askName))
		r.want(id, Failed, cancel.NoVerdict)
		if l := r.s.Catalog().Lists[mcp.Tools]; l.Loading || l.Problem == "" {
			t.Errorf("%+v", l)
		}
		r.silent(id)
	})
}

func TestWhatWaitsBetweenRoundsIsBounded(t *testing.T) {
	r := ready(t, mcp.Rev20260728)
	for i := range 5 {
		id, _ := r.call("t")
		many := make([]string, 24)
		for k := range many {
			many[k] = fmt.Sprintf(`"%d":`, k) + strings.SplitN(askName, ":", 2)[1]
		}
		r.round(id, asking(strings.Join(many, ",")))
		if want := i < 4; r.row(id).Round.Waits != want {
			t.Errorf("call %d waits: %v", i, !want)
		}
	}
	if n := len(r.waiting()); n != 96 {
		t.Errorf("%d questions wait", n)
	}
	r.wantDiag(mcp.DiagQuestionFlood, 1)
	t.Run("requests that ended keep no parameters", func(t *testing.T) {
		r := ready(t, mcp.Rev20260728)
		id, _ := r.call("t")
		r.round(id, asking(askName)+`,"requestState":"`+strings.Repeat("x", 1<<20)+`"`)
		r.tell(tellName)
		r.done(id)
		for id, past := range r.s.outgoing.past {
			if past.params != nil {
				t.Errorf("request %v keeps %d bytes", id, len(past.params))
			}
		}
		if r.s.rows.roundBytes != 0 {
			t.Errorf("%d bytes of states are left", r.s.rows.roundBytes)
		}
	})
	t.Run("states", func(t *testing.T) {
		r := ready(t, mcp.Rev20260728)
		state := `"requestState":"` + strings.Repeat("x", mcp.MaxState-100) + `"`
		kept := 0
		for range 6 {
			id, _ := r.call("t")
			r.round(id, state)
			if r.row(id).Round.Waits {
				kept++
			}
		}
		if kept != 1 || r.s.incoming.waitingBytes() > r.s.cfg.maxWaitingBytes() { // a quarter of 64 MiB, and three times the state is needed
			t.Errorf("%d states of 4 MiB are kept, %d bytes", kept, r.s.rows.roundBytes)
		}
	})
}
