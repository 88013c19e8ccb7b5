package session

import (
	"math"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// A list is fetched again when it is looked at and its time is over, and not by
// itself.
func TestListsThatAge(t *testing.T) {
	requirements.Rows(t, "SRV-39", "SRV-42", "SRV-43")
	r := aged(t)
	r.lists(fresh)
	asked := func(want int, when string) {
		t.Helper()
		r.pull()
		if got := r.sent(`"tools/list"`); got != want {
			t.Errorf("%s: asked %d times, want %d", when, got, want)
		}
	}
	r.lines = nil
	l := r.s.Catalog().Lists[mcp.Tools]
	if !l.Ages || l.TTL != time.Minute || l.Scope != "public" || !l.Fetched.Equal(r.now) || l.HasExpired(r.now) || !l.Complete {
		t.Errorf("%+v", l)
	}
	r.wait(time.Minute - 1)
	r.s.Tell(r.now, Look{})
	asked(0, "while it is fresh")
	r.wait(time.Hour)
	asked(0, "while nobody looks")
	r.s.Tell(r.now, Look{})
	r.s.Tell(r.now, Look{})
	asked(1, "old, and looked at")
	if l := r.s.Catalog().Lists[mcp.Tools]; len(l.Items) != 1 || !l.Loading {
		t.Errorf("meanwhile the old one is shown: %+v", l)
	}
	r.lists(fresh)
	r.s.Tell(r.now, Look{})
	asked(1, "fresh again")
	if _, err := r.s.Handle(r.now, Reload{}); err != nil {
		t.Fatal(err)
	}
	asked(2, "reloaded")
	r.lists(fresh)
	r.recv(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	r.wait(time.Second)
	asked(3, "changed")
	r.wantDiag(mcp.DiagSubTag, 1)
	for hints, ages := range map[string]time.Duration{
		``: 0, `,"resultType":"complete"`: 0, `,"ttlMs":0`: 0, `,"ttlMs":-5`: 0, `,"ttlMs":"9"`: 0, `,"ttlMs":1500`: 1500 * time.Millisecond,
		`,"ttlMs":1.5`: 0, `,"ttlMs":9007199254740993`: math.MaxInt64 / time.Millisecond * time.Millisecond, `,"ttlMs":1e3`: time.Second,
	} {
		r := aged(t)
		r.lists(hints)
		l := r.s.Catalog().Lists[mcp.Tools]
		if l.TTL != ages || ages < time.Hour && !l.HasExpired(r.now.Add(ages)) || ages > 0 && l.HasExpired(r.now.Add(ages-1)) {
			t.Errorf("%s: %+v", hints, l)
		}
	}
	t.Run("before", func(t *testing.T) {
		r := serving(t, mcp.Rev20251125, `{"tools":{}}`)
		r.lists(`,"ttlMs":1`)
		r.wait(time.Hour)
		r.lines = nil
		r.s.Tell(r.now, Look{})
		r.pull()
		r.wantLines()
		if l := r.s.Catalog().Lists[mcp.Tools]; l.Ages || l.HasExpired(r.now) {
			t.Errorf("%+v", l)
		}
	})
}

func TestWhatResultsSayOfTheirCaching(t *testing.T) {
	requirements.Rows(t, "SRV-38", "SRV-46")
	for hints, want := range map[string]string{
		`,"ttlMs":0,"cacheScope":"private"`:  "",
		`,"cacheScope":"public"`:             "ttlMs is missing",
		`,"ttlMs":-1,"cacheScope":"public"`:  "ttlMs cannot be right",
		`,"ttlMs":"1","cacheScope":"public"`: "ttlMs cannot be right",
		`,"ttlMs":1`:                         "cacheScope is missing",
		`,"ttlMs":1,"cacheScope":"ours"`:     "cacheScope cannot be right",
		``:                                   "ttlMs is missing, cacheScope is missing",
	} {
		r := aged(t)
		r.lists(`,"resultType":"complete"` + hints)
		var found string
		for _, d := range r.s.Diagnostics() {
			if d.Code == mcp.DiagCacheHint {
				found = d.Detail
			}
		}
		if found != strings.TrimSuffix("tools/list: "+want, "tools/list: ") {
			t.Errorf("%s: %q", hints, found)
		}
	}
	t.Run("pages of different scopes", func(t *testing.T) {
		r := aged(t)
		r.lists(`,"resultType":"complete","ttlMs":9000,"cacheScope":"private","nextCursor":"2"`)
		r.lists(`,"resultType":"complete","ttlMs":5000,"cacheScope":"public"`)
		if l := r.s.Catalog().Lists[mcp.Tools]; l.Scope != "private" || l.TTL != 5*time.Second || len(l.Items) != 2 {
			t.Errorf("%+v", l)
		}
		r.wantDiag(mcp.DiagCacheScope, 1)
	})
}

// What the user reads is shown with how long it stays fresh; it is read anew each
// time.
func TestAResourceSaysHowLongItStaysFresh(t *testing.T) {
	r := aged(t)
	r.lists(fresh)
	read := CallSpec{Method: "resources/read", Params: []byte(`{"uri":"file:///a"}`)}
	id, wire := r.made(read)
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete","contents":[],"ttlMs":1500,"cacheScope":"private"}}`, wire)
	if d, _ := r.s.Detail(id); d.Cache == nil || d.Cache.TTL != 1500*time.Millisecond || d.Cache.Scope != "private" {
		t.Errorf("%+v", d.Cache)
	}
	r.lines = nil
	r.made(read)
	if r.sent(`"resources/read"`) != 1 {
		t.Errorf("written: %v", r.lines)
	}
	id, wire = r.call("t")
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete","content":[],"ttlMs":5}}`, wire)
	if d, _ := r.s.Detail(id); d.Cache != nil {
		t.Errorf("the result of a tool: %+v", d.Cache)
	}
}
