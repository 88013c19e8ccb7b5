package session

import (
	"fmt"
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// What the server wants of the user, or of the roots, can belong to a request of belay's
// that it has and works on: to a call, also one that is being cancelled, and to a request
// that belay makes by itself. It belongs to nothing that waits to be written, to no
// subscription that stands, and not to the handshake.
func TestWhatCountsAsInFlight(t *testing.T) {
	requirements.Rows(t, "SMP-41")
	for _, strict := range []bool{false, true} {
		change := func(c *Config) { c.StrictAsks, c.Roots = strict, []Root{{URI: "file:///a"}} }
		for name, tt := range map[string]struct {
			rig    func(t *testing.T) *rig
			served bool
		}{
			"nothing": {func(t *testing.T) *rig { return ready(t, mcp.Rev20251125, change) }, false},
			"a call": {func(t *testing.T) *rig {
				r := ready(t, mcp.Rev20251125, change)
				r.call("t")
				return r
			}, true},
			"a call that has ended": {func(t *testing.T) *rig {
				r := ready(t, mcp.Rev20251125, change)
				_, wire := r.call("t")
				r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, wire)
				return r
			}, false},
			"a call that is being cancelled": {func(t *testing.T) *rig {
				r := ready(t, mcp.Rev20251125, change)
				id, _ := r.call("t")
				r.cancel(id, "")
				return r
			}, true},
			"a call that is queued": {func(t *testing.T) *rig {
				r := ready(t, mcp.Rev20251125, change)
				r.mute = true
				if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`)}}); err != nil {
					t.Fatal(err)
				}
				return r
			}, false},
			"the handshake": {func(*testing.T) *rig {
				var cfg Config
				change(&cfg)
				return opened(t, cfg) // whose answers wait until it is over
			}, false},
			"a list that belay asks for": {func(t *testing.T) *rig {
				r := serving(t, mcp.Rev20251125, `{"tools":{}}`, change)
				if row := r.asked("tools/list"); row.Origin == FromUser {
					t.Fatalf("%+v", row)
				}
				return r
			}, true},
			"a subscription that is asked for": {func(t *testing.T) *rig {
				r := ready(t, mcp.Rev20251125, change)
				if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "resources/subscribe", Params: []byte(`{"uri":"` + boardURI + `"}`)}}); err != nil {
					t.Fatal(err)
				}
				r.pull()
				return r
			}, true},
			"a subscription that stands": {func(t *testing.T) *rig {
				r := ready(t, mcp.Rev20251125, change)
				r.standing(boardURI)
				return r
			}, false},
		} {
			t.Run(fmt.Sprintf("strict %v, %s", strict, name), func(t *testing.T) {
				r := tt.rig(t)
				r.lines = nil
				r.recv(samplingAsk, 9001)
				r.recv(elicitationAsk, 9002)
				r.recv(`{"jsonrpc":"2.0","id":9003,"method":"roots/list"}`)
				if r.mute = false; r.s.Status().Phase == Connecting {
					r.agree(mcp.Rev20251125, logging)
				}
				r.pull()
				refused := 0
				if strict && !tt.served {
					refused = 3
				}
				if got := r.sent(`"error":{"code":-32602`); got != refused || r.diag(mcp.DiagStrictAsk) != refused {
					t.Errorf("%d refused, want %d: %v", got, refused, r.lines)
				}
				if got, want := len(r.s.Questions()), 2-min(refused, 2); got != want {
					t.Errorf("%d questions, want %d", got, want)
				}
			})
		}
	}
}
