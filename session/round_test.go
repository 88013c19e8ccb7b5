package session

import (
	"fmt"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

func TestACallIsMadeAgainWithWhatItsServerAskedFor(t *testing.T) {
	requirements.Rows(t, "MRT-01", "MRT-02", "MRT-08", "MRT-13", "MRT-15", "MRT-16")
	for method, params := range map[string]string{
		"tools/call":     `{"name":"t","arguments":{"b":1.0,"a":[null]}}`,
		"prompts/get":    `{"name":"t","arguments":{"x":"y"}}`,
		"resources/read": `{"uri":"file:///x"}`,
	} {
		t.Run(method, func(t *testing.T) {
			r := ready(t, mcp.Rev20260728)
			id, first := r.made(CallSpec{Method: method, Params: []byte(params)})
			before := read(t, r.lines[0]).Params
			r.lines = nil
			r.round(id, asking(askName+","+askStory+","+askAge)+`,"requestState":"s"`)
			row := r.row(id)
			if row.State != Running || !row.AsksYou || row.Round.Open != 3 || !row.Round.Waits || row.Wire != first {
				t.Fatalf("%+v", row)
			}
			all := r.waiting()
			for i, key := range []string{"name", "story", "age"} {
				p := all[i]
				if p.Key != key || p.Round != 1 || p.Owners != 1 || len(p.Candidates) != 1 || p.Candidates[0] != id {
					t.Errorf("question %d: %+v", i, p)
				}
			}
			r.tell(tellName)
			r.tell(tellStory)
			r.wantLines()
			if got := r.s.QuestionsOf(id); len(got) != 1 || got[0] != all[2].ID {
				t.Errorf("%v are open, want %d", got, all[2].ID)
			}
			r.tell(`{"action":"accept","content":{"age":7}}`)
			again, now := r.again()
			if again == first.String() || again != r.row(id).Latest.String() {
				t.Errorf("made again as %s, first as %v", again, first)
			}
			want := fmt.Sprintf(`{"name":%s,"story":%s,"age":{"action":"accept","content":{"age":7}}}`, tellName, tellStory)
			if string(now["inputResponses"]) != want || string(now["requestState"]) != `"s"` {
				t.Errorf("answered %s, state %s", now["inputResponses"], now["requestState"])
			}
			delete(now, "inputResponses")
			delete(now, "requestState")
			for name, raw := range membersIn(t, before) {
				if name != "_meta" && string(now[name]) != string(raw) {
					t.Errorf("%s was %s and is %s", name, raw, now[name])
				}
			}
			r.done(id)
			if got := r.row(id); got.Wire != first || got.Round.Count != 1 || got.Round.Waits {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestTheStateIsEchoedToTheLetter(t *testing.T) {
	requirements.Rows(t, "MRT-10", "MRT-11", "MRT-12")
	for name, state := range map[string]string{
		"empty": `""`, "escapes": `"\u0041\/\ud83d\ude00\n\u2028"`, "half a pair": `"\ud800"`, "JSON inside": `"{\"a\": [1,2 ]}"`,
		"text": `"é  日本"`, "a mebibyte": `"` + strings.Repeat("x", 1<<20) + `"`,
	} {
		t.Run(name, func(t *testing.T) {
			r := ready(t, mcp.Rev20260728)
			id, _ := r.call("t")
			r.lines = nil
			r.round(id, asking(askName)+`,"requestState":`+state)
			if got := r.row(id).Round; !got.HasState || got.StateSize != len(state) || len(got.StateSum) != 8 {
				t.Errorf("%+v", got)
			}
			r.tell(tellName)
			if _, params := r.again(); string(params["requestState"]) != state {
				t.Errorf("echoed %.80s, it was %.80s", params["requestState"], state)
			}
			// The next answer has none: the old one must not come back.
			r.round(id, asking(askAge))
			r.tell(tellName)
			if _, params := r.again(); params["requestState"] != nil {
				t.Errorf("a state that was not given: %s", params["requestState"])
			}
			r.done(id)
		})
	}
	t.Run("keys too", func(t *testing.T) {
		r := ready(t, mcp.Rev20260728)
		id, _ := r.call("t")
		r.lines = nil
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":%s}`, r.row(id).Latest,
			inputRequired(asking(strings.Replace(askName, `"name"`, `"\u006eame \ud800"`, 1))))
		r.tell(tellName)
		if line := r.lines[0]; !strings.Contains(line, `"inputResponses":{"\u006eame \ud800":`+tellName+`}`) {
			t.Error(line)
		}
	})
}

func TestOtherCallsKnowNothingOfARound(t *testing.T) {
	requirements.Rows(t, "MRT-14", "MRT-26", "MRT-30")
	r := ready(t, mcp.Rev20260728)
	one, _ := r.call("one")
	two, _ := r.call("two")
	three, _ := r.call("three")
	r.lines = nil
	r.round(one, asking(askName)+`,"requestState":"1"`)
	r.round(two, asking(askName)+`,"requestState":"2"`)
	for i, want := range []CallID{one, two} {
		if got := r.waiting()[i].Candidates; len(got) != 1 || got[0] != want {
			t.Errorf("question %d is for %v, want %v", i, got, want)
		}
	}
	if r.row(three).AsksYou || r.row(three).Paused {
		t.Error("a call that asked for nothing waits")
	}
	other, _ := r.call("one") // the same call once more
	if _, params := r.again(); params["inputResponses"] != nil || params["requestState"] != nil {
		t.Errorf("an unrelated call carries %v", params)
	}
	all := r.waiting()
	if _, err := r.s.Handle(r.now, Answer{Question: all[1].ID, Result: []byte(tellName), As: Answered}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	if _, params := r.again(); string(params["requestState"]) != `"2"` {
		t.Errorf("the second call went out with state %s", params["requestState"])
	}
	r.tell(tellName)
	if _, params := r.again(); string(params["requestState"]) != `"1"` {
		t.Errorf("the first call went out with state %s", params["requestState"])
	}
	for _, id := range []CallID{one, two, three, other} {
		r.done(id)
	}
	r.lines = nil
	r.call("one") // what came of a round is not remembered: it is asked for anew
	if n := r.sent("tools/call"); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestEachRequestOfACallHasItsOwnTokenAndProgress(t *testing.T) {
	requirements.Rows(t, "PRG-02", "MRT-27")
	r := ready(t, mcp.Rev20260728)
	id, first := r.call("t")
	r.recv(progressNote, token(first), 5)
	r.lines = nil
	r.round(id, asking(askName))
	r.recv(progressNote, token(first), 6) // the interim result was the last message
	r.wantDiag(mcp.DiagProgressAfter, 1)
	r.tell(tellName)
	second := r.row(id).Latest
	if !strings.Contains(r.lines[0], token(second)) || token(second) == token(first) {
		t.Errorf("the token is not new: %s", r.lines[0])
	}
	if p := r.row(id).Progress; p.Count != 0 {
		t.Errorf("the progress of the first request stays: %+v", p)
	}
	r.recv(progressNote, token(second), 1)
	if p := r.row(id).Progress; p.Count != 1 || p.Value != 1 || p.Invalid != 0 {
		t.Errorf("progress %+v", p)
	}
	// A second answer to the first request belongs to the call and changes nothing.
	r.recv(okAnswer, first)
	r.want(id, Running, cancel.NoVerdict)
	r.wantDiag(mcp.DiagDuplicateAnswer, 1)
	if e := r.s.Entries(nil, r.s.hist.last(), 1); e[0].Call != id {
		t.Errorf("the late answer is shown for call %d", e[0].Call)
	}
	r.done(id)
}

func TestRootsOfARoundAreAnsweredByBelay(t *testing.T) {
	roots := func(c *Config) { c.Roots = []Root{{URI: "file:///a", Name: "a"}, {URI: "file:///b"}} }
	t.Run("at once", func(t *testing.T) {
		r := ready(t, mcp.Rev20260728, roots)
		id, _ := r.call("t")
		r.lines = nil
		r.round(id, asking(askRoots))
		if _, params := r.again(); string(params["inputResponses"]) != `{"where":{"roots":[{"uri":"file:///a","name":"a"},{"uri":"file:///b"}]}}` {
			t.Errorf("%s", params["inputResponses"])
		}
		if len(r.waiting()) != 0 {
			t.Error("the user was asked")
		}
	})
	t.Run("after a look at the disk", func(t *testing.T) {
		r := ready(t, mcp.Rev20260728, roots, func(c *Config) { c.CheckRoots = true })
		id, _ := r.call("t")
		r.lines = nil
		r.round(id, asking(askRoots))
		r.wantLines()
		if r.row(id).AsksYou {
			t.Error("it asks the user")
		}
		r.s.Tell(r.now, RootsChecked{Seq: r.looks[0].Seq, Gone: []Root{{URI: "file:///b"}}})
		r.check()
		r.pull()
		for _, l := range r.lines {
			if strings.Contains(l, "inputResponses") && !strings.Contains(l, `{"roots":[{"uri":"file:///a","name":"a"}]}`) {
				t.Error(l)
			}
		}
		if r.sent("inputResponses") != 1 {
			t.Errorf("%v", r.lines)
		}
	})
	t.Run("a look that fails ends the call", func(t *testing.T) {
		requirements.Rows(t, "RTS-07")
		r := ready(t, mcp.Rev20260728, roots, func(c *Config) { c.CheckRoots = true })
		id, _ := r.call("t")
		r.lines = nil
		r.round(id, asking(askRoots+","+askName))
		r.s.Tell(r.now, RootsChecked{Seq: r.looks[0].Seq, Failure: "the disk is gone"})
		r.want(id, Failed, cancel.NoVerdict)
		if row := r.row(id); row.Note != "not retried: the disk is gone" || len(r.waiting()) != 0 {
			t.Errorf("%+v, %v", row, r.waiting())
		}
		r.lines = nil
		r.silent(id)
	})
	t.Run("a look that ends after the call does nothing", func(t *testing.T) {
		r := ready(t, mcp.Rev20260728, roots, func(c *Config) { c.CheckRoots = true })
		id, _ := r.call("t")
		r.round(id, asking(askRoots))
		r.cancel(id, "")
		r.lines = nil
		r.s.Tell(r.now, RootsChecked{Seq: r.looks[0].Seq})
		r.check()
		r.pull()
		r.want(id, Cancelled, cancel.NothingRunning)
		r.silent(id)
	})
}

func TestEditedAndSentAgainACallIsAFreshOne(t *testing.T) {
	r := ready(t, mcp.Rev20260728)
	id, _ := r.call("t")
	r.round(id, asking(askName)+`,"requestState":"old"`)
	d, _ := r.s.Detail(id)
	r.lines = nil
	fresh, _ := r.made(CallSpec{Method: d.Method, Params: d.Params})
	if _, params := r.again(); params["requestState"] != nil || params["inputResponses"] != nil {
		t.Errorf("it carries %v", params)
	}
	// Members of these names that the user wrote are the user's the first time, and
	// the server's afterwards.
	own, _ := r.made(CallSpec{Method: "tools/call", Params: []byte(` { "requestState" : "mine","name":"t" , "inputResponses":{"a":1}, "x":1 } `)})
	if _, params := r.again(); string(params["requestState"]) != `"mine"` {
		t.Errorf("%v", params)
	}
	r.round(own, asking(askName))
	if _, err := r.s.Handle(r.now, Answer{Question: r.waiting()[1].ID, Result: []byte(tellName), As: Answered}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	if _, params := r.again(); params["requestState"] != nil || string(params["inputResponses"]) != `{"name":`+tellName+`}` || string(params["x"]) != "1" {
		t.Errorf("%v", params)
	}
	r.done(fresh)
}
