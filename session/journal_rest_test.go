package session

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/secret"
)

// A session is at rest while nothing is in flight, due or awaited, and at no other time.
func TestASessionIsAtRest(t *testing.T) {
	rests := func(r *rig, want bool, when string) {
		t.Helper()
		if _, got := r.s.Journal().Rest(); got != want {
			t.Errorf("%s: at rest is %v", when, got)
		}
	}
	r := newRig(t, Config{})
	rests(r, false, "before anything")
	r.connect()
	rests(r, false, "during the handshake")
	r.agree("2025-11-25", logging)
	r.pings = true
	rests(r, true, "when it is ready")
	id, _ := r.call("a")
	rests(r, false, "with a call in flight")
	r.cancel(id, "")
	rests(r, false, "while it is cancelling")
	r.wait(30 * time.Second)
	rests(r, false, "as long as a question may be about it")
	r.wait(2 * time.Minute)
	r.s.Tell(r.now, Tick{})
	rests(r, true, "later")
	r.s.Tell(r.now, Closed{Epoch: r.epoch})
	rests(r, true, "after the end")
	r.s.http.ops = append(r.s.http.ops, Output{Op: OpAbort})
	rests(r, false, "while an exchange is to be closed still")
	r.s.http.ops = nil

	r = probing(t)
	r.recv(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"broken"}}`)
	r.recv(`{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"not today"}}`)
	r.s.Tell(r.now, Closed{Epoch: r.epoch})
	if !r.s.conn.reconnect {
		t.Fatal("the server is not to be started again")
	}
	rests(r, false, "before the server is started again")
}

// What a recording leaves out is passed over: the session counts on from there, and takes no
// time for a jump of the clock. What cannot be is refused.
func TestSkippedStepsArePassedOver(t *testing.T) {
	r := ready(t, mcp.Rev20251125, func(cfg *Config) { cfg.PingEvery = time.Minute })
	here, ok := r.s.Journal().Rest()
	if !ok {
		t.Fatal("it is not at rest")
	}
	to := here
	to.Calls, to.Request, to.Outputs, to.Messages = here.Calls+70, here.Request+80, here.Outputs+90, here.Messages+100
	to.Trips = cancel.Measured{Mean: time.Second, Best: time.Second, Least: time.Second, From: cancel.FromPing}
	for what, wrong := range map[string]func(*Rest){
		"another connection": func(r *Rest) { r.Epoch++ },
		"an end":             func(r *Rest) { r.Over = true },
		"fewer calls":        func(r *Rest) { r.Calls = 0 },
		"endless calls":      func(r *Rest) { r.Calls += mostSkipped + 1 },
		"an ID again":        func(r *Rest) { r.Request = 1 },
		"fewer messages":     func(r *Rest) { r.Messages = 0 },
	} {
		bad := to
		wrong(&bad)
		if _, err := r.s.Handle(r.now, Skipped{Rest: &bad}); !errors.Is(err, &Refusal{Code: RefuseNotReady}) {
			t.Errorf("%s: %v", what, err)
		}
	}
	r.now = r.now.Add(time.Hour)
	if _, err := r.s.Handle(r.now, Skipped{Rest: &to}); err != nil {
		t.Fatal(err)
	}
	if err := r.s.Check(); err != nil {
		t.Error(err)
	}
	got, ok := r.s.Journal().Rest()
	if !ok || got.Calls != to.Calls || got.Request != to.Request || got.Outputs != to.Outputs || got.Messages != to.Messages || r.s.Status().Bound != time.Second {
		t.Errorf("it goes on from %+v", got)
	}
	if id, _ := r.call("a"); id != to.Calls+1 {
		t.Errorf("the next call is %d", id)
	}
	for _, d := range r.s.Diagnostics() {
		if d.Code == mcp.DiagClockJump {
			t.Error("the time that was passed over is a jump of the clock")
		}
	}
}

// What has come on a stream that stays open is passed over with it: from where it is taken up
// again, and when.
func TestWhatCameOnAStreamIsPassedOver(t *testing.T) {
	whole, cut := readyWeb(t, mcp.Rev20251125), readyWeb(t, mcp.Rev20251125)
	stream := whole.gets()[0].X
	for _, w := range []*webRig{whole, cut} {
		w.stream(stream)
	}
	if before, ok := cut.s.Journal().Rest(); !ok || len(before.Streams) != 1 {
		t.Fatalf("no stream is open at rest: %+v", before)
	}
	whole.later(time.Second)
	whole.recvOn(stream, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`)
	whole.recvOn(stream, `{"jsonrpc":"2.0"}`)
	whole.recvOn(stream, `[]`)
	whole.later(time.Second)
	whole.event(stream, "7", 5*time.Second)
	to, ok := whole.s.Journal().Rest()
	if !ok || len(to.Marks) != 1 {
		t.Fatalf("it is not at rest: %+v", to)
	}
	for at, v := 0, reflect.ValueOf(to.Marks[0]); at < v.NumField(); at++ {
		if v.Field(at).IsZero() {
			t.Errorf("that %s is taken over is not tried", v.Type().Field(at).Name)
		}
	}
	cut.now = whole.now
	if _, err := cut.s.Handle(cut.now, Skipped{Rest: &to}); err != nil {
		t.Fatal(err)
	}
	if got, _ := cut.s.Journal().Rest(); !reflect.DeepEqual(got.Marks, to.Marks) {
		t.Errorf("%+v goes on as %+v", to.Marks, got.Marks)
	}
	for name, w := range map[string]*webRig{"whole": whole, "cut": cut} {
		w.ended(stream, End{Err: "reset"})
		w.later(4999 * time.Millisecond)
		before := len(w.gets())
		w.later(time.Millisecond)
		if gets := w.gets(); before != 1 || len(gets) != 2 || field(gets[1], headerLastID) != "7" {
			t.Errorf("%s: %d GETs before the time, then %+v", name, before, gets)
		}
	}
}

