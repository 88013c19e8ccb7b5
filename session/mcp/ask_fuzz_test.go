package mcp

import (
	"fmt"
	"testing"
	"unicode/utf8"
)

// fuzzedBytes bounds what a fuzzer tries. The engine makes every input short that
// reaches something new, by about as many tries as the square of its length: long
// ones keep it busy for a minute each, in which nothing else is tried. What is
// longer is in the tests beside the fuzzers.
const fuzzedBytes = 160

// FuzzAsk reads what a server may ask of the user: nothing panics, what is told
// is bounded, and a message is judged as its parameters are by themselves.
func FuzzAsk(f *testing.F) {
	for i, s := range []string{
		`{"mode":"url","message":"m","url":"https://a.b/c","elicitationId":"e1"}`, `{}`, `[]`, ``, `{"messages":[{"role":"user","content":[[],{},null,{"type":7}]}],"maxTokens":1e9}`,
		`{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"array","items":{"anyOf":[]}},"b":null}}}`,
		`{"messages":[{"role":"assistant","content":{"type":"tool_use","id":"u"}}],"maxTokens":1}`,
		`{"messages":[{"role":"user","content":{"type":"tool_result","toolUseId":"u","content":[{"type":"tool_result"}]}}]}`,
		`{"messages":[{"role":"user","content":{"type":"image","data":"aGk=","mimeType":"image\/png"}}],"systemPrompt":"x"}`,
		`{"modelPreferences":{"hints":[1,{"name":2}],"costPriority":0.25},"tools":[0],"toolChoice":[],"stopSequences":{}}`,
	} {
		f.Add(uint8(i), []byte(s))
	}
	f.Fuzz(func(t *testing.T, rev uint8, params []byte) {
		if len(params) <= fuzzedBytes {
			judgeAsk(t, Supported()[int(rev)%len(Supported())], params)
		}
	})
}

// A long request is judged like the short ones that are fuzzed.
func TestALongRequestIsJudgedAsItsParameters(t *testing.T) {
	for _, rev := range Supported() {
		judgeAsk(t, rev, []byte(wholeSampling))
		judgeAsk(t, rev, []byte(`{"messages":[{"role":"assistant","content":{"type":"tool_use","id":"u"}},{"role":"user","content":{"type":"tool_result","toolUseId":"u","content":[{"type":"tool_result"}]}}]}`))
	}
}

// judgeAsk reads parameters in a revision, by themselves and in a message.
func judgeAsk(t *testing.T, rev Revision, params []byte) {
	t.Helper()
	s, one := ParseSampling(rev, params)
	e, other := ParseElicitation(rev, params)
	if len(one) > MaxProblems || len(other) > MaxProblems || len(s.Messages) > MaxParts {
		t.Fatalf("%d and %d problems, %d messages", len(one), len(other), len(s.Messages))
	}
	if !utf8.ValidString(e.Message+e.URL+e.ElicitationID+s.SystemPrompt) || e.Mode == ElicitURL && other == nil && !isURL(e.URL) {
		t.Fatalf("%+v", e)
	}
	for _, as := range []struct {
		method string
		want   []Problem
	}{{"sampling/createMessage", one}, {"elicitation/create", other}} {
		m := Decode(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, as.method, params))
		if m.Kind != FrameRequest || !IsWellFormed(params) {
			continue
		}
		if got := m.Ask.Problems(rev); fmt.Sprint(got) != fmt.Sprint(as.want) {
			t.Fatalf("%s of %s: %v, by themselves %v", as.method, rev, got, as.want)
		}
	}
}
