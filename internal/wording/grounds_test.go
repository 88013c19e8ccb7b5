package wording

import (
	"slices"
	"strings"
	"testing"

	"belay/session/cancel"
	"belay/session/mcp"
)

// Each verdict has its evidence and its rule, and claims no more than the others do.
func TestEachVerdictHasGrounds(t *testing.T) {
	for _, v := range cancel.Verdicts() {
		g := GroundsOf(v)
		if !strings.HasSuffix(g.Seen, ".") || g.Cite.Page == "" || g.Cite.Rule == "" || !slices.Contains(mcp.Supported(), g.Cite.Revision) {
			t.Errorf("%v: %+v", v, g)
		}
		if strings.Contains(g.Seen, "server stopped") || strings.Contains(g.Seen, "work stopped") {
			t.Errorf("%v claims to know: %s", v, g.Seen)
		}
	}
	if len(grounds) != len(cancel.Verdicts()) {
		t.Errorf("%d grounds for %d verdicts", len(grounds), len(cancel.Verdicts()))
	}
}
