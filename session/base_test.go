package session

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/covers"
)

func TestWhatIsWrittenIsJSONRPC(t *testing.T) {
	covers.Rows(t, "BASE-01", "BASE-02", "BASE-20", "VER-12")
	r := ready(t, Rev20250326, func(c *Config) { c.Roots = []Root{{URI: "file:///a\nb"}} })
	id, wire := r.call("a \"b\"\n")
	r.made(Call{Method: "x/\ny", Params: []byte("{\n\"a\" : [1,\n2]}"), Raw: true})
	if err := r.s.Notify(r.now, "notifications/x", nil); err != nil {
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
	if got := wire.String() + StringID("a7").String(); got != `2"a7"` {
		t.Errorf("IDs read %s", got)
	}
}

func TestAMessageOfAnotherVersionIsDiagnosed(t *testing.T) {
	covers.Rows(t, "BASE-01")
	for _, line := range []string{
		`{"jsonrpc":"1.0","method":"notifications/x"}`, `{"method":"notifications/x"}`, `{"jsonrpc":2.0,"method":"notifications/x"}`,
	} {
		r := ready(t, Rev20251125)
		r.recv("%s", line)
		r.wantDiag(DiagVersionMember, 1)
		r.recv(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		r.wantLines(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	}
}

func TestARequestWithANullIDIsNotAnswered(t *testing.T) {
	covers.Rows(t, "BASE-03")
	r := ready(t, Rev20251125)
	r.recv(`{"jsonrpc":"2.0","id":null,"method":"ping"}`)
	r.recv(`{"jsonrpc":"2.0","id":null,"method":"sampling/createMessage","params":{}}`)
	r.wantLines()
	r.wantDiag(DiagIDNull, 2)
	if len(r.prompts()) != 0 {
		t.Error("a prompt was made of it")
	}
}

func TestIDsAreNeverReused(t *testing.T) {
	covers.Rows(t, "BASE-04", "SD0-27")
	seen := map[string]bool{}
	r := ready(t, Rev20251125, func(c *Config) { c.NoProbe = true })
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
			r.reconnect(Rev20251125)
		}
	}
	look()
	if len(seen) < 12_000 || answered != 2500 {
		t.Errorf("%d IDs; %d of 2500 answers arrived", len(seen), answered)
	}
}

func TestAnAnswerNamesItsRequestByTypeAndValue(t *testing.T) {
	covers.Rows(t, "BASE-06")
	for _, id := range []string{`"2"`, `2.5`, `3`, `9007199254740994`, `""`, `"belay-2"`} {
		r := ready(t, Rev20251125)
		call, _ := r.call("t") // its ID is 2
		r.recv(okAnswer, id)
		r.want(call, Running, NoVerdict)
		r.wantDiag(DiagUnknownAnswer, 1)
		r.recv(okAnswer, "2.0") // the same value
		r.want(call, Done, NoVerdict)
	}
	t.Run("theirs is repeated to the letter", func(t *testing.T) {
		r := ready(t, Rev20251125)
		for _, id := range []string{`0`, `""`, `"5"`, `5`, `9007199254740993`, `"\u0041"`, `1e0`, `-0`} {
			r.recv(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id)
			r.wantLines(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)
		}
	})
}

func TestMalformedAnswersEndTheirCallByName(t *testing.T) {
	covers.Rows(t, "BASE-07", "BASE-08", "BASE-09", "BASE-22")
	for _, tt := range []struct {
		name, answer string
		diag         DiagCode
		detail       string
		note         string
	}{
		{"both", `{"jsonrpc":"2.0","id":2,"result":{},"error":{"code":1,"message":"x"}}`, DiagBothResultError, "", "malformed response"},
		{"neither", `{"jsonrpc":"2.0","id":2}`, DiagNoMethod, "", "malformed response"},
		{"no message", `{"jsonrpc":"2.0","id":2,"error":{"code":-32603}}`, DiagErrorShape, "message", ""},
		{"no code", `{"jsonrpc":"2.0","id":2,"error":{"message":"x"}}`, DiagErrorShape, "code", ""},
		{"a code that is text", `{"jsonrpc":"2.0","id":2,"error":{"code":"E1","message":"x"}}`, DiagErrorCode, "E1", ""},
		{"a result that is a list", `{"jsonrpc":"2.0","id":2,"result":[]}`, DiagResultShape, "not an object", "malformed result"},
		{"content that is null", `{"jsonrpc":"2.0","id":2,"result":{"content":null}}`, DiagResultShape, "content", ""},
		{"a reserved key of the wrong type", `{"jsonrpc":"2.0","id":2,"result":{"content":[],"_meta":{"progressToken":{}}}}`, DiagNone, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := ready(t, Rev20251125)
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
			if tt.diag == DiagNone {
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
			if tt.diag == DiagErrorCode {
				if d, _ := r.s.Detail(id); string(d.Err.CodeRaw) != `"E1"` {
					t.Errorf("the code reads %s", d.Err.CodeRaw)
				}
			}
		})
	}
}

func TestAnErrorWithoutAnIDConcernsNoCall(t *testing.T) {
	covers.Rows(t, "BASE-10")
	r := ready(t, Rev20251125)
	first, _ := r.call("t")
	second, _ := r.call("t")
	r.recv(`{"jsonrpc":"2.0","error":{"code":-32700,"message":"parse error"}}`)
	r.recv(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`)
	r.want(first, Running, NoVerdict)
	r.want(second, Running, NoVerdict)
	r.wantDiag(DiagErrorNoID, 2)
	if n := len(r.s.Diagnostics()); n != 1 {
		t.Errorf("%d lines for the same thing", n)
	}
}

func TestNothingIsWrittenForANotification(t *testing.T) {
	covers.Rows(t, "BASE-11", "BASE-12", "SC-3")
	r := ready(t, Rev20251125)
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
	r.wantDiag(DiagNotificationID, 1)
	if r.row(id).Progress.Count != 1 {
		t.Error("a notification with an ID is still a notification")
	}
}

func TestBatches(t *testing.T) {
	covers.Rows(t, "BASE-19", "BASE-21")
	batch := `[{"jsonrpc":"2.0","id":2,"result":{"content":[]}},{"jsonrpc":"2.0","id":9,"method":"ping"},{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"x"}}]`
	for _, rev := range Supported() {
		t.Run(string(rev), func(t *testing.T) {
			r := ready(t, rev)
			one, _ := r.call("t")
			two, _ := r.call("t")
			r.lines = nil
			r.recv("%s", batch)
			if rev == "2025-03-26" {
				r.want(one, Done, NoVerdict)
				r.want(two, Failed, NoVerdict)
				r.wantLines(`{"jsonrpc":"2.0","id":9,"result":{}}`)
				r.wantDiag(DiagBatchNotAllowed, 0)
				return
			}
			r.wantDiag(DiagBatchNotAllowed, 1)
			r.wantLines()
			r.want(one, Running, NoVerdict)
			r.recv(okAnswer, 2)
			r.want(one, Done, NoVerdict)
		})
	}
}

func TestBareSessionSpeaksTheBase(t *testing.T) {
	covers.Rows(t, "BASE-32")
	r := newRig(t, Config{NoSampling: true, NoElicitation: true})
	r.epoch = r.s.Connect(r.now)
	r.pull()
	r.recv(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
	r.recv(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"bare","version":"0"}}}`)
	r.lines = nil
	r.recv(`{"jsonrpc":"2.0","id":"p2","method":"ping"}`)
	r.wantLines(`{"jsonrpc":"2.0","id":"p2","result":{}}`)
	id, _ := r.call("t")
	r.cancel(id, "")
	if r.sent("notifications/cancelled") != 1 {
		t.Error("no cancel on a session without features")
	}
}

