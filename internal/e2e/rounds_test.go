package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
)

const (
	formInput  = `{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}`
	modelInput = `{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Why?"}}],"maxTokens":50}}`
)

// inputRequired is an answer of the server's that asks for one input first.
func inputRequired(id int, key, input string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"input_required","inputRequests":{%q:%s},"requestState":"\u0041\ud800 %d"}}`, id, key, input, id)
}

// What the server has read of a call's rounds, byte by byte, however it ends.
func TestRoundsByKeys(t *testing.T) {
	requirements.Rows(t, "MRT-10", "MRT-13", "MRT-18", "MRT-19", "MRT-28", "PRG-02")
	for name, end := range map[string]struct {
		key, words string
	}{
		"the model's answer is rejected": {"ctrl+r", "not retried"},
		"the call is cancelled":          {"ctrl+x", "you cancelled the call"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := play(t, "dictated-modern").See("scripted", "2026-07-28").call("slow")
			first := s.serverReads(1, `"method":"tools/call"`).lastCall()
			row := fmt.Sprintf("of #%d tools/call %q", first, "slow")
			s.dictate(inputRequired(first, "who", formInput)).See("round 1 "+row, "ctrl+s send")
			s.Type("Ahab").Press("ctrl+s")
			s.serverReads(1, `"params":{"name":"slow"`, `"inputResponses":{"who":{"action":"accept","content":{"name":"Ahab"}}}`,
				fmt.Sprintf(`"requestState":"\u0041\ud800 %d"`, first))
			second := s.lastCall()
			if second == first || s.count(fmt.Sprintf(`"progressToken":"belay-%d"`, second)) != 1 {
				t.Errorf("the second request is %d, the first was %d", second, first)
			}
			s.dictate(inputRequired(second, "why", modelInput)).See("round 2 "+row, "ctrl+r reject")
			s.Press(end.key).See(end.words, "nothing running")
			s.call("fast").See("here you are") // it has read on, and nothing was in between
			s.serverReads(3, `"tools/call"`).serverReads(0, "notifications/cancelled").serverReads(0, `"error"`)
			s.Press("q").Exit(0)
			s.serverReads(3, `"tools/call"`).serverReads(0, "notifications/cancelled")
		})
	}
}

// lastCall is the ID of the tool call that the server has read last.
func (s *stage) lastCall() (id int) {
	s.t.Helper()
	for _, l := range s.received() {
		var m struct {
			ID     int    `json:"id"`
			Method string `json:"method"`
		}
		if json.Unmarshal([]byte(l.Line), &m) == nil && m.Method == "tools/call" {
			id = m.ID
		}
	}
	return id
}

// In 2026-07-28 the demo, on the Go SDK, asks by rounds: its calls are answered,
// and made again, until they are done. The state that it gives is signed, so it
// would notice a change of it.
func TestTheGoSDKAsksByRounds(t *testing.T) {
	requirements.Rows(t, "MRT-02", "MRT-10", "MRT-13")
	rev := mcp.Rev20260728
	t.Run("a form", func(t *testing.T) {
		t.Parallel()
		a := askDemo(t, rev)
		id := a.call("ask_form", `{}`)
		p := a.questions(1, session.Waiting)[0]
		if p.Round != 1 || len(p.Candidates) != 1 || p.Candidates[0] != id {
			t.Errorf("%+v", p)
		}
		a.answer(p, mcp.ElicitationResult(mcp.ElicitForm, mcp.ElicitAccept, []byte(`{"name":"Pequod","rig":"ketch","crew":30}`)))
		a.ends(id, session.Done, `Pequod`)
	})
	t.Run("two forms", func(t *testing.T) {
		t.Parallel()
		a := askDemo(t, rev)
		id := a.call("ask_twice", `{}`)
		for _, p := range a.questions(2, session.Waiting) {
			a.answer(p, mcp.ElicitationResult(mcp.ElicitForm, mcp.ElicitAccept, []byte(`{"`+p.Key+`":"Delft"}`)))
		}
		a.ends(id, session.Done, "Delft")
	})
	t.Run("a model", func(t *testing.T) {
		t.Parallel()
		a := askDemo(t, rev)
		id := a.call("summarise", `{"text":"It was a long story."}`)
		p := a.questions(1, session.Waiting)[0]
		result, err := mcp.SamplingAnswer{Text: "A story."}.Result(rev)
		if err != nil {
			t.Fatal(err)
		}
		a.answer(p, result)
		a.ends(id, session.Done, "human answered: A story.")
	})
	t.Run("nothing, once the call is cancelled or its question rejected", func(t *testing.T) {
		t.Parallel()
		requirements.Rows(t, "MRT-18", "MRT-19", "MRT-28")
		a := askDemo(t, rev)
		cancelled := a.call("ask_form", `{}`)
		a.questions(1, session.Waiting)
		if _, err := a.Do(session.Cancel{Call: cancelled, Reason: "enough"}); err != nil {
			t.Error(err)
		}
		rejected := a.call("summarise", `{"text":"x"}`)
		p := a.questions(1, session.Waiting)[0]
		if _, err := a.Do(session.Refuse{Question: p.ID, Code: -1, Message: "no", As: session.Declined}); err != nil {
			t.Error(err)
		}
		// The server answers what is written behind it: nothing came in between.
		a.ends(a.call("no_such_tool", `{}`), session.Failed, "")
		a.View(func(s *session.Session) {
			for _, id := range []session.CallID{cancelled, rejected} {
				if r, _ := s.Row(id); r.State != session.Cancelled || r.Verdict != cancel.NothingRunning {
					t.Errorf("%+v", r)
				}
			}
			from, to := s.HistorySpan()
			calls := 0
			for _, e := range s.Entries(nil, from, int(to-from)+1) {
				switch {
				case e.Dir != session.Out:
				case strings.Contains(string(e.Raw), "inputResponses"), e.Method == "notifications/cancelled", e.Kind == session.EntResult, e.Kind == session.EntError:
					t.Errorf("written: %s", e.Raw)
				case e.Method == "tools/call":
					calls++
				}
			}
			if calls != 3 {
				t.Errorf("%d calls were written", calls)
			}
		})
	})
}