// What a server wrote is masked in a mark as it is in a message.
func TestAMarkIsMasked(t *testing.T) {
	const hidden = "swordfish-swordfish"
	rest := &Rest{Marks: []StreamMark{{Malformed: "no " + hidden, LastID: hidden}}}
	masked, plain := Masked(Skipped{Rest: rest}, unkeyed.With(secret.Value{Text: hidden})).(Skipped).Rest.Marks[0], rest.Marks[0]
	if strings.Contains(masked.Malformed+masked.LastID, hidden) || masked.LastID == "" || plain.LastID != hidden || !strings.HasSuffix(plain.Malformed, hidden) {
		t.Errorf("%+v of %+v", masked, plain)
	}
}

// A mark that cannot be, as a file may have it, is cut to what can.
func TestAMarkThatCannotBe(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	w.stream(w.gets()[0].X)
	to, _ := w.s.Journal().Rest()
	to.Marks = []StreamMark{{Events: -1, Messages: -1, First: -time.Hour, LastID: strings.Repeat("x", maxEventID+1), Retry: -1}, {Events: 1}}
	if _, err := w.s.Handle(w.now, Skipped{Rest: &to}); err != nil {
		t.Fatal(err)
	}
	if err := w.s.Check(); err != nil {
		t.Error(err)
	}
	got, _ := w.s.Journal().Rest()
	if want := (StreamMark{Retry: -1}); len(got.Marks) != 1 || got.Marks[0] != want {
		t.Errorf("%+v", got.Marks)
	}
	to.Marks = []StreamMark{{Retry: 1000 * time.Hour}}
	if _, err := w.s.Handle(w.now, Skipped{Rest: &to}); err != nil {
		t.Fatal(err)
	}
	if got, _ := w.s.Journal().Rest(); got.Marks[0].Retry != longestRetry {
		t.Errorf("%+v", got.Marks)
	}
}

