package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/rawjson"
)

const lackingAnswer = `{"jsonrpc":"2.0","id":%v,"error":{"code":-32021,"message":"no","data":{"requiredCapabilities":%s}}}`

// A server of the modern era that refuses server/discover stays one: belay declares
// what it can and asks again, and otherwise says what keeps it from that.
func TestDiscoverIsCorrected(t *testing.T) {
	requirements.Rows(t, "VER-36")
	for _, tt := range []struct {
		name, needs, code string
		change            func(*Config)
		again, hint       string
		remedy            RemedyKind
	}{
		{"roots", `{"roots":{}}`, "-32021", nil, `"roots":{}`, "", 0},
		{"tools in sampling", `{"sampling":{"tools":{}}}`, "-32021", nil, `"sampling":{"tools":{}}`, "", 0},
		{"declared anyway", `{"elicitation":{}}`, "-32021", nil, "", "the server is wrong", RemedyHandshake},
		{"switched off", `{"sampling":{}}`, "-32021", func(c *Config) { c.NoSampling = true }, "", "", RemedyAllowSampling},
		{"forms switched off", `{"elicitation":{"form":{}}}`, "-32021", func(c *Config) { c.NoForms = true }, "", "", RemedyAllowForms},
		{"all elicitation switched off", `{"elicitation":{"form":{}}}`, "-32021", func(c *Config) { c.NoElicitation = true }, "", "", RemedyAllowElicitation},
		{"addresses switched off", `{"elicitation":{"form":{},"url":{}}}`, "-32021", func(c *Config) { c.NoURLs = true }, "", "", RemedyAllowURLs},
		{"one of them is foreign", `{"roots":{},"extensions":{"x/tasks":{}}}`, "-32021", nil, "", "belay does not have extensions.x/tasks", RemedyHandshake},
		{"nothing named", `[]`, "-32021", nil, "", "names no capability", RemedyHandshake},
		{"a header", `{}`, "-32020", nil, "", "MCP-Protocol-Version: 2026-07-28", RemedyHandshake},
	} {
		t.Run(tt.name, func(t *testing.T) {
			change := []func(*Config){func(c *Config) { c.DiscoverLimit = 3 * time.Second }}
			if tt.change != nil {
				change = append(change, tt.change)
			}
			w := newWebRig(t, change...)
			out := w.post("server/discover")
			refuse := func() {
				out = w.post("server/discover")
				w.opened(out.X, Head{Status: 400, Media: mediaJSON})
				w.recvOn(out.X, strings.Replace(lackingAnswer, "-32021", tt.code, 1), "null", tt.needs)
				w.ended(out.X, End{})
			}
			if tt.again != "" && strings.Contains(string(out.Data), tt.again) {
				t.Fatalf("declared at once: %s", out.Data)
			}
			refuse()
			if tt.again == "" {
				if f := w.s.Status().Failure; f == nil || !strings.Contains(f.Hint, tt.hint) || f.Remedy.Kind != tt.remedy || !strings.Contains(f.Text, tt.code) || w.count(OpWrite) != 1 {
					t.Errorf("%+v, %d POSTs", f, w.count(OpWrite))
				}
				return
			}
			if out = w.post("server/discover"); !strings.Contains(string(out.Data), tt.again) || len(w.events("(code -32021)")) != 1 {
				t.Fatalf("asked again: %s\n%v", out.Data, w.events(""))
			}
			w.agree(mcp.Rev20260728, `{"tools":{}}`)
			w.list()
			if _, call := w.tool("t"); !strings.Contains(string(call.Data), tt.again) || w.count(OpWrite, `"initialize"`) != 0 {
				t.Errorf("ready, and then: %s", call.Data)
			}
			w = newWebRig(t, change...)
			refuse()
			refuse()
			if f := w.s.Status().Failure; f == nil || w.count(OpWrite) != 2 {
				t.Errorf("refused twice: %+v, %d POSTs", f, w.count(OpWrite))
			}
		})
	}
}

