package session

import (
	"fmt"
	"testing"

	"belay/internal/covers"
)

func TestTheMeaningOfErrorCodes(t *testing.T) {
	covers.Rows(t, "ERR-01", "ERR-02", "ERR-04", "ERR-10")
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
		{-32002, "resources/read", notFound},
		{-32603, "tools/call", "internal error of the server"},
		{-32042, "tools/call", "the server wants you to visit a URL first"},
		{-32050, "tools/call", "a code that this revision does not define"},
		{-1, "tools/call", "application error -1"},
		{0, "tools/call", "application error 0"},
	} {
		r := ready(t, Rev20251125)
		id, wire := r.made(Call{Method: tt.method})
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
		if got := errorText(&RPCError{Code: code}, "tools/call", Rev20251125); got != want {
			t.Errorf("%d: %q", code, got)
		}
	}
}

func TestTheCodesThatBelayAnswersWith(t *testing.T) {
	covers.Rows(t, "ERR-12", "ERR-13", "ERR-16")
	r := ready(t, Rev20251125)
	r.recv(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
	r.recv(`{"jsonrpc":"2.0","id":2,"method":"no/such"}`)
	r.recv(`{"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{"mode":"x"}}`)
	for i := range maxWaiting + 1 {
		r.recv(samplingAsk, i+4)
	}
	if err := r.s.Refuse(r.now, 1, codeRejected, "the user rejected it", Declined); err != nil {
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
	if p := r.s.Prompts()[0]; p.State != Declined {
		t.Errorf("the rejected prompt is %v", p.State)
	}
}