// Figures of a rest that cannot be are no input.
func TestARestWithFiguresThatCannotBe(t *testing.T) {
	decode := func(figure string) error {
		_, err := DecodeInput("skipped", []byte(`{"rest":{"epoch":1,`+figure+`}}`))
		return err
	}
	if err := decode(`"calls":7,"request":9,"outputs":20,"exchanges":3,"prompts":2,"messages":100`); err != nil {
		t.Error(err)
	}
	for _, figure := range []string{
		`"calls":-1`, `"calls":9223372036854775807`, `"request":-1`, `"request":9223372036854775807`, `"outputs":18446744073709551615`,
		`"exchanges":18446744073709551615`, `"prompts":-1`, `"prompts":9223372036854775807`, `"messages":18446744073709551615`, `"processes":{"share":-1}`,
	} {
		if err := decode(figure); err == nil {
			t.Errorf("%s is taken", figure)
		}
	}
}

// Messages that are passed over count as heard by the calls that they were for.
func TestSkippedMessagesAreHeard(t *testing.T) {
	r := ready(t, mcp.Rev20251125, func(cfg *Config) { cfg.Idle = 5 * time.Minute })
	heard, _ := r.call("a")
	silent, _ := r.call("b")
	before := r.s.Status().Received
	for range 3 {
		r.now = r.now.Add(4 * time.Minute)
		if _, err := r.s.Handle(r.now, Skipped{Messages: 5, Calls: []CallID{heard, 99}}); err != nil {
			t.Fatal(err)
		}
	}
	r.wait(0)
	if row, _ := r.s.Row(heard); row.State != Running {
		t.Errorf("the call that was heard of is %v", row.State)
	}
	if row, _ := r.s.Row(silent); row.State != Cancelling {
		t.Errorf("the other one is %v", row.State)
	}
	if n := r.s.Status().Received - before; n != 15 {
		t.Errorf("%d messages were received", n)
	}
}

// A journal can do without messages that nothing follows from, and without no other.
func TestWhichMessagesPass(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	running, _ := r.call("a")
	stopped, _ := r.call("b")
	ruled, err := madeBy(r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"c"}`), Rules: Rules{After: time.Hour}}}))
	if err != nil {
		t.Fatal(err)
	}
	r.pull()
	r.cancel(stopped, "")
	progress := func(id CallID) string {
		row, _ := r.s.Row(id)
		return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-` + row.Wire.String() + `","progress":1}}`
	}
	row, _ := r.s.Row(running)
	for _, c := range []struct {
		message string
		heard   CallID
		passes  bool
	}{
		{progress(running), running, true},
		{progress(stopped), stopped, false},
		{progress(ruled), ruled, false},
		{`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"x","progress":1}}`, 0, true},
		{`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`, 0, false}, // of a cancelled call, perhaps
		{`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b"}}`, 0, true},
		{`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, 0, false},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, 0, false},
		{`{"jsonrpc":"2.0","method":"no/such"}`, 0, true},
		{`{"jsonrpc":"2.0","id":99,"result":{}}`, 0, true},
		{`{"jsonrpc":"2.0","id":` + row.Wire.String() + `,"result":{}}`, 0, false},
		{`{"jsonrpc":"2.0","id":7,"method":"ping"}`, 0, false},
		{`garbage`, 0, true},
	} {
		heard, passes := r.s.Journal().IsPassing(ExchangeID{Epoch: 1}, mcp.Decode([]byte(c.message)))
		if passes != c.passes || passes && heard != c.heard {
			t.Errorf("%s: passes is %v, heard of is %d", c.message, passes, heard)
		}
	}
	if _, passes := r.s.Journal().IsPassing(ExchangeID{Epoch: 7}, mcp.Decode([]byte(progress(running)))); !passes {
		t.Error("a message from another connection does not pass")
	}
}
