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

// A verdict cites the revision of the connection, its page there and its rule, as far as
// that has one.
func TestEachVerdictIsCitedByItsRevision(t *testing.T) {
	for _, tt := range []struct {
		v    cancel.Verdict
		rev  mcp.Revision
		want mcp.Revision
		page string
		rule string
	}{
		{cancel.Quiet, mcp.Rev20241105, mcp.Rev20241105, pageCancel, "SHOULD stop"},
		{cancel.Quiet, mcp.Rev20260728, mcp.Rev20260728, pageAbort, "SHOULD stop"},
		{cancel.AnsweredLate, mcp.Rev20250618, mcp.Rev20250618, pageCancel, "the sender SHOULD ignore"},
		{cancel.AnsweredLate, mcp.Rev20260728, mcp.Rev20260728, pageAbort, "MUST NOT send any further"},
		{cancel.StreamClosed, mcp.Rev20260728, mcp.Rev20260728, pageAbort, "MUST take"},
		{cancel.TaskCompleted, mcp.Rev20251125, mcp.Rev20251125, pageTasks, "MUST stay"},
		{cancel.TaskCompleted, mcp.Rev20260728, mcp.Rev20260728, TasksExtension, "intent"},
		{cancel.TaskRefused, mcp.Rev20251125, mcp.Rev20251125, pageTasks, "MUST refuse"},
		{cancel.TaskRefused, mcp.Rev20260728, mcp.Rev20260728, TasksExtension, "SHOULD answer"},
		{cancel.ServerUnresponsive, mcp.Rev20250326, mcp.Rev20250326, pagePing, "MUST respond"},
		{cancel.ServerUnresponsive, mcp.Rev20260728, mcp.Rev20260728, pageDiscover, "MUST implement"},
		{cancel.NothingRunning, mcp.Rev20250326, mcp.Rev20250326, pageCancel, "MUST only"},
		{cancel.ServerDied, mcp.Rev20260728, mcp.Rev20260728, "basic/transports/stdio", "MAY shut down"},
		{cancel.ServerDied, mcp.Rev20250618, mcp.Rev20250618, "basic/lifecycle", "may end a session"},
		{cancel.NotDelivered, mcp.Rev20260728, mcp.Rev20260728, "basic/transports/streamable-http", "202"},
		{cancel.NotDelivered, mcp.Rev20250326, mcp.Rev20250326, "basic/transports", "202"},
		{cancel.Quiet, "", mcp.Rev20251125, pageCancel, "SHOULD stop"},
	} {
		if c := CiteIn(tt.v, tt.rev); c.Revision != tt.want || c.Page != tt.page || !strings.Contains(c.Rule, tt.rule) {
			t.Errorf("%v in %q: %+v", tt.v, tt.rev, c)
		}
	}
	for _, v := range cancel.Verdicts() {
		for _, rev := range mcp.Supported() {
			c := CiteIn(v, rev)
			if c.Rule == "" || c.Page == pageCancel && c.Revision.IsModern() || c.Page == pageTrans && c.Revision.IsModern() || c.Page == pageAbort && !c.Revision.IsModern() || c.Page == pageTasks && c.Revision != mcp.Rev20251125 {
				t.Errorf("%v in %s: %+v", v, rev, c)
			}
		}
	}
}
