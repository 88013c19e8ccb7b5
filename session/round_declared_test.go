package session

import (
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// What a client can do is said in each request of the modern era, and nowhere
// else; a round is judged by the request that it answers.
func TestEachRequestDeclaresWhatMayBeAskedFor(t *testing.T) {
	requirements.Rows(t, "SMP-06", "ELI-03", "RTS-02", "RTS-04", "MRT-07")
	r := ready(t, mcp.Rev20260728, func(c *Config) { c.Roots = []Root{{URI: "file:///a"}} })
	look := func(words ...string) {
		t.Helper()
		for _, method := range []string{"tools/call", "prompts/get", "completion/complete"} {
			r.lines = nil
			r.made(CallSpec{Method: method, Params: []byte(`{"name":"t"}`)})
			for _, word := range words {
				if !strings.Contains(r.lines[0], word) {
					t.Errorf("%s lacks %s: %s", method, word, r.lines[0])
				}
			}
			if strings.Contains(r.lines[0], "listChanged") {
				t.Errorf("%s: %s", method, r.lines[0])
			}
		}
	}
	look(`"sampling":{}`, `"elicitation":{"form":{},"url":{}}`, `"roots":{}`)
	before, _ := r.call("t") // declares roots
	r.lines = nil
	if _, err := r.s.Handle(r.now, SetRoots{}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	r.wantLines()
	after, _ := r.call("t")
	if strings.Contains(r.lines[0], `"roots"`) {
		t.Errorf("roots that there are not: %s", r.lines[0])
	}
	r.lines = nil
	r.round(after, asking(askRoots))
	r.want(after, Failed, cancel.NoVerdict)
	r.wantLines()
	r.round(before, asking(askRoots))
	if _, params := r.again(); string(params["inputResponses"]) != `{"where":{"roots":[]}}` {
		t.Errorf("%s", params["inputResponses"])
	}
}

// What URL elicitations had before the rounds is a plain error now.
func TestTheErrorForURLsIsGone(t *testing.T) {
	requirements.Rows(t, "ELI-55")
	r := ready(t, mcp.Rev20260728)
	id, wire := r.call("t")
	r.recv(neededAnswer, wire.String())
	r.want(id, Failed, cancel.NoVerdict)
	r.wantDiag(mcp.DiagErrorOld, 1)
	if len(r.s.Questions()) != 0 {
		t.Error("it made a prompt")
	}
	r.recv(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}`)
	r.wantDiag(mcp.DiagUnknownMethod, 1)
}

// A URL of a round needs no ID, and one that it has is only shown.
func TestAURLOfARoundNeedsNoID(t *testing.T) {
	r := ready(t, mcp.Rev20260728)
	id, _ := r.call("t")
	r.round(id, asking(askURL))
	if e, problems := mcp.ParseElicitation(mcp.Rev20260728, r.waiting()[0].Params); e.Mode != mcp.ElicitURL || len(problems) != 0 {
		t.Errorf("%+v, %v", e, problems)
	}
	if _, problems := mcp.ParseElicitation(mcp.Rev20251125, r.waiting()[0].Params); len(problems) != 1 {
		t.Errorf("before: %v", problems)
	}
}
