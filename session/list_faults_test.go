package session

import (
	"strings"
	"testing"
	"time"

	"belay/session/mcp"
)

// What cannot be read of one page is told when the last one has come, and not before: until
// then the rest of the list is on its way.
func TestFaultsOfAPageAreToldAtTheEndOfTheList(t *testing.T) {
	for name, c := range map[string]struct{ pages, want string }{
		"the first page":   {`"nonsense",{"name":"a"}|{"name":"b"}`, "entry 1 is a string"},
		"a later page":     {`{"name":"a"}|{"name":"b"},7`, "page 2: entry 2 is a number"},
		"both":             {`{"name":"a"},7|{"name":"b"},{}`, "entry 2 is a number; page 2: entry 2 has no name, or one that is no string"},
		"many of one page": {`{"name":"a"},1,2,3,4,5,6|{"name":"b"}`, "entry 2 is a number; entry 3 is a number; entry 4 is a number; and 3 more, the last: entry 7 is a number"},
		"four":             {`{"name":"a"},1,2,3,4|{"name":"b"}`, "entry 2 is a number; entry 3 is a number; entry 4 is a number; entry 5 is a number"},
		"none":             {`{"name":"a"}|{"name":"b"}`, ""},
	} {
		r := serving(t, mcp.Rev20251125, `{"tools":{}}`, withoutListening)
		pages := strings.Split(c.pages, "|")
		for i, page := range pages {
			if l := r.s.Catalog().Lists[mcp.Tools]; l.Problem != "" || !l.Loading {
				t.Errorf("%s: before page %d: %q, loading %v", name, i+1, l.Problem, l.Loading)
			}
			next := ""
			if i+1 < len(pages) {
				next = `,"nextCursor":"2"`
			}
			r.answerList(mcp.Tools, next, page)
		}
		l := r.s.Catalog().Lists[mcp.Tools]
		if l.Problem != c.want || l.Complete != (c.want == "") || r.names() != "a b" {
			t.Errorf("%s: %q, complete %v, %q", name, l.Problem, l.Complete, r.names())
		}
		r.reload()
		r.answerList(mcp.Tools, "", `{"name":"c"}`)
		if l := r.s.Catalog().Lists[mcp.Tools]; l.Problem != "" || !l.Complete {
			t.Errorf("%s: fetched again it is whole: %q", name, l.Problem)
		}
	}
}

// A list that the server does not answer tells that, and not only that it was given up.
func TestAListThatIsNotAnsweredTellsSo(t *testing.T) {
	for by, want := range map[string]string{"the timeout": "the server did not answer in time, and fetching it was cancelled", "the user": "fetching it was cancelled"} {
		r := serving(t, mcp.Rev20251125, `{"tools":{}}`, withoutListening)
		if by == "the user" {
			r.cancel(r.asked(mcp.Tools.Method()).ID, "")
		}
		r.wait(r.s.Config().Idle + time.Minute)
		if l := r.s.Catalog().Lists[mcp.Tools]; l.Problem != want {
			t.Errorf("given up by %s: %q", by, l.Problem)
		}
	}
}

// A list that breaks off tells why, and what could not be read of it until then.
func TestFaultsOfAListThatBreaksOff(t *testing.T) {
	r := serving(t, mcp.Rev20251125, `{"tools":{}}`, withoutListening)
	r.answerList(mcp.Tools, `,"nextCursor":"2"`, `{"name":"a"}`, `7`)
	r.answerList(mcp.Tools, `,"nextCursor":"2"`, `{"name":"b"}`)
	if l := r.s.Catalog().Lists[mcp.Tools]; l.Problem != "the server repeats the same cursor; the list may be incomplete; entry 2 is a number" || r.names() != "a b" {
		t.Errorf("%q, %q", l.Problem, r.names())
	}
}
