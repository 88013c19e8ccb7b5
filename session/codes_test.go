package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

func TestTheMeaningOfErrorCodes(t *testing.T) {
	requirements.Rows(t, "ERR-01", "ERR-02", "ERR-04", "ERR-10")
	notFound := "resource not found"
	for _, tt := range []struct {
		code   int64
		method string
		want   string
	}{
		{-32700, "tools/call", "the server could not parse the request"},
		{-32600, "tools/call", "the server calls the request invalid"},
		{-32601, "tools/call", "the server does not know this method"},
		{-32602, "no/such", "invalid parameters"},
		{-32602, "tools/call", "unknown tool, or invalid arguments"},
		{-32602, "prompts/get", "unknown prompt, or a missing argument"},
		{-32602, "completion/complete", "unknown reference, or a missing argument"},
		{-32602, "resources/read", notFound},
		{-32602, "tasks/get", "task not found"},
		{-32602, "tasks/result", "task not found, or it has no result"},
		{-32602, "tasks/update", "task not found, or not what it asks for"},
		{-32602, "tasks/cancel", "task not found, or it has ended already"},
		{-32002, "resources/read", notFound},
		{-32603, "tools/call", "internal error of the server"},
		{-32042, "tools/call", "the server wants you to visit a URL first"},
		{-32050, "tools/call", "a code that this revision does not define"},
		{-1, "tools/call", "application error -1"},
		{0, "tools/call", "application error 0"},
	} {
		r := ready(t, mcp.Rev20251125)
		id, wire := r.made(CallSpec{Method: tt.method})
		r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":%d,"message":"m"}}`, wire, tt.code)
		if d, _ := r.s.Detail(id); d.State != Failed || d.ErrText != tt.want || d.Err.Message != "m" {
			t.Errorf("%d on %s: %v %q", tt.code, tt.method, d.State, d.ErrText)
		}
	}
	for code := int64(-32019); code <= -32000; code++ {
		want := "implementation-defined error"
		if code == -32002 {
			want = notFound
		}
		for _, rev := range mcp.Supported() {
			if got := mcp.ErrorText(&mcp.RPCError{Code: code}, "tools/call", rev); got != want {
				t.Errorf("%s, %d: %q", rev, code, got)
			}
		}
	}
}

// A code or a message of the wrong type is told as it was written (BASE-09).
func TestErrorsOfTheWrongTypeAreVerbatim(t *testing.T) {
	for _, tt := range []struct{ member, meaning, words string }{
		{`{"code":"E1","message":5}`, `an error whose code is no integer: "E1"`, `error "E1": "5"`},
		{`{"code":1.5,"message":{"a":[1]}}`, "an error whose code is no integer: 1.5", `error 1.5: "{\"a\":[1]}"`},
		{`{"code":null,"message":"m"}`, "an error whose code is no integer: null", `error null: "m"`},
		{`{"message":"m"}`, "an error without a code", `error without a code: "m"`},
		{`"boom"`, "an error without a code", `error without a code: "boom"`},
		{`[7]`, "an error without a code", `error without a code: "[7]"`},
		{`{"code":0,"message":"m"}`, "application error 0", `error 0: "m"`},
	} {
		r := ready(t, mcp.Rev20251125)
		id, wire := r.made(CallSpec{Method: "tools/call"})
		r.recv(`{"jsonrpc":"2.0","id":%v,"error":%s}`, wire, tt.member)
		if d, _ := r.s.Detail(id); d.State != Failed || d.ErrText != tt.meaning || d.Err.Words() != tt.words {
			t.Errorf("%s: %v %q, %q", tt.member, d.State, d.ErrText, d.Err.Words())
		}
	}
}

