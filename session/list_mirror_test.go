package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

func TestTheValueOfAMirroredParameter(t *testing.T) {
	requirements.Rows(t, "HTM-36", "HTM-37", "HTM-38", "HTM-39")
	list := []mcp.Mirror{{Header: "A", Path: []string{"a"}}, {Header: "C", Path: []string{"b", "c"}}}
	for _, tt := range []struct{ arguments, want, left string }{
		{`{"a":"us-west1"}`, "A=us-west1", ""},
		{`{"a":""}`, "A=", ""},
		{`{"a":"Hello, 世界"}`, "A==?base64?SGVsbG8sIOS4lueVjA==?=", ""},
		{`{"a":" padded "}`, "A==?base64?IHBhZGRlZCA=?=", ""},
		{`{"a":"line1\nline2"}`, "A==?base64?bGluZTEKbGluZTI=?=", ""},
		{`{"a":"=?base64?SGVsbG8=?="}`, "A==?base64?PT9iYXNlNjQ/U0dWc2JHOD0/PQ==?=", ""},
		{`{"a":"=?BASE64?x?="}`, "A==?BASE64?x?=", ""},
		{` {"a":42}`, "A=42", ""},
		{`{"a":-0}`, "A=0", ""},
		{`{"a":42.0}`, "A=42", ""},
		{`{"a":4.2e1}`, "A=42", ""},
		{`{"a":true,"b":{"c":false}}`, "A=true C=false", ""},
		{`{"a":9007199254740991,"b":{"c":-9007199254740991}}`, "A=9007199254740991 C=-9007199254740991", ""},
		{`{"a":9007199254740992,"b":{"c":-9007199254740992}}`, "", "2^53"},
		{`{"a":123456789012345678901234567890}`, "", "2^53"},
		{`{"a":1e30}`, "", "2^53"},
		{`{"a":1e999999999}`, "", "no integer"},
		{`{"a":1e-999999999}`, "", "no integer"},
		{`{"a":1.5}`, "", "no integer"},
		{`{"a":null,"b":{"c":null}}`, "", ""},
		{`{}`, "", ""},
		{`{"a":{},"b":[{"c":"x"}]}`, "", "an object"},
		{`{"b":"c"}`, "", ""},
		{`{"a":"x","a":"y"}`, "A=y", ""},
		{``, "", ""},
		{`[]`, "", ""},
	} {
		fields, left := mirrored(list, []byte(tt.arguments))
		var got []string
		for _, f := range fields {
			got = append(got, f.Name+"="+f.Value)
		}
		if strings.Join(got, " ") != tt.want || (len(left) == 0) != (tt.left == "") || !strings.Contains(strings.Join(left, " "), tt.left) {
			t.Errorf("%s: %q, %q", tt.arguments, got, left)
		}
	}
}

// region is a tool with one parameter in the head.
func region(name, header, more string) string {
	return fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":%q}}}%s}`, name, header, more)
}

// toolWeb is connected in 2026-07-28 to a server with these tools.
func toolWeb(t testing.TB, tools ...string) *webRig {
	w := servingWeb(t, mcp.Rev20260728, `{"tools":{}}`)
	w.list(tools...)
	return w
}

// list answers the latest tools/list.
func (w *webRig) list(tools ...string) {
	w.t.Helper()
	w.answerList(mcp.Tools, `,"resultType":"complete"`, tools...)
}

func (w *webRig) inRegion(tool string) (CallID, Output) {
	w.t.Helper()
	id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: fmt.Appendf(nil, `{"name":%q,"arguments":{"region":"eu"}}`, tool)}}))
	if err != nil {
		w.t.Fatal(err)
	}
	w.pump()
	return id, w.post("tools/call")
}

