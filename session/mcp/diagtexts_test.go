package mcp

import (
	"slices"
	"strings"
	"testing"
)

// pages are those of the specification that a citation may name, without its revision.
var pages = map[bool]string{
	false: "basic basic/lifecycle basic/transports basic/utilities/cancellation basic/utilities/progress basic/utilities/tasks " +
		"client/elicitation client/sampling schema server/prompts server/resources server/tools server/utilities/completion server/utilities/logging",
	true: "basic basic/patterns/cancellation basic/patterns/mrtr basic/patterns/progress basic/patterns/subscriptions basic/transports " +
		"basic/transports/stdio basic/transports/streamable-http basic/versioning client/elicitation client/sampling schema server server/discover " +
		"server/prompts server/resources server/tools server/utilities/caching server/utilities/completion server/utilities/logging " + TasksExtension,
}

// Pages stand elsewhere since 2026-07-28, and a diagnostic names the page of the connection's
// revision.
func TestACitationNamesThePageOfItsRevision(t *testing.T) {
	for i := range diagTexts {
		code := DiagCode(i)
		for _, rev := range []Revision{Rev20251125, Rev20260728} {
			c := code.Cite(rev)
			if c.Page != "" && !slices.Contains(strings.Fields(pages[c.Revision.IsModern()]), c.Page) {
				t.Errorf("%q: %s has no page %s", code.Words(), c.Revision, c.Page)
			}
		}
	}
	for page, want := range map[string]string{pageCancel: "basic/patterns/cancellation", pageTools: pageTools, pageStdio: pageStdio, pageTrans: pageTrans} {
		if got := pageIn(Rev20260728, page); got != want {
			t.Errorf("%s stands in %s, want %s", page, got, want)
		}
	}
	for page, want := range map[string]string{pageCancel: pageCancel, pageStdio: pageTrans, pageHTTP: pageTrans} {
		if got := pageIn(Rev20251125, page); got != want {
			t.Errorf("%s stands in %s in 2025-11-25, want %s", page, got, want)
		}
	}
}
