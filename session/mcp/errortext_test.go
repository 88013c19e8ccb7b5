package mcp

import (
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