// The fields are those of the list that came last; a tool that was not listed
// has none.
func TestTheLatestListCounts(t *testing.T) {
	requirements.Rows(t, "HTM-26", "HTM-40", "HTM-41")
	w := toolWeb(t, region("a", "Region", ""))
	if _, out := w.inRegion("a"); field(out, "Mcp-Param-Region") != "eu" || field(out, headerName) != "a" {
		t.Errorf("went with %v", out.Header)
	}
	if _, out := w.inRegion("unheard-of"); len(out.Header) != 3 {
		t.Errorf("a tool that was not listed went with %v", out.Header)
	}
	if _, err := w.s.Handle(w.now, Reload{}); err != nil {
		t.Fatal(err)
	}
	w.pump()
	if _, out := w.inRegion("a"); field(out, "Mcp-Param-Region") != "eu" {
		t.Error("the old list does not count until there is a new one")
	}
	w.list(region("a", "Zone", ""))
	if _, out := w.inRegion("a"); field(out, "Mcp-Param-Region") != "" || field(out, "Mcp-Param-Zone") != "eu" {
		t.Errorf("went with %v", out.Header)
	}
}

func TestToolsThatAreLeftOut(t *testing.T) {
	requirements.Rows(t, "HTM-33")
	w := toolWeb(t, region("good", "Region", ""), region("bad", "a b", ""), region("worse", "", ""))
	l := w.s.Catalog().Lists[mcp.Tools]
	if len(l.Items) != 1 || l.Items[0].Name != "good" || len(l.Excluded) != 2 || !strings.Contains(l.Excluded[0].Unfit, "HTTP token") || !l.Complete {
		t.Errorf("%+v", l)
	}
	w.wantDiag(mcp.DiagToolHeader, 2)
	_, err := w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"bad"}`)}})
	if err == nil || !strings.Contains(err.Error(), "HTTP token") {
		t.Errorf("called: %v", err)
	}
	if _, err := w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"bad"}`), Raw: true}}); err != nil {
		t.Errorf("what was typed is refused: %v", err)
	}
}

// Of many tools that are left out, and many parameters that look like secrets, the first ones are told
// of, and the others counted: a page may list thousands.
func TestManyToolsThatAreLeftOut(t *testing.T) {
	const unfit, fit = 50 * unfitTold, 50 * secretsTold
	const secrets = 3 * fit
	var tools []string
	for i := range unfit {
		tools = append(tools, region(fmt.Sprintf("t%d", i), "a b", ""))
	}
	for i := range fit {
		tools = append(tools, fmt.Sprintf(`{"name":"s%d","inputSchema":{"properties":{"apiKey":{"type":"string","x-mcp-header":"Key"},"zone":{"type":"string","x-mcp-header":"Zone"},"password":{"type":"string","x-mcp-header":"P"},"secret":{"type":"string","x-mcp-header":"S"}}}}`, i))
	}
	w := toolWeb(t, tools...)
	if l := w.s.Catalog().Lists[mcp.Tools]; len(l.Excluded) != unfit || len(l.Items) != fit {
		t.Errorf("%d are left out, %d are not", len(l.Excluded), len(l.Items))
	}
	w.wantDiag(mcp.DiagToolHeader, unfitTold)
	w.wantDiag(mcp.DiagMirrorSecret, secretsTold)
	if more := w.events(fmt.Sprintf("%d more tools are left out", unfit-unfitTold)); len(more) != 1 {
		t.Errorf("of the other tools it says %q", more)
	}
	if more := w.events(fmt.Sprintf("%d more parameters that look like secrets are to be sent in the head, too", secrets-secretsTold)); len(more) != 1 {
		t.Errorf("of the other parameters it says %q", more)
	}
	if _, err := w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: fmt.Appendf(nil, `{"name":"t%d"}`, unfit-1)}}); err == nil {
		t.Error("one that was not told of is called")
	}
}

