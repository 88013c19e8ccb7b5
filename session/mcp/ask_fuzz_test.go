package mcp

import (
	"fmt"
	"testing"
	"unicode/utf8"
)

// FuzzAsk reads what a server may ask of the user: nothing panics, what is told
// is bounded, and a message is judged as its parameters are by themselves.
func FuzzAsk(f *testing.F) {
	for _, s := range []string{
		wholeSampling, `{"mode":"url","message":"m","url":"https://a.b/c","elicitationId":"e1"}`, `{}`, `[]`, ``, `{"messages":[{"role":"user","content":[[],{},null,{"type":7}]}],"maxTokens":1e9}`,
		`{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"array","items":{"anyOf":[]}},"b":null}}}`,
		`{"messages":[{"role":"assistant","content":{"type":"tool_use","id":"u"}},{"role":"user","content":{"type":"tool_result","toolUseId":"u","content":[{"type":"tool_result"}]}}]}`,
		`{"modelPreferences":{"hints":[1,{"name":2}]},"tools":[0],"toolChoice":[],"stopSequences":{}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, params []byte) {
		for _, rev := range Supported() {
			s, one := ParseSampling(rev, params)
			e, other := ParseElicitation(rev, params)
			if len(one) > MaxProblems || len(other) > MaxProblems || len(s.Messages) > MaxParts {
				t.Fatalf("%d and %d problems, %d messages", len(one), len(other), len(s.Messages))
			}
			if !utf8.ValidString(e.Message+e.URL+e.ElicitationID+s.SystemPrompt) || e.Mode == ElicitURL && other == nil && !isURL(e.URL) {
				t.Fatalf("%+v", e)
			}
			for method, want := range map[string][]Problem{"sampling/createMessage": one, "elicitation/create": other} {
				m := Decode(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params))
				if m.Kind != FrameRequest || !WellFormed(params) {
					continue
				}
				if got := m.Ask.Problems(rev); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("%s of %s: %v, by themselves %v", method, rev, got, want)
				}
			}
		}
	})
}
