package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

func TestWhatIsWrittenIsJSONRPC(t *testing.T) {
	requirements.Rows(t, "BASE-01", "BASE-02", "BASE-20", "VER-12")
	r := ready(t, mcp.Rev20250326, func(c *Config) { c.Roots = []Root{{URI: "file:///a\nb"}} })
	id, wire := r.call("a \"b\"\n")
	r.made(CallSpec{Method: "x/\ny", Params: []byte("{\n\"a\" : [1,\n2]}"), Raw: true})
	if _, err := r.s.Handle(r.now, Notify{Method: "notifications/x"}); err != nil {
		t.Fatal(err)
	}
	r.cancel(id, "line\nbreak \xff")
	for _, ask := range []string{"ping", "roots/list", "no/such"} {
		r.recv(`{"jsonrpc":"2.0","id":"\u000a","method":%q}`, ask)
	}
	if len(r.lines) != 7 {
		t.Fatalf("%d lines: %v", len(r.lines), r.lines)
	}
	for _, line := range r.lines {
		m := read(t, line)
		if m.Version != "2.0" || strings.ContainsAny(line, "\r\n") || line[0] != '{' {
			t.Errorf("%q is no message", line)
		}
		if m.Method != "" && m.ID != nil && string(m.ID) != strings.Trim(string(m.ID), `"`) {
			t.Errorf("belay's ID %s is no integer", m.ID)
		}
	}
	if got := wire.String() + mcp.StringID("a7").String(); got != `2"a7"` {
		t.Errorf("IDs read %s", got)
	}
}