// A call that is refused for want of a capability says which, and a new one
// declares it, and only that one.
func TestACallThatLacksACapability(t *testing.T) {
	requirements.Rows(t, "VER-44", "ERR-08")
	for _, tt := range []struct {
		needs   string
		change  func(*Config)
		lacking []Capability
		note    string
	}{
		{`{"sampling":{}}`, func(c *Config) { c.NoSampling = true }, []Capability{CapSampling}, "needs sampling, which the request did not declare"},
		{`{"roots":{},"elicitation":{"url":{},"form":{}}}`, func(c *Config) { c.NoURLs = true }, []Capability{CapRoots, CapURLs}, "roots and elicitation.url"},
		{`{"sampling":{"tools":{},"context":{}}}`, nil, nil, `"sampling.context", which belay does not have`},
		{`{"elicitation":{}}`, nil, nil, "a fault of the server"},
		{`7`, nil, nil, "does not say which"},
	} {
		w := modernWeb(t, func(c *Config) {
			if tt.change != nil {
				tt.change(c)
			}
		})
		id, out := w.tool("t")
		w.opened(out.X, Head{Status: 400, Media: mediaJSON})
		w.recvOn(out.X, lackingAnswer, w.row(id).Wire, tt.needs)
		w.ended(out.X, End{})
		w.want(id, Failed, cancel.NoVerdict)
		d, _ := w.s.Detail(id)
		if !slices.Equal(d.MissingCapabilities, tt.lacking) || !strings.Contains(d.Note, tt.note) || (d.Remedy.Kind == RemedyDeclare) != (tt.lacking != nil) {
			t.Errorf("%s: %v, %q, %v", tt.needs, d.MissingCapabilities, d.Note, d.Remedy)
		}
		if tt.lacking == nil {
			continue
		}
		again, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: d.Method, Params: d.Params, Declare: d.MissingCapabilities}}))
		if err != nil {
			t.Fatal(err)
		}
		w.pump()
		out = w.post("tools/call")
		c := w.s.rows.get(again)
		if len(c.req.declared.missing(tt.lacking)) != 0 || !strings.Contains(string(out.Data), string(c.req.declared.capabilities(nil, mcp.Rev20260728))) {
			t.Errorf("%s: made again as %s", tt.needs, out.Data)
		}
		w.opened(out.X, Head{Status: 400, Media: mediaJSON})
		w.recvOn(out.X, lackingAnswer, w.row(again).Wire, tt.needs)
		if d, _ := w.s.Detail(again); d.MissingCapabilities != nil || !strings.Contains(d.Note, "a fault of the server") {
			t.Errorf("%s, declared: %v, %q", tt.needs, d.MissingCapabilities, d.Note)
		}
		if _, other := w.tool("u"); strings.Contains(string(other.Data), string(c.req.declared.capabilities(nil, mcp.Rev20260728))) {
			t.Errorf("%s: another call declares it as well: %s", tt.needs, other.Data)
		}
	}
}

