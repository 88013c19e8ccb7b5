package mcp

import (
	"slices"
	"strings"
	"testing"
)

// The answer to server/discover comes before any revision is agreed on, or at last in an older
// one: the codes of the era that has this method mean there what they mean in that era.
func TestTheCodesOfTheModernEraInAnAnswerToTheProbe(t *testing.T) {
	for code, want := range map[int64]string{
		CodeUnsupportedVersion: "the server does not speak this revision", CodeMissingCapability: "lacks a capability", CodeHeaderMismatch: "the HTTP headers",
	} {
		for _, rev := range []Revision{"", Rev20251125, Rev20260728} {
			if got := ErrorText(&RPCError{Code: code}, "server/discover", rev); !strings.Contains(got, want) {
				t.Errorf("%d in %q: %q", code, rev, got)
			}
		}
		if got := ErrorText(&RPCError{Code: code}, "tools/call", Rev20251125); got != "a code that this revision does not define" {
			t.Errorf("%d of a call: %q", code, got)
		}
	}
}

// What stands beside the message of an error is nothing, a text, or more than that.
func TestTheDataBesideAMessage(t *testing.T) {
	for data, want := range map[string]ErrorTexts{
		``: {nil, true}, `null`: {nil, true}, `{}`: {nil, true}, `{ }`: {nil, true}, `""`: {nil, true}, `" "`: {nil, true},
		`"gone"`:                             {[]string{"gone"}, true},
		`"g\u006fne"`:                        {[]string{"gone"}, true},
		`"` + strings.Repeat("x", 401) + `"`: {[]string{strings.Repeat("x", 400) + "…"}, false},
		`"` + strings.Repeat("x", 1e5) + `"`: {nil, false},
		`{"rows":3}`:                         {nil, false},
		`{"error":"gone"}`:                   {nil, false},
		`["gone"]`:                           {nil, false},
		`[]`:                                 {nil, false},
		`0`:                                  {nil, false},
		`false`:                              {nil, false},
	} {
		e := RPCError{Message: "gone", Data: []byte(data)}
		if texts, whole := e.Beside(); !slices.Equal(texts, want.Texts) || whole != want.Whole {
			t.Errorf("%.40s: %q, %v", data, texts, whole)
		}
	}
}