func TestAMessageOfAnotherVersionIsDiagnosed(t *testing.T) {
	requirements.Rows(t, "BASE-01")
	for _, line := range []string{
		`{"jsonrpc":"1.0","method":"notifications/x"}`, `{"method":"notifications/x"}`, `{"jsonrpc":2.0,"method":"notifications/x"}`,
	} {
		r := ready(t, mcp.Rev20251125)
		r.recv("%s", line)
		r.wantDiag(mcp.DiagVersionMember, 1)
		r.recv(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		r.wantLines(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	}
}

func TestARequestWithANullIDIsNotAnswered(t *testing.T) {
	requirements.Rows(t, "BASE-03")
	r := ready(t, mcp.Rev20251125)
	r.recv(`{"jsonrpc":"2.0","id":null,"method":"ping"}`)
	r.recv(`{"jsonrpc":"2.0","id":null,"method":"sampling/createMessage","params":{}}`)
	r.wantLines()
	r.wantDiag(mcp.DiagIDNull, 2)
	if len(r.questions()) != 0 {
		t.Error("a question was made of it")
	}
}

// Every kind of request takes its ID from the one counter: what the user calls,
// what belay asks for by itself, and what is made again.
func TestEveryRequestHasAnIDOfItsOwn(t *testing.T) {
	requirements.Rows(t, "BASE-04")
	r := serving(t, mcp.Rev20251125, `{"tools":{"listChanged":true},"resources":{"subscribe":true},"logging":{},"completions":{}}`,
		func(c *Config) { c.PingEvery = 10 * time.Second })
	kinds := map[string]int{}
	last := int64(0)
	look := func() {
		t.Helper()
		for _, l := range r.lines {
			m := read(t, l)
			if m.Method == "" || m.ID == nil {
				continue
			}
			var id int64
			if err := json.Unmarshal(m.ID, &id); err != nil || id <= last {
				t.Errorf("%s has the ID %s, the one before was %d", m.Method, m.ID, last)
			}
			last = max(last, id)
			kinds[m.Method]++
		}
		r.lines = nil
	}
	for _, method := range []string{"tools/call", "prompts/get", "resources/read", "completion/complete", "logging/setLevel", "server/discover", "no/such"} {
		answered, wire := r.made(CallSpec{Method: method, Params: []byte(`{"level":"info"}`)})
		r.recv(okAnswer, wire)
		r.want(answered, r.row(answered).State, cancel.NoVerdict)
		stopped, _ := r.made(CallSpec{Method: method})
		r.cancel(stopped, "")
		r.wait(5 * time.Second) // the probe
		look()
	}
	sub, subscribes := r.subscribe(boardURI)
	r.recv(emptyAnswer, subscribes)
	look()
	r.cancel(sub, "")
	r.recv(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	r.wait(time.Minute)
	look()
	r.closed()
	r.reconnect(mcp.Rev20251125)
	look()
	r.closed()
	r.begins(mcp.Rev20260728, `{"tools":{}}`)
	again, wire := r.call("t")
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":%s}`, wire, inputRequired(`"requestState":"s"`))
	r.wait(time.Second)
	if r.row(again).Latest == wire {
		t.Error("the call is not made again")
	}
	look()
	for _, method := range []string{"ping", "tools/list", methodSubscribe, methodUnsubscribe, "initialize", "server/discover"} {
		if kinds[method] == 0 {
			t.Errorf("there was no %s: %v", method, kinds)
		}
	}
	if kinds["ping"] < 8 || kinds["tools/call"] != 4 {
		t.Errorf("written: %v", kinds)
	}
}

func TestIDsAreNeverReused(t *testing.T) {
	requirements.Rows(t, "BASE-04", "SD0-27")
	seen := map[string]bool{}
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.NoProbe = true })
	look := func() {
		for _, l := range r.lines {
			if m := read(t, l); m.ID != nil {
				if seen[string(m.ID)] {
					t.Fatalf("ID %s was used before", m.ID)
				}
				seen[string(m.ID)] = true
			}
		}
		r.lines = nil
	}
	answered := 0
	for i := range 10_000 {
		id, wire := r.call("t")
		switch i % 4 {
		case 0:
			r.cancel(id, "")
		case 1:
			r.feed(errorAnswer, wire)
			again, _ := r.call("t") // a retry
			r.cancel(again, "")
		case 2:
			r.feed(okAnswer, wire)
			if r.row(id).State == Done {
				answered++
			}
		}
		if i == 5000 {
			look()
			r.closed()
			r.reconnect(mcp.Rev20251125)
		}
	}
	look()
	if len(seen) < 12_000 || answered != 2500 {
		t.Errorf("%d IDs; %d of 2500 answers arrived", len(seen), answered)
	}
}

func TestAnAnswerNamesItsRequestByTypeAndValue(t *testing.T) {
	requirements.Rows(t, "BASE-06")
	for _, id := range []string{`"2"`, `2.5`, `3`, `9007199254740994`, `""`, `"belay-2"`} {
		r := ready(t, mcp.Rev20251125)
		call, _ := r.call("t") // its ID is 2
		r.recv(okAnswer, id)
		r.want(call, Running, cancel.NoVerdict)
		r.wantDiag(mcp.DiagUnknownAnswer, 1)
		r.recv(okAnswer, "2.0") // the same value
		r.want(call, Done, cancel.NoVerdict)
	}
	t.Run("theirs is repeated to the letter", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		for _, id := range []string{`0`, `""`, `"5"`, `5`, `9007199254740993`, `"\u0041"`, `1e0`, `-0`} {
			r.recv(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id)
			r.wantLines(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)
		}
	})
}