// What a server refuses for its revision is told with those that it supports, and
// with the way to one of them.
func TestARevisionIsRefusedOverHTTP(t *testing.T) {
	requirements.Rows(t, "ERR-09")
	for supported, want := range map[string]struct {
		way    string
		remedy Remedy
	}{
		`["2026-07-28","2027-01-01"]`: {"negotiated anew", Remedy{Kind: RemedyRepeat}},
		`["2025-06-18"]`:              {"had agreed to", Remedy{Kind: RemedyRestartIn, Revision: "2025-06-18"}},
		`["2027-01-01"]`:              {"lists none that belay may use", Remedy{}},
	} {
		w := modernWeb(t)
		id, out := w.tool("t")
		w.opened(out.X, Head{Status: 400, Media: mediaJSON})
		w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"error":{"code":-32022,"message":"no","data":{"supported":%s,"requested":"2026-07-28"}}}`, w.row(id).Wire, supported)
		w.ended(out.X, End{})
		d, _ := w.s.Detail(id)
		list := strings.NewReplacer("[", "", "]", "", ",", ", ").Replace(supported)
		if d.State != Failed || d.ErrText != "the server does not speak this revision; it supports "+list || !strings.Contains(d.Note, want.way) || d.Remedy != want.remedy {
			t.Errorf("%s: %v, %q, %q, %v", supported, d.State, d.ErrText, d.Note, d.Remedy)
		}
	}
}

// What went out in the head is set beside the body, when the server says that they
// differ.
func TestHeadAndBodyAreCompared(t *testing.T) {
	requirements.Rows(t, "ERR-07")
	w := toolWeb(t, region("a", "Region", ""))
	id, out := w.inRegion("a")
	w.differ(id, out)
	want := []Compared{
		{headerVersion, "2026-07-28", `"2026-07-28"`}, {headerMethod, "tools/call", `"tools/call"`}, {headerName, "a", `"a"`}, {"Mcp-Param-Region", "eu", `"eu"`},
	}
	if d, _ := w.s.Detail(id); d.State != Running || !slices.Equal(d.Compared, want) {
		t.Errorf("while the tools are fetched again: %v %v", d.State, d.Compared)
	}
	read, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "resources/read", Params: []byte(`{"uri":"file:///é"}`)}}))
	if err != nil {
		t.Fatal(err)
	}
	w.pump()
	w.differ(read, w.post("resources/read"))
	want = []Compared{
		{headerVersion, "2026-07-28", `"2026-07-28"`}, {headerMethod, "resources/read", `"resources/read"`}, {headerName, fieldValue("file:///é"), `"file:///é"`},
	}
	if d, _ := w.s.Detail(read); d.State != Failed || !slices.Equal(d.Compared, want) {
		t.Errorf("%v %v", d.State, d.Compared)
	}
	r := ready(t, mcp.Rev20260728) // stdio has no head
	call, wire := r.call("t")
	r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32020,"message":"m"}}`, wire)
	if d, _ := r.s.Detail(call); len(d.Compared) != 0 || d.State != Failed {
		t.Errorf("%v %v", d.State, d.Compared)
	}
}

// A resource without contents may be missing, for all that anybody can tell.
func TestEmptyContents(t *testing.T) {
	requirements.Rows(t, "ERR-06")
	for result, noted := range map[string]bool{
		`{"contents":[]}`: true, `{"contents":[ ]}`: true, `{"contents":[{"uri":"a","text":""}]}`: false, `{"contents":null}`: false, `{}`: false,
	} {
		for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
			r := ready(t, rev)
			id, wire := r.made(CallSpec{Method: "resources/read", Params: []byte(`{"uri":"file:///a"}`)})
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":%s}`, wire, result)
			if row := r.row(id); row.State != Done || strings.Contains(row.Note, "is the resource missing, or is there nothing in it?") != noted {
				t.Errorf("%s, %s: %v, %q", rev, result, row.State, row.Note)
			}
		}
	}
}

func TestTheCodesThatBelayAnswersWith(t *testing.T) {
	requirements.Rows(t, "ERR-12", "ERR-16") // and [checkCode], of all that any test has belay write
	r := ready(t, mcp.Rev20251125)
	r.recv(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
	r.recv(`{"jsonrpc":"2.0","id":2,"method":"no/such"}`)
	r.recv(`{"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{"mode":"x"}}`)
	for i := range maxWaiting + 1 {
		r.recv(samplingAsk, i+4)
	}
	if _, err := r.s.Handle(r.now, Refuse{Question: 1, Code: mcp.CodeRejected, Message: "the user rejected it", As: Declined}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	want := map[string]int64{"1": -32601, "2": -32601, "3": -32602, fmt.Sprint(maxWaiting + 4): -32603, "4": -1}
	for _, l := range r.lines {
		m := read(t, l)
		if m.Error == nil || want[string(m.ID)] != m.Error.Code || m.Error.Message == "" {
			t.Errorf("answered %s", l)
		}
		delete(want, string(m.ID))
	}
	if len(want) != 0 {
		t.Errorf("not answered: %v", want)
	}
	if p := r.s.Questions()[0]; p.State != Declined {
		t.Errorf("the rejected question is %v", p.State)
	}
}