// Stdio has no head: such a tool is like any other there, and so it is over HTTP
// in revisions that do not know the keyword.
func TestWhereTheKeywordMeansNothing(t *testing.T) {
	requirements.Rows(t, "HTM-35")
	tools := `[` + region("bad", "a b", "") + `,` + region("good", "Region", "") + `]`
	for name, r := range map[string]*rig{"stdio": ready(t, mcp.Rev20260728), "legacy HTTP": readyWeb(t, mcp.Rev20251125).rig} {
		r.s.onListStep(mcp.Tools, r.s.catalog.onPage(mcp.Tools, mcp.Decode([]byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":`+tools+`}}`)).List))
		got := r.s.Catalog().Lists[mcp.Tools]
		if len(got.Items) != 2 || len(got.Excluded) != 0 || len(got.Items[1].Mirrors) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
		if told := r.events(`"bad" would be left out over HTTP`); (len(told) > 0) != (name == "stdio") {
			t.Errorf("%s: told %q", name, told)
		}
	}
}

// Parameters that look like secrets are told of, and sent.
func TestSecretsInTheHead(t *testing.T) {
	secret := `{"name":"a","inputSchema":{"properties":{"apiKey":{"type":"string","x-mcp-header":"Key"},"keyboard":{"type":"string","x-mcp-header":"Keyboard"},"a":{"type":"string","writeOnly":true,"x-mcp-header":"A"},"b":{"type":"string","format":"password","x-mcp-header":"B"},"c":{"type":"string","writeOnly":false,"format":"uri","x-mcp-header":"C"}}}}`
	w := toolWeb(t, secret)
	w.wantDiag(mcp.DiagMirrorSecret, 3)
}

// An integer that not every reader understands leaves its field out, and says
// so; the call goes out.
func TestAnIntegerThatIsTooLarge(t *testing.T) {
	requirements.Rows(t, "HTM-31")
	w := toolWeb(t, `{"name":"a","inputSchema":{"properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}`)
	for n, sent := range map[string]bool{"9007199254740991": true, "-9007199254740991": true, "9007199254740992": false, "-9007199254740992": false} {
		id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"a","arguments":{"n":` + n + `}}`)}}))
		if err != nil {
			t.Fatal(err)
		}
		w.pump()
		if got := field(w.post("tools/call"), "Mcp-Param-N"); (got == n) != sent || !sent && got != "" {
			t.Errorf("%s went out as %q", n, got)
		}
		if warned := strings.Contains(w.note(id), "2^53"); warned == sent {
			t.Errorf("%s: the note is %q", n, w.note(id))
		}
	}
}

// differ refuses a call because its head and its body differ.
func (w *webRig) differ(id CallID, out Output) {
	w.t.Helper()
	w.opened(out.X, Head{Status: 400, Media: mediaJSON})
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"error":{"code":-32020,"message":"header mismatch"}}`, w.latest(id))
	w.ended(out.X, End{})
}

func (w *webRig) latest(id CallID) mcp.ID { return w.row(id).Latest }

// When the server says that head and body differ, the tools are fetched once
// more, and a tool that only reads is called once more with their fields; any
// other one waits for the user.
func TestHeadAndBodyDiffer(t *testing.T) {
	requirements.Rows(t, "HTM-42")
	const reads = `,"annotations":{"readOnlyHint":true}`
	for _, more := range []string{reads, `,"annotations":{"readOnlyHint":false}`, ``} {
		w := toolWeb(t, region("a", "Region", more))
		id, out := w.inRegion("a")
		w.differ(id, out)
		w.want(id, Running, cancel.NoVerdict)
		if w.count(OpWrite, `"tools/list"`) != 2 || w.count(OpWrite, `"tools/call"`) != 1 || !w.row(id).Round.Relisting {
			t.Fatalf("%d lists, %d calls, %+v", w.count(OpWrite, `"tools/list"`), w.count(OpWrite, `"tools/call"`), w.row(id).Round)
		}
		w.list(region("a", "Zone", more))
		if more != reads {
			w.later(time.Hour)
			if w.count(OpWrite, `"tools/call"`) != 1 || !w.row(id).Round.AwaitsRetry || w.row(id).Remedy.Kind != RemedyRepeat {
				t.Fatalf("%s: %d calls, %+v, %q", more, w.count(OpWrite, `"tools/call"`), w.row(id).Round, w.note(id))
			}
			if _, err := w.s.Handle(w.now, Retry{Call: id}); err != nil {
				t.Fatal(err)
			}
			w.pump()
		}
		again := w.post("tools/call")
		if w.count(OpWrite, `"tools/call"`) != 2 || field(again, "Mcp-Param-Zone") != "eu" || field(again, "Mcp-Param-Region") != "" ||
			!strings.Contains(string(again.Data), `"arguments":{"region":"eu"}`) || w.latest(id) == w.row(id).Wire {
			t.Fatalf("made again as %s with %v", again.Data, again.Header)
		}
		w.differ(id, again)
		w.want(id, Failed, cancel.NoVerdict)
		w.later(time.Hour)
		if w.count(OpWrite, `"tools/call"`) != 2 || w.count(OpWrite, `"tools/list"`) != 2 {
			t.Error("it was tried a third time")
		}
	}
}

func TestTheToolsAreFetchedAgainInVain(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(w *webRig)
		want string
	}{
		{"no such tool", func(w *webRig) { w.list(region("b", "Region", "")) }, "does not list the tool any more"},
		{"left out", func(w *webRig) { w.list(region("a", "a b", "")) }, "left out"},
		{"no list", func(w *webRig) {
			x := w.post("tools/list").X
			w.opened(x, Head{Status: 503})
			w.ended(x, End{})
		}, "503"},
		{"list cancelled", func(w *webRig) {
			for c := w.s.rows.oldest; c != nil; c = c.next {
				if c.Method == "tools/list" {
					w.stop(c.id, "")
					w.ended(c.req.x.x, End{Err: "closed"})
					break
				}
			}
		}, "cancelled"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := toolWeb(t, region("a", "Region", ""))
			id, out := w.inRegion("a")
			w.differ(id, out)
			tt.do(w)
			w.want(id, Failed, cancel.NoVerdict)
			d, _ := w.s.Detail(id)
			if !strings.Contains(w.note(id), tt.want) || d.Err == nil || d.Err.Code != mcp.CodeHeaderMismatch {
				t.Errorf("%q, %+v", w.note(id), d.Err)
			}
			if w.count(OpWrite, `"tools/call"`) != 1 {
				t.Error("it was made again")
			}
		})
	}
}

