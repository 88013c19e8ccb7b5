package item

import (
	"testing"

	"belay/session/mcp"
)

// Whether a tool is destructive or idempotent is not told of one that only reads: the hints mean
// nothing there. Where it is said all the same, the question before the call tells it.
func TestAToolThatReadsIsNotCalledDestructive(t *testing.T) {
	for annotations, want := range map[string]string{
		`{"readOnlyHint":true,"destructiveHint":false}`: "claims: read-only · default: open world",
		`{"readOnlyHint":true}`:                         "claims: read-only · default: open world",
		`{"readOnlyHint":true,"destructiveHint":true}`:  "claims: read-only · default: open world",
		`{"readOnlyHint":true,"idempotentHint":true}`:   "claims: read-only · default: open world",
		`{"readOnlyHint":false}`:                        "claims: writes · default: destructive, not idempotent, open world",
		`{"destructiveHint":false}`:                     "claims: not destructive · default: writes, not idempotent, open world",
	} {
		if got := Claims(&mcp.Item{Annotations: []byte(annotations)}); string(got) != want {
			t.Errorf("%s: %s, want %s", annotations, got, want)
		}
	}
}
