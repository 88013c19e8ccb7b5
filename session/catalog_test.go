package session

import (
	"fmt"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/timer"
)

// alone is what a machine stands on, without a session.
type alone struct {
	log
	cfg    Config
	conn   connection
	rows   rows
	timers timer.List
}

func newAlone(rev mcp.Revision, transport mcp.Transport) *alone {
	a := &alone{cfg: Config{Transport: transport}.withDefaults()}
	a.conn = connection{epoch: 1, phase: Ready, rev: rev, era: new(era), trips: new(cancel.RoundTrips)}
	a.log.init(&a.cfg, origin, &a.conn, &a.rows)
	return a
}

// TestTheStepsOfAList goes through what an answer for a list leads to.
func TestTheStepsOfAList(t *testing.T) {
	page := func(next string, names ...string) string {
		items := ""
		for i, n := range names {
			if i > 0 {
				items += ","
			}
			items += fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, n)
		}
		if next != "" {
			next = fmt.Sprintf(`,"nextCursor":%q`, next)
		}
		return `{"jsonrpc":"2.0","id":1,"result":{"tools":[` + items + `]` + next + `}}`
	}
	const rejected = `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"bad cursor"}}`
	const refused = `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}`
	type want struct {
		ask, over, came bool
		params          string
		items           int
		complete, stale bool
	}
	for name, steps := range map[string][]struct {
		answer string
		want   want
	}{
		"one page": {{page("", "a", "b"), want{over: true, came: true, items: 2, complete: true}}},
		"two pages": {
			{page("p2", "a"), want{ask: true, params: `{"cursor":"p2"}`}},
			{page("", "b"), want{over: true, came: true, items: 2, complete: true}},
		},
		"the cursor is rejected once": {
			{page("p2", "a"), want{ask: true, params: `{"cursor":"p2"}`}},
			{rejected, want{ask: true}},
			{page("", "b"), want{over: true, came: true, items: 1, complete: true}},
		},
		"the cursor is rejected twice": {
			{page("p2", "a"), want{ask: true, params: `{"cursor":"p2"}`}},
			{rejected, want{ask: true}},
			{page("p2", "a"), want{ask: true, params: `{"cursor":"p2"}`}},
			{rejected, want{over: true, came: true, items: 1}},
		},
		"the same cursor again": {
			{page("p2", "a"), want{ask: true, params: `{"cursor":"p2"}`}},
			{page("p2", "b"), want{over: true, came: true, items: 2}},
		},
		"refused":                {{refused, want{over: true}}},
		"no list":                {{`{"jsonrpc":"2.0","id":1,"result":{}}`, want{over: true}}},
		"a whole one, then none": {{page("", "a"), want{over: true, came: true, items: 1, complete: true}}, {refused, want{over: true, items: 1, stale: true}}},
	} {
		a := newAlone(mcp.Rev20251125, mcp.Stdio)
		g := catalog{log: &a.log, cfg: &a.cfg, timers: &a.timers}
		over := true
		for i, step := range steps {
			if over {
				if params := g.begin(mcp.Tools); params != nil {
					t.Errorf("%s: the first page has the parameters %s", name, params)
				}
			}
			r := &request{}
			g.notePageRequest(mcp.Tools, r)
			got := g.onAnswer(r, mcp.Decode([]byte(step.answer)), Remedy{})
			over = got.over
			l := &g.lists[mcp.Tools]
			if now := (want{got.ask, got.over, got.came, string(got.params), len(l.Items), l.Complete, l.Stale}); now != step.want {
				t.Errorf("%s, answer %d: %+v, want %+v (%s)", name, i+1, now, step.want, l.Problem)
			}
			if l.loading == got.over {
				t.Errorf("%s, answer %d: over %v, and loading %v", name, i+1, got.over, l.loading)
			}
			if again := g.onAnswer(&request{}, mcp.Decode([]byte(step.answer)), Remedy{}); again.ask || again.over {
				t.Errorf("%s, answer %d: an answer that nobody awaits led to %+v", name, i+1, again)
			}
		}
	}
}

// A list whose request was cancelled keeps what follows for the end of the input.
func TestAStoppedListLeavesItsStep(t *testing.T) {
	a := newAlone(mcp.Rev20251125, mcp.Stdio)
	g := catalog{log: &a.log, cfg: &a.cfg, timers: &a.timers}
	for _, k := range []mcp.ListKind{mcp.Prompts, mcp.Tools} {
		g.begin(k)
		g.notePageRequest(k, &request{list: k})
		g.onListCancelled(k)
		if l := &g.lists[k]; l.loading || l.Problem != "fetching it was cancelled" || g.stopped.over != (k == mcp.Tools) {
			t.Errorf("%v: loading %v, %q, %+v", k, l.loading, l.Problem, g.stopped)
		}
	}
	a.conn.phase, g.stopped = Disconnected, listStep{}
	g.begin(mcp.Tools)
	g.notePageRequest(mcp.Tools, &request{})
	if g.onListCancelled(mcp.Tools); g.stopped.over {
		t.Error("a list is over that went with its connection")
	}
}

// What changed is fetched at once, and again later where it is being fetched.
func TestWhatChangedIsFetched(t *testing.T) {
	a := newAlone(mcp.Rev20251125, mcp.Stdio)
	g := catalog{log: &a.log, cfg: &a.cfg, timers: &a.timers}
	g.lists[mcp.Tools].changed, g.lists[mcp.Prompts].changed = true, true
	g.begin(mcp.Prompts)
	g.lists[mcp.Prompts].changed = true
	if got := g.refresh(); len(got) != 1 || got[0] != mcp.Tools {
		t.Errorf("fetched %v, want the tools alone", got)
	}
	if at := a.timers.At(once(dueRefresh)); !at.Equal(origin.Add(refreshPause)) {
		t.Errorf("the prompts are fetched again at %v", at)
	}
	a.conn.phase, a.now = Closing, origin.Add(time.Minute)
	if got := g.refresh(); got != nil || !a.timers.At(once(dueRefresh)).IsZero() {
		t.Errorf("fetched %v on a connection that closes", got)
	}
}
