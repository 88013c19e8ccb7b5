package session

import (
	"fmt"
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// What is done with a list under the lock is bounded: of tools so many are taken, and
// told of no more than some, whatever is wrong with their names.
func TestAListThatIsTooLong(t *testing.T) {
	requirements.Rows(t, "SEC-16")
	r := serving(t, mcp.Rev20251125, `{"tools":{}}`, withoutListening)
	names := make([]string, maxTools+7)
	for i := range names {
		names[i] = fmt.Sprintf("no name %d", i/2) // each twice
	}
	r.page("", names...)
	l := r.s.Catalog().Lists[mcp.Tools]
	if l.Complete || len(l.Items) != maxTools || l.Problem != "the list is too long; it was cut at 20000 entries" {
		t.Errorf("complete %v, %d entries, %q", l.Complete, len(l.Items), l.Problem)
	}
	told := 0
	for _, d := range r.s.Diagnostics() {
		if d.Code == mcp.DiagToolName || d.Code == mcp.DiagToolTwins {
			told += d.Count
		}
	}
	if told < namesTold || told > namesTold+1 {
		t.Errorf("told %d times of names", told)
	}
	if last := l.Items[maxTools-1]; last.NameFault == "" || last.Twins != 2 {
		t.Errorf("the last is not marked: %q, %d twins", last.NameFault, last.Twins)
	}
}

// A list that is just not too long is whole.
func TestAListThatIsLong(t *testing.T) {
	r := serving(t, mcp.Rev20251125, `{"tools":{}}`, withoutListening)
	names := make([]string, maxTools)
	for i := range names {
		names[i] = fmt.Sprintf("t%d", i)
	}
	r.page("", names...)
	if l := r.s.Catalog().Lists[mcp.Tools]; !l.Complete || len(l.Items) != maxTools {
		t.Errorf("complete %v, %d entries, %q", l.Complete, len(l.Items), l.Problem)
	}
}

// The entries of another list are moved when a page follows: so many are taken, in
// however many pages they come.
func TestAListOfManyPagesThatIsTooLong(t *testing.T) {
	requirements.Rows(t, "SEC-16")
	r := serving(t, mcp.Rev20251125, `{"resources":{}}`, withoutListening)
	const pages, each = 3, 20_000
	for page := range pages {
		entries := make([]string, each)
		for i := range entries {
			entries[i] = fmt.Sprintf(`{"name":"r","uri":"a:%d"}`, page*each+i)
		}
		r.answerList(mcp.Resources, fmt.Sprintf(`,"nextCursor":"%d"`, page), entries...)
	}
	l := r.s.Catalog().Lists[mcp.Resources]
	if l.Complete || len(l.Items) != 50_000 || l.Problem != "the list is too long; it was cut at 50000 entries" {
		t.Errorf("complete %v, %d entries, %q", l.Complete, len(l.Items), l.Problem)
	}
	if n := r.sent("resources/list"); n != pages {
		t.Errorf("%d pages were fetched, want %d", n, pages)
	}
}