// What an answer, a progress notification or a cancel of another connection
// names are requests of that connection, even where the IDs are the same.
func TestConnectionsShareNothing(t *testing.T) {
	covers.Rows(t, "SD3-35")
	r := ready(t, Rev20251125)
	lost, lostWire := r.call("t")
	gone, goneWire := r.call("t")
	r.cancel(gone, "")
	r.closed()
	old := r.epoch
	r.reconnect(Rev20251125)
	before, beforeGone := r.row(lost), r.row(gone)
	t.Run("an old ID on the new connection", func(*testing.T) {
		for _, wire := range []ID{lostWire, goneWire} {
			r.recv(okAnswer, wire)
			r.recv(progressNote, token(wire), 1)
			r.recv(cancelledNote, wire)
		}
		r.wantDiag(DiagUnknownAnswer, 2)
		r.wantDiag(DiagProgressToken, 2)
		r.wantDiag(DiagDuplicateAnswer, 0)
		r.wantDiag(DiagEarlyAnswer, 0)
	})
	t.Run("the old connection", func(t *testing.T) {
		id, wire := r.call("t")
		r.s.Receive(r.now, Exchange{Epoch: old}, Decode(fmt.Appendf(nil, okAnswer, wire)))
		r.s.Receive(r.now, Exchange{Epoch: old}, Decode(fmt.Appendf(nil, samplingAsk, 1)))
		r.want(id, Running, NoVerdict)
		r.wantDiag(DiagStaleEpoch, 2)
		if len(r.prompts()) != 0 {
			t.Error("a prompt came from a closed connection")
		}
		r.s.Closed(r.now, old, Close{Status: "exit status 0"})
		r.want(id, Running, NoVerdict)
	})
	if r.row(lost) != before || r.row(gone) != beforeGone {
		t.Errorf("rows of the first connection changed: %+v, %+v", r.row(lost), r.row(gone))
	}
}

