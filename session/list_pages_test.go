package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/session/mcp"
)

// coming are the names of the tools of pages that came, beside those of the list.
func (r *rig) coming() string {
	var all []string
	l := r.s.Catalog().Lists[mcp.Tools]
	for _, it := range l.More() {
		all = append(all, it.Name)
	}
	return strings.Join(all, " ")
}

// The tools of the pages that came are there, also when the next page never comes.
func TestAPageThatNeverComes(t *testing.T) {
	for _, rev := range []mcp.Revision{mcp.Rev20241105, mcp.Rev20251125, mcp.Rev20260728} {
		r := serving(t, rev, `{"tools":{}}`, withoutListening)
		r.page(`"2"`, "a", "b")
		r.wait(comingAfter - 1)
		if r.coming() != "" {
			t.Errorf("%s: %q is shown while the rest may come", rev, r.coming())
		}
		before := r.s.Catalog().Rev
		r.wait(1)
		if c := r.s.Catalog(); r.coming() != "a b" || r.names() != "" || c.Rev == before || !c.Lists[mcp.Tools].Loading {
			t.Errorf("%s: %q: %+v", rev, r.coming(), c.Lists[mcp.Tools])
		}
		r.page(`"3"`, "c")
		r.wait(comingAfter)
		if r.coming() != "a b c" {
			t.Errorf("%s: after another page %q", rev, r.coming())
		}
		held := r.s.Catalog().Lists[mcp.Tools].Coming
		r.page("", "a")
		if l := r.s.Catalog().Lists[mcp.Tools]; r.names() != "a b c a" || r.coming() != "" || !l.Complete || l.Items[0].Twins != 2 {
			t.Errorf("%s: at the end %q and %q", rev, r.names(), r.coming())
		}
		if held[0].Twins != 0 {
			t.Errorf("%s: what was shown has changed: %+v", rev, held[0])
		}
	}
	t.Run("all of it within a moment", func(t *testing.T) {
		r := serving(t, mcp.Rev20251125, `{"tools":{}}`, withoutListening)
		r.page(`"2"`, "a")
		r.page("", "b")
		before := r.s.Catalog().Rev
		r.wait(time.Minute)
		if c := r.s.Catalog(); r.coming() != "" || r.names() != "a b" || c.Rev != before {
			t.Errorf("%q and %q", r.names(), r.coming())
		}
	})
	t.Run("of a list that is fetched again", func(t *testing.T) {
		r := serving(t, mcp.Rev20251125, `{"tools":{}}`, withoutListening)
		r.page("", "a", "b")
		r.reload()
		r.page(`"2"`, "b", "c")
		r.wait(comingAfter)
		if r.names() != "a b" || r.coming() != "c" {
			t.Errorf("%q and %q", r.names(), r.coming())
		}
		r.cancel(r.s.InFlight(nil, 1)[0].ID, "")
		r.wait(time.Minute)
		if l := r.s.Catalog().Lists[mcp.Tools]; !l.Stale || r.names() != "a b" || r.coming() != "c" {
			t.Errorf("given up: %q and %q, %+v", r.names(), r.coming(), l)
		}
		r.reload()
		if r.coming() != "" {
			t.Errorf("fetched anew: %q", r.coming())
		}
		r.page("", "d")
		if r.names() != "d" || r.coming() != "" {
			t.Errorf("%q and %q", r.names(), r.coming())
		}
	})
	t.Run("of a list that is given up", func(t *testing.T) {
		r := serving(t, mcp.Rev20251125, `{"tools":{}}`, withoutListening)
		r.page(`"2"`, "a")
		r.wait(comingAfter)
		r.cancel(r.s.InFlight(nil, 1)[0].ID, "")
		r.wait(time.Minute)
		if l := r.s.Catalog().Lists[mcp.Tools]; l.Loading || r.names() != "a" || r.coming() != "" || l.Problem == "" {
			t.Errorf("%q and %q, %+v", r.names(), r.coming(), l)
		}
	})
	t.Run("and the connection ends", func(t *testing.T) {
		r := serving(t, mcp.Rev20251125, `{"tools":{}}`, withoutListening)
		r.page(`"2"`, "a")
		r.wait(comingAfter)
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 1"}})
		if _, due := r.s.Deadline(); due || r.coming() != "" {
			t.Errorf("%q is still to come", r.coming())
		}
	})
}

// A call of such a tool is one like any other: what the server says of the tool
// counts, before the rest of the list is there.
func TestAToolOfAPageThatCame(t *testing.T) {
	t.Run("its hints and its output schema", func(t *testing.T) {
		r := serving(t, mcp.Rev20251125, `{"tools":{}}`, withoutListening)
		r.answerList(mcp.Tools, `,"nextCursor":"2"`,
			`{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`)
		r.wait(comingAfter)
		if it := r.s.ToolOf([]byte(`{"name":"a"}`)); !it.Hints().ReadOnly.On {
			t.Errorf("%+v", it)
		}
		_, wire := r.call("a")
		r.recv(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, wire)
		r.wantDiag(mcp.DiagNoStructured, 1)
	})
	t.Run("its fields in the head", func(t *testing.T) {
		w := servingWeb(t, mcp.Rev20260728, `{"tools":{}}`)
		w.answerList(mcp.Tools, `,"resultType":"complete","nextCursor":"2"`, region("good", "Region", ""), region("bad", "a b", ""))
		if _, out := w.inRegion("good"); field(out, "Mcp-Param-Region") != "eu" {
			t.Errorf("went with %v", out.Header)
		}
		if _, err := w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"bad"}`)}}); err == nil || !strings.Contains(err.Error(), "HTTP token") {
			t.Errorf("called: %v", err)
		}
	})
	t.Run("where there is no head", func(t *testing.T) {
		r := serving(t, mcp.Rev20260728, `{"tools":{}}`, withoutListening)
		var tools []string
		for i := range 2 * unfitTold {
			tools = append(tools, region(fmt.Sprintf("t%d", i), "a b", ""))
		}
		r.answerList(mcp.Tools, fresh+`,"nextCursor":"2"`, tools[:unfitTold-1]...)
		r.wait(comingAfter)
		l := r.s.Catalog().Lists[mcp.Tools]
		if more := l.More(); len(more) != unfitTold-1 || more[0].Unfit != "" || more[0].Mirrors != nil {
			t.Errorf("%+v", more)
		}
		r.answerList(mcp.Tools, fresh, tools[unfitTold-1:]...)
		told, more := r.events("would be left out over HTTP: "), r.events(fmt.Sprintf("%d more tools would be left out over HTTP", unfitTold))
		if len(told) != unfitTold || len(more) != 1 {
			t.Errorf("told %q and %q", told, more)
		}
	})
}