// Cancelling a call that waits for the tools sends nothing, and the list that
// comes then does not bring it back.
func TestCancelWhileTheToolsAreFetchedAgain(t *testing.T) {
	for _, held := range []bool{false, true} {
		w := toolWeb(t, region("a", "Region", ""))
		id, out := w.inRegion("a")
		w.differ(id, out)
		if held {
			w.list(region("a", "Region", ""))
		}
		posts := w.count(OpWrite)
		w.stop(id, "enough")
		w.want(id, Cancelled, cancel.NothingRunning)
		if !held {
			w.list(region("a", "Region", `,"annotations":{"readOnlyHint":true}`))
		}
		w.later(time.Hour)
		if w.count(OpWrite) != posts {
			t.Error("something was sent")
		}
	}
}

// A cancel that meets the refusal before it left: nothing is tried again.
func TestTheRefusalMeetsTheCancel(t *testing.T) {
	w := toolWeb(t, region("a", "Region", `,"annotations":{"readOnlyHint":true}`))
	id, out := w.inRegion("a")
	w.opened(out.X, Head{Status: 400, Media: mediaJSON})
	if _, err := w.s.Handle(w.now, Cancel{Call: id}); err != nil {
		t.Fatal(err)
	}
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"error":{"code":-32020,"message":"header mismatch"}}`, w.latest(id))
	w.want(id, Failed, cancel.NoVerdict)
	w.later(time.Hour)
	if w.count(OpWrite, `"tools/list"`) != 1 || w.count(OpWrite, `"tools/call"`) != 1 {
		t.Error("it was tried again")
	}
}

func TestRequestsThatAreTooLarge(t *testing.T) {
	requirements.Rows(t, "HTM-44")
	for _, status := range []int{413, 431} {
		w := toolWeb(t, region("a", "Region", ""))
		id, out := w.inRegion("a")
		w.opened(out.X, Head{Status: status})
		w.ended(out.X, End{})
		w.want(id, Failed, cancel.NoVerdict)
		total := 0
		for _, h := range out.Header {
			total += len(h.Name + ": " + h.Value + "\r\n")
		}
		want := fmt.Sprintf("the body had %s, the header fields of belay's own %d bytes, the largest MCP-Protocol-Version with 34 bytes", sentence.Size(len(out.Data)), total)
		if !strings.Contains(w.note(id), want) {
			t.Errorf("%q, not %q", w.note(id), want)
		}
	}
}