func TestStrayAnswersAreToldApart(t *testing.T) {
	r := ready(t, Rev20251125)
	r.mute = true
	id, _ := r.call("queued")
	r.recv(okAnswer, r.row(id).Wire)
	r.wantDiag(DiagEarlyAnswer, 1)
	r.want(id, Queued, NoVerdict)
	r.mute = false
	r.pull()
	r.recv(okAnswer, r.row(id).Wire)
	r.recv(okAnswer, r.row(id).Wire)
	r.wantDiag(DiagDuplicateAnswer, 1)
	r.recv(okAnswer, 4711)
	r.wantDiag(DiagUnknownAnswer, 1)
	t.Run("one that was forgotten is unknown, not early", func(t *testing.T) {
		first, wire := r.call("t")
		r.recv(okAnswer, wire)
		r.s.ours.limit = 1000
		for range 1001 {
			_, w := r.call("t")
			r.feed(okAnswer, w)
		}
		early := r.diag(DiagEarlyAnswer)
		r.recv(okAnswer, wire)
		if r.row(first).State != Done || r.diag(DiagEarlyAnswer) != early || r.diag(DiagUnknownAnswer) != 2 {
			t.Errorf("%d early, %d unknown", r.diag(DiagEarlyAnswer), r.diag(DiagUnknownAnswer))
		}
	})
}

func TestAServersRequestCannotBeCancelled(t *testing.T) {
	covers.Rows(t, "CXL-03", "SD0-01")
	r := ready(t, Rev20251125)
	r.recv(samplingAsk, `"theirs"`)
	r.recv(samplingAsk, `2`)
	id, _ := r.call("t") // its ID is 2 as well
	r.lines = nil
	err := r.s.Notify(r.now, "notifications/cancelled", []byte(`{"requestId":"theirs"}`))
	if !errors.Is(err, ErrDirection) {
		t.Errorf("cancelling the server's request: %v", err)
	}
	if err := r.s.Cancel(r.now, 99, ""); !errors.Is(err, ErrUnknown) {
		t.Errorf("cancelling an unknown call: %v", err)
	}
	r.pull()
	r.wantLines()
	t.Run("by hand, ours is a cancel like any other", func(t *testing.T) {
		if err := r.s.Notify(r.now, "notifications/cancelled", []byte(` {"requestId":2,"reason":"by hand"}`)); err != nil {
			t.Fatal(err)
		}
		r.pull()
		r.wantLines(string(AppendCancelled(nil, IntID(2), "by hand")))
		r.want(id, Cancelling, NoVerdict)
		if err := r.s.Notify(r.now, "notifications/cancelled", []byte(`{"requestId":2}`)); !errors.Is(err, ErrCancelling) {
			t.Errorf("a second one: %v", err)
		}
		if s := r.prompts(); s[1] != Waiting {
			t.Errorf("the server's request 2 is %v", s[1])
		}
	})
	t.Run("by hand, before the request has left", func(t *testing.T) {
		r.mute, r.lines = true, nil
		queued, wire := r.call("queued")
		if err := r.s.Notify(r.now, "notifications/cancelled", fmt.Appendf(nil, `{"requestId":%v}`, wire)); err != nil {
			t.Fatal(err)
		}
		r.mute = false
		r.pull()
		r.wantLines()
		r.want(queued, Dropped, NoVerdict)
	})
	t.Run("what nobody knows is written as it is", func(t *testing.T) {
		r.lines = nil
		if err := r.s.Notify(r.now, "notifications/cancelled", []byte(`{"requestId":4711}`)); err != nil {
			t.Fatal(err)
		}
		r.pull()
		if r.sent(`"requestId":4711`) != 1 {
			t.Errorf("written: %v", r.lines)
		}
	})
}

