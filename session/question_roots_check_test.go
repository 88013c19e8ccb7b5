package session

import (
	"fmt"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

const rootsAsk = `{"jsonrpc":"2.0","id":%v,"method":"roots/list"}`

func TestRootsAreLookedAtBeforeTheyAreGivenAway(t *testing.T) {
	requirements.Rows(t, "RTS-06", "RTS-14")
	a, b := Root{URI: "file:///a"}, Root{URI: "file:///b"}
	checked := func(t *testing.T) *rig {
		return ready(t, mcp.Rev20251125, func(c *Config) { c.Roots, c.CheckRoots = []Root{a, b}, true })
	}
	// look is the only look that is out.
	look := func(r *rig) Output {
		r.t.Helper()
		if len(r.looks) != 1 || fmt.Sprint(r.looks[0].Roots) != fmt.Sprint(r.s.Config().Roots) {
			r.t.Fatalf("%+v", r.looks)
		}
		out := r.looks[0]
		r.looks = nil
		return out
	}
	t.Run("all can be read", func(t *testing.T) {
		r := checked(t)
		r.recv(rootsAsk, 1)
		r.recv(rootsAsk, 2)
		r.wantLines() // not before somebody has looked
		r.s.Tell(r.now, RootsChecked{Seq: look(r).Seq})
		r.pull()
		r.wantLines(`{"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///a"},{"uri":"file:///b"}]}}`,
			`{"jsonrpc":"2.0","id":2,"result":{"roots":[{"uri":"file:///a"},{"uri":"file:///b"}]}}`)
	})
	t.Run("one cannot", func(t *testing.T) {
		r := checked(t)
		r.recv(rootsAsk, 1)
		r.s.Tell(r.now, RootsChecked{Seq: look(r).Seq, Gone: []Root{a}})
		r.pull()
		r.wantLines(`{"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///b"}]}}`, rootsNews)
		if got := r.s.UnreadableRoots(); len(got) != 1 || got[0] != a {
			t.Errorf("unreadable: %v", got)
		}
	})
	t.Run("nobody can say", func(t *testing.T) {
		r := checked(t)
		r.recv(rootsAsk, 1)
		r.s.Tell(r.now, RootsChecked{Seq: look(r).Seq, Failure: "the disk does not answer"})
		r.pull()
		r.wantLines(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"the disk does not answer"}}`)
	})
	t.Run("the server takes its request back meanwhile", func(t *testing.T) {
		r := checked(t)
		r.recv(rootsAsk, 1)
		r.recv(cancelledNote, 1)
		r.recv(rootsAsk, 2)
		r.s.Tell(r.now, RootsChecked{Seq: look(r).Seq})
		r.pull()
		if r.sent(`"id":1`) != 0 || r.sent(`"id":2,"result"`) != 1 {
			t.Errorf("written: %v", r.lines)
		}
	})
	t.Run("a look of another connection, or a second report, changes nothing", func(t *testing.T) {
		r := checked(t)
		r.recv(rootsAsk, 1)
		old := look(r).Seq
		r.closed()
		r.s.Tell(r.now, RootsChecked{Seq: old, Gone: []Root{a, b}})
		r.reconnect(mcp.Rev20251125)
		r.lines = nil
		r.recv(rootsAsk, 1)
		r.s.Tell(r.now, RootsChecked{Seq: old, Gone: []Root{a, b}})
		r.pull()
		r.wantLines()
		seq := look(r).Seq
		r.s.Tell(r.now, RootsChecked{Seq: seq})
		r.s.Tell(r.now, RootsChecked{Seq: seq, Gone: []Root{a}})
		r.pull()
		if r.sent(`"id":1,"result"`) != 1 || len(r.lines) != 1 {
			t.Errorf("written: %v", r.lines)
		}
	})
	t.Run("a flood", func(t *testing.T) {
		r := checked(t)
		for i := range 3 * maxWaiting {
			r.recv(rootsAsk, i)
		}
		if r.sent(`"error":{"code":-32603`) != 2*maxWaiting {
			t.Errorf("%d lines", len(r.lines))
		}
		r.s.Tell(r.now, RootsChecked{Seq: look(r).Seq})
		r.pull()
		if r.sent(`"result"`) != maxWaiting {
			t.Errorf("%d lines", len(r.lines))
		}
	})
}

func TestRootsAreWatched(t *testing.T) {
	requirements.Rows(t, "RTS-11", "RTS-15")
	a := Root{URI: "file:///a"}
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.Roots, c.CheckRoots = []Root{a}, true })
	for i, gone := range [][]Root{nil, {a}, {a}, nil} {
		r.wait(time.Minute)
		if len(r.looks) != 1 {
			t.Fatalf("minute %d: %d looks", i, len(r.looks))
		}
		r.s.Tell(r.now, RootsChecked{Seq: r.looks[0].Seq, Gone: gone})
		r.looks = nil
		r.pull()
		if got := len(r.s.UnreadableRoots()); got != len(gone) {
			t.Errorf("minute %d: %d are flagged", i, got)
		}
	}
	r.wantLines(rootsNews, rootsNews) // it went, and it came back
	r.wait(time.Minute)
	r.wait(10 * time.Minute)
	if len(r.looks) != 1 {
		t.Errorf("%d looks are out, and nobody reports", len(r.looks))
	}

	t.Run("nobody looks at what no server is told", func(t *testing.T) {
		for _, change := range []func(*Config){
			func(c *Config) { c.CheckRoots = true },
			func(c *Config) { c.Roots = []Root{a} },
		} {
			r := ready(t, mcp.Rev20251125, change)
			if at, due := r.s.Deadline(); due {
				t.Errorf("something is due at %v", at)
			}
			r.wait(time.Hour)
			if len(r.looks) != 0 {
				t.Errorf("%d looks", len(r.looks))
			}
		}
	})
}
