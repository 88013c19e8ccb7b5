package session

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"belay/session/mcp"
)

// What the lint tells of an answer: never more than that, and nothing of a good one.
func TestWhatTheLintTellsOfAnAnswer(t *testing.T) {
	const good = `"resultType":"complete","ttlMs":1,"cacheScope":"private"`
	for name, tt := range map[string]struct {
		method string
		answer string // a result; or an error by its code
		code   int
		has    mcp.Capabilities
		rev    mcp.Revision // empty: the modern one
		want   []mcp.DiagCode
	}{
		"a good list":                  {method: "tools/list", answer: `{` + good + `,"tools":[]}`, has: mcp.Capabilities{Tools: true}},
		"a list that was not declared": {method: "tools/list", answer: `{` + good + `,"tools":[]}`, want: []mcp.DiagCode{mcp.DiagGroupUndeclared}},
		"… where there was nothing to declare": {
			method: "completion/complete", answer: `{"completion":{"values":[]}}`, rev: mcp.Rev20241105,
		},
		"a refused list":                  {method: "tools/list", code: -32603},
		"no type":                         {method: "tools/call", answer: `{"content":[]}`, want: []mcp.DiagCode{mcp.DiagResultType}},
		"a type that nobody knows":        {method: "tools/call", answer: `{"resultType":"later"}`, want: []mcp.DiagCode{mcp.DiagResultType}},
		"no type before there were types": {method: "tools/call", answer: `{"content":[]}`, rev: mcp.Rev20251125},
		"no word of how long it is fresh": {method: "resources/read", answer: `{"resultType":"complete","contents":[]}`, want: []mcp.DiagCode{mcp.DiagCacheHint}},
		"… of what is not cached":         {method: "tools/call", answer: `{"resultType":"complete","content":[]}`},
		"a code of the era before":        {method: "resources/read", code: mcp.CodeOldNotFound, want: []mcp.DiagCode{mcp.DiagErrorOld}},
		"a code that is reserved":         {method: "tools/call", code: -32050, want: []mcp.DiagCode{mcp.DiagErrorUndefined}},
		"a code of JSON-RPC":              {method: "tools/call", code: -32602},
	} {
		if tt.rev == "" {
			tt.rev = mcp.Rev20260728
		}
		a := newAlone(tt.rev, mcp.Stdio)
		a.conn.server.Has = tt.has
		l := lint{&a.log}
		c := a.row(tt.method, 7)
		text := `{"jsonrpc":"2.0","id":7,"result":` + tt.answer + `}`
		if tt.code != 0 {
			text = fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"error":{"code":%d,"message":"no"}}`, tt.code)
		}
		f := mcp.Decode([]byte(text))
		if tt.rev.IsModern() {
			l.checkModern(c, f)
		}
		l.checkGroup(c, f)
		var told []mcp.DiagCode
		for _, d := range a.Diagnostics() {
			told = append(told, d.Code)
		}
		if !slices.Equal(told, tt.want) {
			t.Errorf("%s: %v, want %v", name, a.Diagnostics(), tt.want)
		}
		if c.state != Running || c.remark != (rowNote{}) || c.result != nil || c.cache != nil {
			t.Errorf("%s: a fault that was told has changed the row", name)
		}
	}
}

// A stream whose first messages come all at once, and late, looks held back.
func TestMessagesThatLookHeldBack(t *testing.T) {
	for name, tt := range map[string]struct {
		wait, between time.Duration
		unbuffered    bool
		rev           mcp.Revision
		told          bool
	}{
		"late and at once":             {wait: 3 * time.Second, rev: mcp.Rev20260728, told: true},
		"soon and at once":             {wait: 100 * time.Millisecond, rev: mcp.Rev20260728},
		"late, and one after another":  {wait: 3 * time.Second, between: 50 * time.Millisecond, rev: mcp.Rev20260728},
		"the server asked for no hold": {wait: 3 * time.Second, unbuffered: true, rev: mcp.Rev20260728},
		"before the modern era":        {wait: 3 * time.Second, rev: mcp.Rev20251125},
	} {
		a := newAlone(tt.rev, mcp.HTTP)
		l := lint{&a.log}
		c := a.row("tools/call", 7)
		c.req.written = origin
		e := &exchange{req: c.req, opened: true, head: Head{Status: 200, Media: mediaStream, Unbuffered: tt.unbuffered}}
		a.now = origin.Add(tt.wait)
		for range 2 * burstOf {
			e.messages++
			l.countBurst(e)
			a.now = a.now.Add(tt.between)
		}
		if told := len(a.Diagnostics()) == 1; told != tt.told {
			t.Errorf("%s: %v", name, a.Diagnostics())
		}
	}
}

// What of a round is refused, and that a round which is the same again is told the third time.
func TestWhatTheLintTellsOfARound(t *testing.T) {
	sampling := mcp.InputAsk{Method: "sampling/createMessage", Note: &mcp.AskNote{}}
	for name, tt := range map[string]struct {
		has  declared
		ask  mcp.InputAsk
		code mcp.DiagCode
	}{
		"roots that were declared":        {declared{roots: true}, mcp.InputAsk{Method: "roots/list"}, mcp.DiagNone},
		"roots that were not":             {declared{sampling: true}, mcp.InputAsk{Method: "roots/list"}, mcp.DiagUndeclared},
		"sampling that was not":           {declared{roots: true}, sampling, mcp.DiagUndeclared},
		"a form where only addresses are": {declared{url: true}, mcp.InputAsk{Method: "elicitation/create", Note: &mcp.AskNote{Mode: mcp.ElicitForm}}, mcp.DiagUndeclared},
	} {
		a := newAlone(mcp.Rev20260728, mcp.Stdio)
		c := a.row("tools/call", 7)
		c.req.declared = tt.has
		if code, why := (&lint{&a.log}).badInput(c, tt.ask); code != tt.code || (why != "") != (code != mcp.DiagNone) {
			t.Errorf("%s: %v, %q", name, code, why)
		}
	}
	a := newAlone(mcp.Rev20260728, mcp.Stdio)
	l := lint{&a.log}
	c := a.row("tools/call", 7)
	for i, step := range []struct {
		digest byte
		told   int
	}{{1, 0}, {1, 0}, {2, 0}, {2, 0}, {2, 1}, {3, 1}} {
		c.nextRound(&mcp.InputNote{Digest: [32]byte{step.digest}})
		l.repeats(c)
		if n := len(a.Diagnostics()); n != step.told {
			t.Errorf("round %d: told %d times, want %d", i+1, n, step.told)
		}
	}
}