func TestMalformedAnswersEndTheirCallByName(t *testing.T) {
	requirements.Rows(t, "BASE-07", "BASE-08", "BASE-09", "BASE-22")
	for _, tt := range []struct {
		name, answer string
		diag         mcp.DiagCode
		detail       string
		note         string
	}{
		{"both", `{"jsonrpc":"2.0","id":2,"result":{},"error":{"code":1,"message":"x"}}`, mcp.DiagBothResultError, "", "malformed response"},
		{"neither", `{"jsonrpc":"2.0","id":2}`, mcp.DiagNoMethod, "", "malformed response"},
		{"no message", `{"jsonrpc":"2.0","id":2,"error":{"code":-32603}}`, mcp.DiagErrorShape, "message", ""},
		{"no code", `{"jsonrpc":"2.0","id":2,"error":{"message":"x"}}`, mcp.DiagErrorShape, "code", ""},
		{"a code that is text", `{"jsonrpc":"2.0","id":2,"error":{"code":"E1","message":"x"}}`, mcp.DiagErrorCode, "E1", ""},
		{"a result that is a list", `{"jsonrpc":"2.0","id":2,"result":[]}`, mcp.DiagResultShape, "not an object", "malformed result"},
		{"content that is null", `{"jsonrpc":"2.0","id":2,"result":{"content":null}}`, mcp.DiagResultShape, "content", ""},
		{"a reserved key of the wrong type", `{"jsonrpc":"2.0","id":2,"result":{"content":[],"_meta":{"progressToken":{}}}}`, mcp.DiagNone, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			id, _ := r.call("t")
			r.recv("%s", tt.answer)
			row := r.row(id)
			wantState := Failed
			if strings.Contains(tt.answer, `"content"`) {
				wantState = Done
			}
			if row.State != wantState || !strings.Contains(row.Note, tt.note) {
				t.Errorf("%v (%q), want %v (%q)", row.State, row.Note, wantState, tt.note)
			}
			diags := r.s.Diagnostics()
			if tt.diag == mcp.DiagNone {
				if len(diags) != 0 {
					t.Errorf("found wrong: %v", diags)
				}
				return
			}
			if len(diags) != 1 || diags[0].Code != tt.diag || !strings.Contains(diags[0].Detail, tt.detail) {
				t.Fatalf("found wrong: %+v", diags)
			}
			if e, ok := r.s.Entry(diags[0].Entry); !ok || string(e.Raw) != tt.answer || e.Flags&FlagDiag == 0 {
				t.Errorf("the message itself is not shown: %+v", e)
			}
			if tt.diag == mcp.DiagErrorCode {
				if d, _ := r.s.Detail(id); string(d.Err.CodeRaw) != `"E1"` {
					t.Errorf("the code reads %s", d.Err.CodeRaw)
				}
			}
		})
	}
}