// A request that was written by hand declares what its _meta says and no more. The same call, made
// again, declares what it lacked.
func TestACallWrittenByHandThatLacksACapability(t *testing.T) {
	requirements.Rows(t, "VER-44", "ERR-08", "TEX-06", "TEX-45")
	const (
		tasks    = `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`
		meta     = `,"_meta":{"io.modelcontextprotocol/clientCapabilities":%s}`
		advised  = "the server needs %s, which the request did not declare"
		atFault  = "a fault of the server"
		taskName = string(CapTasks)
	)
	for _, tt := range []struct {
		name, method, own, needs string
		lacking                  []Capability
		note                     string
	}{
		{"nothing written", "tools/call", "", tasks, []Capability{CapTasks}, fmt.Sprintf(advised, taskName)},
		{"what belay's own requests declare", "tools/call", "", `{"elicitation":{"form":{}}}`, []Capability{CapForms}, fmt.Sprintf(advised, "elicitation.form")},
		{"a request about a task", "tasks/get", "", tasks, []Capability{CapTasks}, fmt.Sprintf(advised, taskName)},
		{"written as nothing", "tools/call", fmt.Sprintf(meta, `{}`), tasks, []Capability{CapTasks}, fmt.Sprintf(advised, taskName)},
		{"written otherwise", "tools/call", fmt.Sprintf(meta, `{"sampling":{}}`), tasks, []Capability{CapTasks}, fmt.Sprintf(advised, taskName)},
		{"written as no object", "tools/call", fmt.Sprintf(meta, `7`), tasks, []Capability{CapTasks}, fmt.Sprintf(advised, taskName)},
		{"written", "tools/call", fmt.Sprintf(meta, tasks), tasks, nil, atFault},
		{"not belay's", "tools/call", "", `{"extensions":{"x":{}}}`, nil, "which belay does not have"},
	} {
		w := modernWeb(t)
		id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: tt.method, Params: []byte(`{"name":"t","taskId":"t"` + tt.own + `}`), Raw: true}}))
		if err != nil {
			t.Fatal(err)
		}
		w.pump()
		out := w.post(tt.method)
		w.opened(out.X, Head{Status: 400, Media: mediaJSON})
		w.recvOn(out.X, lackingAnswer, w.row(id).Wire, tt.needs)
		w.ended(out.X, End{})
		w.want(id, Failed, cancel.NoVerdict)
		d, _ := w.s.Detail(id)
		if !slices.Equal(d.MissingCapabilities, tt.lacking) || !strings.Contains(d.Note, tt.note) || (d.Remedy.Kind == RemedyDeclare) != (tt.lacking != nil) {
			t.Errorf("%s: %v, %q, %v", tt.name, d.MissingCapabilities, d.Note, d.Remedy)
		}
		if tt.lacking == nil {
			continue
		}
		if _, err = madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: d.Method, Params: d.Params, Declare: d.MissingCapabilities}})); err != nil {
			t.Fatal(err)
		}
		w.pump()
		again := w.post(tt.method)
		if caps, _ := named(mcp.CapabilityNames(rawjson.At(mcp.MetaOf(rawjson.At(again.Data, "params")), metaCapabilities))); !slices.Contains(caps, tt.lacking[0]) {
			t.Errorf("%s: made again as %s", tt.name, again.Data)
		}
	}
}

// What a call declares lets the server ask for it; a handshake declares once, so
// that a call adds nothing there; what belay does not have is refused.
func TestWhatACallDeclares(t *testing.T) {
	requirements.Rows(t, "VER-44")
	w := modernWeb(t, func(c *Config) { c.NoSampling = true })
	const asks = `{"jsonrpc":"2.0","id":%v,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"sampling/createMessage",` +
		`"params":{"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"maxTokens":5}}}}}`
	for _, declare := range [][]Capability{nil, {CapSampling}} {
		id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`), Declare: declare}}))
		if err != nil {
			t.Fatal(err)
		}
		w.pump()
		out := w.post("tools/call")
		w.opened(out.X, Head{Status: 200, Media: mediaJSON})
		w.recvOn(out.X, asks, w.row(id).Wire)
		if got := w.row(id); (got.State == Running) != (declare != nil) || got.AsksYou != (declare != nil) {
			t.Errorf("%v: %v, %q", declare, got.State, got.Note)
		}
	}
	if _, err := w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "x", Declare: []Capability{"tasks"}}}); err == nil {
		t.Error("a capability that belay does not have is declared")
	}
	r := ready(t, mcp.Rev20251125)
	id, wire := r.made(CallSpec{Method: "x", Declare: []Capability{CapRoots}})
	if r.row(id).Note != "" || strings.Contains(r.lines[0], "roots") || r.s.outgoing.open[wire].declared.roots {
		t.Errorf("declared after a handshake: %s", r.lines[0])
	}
}
