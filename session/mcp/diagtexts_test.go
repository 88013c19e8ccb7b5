package mcp

import "testing"

// The pages about patterns of messages stand elsewhere since 2026-07-28, and a diagnostic
// names the page of the connection's revision.
func TestACitationNamesThePageOfItsRevision(t *testing.T) {
	for i := range diagTexts {
		code := DiagCode(i)
		for _, rev := range []Revision{Rev20251125, Rev20260728} {
			c := code.Cite(rev)
			if _, gone := moved[c.Page]; gone && c.Revision.Modern() {
				t.Errorf("%v: %s has no page %s", code, c.Revision, c.Page)
			}
		}
	}
	for page, want := range map[string]string{pageCancel: "basic/patterns/cancellation", pageTools: pageTools} {
		if got := pageIn(Rev20260728, page); got != want {
			t.Errorf("%s stands in %s, want %s", page, got, want)
		}
		if got := pageIn(Rev20251125, page); got != page {
			t.Errorf("%s stands in %s in 2025-11-25", page, got)
		}
	}
}
