package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// withoutListening has belay not subscribe by itself.
func withoutListening(c *Config) { c.NoListen = true }

// page answers the request for a page that was written last, with tools of these
// names; cursor is raw JSON, or empty for the last page.
func (r *rig) page(cursor string, names ...string) {
	r.t.Helper()
	if cursor != "" {
		cursor = `,"nextCursor":` + cursor
	}
	tools := make([]string, len(names))
	for i, n := range names {
		tools[i] = fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, n)
	}
	r.answerList(mcp.Tools, fresh+cursor, tools...)
}

// noPage answers it with an error.
func (r *rig) noPage(code int) {
	r.t.Helper()
	r.recv(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"no"}}`, read(r.t, r.latestSent("tools/list")).ID, code)
}

func (r *rig) reload() {
	r.t.Helper()
	if _, err := r.s.Handle(r.now, Reload{}); err != nil {
		r.t.Fatal(err)
	}
	r.pull()
}

// names are those of the tools that are shown.
func (r *rig) names() string {
	var all []string
	for _, it := range r.s.Catalog().Lists[mcp.Tools].Items {
		all = append(all, it.Name)
	}
	return strings.Join(all, " ")
}

// A list is fetched page by page, to the page without a cursor, whatever the
// pages hold.
func TestAListOfPages(t *testing.T) {
	requirements.Rows(t, "SRV-26", "SRV-27", "SRV-31")
	for _, rev := range []mcp.Revision{mcp.Rev20241105, mcp.Rev20251125, mcp.Rev20260728} {
		r := serving(t, rev, `{"tools":{}}`, withoutListening)
		r.page("", "alone")
		if l := r.s.Catalog().Lists[mcp.Tools]; r.sent(`"tools/list"`) != 1 || !l.Complete || l.Loading || r.names() != "alone" {
			t.Errorf("%s: one page: %d requests, %+v", rev, r.sent(`"tools/list"`), l)
		}
		r.reload()
		r.page(`"2"`, "a")
		r.page(`"3"`, "b", "c", "d", "e", "f", "g", "h")
		r.page(`"4"`)
		if l := r.s.Catalog().Lists[mcp.Tools]; !l.Loading || r.names() != "alone" {
			t.Errorf("%s: half of it is shown: %+v", rev, l)
		}
		r.page("", "i")
		if l := r.s.Catalog().Lists[mcp.Tools]; r.sent(`"tools/list"`) != 5 || !l.Complete || r.names() != "a b c d e f g h i" {
			t.Errorf("%s: %d requests, %s", rev, r.sent(`"tools/list"`), r.names())
		}
		r.reload()
		for i := range 50 {
			cursor := ""
			if i < 49 {
				cursor = fmt.Sprintf(`"page %d"`, i+1)
			}
			r.page(cursor, fmt.Sprintf("tool%d", i))
		}
		if l := r.s.Catalog().Lists[mcp.Tools]; !l.Complete || len(l.Items) != 50 {
			t.Errorf("%s: %d of 50 pages", rev, len(l.Items))
		}
	}
	t.Run("without end", func(t *testing.T) {
		r := serving(t, mcp.Rev20251125, `{"tools":{}}`, withoutListening)
		began := r.now
		for i := range maxPages {
			if r.page(fmt.Sprintf(`"%d"`, i), fmt.Sprintf("tool%d", i)); i+1 < swiftPages {
				continue
			}
			if r.wait(pagePause - 1); len(r.s.InFlight(nil, 1)) != 0 {
				t.Fatalf("page %d follows at once", i+2)
			}
			r.wait(1)
		}
		if took := r.now.Sub(began); took != time.Duration(maxPages-swiftPages+1)*pagePause {
			t.Errorf("it took %v", took)
		}
		l := r.s.Catalog().Lists[mcp.Tools]
		if l.Loading || l.Complete || len(l.Items) != maxPages || l.Problem != "the list does not end; it was cut at 1000 entries" || len(r.s.InFlight(nil, 1)) != 0 || r.diag(mcp.DiagListPages) != 1 {
			t.Errorf("loading %v, complete %v, %d entries, %q", l.Loading, l.Complete, len(l.Items), l.Problem)
		}
	})
	t.Run("without a cursor that is one", func(t *testing.T) {
		r := serving(t, mcp.Rev20251125, `{"tools":{}}`, withoutListening)
		r.page("7", "a")
		if l := r.s.Catalog().Lists[mcp.Tools]; l.Loading || l.Complete || r.names() != "a" || l.Problem != "nextCursor is a number, not a string; the list may go on" {
			t.Errorf("%+v", l)
		}
	})
}

// A cursor goes back byte by byte as it came, and the empty one is one.
func TestCursorsAreSentBackAsTheyCame(t *testing.T) {
	requirements.Rows(t, "SRV-28", "SRV-30")
	for _, cursor := range []string{
		`"quotes \" and \\ and \/"`, `"é 日本 \u65e5 \ud83d\ude00 🂡"`, `"eyJvIjo0MH0="`, `"` + strings.Repeat("8KiB----", 1024) + `"`,
		`"\u0000\n\u2028"`, `"\ud800"`, `"<&>"`, `" "`, `""`, `"null"`,
	} {
		for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
			r := serving(t, rev, `{"tools":{}}`, withoutListening)
			r.page(cursor, "a")
			if got := r.latestSent("tools/list"); !strings.Contains(got, `"params":{"cursor":`+cursor) {
				t.Errorf("%s, cursor %.40s: written %.200s", rev, cursor, got)
			}
			r.page("", "b")
			if l := r.s.Catalog().Lists[mcp.Tools]; !l.Complete || r.names() != "a b" {
				t.Errorf("%s, cursor %.40s: %+v", rev, cursor, l)
			}
		}
	}
	t.Run("what is no UTF-8", func(t *testing.T) {
		r := serving(t, mcp.Rev20251125, `{"tools":{}}`, withoutListening)
		r.page("\"\xff\"", "a")
		if got := r.latestSent("tools/list"); !strings.Contains(got, `"cursor":"`+"\uFFFD"+`"`) {
			t.Errorf("written %q", got)
		}
	})
	t.Run("again and again", func(t *testing.T) {
		r := serving(t, mcp.Rev20251125, `{"tools":{}}`, withoutListening)
		r.page(`""`, "a", "b")
		r.page(`""`, "a", "b") // as servers do that write an empty cursor at the end
		if l := r.s.Catalog().Lists[mcp.Tools]; l.Loading || r.names() != "a b" || !strings.Contains(l.Problem, "repeats the same cursor") || r.diag(mcp.DiagListPages) != 1 {
			t.Errorf("%s: %+v", r.names(), l)
		}
		r.reload()
		r.page(`"x"`, "a")
		r.page(`"x"`, "b")
		if r.names() != "a b" {
			t.Errorf("another page with the same cursor: %s", r.names())
		}
	})
}

// A connection does not use the cursors of the one before.
func TestCursorsEndWithTheSession(t *testing.T) {
	requirements.Rows(t, "SRV-29")
	r := serving(t, mcp.Rev20251125, `{"tools":{}}`, withoutListening)
	r.page(`"old"`, "a")
	r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 1"}})
	if l := r.s.Catalog().Lists[mcp.Tools]; l.Loading || l.Problem == "" || r.s.catalog.lists[mcp.Tools].cursor != nil {
		t.Errorf("%+v", l)
	}
	r.lines = nil
	r.connect()
	r.agree(mcp.Rev20251125, `{"tools":{}}`)
	if r.sent(`"tools/list"`) != 1 || r.sent("cursor") != 0 {
		t.Errorf("written: %v", r.lines)
	}
}

// A cursor that the server rejects drops the pages that came: the list is
// fetched anew, once, and then by hand.
func TestARejectedCursorBeginsTheListAnew(t *testing.T) {
	requirements.Rows(t, "ERR-19", "SRV-45")
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		r := serving(t, rev, `{"tools":{}}`, withoutListening)
		r.page(`"two"`, "a")
		r.page(`"three"`, "b")
		r.noPage(-32602)
		if r.sent(`"tools/list"`) != 4 || r.sent("cursor") != 2 || len(r.events("rejected its own cursor after page 2 of the tools")) != 1 {
			t.Fatalf("%s: written %v", rev, r.lines)
		}
		r.page("", "c", "d")
		if l := r.s.Catalog().Lists[mcp.Tools]; l.Problem != "" || !l.Complete || r.names() != "c d" {
			t.Fatalf("%s: %s %+v", rev, r.names(), l)
		}
		r = serving(t, rev, `{"tools":{}}`, withoutListening)
		for range 2 {
			r.page(`"two"`, "a")
			r.noPage(-32602)
		}
		l := r.s.Catalog().Lists[mcp.Tools]
		if l.Loading || l.Complete || r.names() != "a" || l.Problem != "the server rejected its own cursor after page 1" || l.Remedy.Kind != RemedyReload || r.sent(`"tools/list"`) != 4 {
			t.Fatalf("%s: %+v, written %v", rev, l, r.lines)
		}
		r.lines = nil
		r.reload()
		if r.sent(`"tools/list"`) != 1 || r.sent("cursor") != 0 {
			t.Fatalf("written: %v", r.lines)
		}
		r.page("", "c")
		if l := r.s.Catalog().Lists[mcp.Tools]; l.Problem != "" || l.Remedy != (Remedy{}) || !l.Complete || r.names() != "c" {
			t.Fatalf("%+v", l)
		}
	}
}

// A list that was fetched to its end stays when it cannot be fetched again, and
// is called stale until it can.
func TestAStaleList(t *testing.T) {
	requirements.Rows(t, "SRV-44")
	r := serving(t, mcp.Rev20260728, `{"tools":{}}`, withoutListening)
	r.noPage(-32603)
	if l := r.s.Catalog().Lists[mcp.Tools]; l.Stale || l.Problem != `refused: error -32603: "no"` {
		t.Errorf("there is none to be stale: %+v", l)
	}
	r.reload()
	r.page("", "a", "b")
	for name, fail := range map[string]func(){
		"refused":          func() { r.noPage(-32603) },
		"half of it":       func() { r.page(`"2"`, "c"); r.noPage(-32000) },
		"no list":          func() { r.recv(`{"jsonrpc":"2.0","id":%s,"result":{}}`, read(t, r.latestSent("tools/list")).ID) },
		"the user ends it": func() { r.cancel(r.s.InFlight(nil, 1)[0].ID, ""); r.wait(time.Minute) },
		"the connection ends": func() {
			r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 1"}})
		},
	} {
		if r.s.Status().Phase != Ready {
			r = serving(t, mcp.Rev20260728, `{"tools":{}}`, withoutListening)
			r.page("", "a", "b")
		}
		r.reload()
		if l := r.s.Catalog().Lists[mcp.Tools]; !l.Loading || r.names() != "a b" {
			t.Errorf("before %s: %s %+v", name, r.names(), l)
		}
		fail()
		if l := r.s.Catalog().Lists[mcp.Tools]; !l.Stale || l.Loading || l.Complete || l.Problem == "" || r.names() != "a b" {
			t.Errorf("%s: %s %+v", name, r.names(), l)
		}
	}
	r = serving(t, mcp.Rev20260728, `{"tools":{}}`, withoutListening)
	r.page("", "a")
	r.reload()
	r.noPage(-32603)
	r.wait(time.Minute)
	r.lines = nil
	r.s.Tell(r.now, Look{})
	r.pull()
	r.page("", "b")
	if l := r.s.Catalog().Lists[mcp.Tools]; l.Stale || !l.Complete || r.names() != "b" {
		t.Errorf("after the next look: %s %+v", r.names(), l)
	}
}

// The same tools in another order are told of, since 2026-07-28.
func TestTheOrderOfTools(t *testing.T) {
	requirements.Rows(t, "SRV-20")
	for _, tt := range []struct {
		rev   mcp.Revision
		names []string
		found int
	}{
		{mcp.Rev20260728, []string{"a", "b", "c"}, 0},
		{mcp.Rev20260728, []string{"b", "a", "c"}, 1},
		{mcp.Rev20260728, []string{"b", "a", "d"}, 0},
		{mcp.Rev20260728, []string{"b", "a"}, 0},
		{mcp.Rev20251125, []string{"b", "a", "c"}, 0},
	} {
		r := serving(t, tt.rev, `{"tools":{}}`, withoutListening)
		r.page("", "a", "b", "c")
		r.reload()
		r.page("", tt.names...)
		r.wantDiag(mcp.DiagToolOrder, tt.found)
		r.reload()
		r.page("", tt.names...)
		r.wantDiag(mcp.DiagToolOrder, tt.found)
	}
}

func TestListChangesWithoutEndAreFetchedOnceASecond(t *testing.T) {
	r := serving(t, mcp.Rev20251125, `{"tools":{"listChanged":true}}`)
	for range 3000 {
		r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, mcp.Decode([]byte(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)))
		r.wait(time.Millisecond)
	}
	if n := r.sent(`"tools/list"`); n > 4 {
		t.Errorf("%d requests for a list that never came", n)
	}
}

// Also where each request is answered at once, a server that announces changes
// without end is asked once a second (SUB-25).
func TestListChangesThatAreAnsweredAtOnce(t *testing.T) {
	requirements.Rows(t, "SUB-25")
	r := serving(t, mcp.Rev20251125, `{"tools":{"listChanged":true}}`)
	r.lists("")
	r.wait(time.Minute)
	r.lines = nil
	for range 3000 {
		r.recv(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		r.wait(time.Millisecond)
		if len(r.s.InFlight(nil, 1)) > 0 {
			r.lists("")
		}
	}
	if n := r.sent(`"tools/list"`); n < 3 || n > 4 {
		t.Errorf("%d requests in three seconds of changes", n)
	}
}

// A list that is being fetched is fetched once more afterwards, also when the
// request hangs: its timeout gives it up, as that of any call.
func TestAListThatHangsIsFetchedAgain(t *testing.T) {
	r := serving(t, mcp.Rev20251125, `{"tools":{"listChanged":true}}`)
	hung := r.asked(mcp.Tools.Method())
	if _, err := r.s.Handle(r.now, Reload{Kinds: []mcp.ListKind{mcp.Tools}}); err != nil {
		t.Fatal(err)
	}
	r.recv(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	r.wait(10 * time.Second)
	if l := r.s.Catalog().Lists[mcp.Tools]; !l.Loading || l.Page != hung.ID || r.sent(mcp.Tools.Method()) != 1 {
		t.Fatalf("%+v; written: %q", l, r.lines)
	}
	r.wait(r.s.Config().Idle + cancel.UndeliveredAfter + 5*time.Second)
	if row := r.row(hung.ID); row.State != Cancelled || row.Initiator != cancel.ByTimeout {
		t.Errorf("%+v", row)
	}
	next := r.asked(mcp.Tools.Method())
	if l := r.s.Catalog().Lists[mcp.Tools]; l.Page != next.ID || r.sent(mcp.Tools.Method()) != 2 {
		t.Errorf("%+v; written: %q", l, r.lines)
	}
	r.answerList(mcp.Tools, "", `{"name":"t","inputSchema":{"type":"object"}}`)
	r.wait(time.Minute)
	if l := r.s.Catalog().Lists[mcp.Tools]; l.Loading || l.Page != 0 || !l.Complete || r.sent(mcp.Tools.Method()) != 2 {
		t.Errorf("%+v; written: %q", l, r.lines)
	}
}