func TestTheRefusalsOfACall(t *testing.T) {
	covers.Rows(t, "SD3-42")
	r := newRig(t, Config{})
	try := func(method, params string) error {
		var p []byte
		if params != "" {
			p = []byte(params)
		}
		_, err := r.s.Call(r.now, Call{Method: method, Params: p})
		return err
	}
	if err := try("tools/list", ""); !errors.Is(err, ErrNotReady) {
		t.Errorf("not connected: %v", err)
	}
	r.epoch = r.s.Connect(r.now)
	r.pull()
	for _, tt := range []struct {
		method, params string
		want           error
	}{
		{"", "", ErrMethod},
		{"initialize", "", ErrMethod},
		{"tools/list", "[]", ErrParams},
		{"tools/list", `{"a":}`, ErrParams},
	} {
		if err := try(tt.method, tt.params); !errors.Is(err, tt.want) {
			t.Errorf("%q %s: %v", tt.method, tt.params, err)
		}
	}
	if err := r.s.SetPin(r.now, "1999-01-01"); !errors.Is(err, ErrNotSupported) {
		t.Errorf("pin: %v", err)
	}
	if err := r.s.Extend(r.now, 99); !errors.Is(err, ErrUnknown) {
		t.Errorf("extend: %v", err)
	}
	r.s.Disconnect(r.now)
	if err := try("tools/list", ""); !errors.Is(err, ErrQuitting) {
		t.Errorf("closing: %v", err)
	}
	r.pull()
	r.closed()
	if err := r.s.Cancel(r.now, 1, ""); !errors.Is(err, ErrFinished) {
		t.Errorf("cancelling a lost call: %v", err)
	}
	if n := r.sent("tools/list") + r.sent("cancelled"); n != 0 {
		t.Errorf("written: %v", r.lines)
	}
}

func TestAListOfWhatIsInFlight(t *testing.T) {
	covers.Rows(t, "SD3-40", "SD3-01", "FR-1", "UT-1", "SD3-18")
	r := ready(t, Rev20251125)
	r.mute = true
	var ids []CallID
	for range 5 {
		id, _ := r.call("t")
		r.wait(time.Millisecond)
		ids = append(ids, id)
		if row := r.row(id); row.State != Queued || !row.InFlight() || row.Wire.IsZero() {
			t.Errorf("before it is written: %+v", row)
		}
	}
	r.mute = false
	r.pull()
	rows := r.s.InFlight(nil, 100)
	for i, row := range rows {
		if row.ID != ids[i] || row.State != Running || row.Created != origin.Add(5*time.Millisecond+time.Duration(i)*time.Millisecond) {
			t.Errorf("row %d: %+v", i, row)
		}
	}
	rows[0].State = Lost // a copy
	r.want(ids[0], Running, NoVerdict)
	if n := len(r.s.InFlight(nil, 3)); n != 3 || r.s.Status().InFlight != 5 {
		t.Errorf("%d of 3 rows; %d in flight", n, r.s.Status().InFlight)
	}
}
