package session

import (
	"errors"
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

const rootsNews = `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`

func TestRootsChangeAtRunTime(t *testing.T) {
	requirements.Rows(t, "RTS-01", "RTS-03")
	a, b := Root{URI: "file:///a"}, Root{URI: "file:///b%20c", Name: "b"}
	set := func(r *rig, roots ...Root) bool {
		t.Helper()
		told, err := toldOf(r.s.Handle(r.now, SetRoots{Roots: roots}))
		if err != nil {
			t.Fatal(err)
		}
		r.pull()
		return told
	}
	for _, rev := range mcp.Handshakes() {
		t.Run(string(rev), func(t *testing.T) {
			r := ready(t, rev, func(c *Config) { c.Roots = []Root{a} })
			if told, again := set(r, a, b), set(r, a, b); !told || !again || !r.s.Status().RootsTold {
				t.Error("the server was told that there are roots")
			}
			r.wantLines(rootsNews) // once, for the one change
			r.lines = nil
			set(r)
			r.recv(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
			r.wantLines(rootsNews, `{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}`)
		})
	}
	t.Run("a server that was not told that there are roots", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		if set(r, a) || r.s.Status().RootsTold {
			t.Error("it cannot be told")
		}
		r.recv(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
		if r.sent(`"id":1,"error":{"code":-32601`) != 1 || len(r.lines) != 1 {
			t.Errorf("written: %v", r.lines)
		}
		r.closed()
		r.reconnect(mcp.Rev20251125)
		r.lines = nil
		r.recv(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
		r.wantLines(`{"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///a"}]}}`)
	})
	t.Run("before the connection is ready", func(t *testing.T) {
		r := opened(t, Config{Roots: []Root{a}})
		r.lines = nil
		if !set(r, b) {
			t.Error("it will be told")
		}
		r.wantLines()
		r.agree(mcp.Rev20251125, `{}`)
		r.wantLines(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, rootsNews)
	})
	t.Run("without a connection", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125, func(c *Config) { c.Roots = []Root{a} })
		r.closed()
		if set(r, b) {
			t.Error("there is nobody to tell")
		}
		r.wantLines()
	})
}

func TestWhatIsNoRootIsRefused(t *testing.T) {
	requirements.Rows(t, "RTS-05", "RTS-09")
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.Roots = []Root{{URI: "file:///a"}} })
	for _, uri := range []string{"", "/a", "https://a/b", "file:a", "file://", "file:///a/../b", "file:///a/%2e%2e/b", `file:///a/..%5cb`, "file:///%zz", "file://server/share", "FILE"} {
		if _, err := r.s.Handle(r.now, SetRoots{Roots: []Root{{URI: "file:///fine"}, {URI: uri}}}); !errors.Is(err, errParams) {
			t.Errorf("%q: %v", uri, err)
		}
	}
	for _, uri := range []string{"file:///a/..b/c..", "file:///C:/Users/a%20b", "file:////server/share", "file:///a./%C3%BC"} {
		if _, err := r.s.Handle(r.now, SetRoots{Roots: []Root{{URI: uri}}}); err != nil {
			t.Errorf("%q: %v", uri, err)
		}
	}
}

func TestRootsBelongToOneServer(t *testing.T) {
	requirements.Rows(t, "RTS-10")
	one := ready(t, mcp.Rev20251125, func(c *Config) { c.Roots = []Root{{URI: "file:///one"}} })
	other := ready(t, mcp.Rev20251125, func(c *Config) { c.Roots = []Root{{URI: "file:///other"}} })
	if _, err := one.s.Handle(one.now, SetRoots{Roots: []Root{{URI: "file:///one"}, {URI: "file:///more"}}}); err != nil {
		t.Fatal(err)
	}
	other.recv(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
	other.wantLines(`{"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///other"}]}}`)
}
