package session

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// The preview is what goes out, to the byte, and showing it sends nothing.
func TestThePreviewIsWhatGoesOut(t *testing.T) {
	requirements.Rows(t, "SRV-04")
	spec := CallSpec{Method: "tools/call", Params: []byte(`{"name":"deep","arguments":{"a":{"b":[1,{"c":null}]},"n":1e2}}`)}
	for _, rev := range []mcp.Revision{mcp.Rev20241105, mcp.Rev20251125, mcp.Rev20260728} {
		for name, change := range map[string]func(*CallSpec){
			"plain": func(*CallSpec) {}, "raw": func(c *CallSpec) { c.Raw = true }, "quiet": func(c *CallSpec) { c.NoProgress = true },
		} {
			r := ready(t, rev)
			c := spec
			change(&c)
			p, err := r.s.Preview(c)
			if err != nil {
				t.Fatal(err)
			}
			r.pull()
			if len(r.lines) != 0 || len(p.Head) != 0 {
				t.Errorf("%s, %s: sent %q, head %v", rev, name, r.lines, p.Head)
			}
			if _, err := r.s.Handle(r.now, StartCall{Spec: c}); err != nil {
				t.Fatal(err)
			}
			r.pull()
			if len(r.lines) != 1 || r.lines[0] != string(p.Message) {
				t.Errorf("%s, %s: previewed %s, sent %q", rev, name, p.Message, r.lines)
			}
		}
	}
}

func TestThePreviewShowsTheHead(t *testing.T) {
	requirements.Rows(t, "SRV-04")
	w := servingWeb(t, mcp.Rev20260728, `{"tools":{}}`)
	x := w.post("tools/list").X
	w.opened(x, Head{Status: 200, Media: mediaJSON})
	w.recvOn(x, `{"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"grüße","inputSchema":{"type":"object","properties":{
		"where":{"type":"string","x-mcp-header":"Region"},"count":{"type":"integer","x-mcp-header":"Count"}}}}]}}`, w.s.cfg.FirstID+1)
	w.ended(x, End{})
	c := CallSpec{Method: "tools/call", Params: []byte(`{"name":"grüße","arguments":{"where":"süd","count":1.5}}`)}
	p, err := w.s.Preview(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.s.Handle(w.now, StartCall{Spec: c}); err != nil {
		t.Fatal(err)
	}
	w.pump()
	out := w.post("tools/call")
	if string(out.Data) != string(p.Message) || !slices.Equal(out.Header, p.Head) || len(p.Head) != 4 {
		t.Errorf("previewed %v %s\nsent %v %s", p.Head, p.Message, out.Header, out.Data)
	}
	if len(p.Omitted) != 1 || !strings.Contains(p.Omitted[0], "Mcp-Param-Count is not sent") {
		t.Errorf("left out: %q", p.Omitted)
	}
}

// The ID of a session is no matter for the screen.
func TestThePreviewKeepsTheSession(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	p, err := w.s.Preview(CallSpec{Method: "tools/call", Params: []byte(`{"name":"a"}`)})
	want := []Header{{headerSession, "***"}, {headerVersion, "2025-11-25"}}
	if err != nil || !slices.Equal(p.Head, want) {
		t.Errorf("%v, %v", p.Head, err)
	}
}

func TestWhatCannotBeCalledHasNoPreview(t *testing.T) {
	r := newRig(t, Config{})
	r.epoch = r.s.Tell(r.now, Connect{}).Epoch
	refusal := new(Refusal)
	if _, err := r.s.Preview(CallSpec{Method: "tools/call"}); !errors.As(err, &refusal) || refusal.Code != RefuseNotReady {
		t.Errorf("while connecting: %v", err)
	}
	r = ready(t, mcp.Rev20251125)
	if _, err := r.s.Preview(CallSpec{Method: "initialize"}); !errors.As(err, &refusal) || refusal.Code != RefuseMethod {
		t.Errorf("initialize: %v", err)
	}
}
