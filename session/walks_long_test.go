package session

import (
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/task"
)

// handled handles a message, and returns the length of the longest text that was walked over meanwhile,
// its decoding left out.
func (r *rig) handled(x ExchangeID, message string) (longest int) {
	f := mcp.Decode([]byte(message))
	rawjson.Walked = func(text []byte) { longest = max(longest, len(text)) }
	defer func() { rawjson.Walked = nil }()
	r.s.Receive(r.now, x, f)
	return longest
}

// A server may put megabytes into an answer. What the core needs of them was read when the message was
// decoded, outside the lock: under the lock nobody walks over them once more.
func TestALongAnswerIsWalkedOverWhenItIsDecodedOnly(t *testing.T) {
	const brief = 4 << 10
	bulk := `"bulk":[` + strings.Repeat("0,", 50*brief) + `0]`
	refused := func(id mcp.ID, code, member string) string {
		return `{"jsonrpc":"2.0","id":` + id.String() + `,"error":{"code":` + code + `,"message":"no","data":{` + bulk + `,` + member + `}}}`
	}
	result := func(id mcp.ID, members string) string {
		return `{"jsonrpc":"2.0","id":` + id.String() + `,"result":{` + members + `}}`
	}
	opening := func() (*webRig, Output) {
		w := newWebRig(t, func(c *Config) { c.DiscoverLimit = 3 * time.Second })
		out := w.post(methodDiscover)
		w.opened(out.X, Head{Status: 400, Media: mediaJSON})
		return w, out
	}
	for name, handled := range map[string]func(t *testing.T) (longest int){
		"initialize is refused": func(t *testing.T) int {
			r := opened(t, Config{})
			n := r.handled(ExchangeID{Epoch: r.epoch}, refused(mcp.IntID(1), "-32602", `"supported":["2031-01-01"]`))
			if f := r.s.Status().Failure; f == nil || !slices.Equal(f.Supported, []mcp.Revision{"2031-01-01"}) {
				t.Errorf("%+v", f)
			}
			return n
		},
		"server/discover is refused for its revision": func(t *testing.T) int {
			w, out := opening()
			n := w.handled(out.X, refused(mcp.IntID(1), "-32022", `"supported":["2031-01-01"]`))
			if f := w.s.Status().Failure; f == nil || !strings.Contains(f.Text, `it lists "2031-01-01"`) {
				t.Errorf("%+v", f)
			}
			return n
		},
		"server/discover is refused for a capability": func(t *testing.T) int {
			w, out := opening()
			n := w.handled(out.X, refused(mcp.IntID(1), "-32021", `"requiredCapabilities":{"x":{}}`))
			if f := w.s.Status().Failure; f == nil || !strings.Contains(f.Text, `it requires {"x":{}}`) || f.Hint != `belay does not have "x"` {
				t.Errorf("%+v", f)
			}
			return n
		},
		"server/discover is refused late": func(t *testing.T) int {
			r := opened(t, Config{DiscoverLimit: 3 * time.Second})
			r.wait(3 * time.Second)
			r.recv("%s", agreement(mcp.IntID(2), mcp.Rev20251125, `{}`))
			r.wait(time.Second)
			n := r.handled(ExchangeID{Epoch: r.epoch}, refused(mcp.IntID(1), "-32022", `"supported":["2031-01-01"]`))
			if len(r.events("late answer to server/discover")) != 1 {
				t.Errorf("%q", r.events(""))
			}
			return n
		},
		"a call lacks a capability": func(t *testing.T) int {
			w := modernWeb(t)
			id, out := w.tool("t")
			n := w.handled(out.X, refused(w.row(id).Wire, "-32021", `"requiredCapabilities":{"roots":{}}`))
			if d, _ := w.s.Detail(id); !slices.Equal(d.MissingCapabilities, []Capability{CapRoots}) || !strings.HasSuffix(d.ErrText, `: {"roots":{}}`) {
				t.Errorf("%v, %q", d.MissingCapabilities, d.ErrText)
			}
			return n
		},
		"a call is refused for its revision": func(t *testing.T) int {
			w := modernWeb(t)
			id, out := w.tool("t")
			n := w.handled(out.X, refused(w.row(id).Wire, "-32022", `"supported":["2025-06-18"]`))
			if d, _ := w.s.Detail(id); d.Remedy.Revision != "2025-06-18" || !strings.HasSuffix(d.ErrText, `it supports "2025-06-18"`) {
				t.Errorf("%+v, %q", d.Remedy, d.ErrText)
			}
			return n
		},
		"an error comes late": func(t *testing.T) int {
			r := ready(t, mcp.Rev20251125)
			id, wire := r.call("t")
			r.cancel(id, "")
			return r.handled(ExchangeID{Epoch: r.epoch}, refused(wire, "-32603", `"a":0`))
		},
		"a resource is empty": func(t *testing.T) int {
			r := ready(t, mcp.Rev20251125)
			id, wire := r.made(CallSpec{Method: "resources/read", Params: []byte(`{"uri":"a:b"}`)})
			n := r.handled(ExchangeID{Epoch: r.epoch}, result(wire, bulk+`,"contents":[]`))
			if note := r.row(id).Note; !strings.HasPrefix(note, "the contents are empty") {
				t.Errorf("%q", note)
			}
			return n
		},
		"a resource is long": func(t *testing.T) int {
			r := ready(t, mcp.Rev20251125)
			id, wire := r.made(CallSpec{Method: "resources/read", Params: []byte(`{"uri":"a:b"}`)})
			n := r.handled(ExchangeID{Epoch: r.epoch}, result(wire, `"contents":[{"uri":"a:b",`+bulk+`,"text":""}]`))
			if note := r.row(id).Note; note != "" {
				t.Errorf("%q", note)
			}
			return n
		},
		"a cancel is acknowledged": func(t *testing.T) int {
			r := tasking(t, mcp.Rev20260728)
			id := r.begun()
			r.cancel(id, "")
			n := r.handled(ExchangeID{Epoch: r.epoch}, result(r.wantNext(task.Cancel.Method()), `"resultType":"complete","_meta":{`+bulk+`},"x":0`))
			r.wantDiag(mcp.DiagTaskAck, 1)
			return n
		},
		"a subscription ends": func(t *testing.T) int {
			r := ready(t, mcp.Rev20260728, withoutListening)
			id, wire := r.listens(allLists)
			n := r.handled(ExchangeID{Epoch: r.epoch}, result(wire, `"resultType":"complete","_meta":{`+bulk+`,"io.modelcontextprotocol/subscriptionId":`+wire.String()+`}`))
			if r.wantDiag(mcp.DiagSubTag, 0); !r.row(id).State.IsTerminal() {
				t.Errorf("%v", r.row(id).State)
			}
			return n
		},
	} {
		t.Run(name, func(t *testing.T) {
			if n := handled(t); n > brief {
				t.Errorf("a text of %d bytes was walked over under the lock", n)
			}
		})
	}
}
