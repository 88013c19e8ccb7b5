package demo

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// asked is the result of a round that asks.
type askedInRound struct {
	ResultType    string
	InputRequests map[string]struct {
		Method string
		Params json.RawMessage
	}
	RequestState string
}

func (x *exchange) asks(names ...string) askedInRound {
	x.t.Helper()
	m := x.result()
	if m.Error != nil {
		x.t.Fatalf("an error instead of questions: %s", m.line)
	}
	r := decode[askedInRound](x.t, m.Result)
	var got []string
	for name := range r.InputRequests {
		got = append(got, name)
	}
	slices.Sort(got)
	if r.ResultType != "input_required" || !slices.Equal(got, names) || r.RequestState == "" {
		x.t.Fatalf("asked for %q, want %q: %s", got, names, m.line)
	}
	return r
}

func retry(state, answers string) string {
	return fmt.Sprintf(`,"requestState":%q,"inputResponses":%s`, state, answers)
}

func TestTwoQuestionsInOneRound(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		first := s.modern("ask_twice", `{}`, asksAll, "").asks("from", "to")
		// One answer alone, and one to nothing: the other question is asked again.
		second := s.modern("ask_twice", `{}`, asksAll, retry(first.RequestState,
			`{"to":{"action":"accept","content":{"to":"Rokovoko"}},"foreign":{"action":"accept"}}`)).asks("from")
		last := s.modern("ask_twice", `{}`, asksAll, retry(second.RequestState, `{"from":{"action":"decline"}}`)).result()
		got := last.tool(t)
		if got.IsError || got.Content[0].Text != "You declined." || !strings.Contains(got.Content[1].Text, "Rokovoko") {
			t.Errorf("%s", last.line)
		}
	})
}

func TestAStateIsGoodForItsOwnCallOnly(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		state := s.modern("ask_form", `{"message":"Which?"}`, asksAll, "").asks(answerName).RequestState
		const answer = `{"answer":{"action":"accept","content":{"name":"Pequod","rig":"ketch"}}}`
		refused := func(why string, x *exchange) {
			t.Helper()
			if status := x.answered(); status != http.StatusBadRequest || !strings.Contains(x.text(), "-32602") {
				t.Errorf("%s: status %d, %s", why, status, x.text())
			}
		}
		flipped := "A" + state[1:]
		if state[0] == 'A' {
			flipped = "B" + state[1:]
		}
		refused("one byte flipped", s.modern("ask_form", `{"message":"Which?"}`, asksAll, retry(flipped, answer)))
		refused("cut", s.modern("ask_form", `{"message":"Which?"}`, asksAll, retry(state[:len(state)-1], answer)))
		refused("other arguments", s.modern("ask_form", `{"message":"Who?"}`, asksAll, retry(state, answer)))
		bare := s.modern("ask_form", `{}`, asksAll, "").asks(answerName).RequestState
		refused("another tool", s.modern("ask_twice", `{}`, asksAll, retry(bare, answer)))
		refused("no state", s.modern("ask_form", `{"message":"Which?"}`, asksAll, `,"inputResponses":`+answer))
		refused("the answer of a model", s.modern("ask_form", `{"message":"Which?"}`, asksAll, retry(state, `{"answer":{"role":"assistant","model":"m","content":{"type":"text","text":"x"}}}`)))
		if got := s.modern("ask_form", `{"message":"Which?"}`, asksAll, retry(state, answer)).result().tool(t); got.IsError {
			t.Errorf("%+v", got)
		}
		time.Sleep(stateLife + time.Second)
		refused("too old", s.modern("ask_form", `{"message":"Which?"}`, asksAll, retry(state, answer)))
	})
}

func TestNothingIsAskedThatWasNotDeclared(t *testing.T) {
	for tool, declared := range map[string]string{
		"ask_form": `{"sampling":{},"elicitation":{"url":{}}}`, "ask_url": `{"sampling":{},"elicitation":{"form":{}}}`,
		"ask_twice": `{}`, "summarise": `{"elicitation":{"form":{},"url":{}}}`,
	} {
		inSite(t, func(t *testing.T, s *site) {
			x := s.modern(tool, `{}`, declared, "")
			if status := x.answered(); status != http.StatusBadRequest || !strings.Contains(x.text(), fmt.Sprint(mcp.CodeMissingRequiredClientCapabilities)) {
				t.Errorf("%s: status %d, %s", tool, status, x.text())
			}
		})
	}
	inSite(t, func(_ *testing.T, s *site) { // no mode named means forms
		s.modern("ask_form", `{}`, `{"elicitation":{}}`, "").asks(answerName)
	})
}

func TestToolsThatNeedAHandshakeAreGone(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		for tool := range handshakeOnly {
			x := s.modern(tool, `{}`, asksAll, "")
			if status := x.answered(); status != http.StatusBadRequest || !strings.Contains(x.text(), "there is no tool") {
				t.Errorf("%s: status %d, %s", tool, status, x.text())
			}
		}
	})
}

// Over stdio the rounds are the same, and so is the cancel by a message.
func TestRoundsOverStdio(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := start(t)
		collected := make(chan struct{})
		go func() {
			defer close(collected)
			p.collect()
		}()
		defer func() {
			p.stop()
			<-p.done
			<-collected
		}()
		const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_form","arguments":{},%s}}`, meta)
		pass(0)
		first := decode[askedInRound](t, p.answer("1").Result)
		p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask_form","arguments":{},%s%s}}`, meta,
			retry(first.RequestState, `{"answer":{"action":"cancel"}}`))
		p.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"stubborn","arguments":{},%s}}`, meta)
		p.send(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"countdown","arguments":{},%s}}`, meta)
		pass(time.Second / 2)
		p.cancel(3, "stop")
		p.cancel(4, "stop")
		sleepLong()
		if got := p.answer("2").tool(t); got.Content[0].Text != "You left it without a choice." {
			t.Errorf("%+v", got)
		}
		if got := p.answer("3").tool(t); !strings.Contains(got.Content[0].Text, "although") {
			t.Errorf("%+v", got)
		}
		if n := len(p.answers("4")); n != 0 {
			t.Errorf("%d answers to the call that was to go quiet", n)
		}
	})
}