func TestAnErrorWithoutAnIDConcernsNoCall(t *testing.T) {
	requirements.Rows(t, "BASE-10")
	for _, rev := range mcp.Supported() {
		for calls := range 3 { // also when there is one that it could only be about
			t.Run(fmt.Sprintf("%s, %d calls", rev, calls), func(t *testing.T) {
				r := ready(t, rev)
				var ids []CallID
				for range calls {
					id, _ := r.call("t")
					ids = append(ids, id)
				}
				r.recv(`{"jsonrpc":"2.0","error":{"code":-32700,"message":"parse error"}}`)
				r.recv(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`)
				for _, id := range ids {
					r.want(id, Running, cancel.NoVerdict)
				}
				r.wantDiag(mcp.DiagErrorNoID, 2)
				if n := len(r.s.Diagnostics()); n != 1 {
					t.Errorf("%d lines for the same thing", n)
				}
				for _, e := range r.s.Entries(nil, 1, 1000) {
					if strings.Contains(string(e.Raw), "parse error") && e.Call != 0 {
						t.Errorf("it is shown with call %d", e.Call)
					}
				}
			})
		}
	}
	const nobodys = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`
	for _, rev := range mcp.Supported() {
		t.Run("on the stream of the only call, "+string(rev), func(t *testing.T) {
			w := readyWeb(t, rev)
			id, out := w.tool("t")
			w.stream(out.X)
			w.recvOn(out.X, nobodys)
			w.want(id, Running, cancel.NoVerdict)
			w.wantDiag(mcp.DiagErrorNoID, 1)
		})
		t.Run("while the only call is being cancelled, "+string(rev), func(t *testing.T) {
			r := ready(t, rev, func(c *Config) { c.NoProbe = true })
			id, _ := r.call("t")
			r.cancel(id, "")
			r.recv(nobodys)
			r.want(id, Cancelling, cancel.NoVerdict)
			r.wait(time.Hour) // and its grace ends as it would have
			if row := r.row(id); row.State == Cancelling || row.Verdict == cancel.NoVerdict {
				t.Errorf("%v, %v", row.State, row.Verdict)
			}
		})
		t.Run("the clocks go on, "+string(rev), func(t *testing.T) {
			r := ready(t, rev, func(c *Config) { c.Idle, c.Max = time.Minute, time.Hour })
			id, _ := r.call("t")
			r.wait(30 * time.Second)
			r.recv(nobodys)
			r.wait(30*time.Second - time.Millisecond)
			r.want(id, Running, cancel.NoVerdict)
			r.wait(time.Millisecond) // neither stopped nor set back
			r.want(id, Cancelling, cancel.NoVerdict)
		})
	}
}

func TestNothingIsWrittenForANotification(t *testing.T) {
	requirements.Rows(t, "BASE-11", "BASE-12", "SC-3")
	r := ready(t, mcp.Rev20251125)
	id, wire := r.call("t")
	r.lines = nil
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":3,"method":"notifications/progress","params":{"progressToken":` + token(wire) + `,"progress":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}`,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/no/such"}`,
		`{"jsonrpc":"2.0","method":"sampling/createMessage","params":{}}`,
		`{"jsonrpc":"2.0","method":"ping"}`,
	} {
		r.recv("%s", line)
	}
	r.wantLines()
	r.wantDiag(mcp.DiagNotificationID, 1)
	if r.row(id).Progress.Count != 1 {
		t.Error("a notification with an ID is still a notification")
	}
}

func TestBatches(t *testing.T) {
	requirements.Rows(t, "BASE-19", "BASE-21")
	batch := `[{"jsonrpc":"2.0","id":2,"result":{"content":[]}},{"jsonrpc":"2.0","id":9,"method":"ping"},{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"x"}}]`
	for _, rev := range mcp.Supported() {
		t.Run(string(rev), func(t *testing.T) {
			r := ready(t, rev)
			one, _ := r.call("t")
			two, _ := r.call("t")
			r.lines = nil
			r.recv("%s", batch)
			if rev == "2025-03-26" {
				r.want(one, Done, cancel.NoVerdict)
				r.want(two, Failed, cancel.NoVerdict)
				r.wantLines(`{"jsonrpc":"2.0","id":9,"result":{}}`)
				r.wantDiag(mcp.DiagBatchNotAllowed, 0)
				return
			}
			r.wantDiag(mcp.DiagBatchNotAllowed, 1)
			r.wantLines()
			r.want(one, Running, cancel.NoVerdict)
			r.recv(okAnswer, 2)
			r.want(one, Done, cancel.NoVerdict)
		})
	}
}

// A batch with a flood in it costs no call its answer, and what is left out of the batch is told.
func TestABatchWithAFlood(t *testing.T) {
	r := ready(t, mcp.Rev20250326)
	one, _ := r.call("t")
	two, _ := r.call("t")
	r.lines = nil
	answer := func(id int) string { return fmt.Sprintf(okAnswer, id) }
	r.recv("[%s]", answer(2)+","+strings.Repeat(`{"jsonrpc":"2.0","id":9,"method":"ping"},`, 50_000)+answer(3))
	r.want(one, Done, cancel.NoVerdict)
	r.want(two, Done, cancel.NoVerdict)
	r.wantDiag(mcp.DiagOversize, 1)
	if n := r.sent(`"id":9,"result"`); n == 0 || n > 1000 {
		t.Errorf("%d pings are answered", n)
	}
}

func TestBareSessionSpeaksTheBase(t *testing.T) {
	requirements.Rows(t, "BASE-32")
	r := opened(t, Config{NoSampling: true, NoElicitation: true})
	r.recv(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
	r.agree(mcp.Rev20251125, `{}`)
	r.lines = nil
	r.recv(`{"jsonrpc":"2.0","id":"p2","method":"ping"}`)
	r.wantLines(`{"jsonrpc":"2.0","id":"p2","result":{}}`)
	id, _ := r.call("t")
	r.cancel(id, "")
	if r.sent("notifications/cancelled") != 1 {
		t.Error("no cancel on a session without features")
	}
}
