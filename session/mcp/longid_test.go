package mcp

import (
	"slices"
	"strings"
	"testing"

	"belay/internal/requirements"
)

// An ID of megabytes would be compared, repeated and remembered: it is none, and that
// is said.
func TestAnIDThatIsTooLong(t *testing.T) {
	requirements.Rows(t, "SEC-16")
	long, fits := `"`+strings.Repeat("i", MaxID)+`"`, `"`+strings.Repeat("i", MaxID-2)+`"`
	for _, raw := range []string{
		`{"jsonrpc":"2.0","id":ID,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":ID,"result":{}}`,
		`{"jsonrpc":"2.0","id":ID,"error":{"code":-1,"message":""}}`,
	} {
		f := Decode([]byte(strings.ReplaceAll(raw, "ID", long)))
		said := slices.ContainsFunc(f.Problems, func(p Problem) bool {
			return p.Code == DiagIDType && strings.HasSuffix(p.Detail, "of 16.4 kB, which is more than 16.4 kB")
		})
		if !f.ID.IsZero() || f.IDRaw != nil || !said || f.Kind == FrameRequest {
			t.Errorf("%.40s: the ID is taken: %v, %v", raw, f.Kind, f.Problems)
		}
		if f := Decode([]byte(strings.ReplaceAll(raw, "ID", fits))); f.ID.IsZero() {
			t.Errorf("%.40s: an ID that fits is not taken: %v", raw, f.Problems)
		}
	}
	if f := Decode([]byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + long + `,"progress":1}}`)); !f.Progress.Token.IsZero() {
		t.Error("a token that is too long is taken")
	}
	if f := Decode([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + long + `}}`)); !f.Cancelled.ID.IsZero() || f.Cancelled.Why == "" {
		t.Errorf("a requestId that is too long is taken: %q", f.Cancelled.Why)
	}
}
