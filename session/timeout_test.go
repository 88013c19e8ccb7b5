package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

func TestEveryRequestHasTimeouts(t *testing.T) {
	requirements.Rows(t, "TMO-01", "TMO-03", "TMO-06")
	r := ready(t, mcp.Rev20251125)
	for _, method := range []string{
		"tools/list", "tools/call", "resources/read", "prompts/get", "completion/complete", "logging/setLevel", "ping", "no/such",
	} {
		id, _ := r.made(CallSpec{Method: method})
		if got := r.row(id).Deadline; got != r.now.Add(5*time.Minute) {
			t.Errorf("%s: the deadline is %v away", method, got.Sub(r.now))
		}
		if d, _ := r.s.Detail(id); d.Idle != 5*time.Minute || d.Max != time.Hour {
			t.Errorf("%s: %v, %v", method, d.Idle, d.Max)
		}
	}
	own, _ := r.made(CallSpec{Method: "a", Idle: time.Second})
	capped, _ := r.made(CallSpec{Method: "b", Max: 2 * time.Second})
	none, _ := r.made(CallSpec{Method: "c", Idle: -1, Max: -1})
	if got := r.row(none).Deadline; !got.IsZero() {
		t.Errorf("none was asked for, and it is %v", got)
	}
	r.wait(time.Second)
	r.want(own, Cancelling, cancel.NoVerdict)
	r.want(capped, Running, cancel.NoVerdict)
	r.wait(time.Second)
	r.want(capped, Cancelling, cancel.NoVerdict)
	r.pings = true
	r.wait(3 * time.Hour)
	r.want(none, Running, cancel.NoVerdict)
	if n := r.s.Status().InFlight; n != 1 {
		t.Errorf("%d calls are still in flight", n)
	}
}

func TestATimeoutIsACancel(t *testing.T) {
	requirements.Rows(t, "TMO-04", "TMO-09", "TMO-10", "ERR-22", "SRV-07")
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		t.Run(string(rev), func(t *testing.T) { timesOut(t, rev) })
	}
}

func timesOut(t *testing.T, rev mcp.Revision) {
	r := ready(t, rev)
	id, wire := r.made(CallSpec{Method: "tools/call", Idle: time.Second})
	r.lines = nil
	r.wait(time.Second - 1)
	r.wantLines()
	r.wait(1)
	r.wantLines(string(mcp.AppendCancelled(nil, wire, "timeout: silent for 1s")))
	row := r.row(id)
	if row.State != Cancelling || row.Initiator != cancel.ByTimeout {
		t.Errorf("%v by %v", row.State, row.Initiator)
	}
	r.pings = true
	r.wait(10 * time.Second)
	r.want(id, Cancelled, cancel.Quiet)
	lost, _ := r.call("t")
	r.closed()
	for _, id := range []CallID{id, lost} {
		d, _ := r.s.Detail(id)
		if words := d.State.String() + d.Verdict.String() + d.Note; d.Err != nil || d.ErrText != "" || strings.ContainsAny(strings.ReplaceAll(words, "status 3", ""), "-0123456789") {
			t.Errorf("no code exists for what ended here: %+v, %q", d.Err, words)
		}
	}
}

func TestProgressResetsOnlyTheIdleClock(t *testing.T) {
	requirements.Rows(t, "TMO-07", "TMO-08")
	r := ready(t, mcp.Rev20251125)
	id, wire := r.made(CallSpec{Method: "tools/call", Idle: 2 * time.Second, Max: 10 * time.Second})
	r.within(9*time.Second, time.Second, func(i int) { r.recv(progressNote, token(wire), i+1) })
	r.want(id, Running, cancel.NoVerdict)
	r.recv(progressNote, token(wire), 100)
	r.wait(time.Second - 1)
	r.want(id, Running, cancel.NoVerdict)
	r.wait(1)
	r.want(id, Cancelling, cancel.NoVerdict)
	if d, _ := r.s.Detail(id); d.Reason != "timeout: no end after 10s" {
		t.Errorf("reason %q", d.Reason)
	}
	t.Run("what is refused resets nothing", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		id, wire := r.made(CallSpec{Method: "tools/call", Idle: 2 * time.Second})
		r.recv(progressNote, token(wire), 5)
		r.within(2*time.Second, time.Second/2, func(int) { r.recv(progressNote, token(wire), 5) })
		r.want(id, Cancelling, cancel.NoVerdict)
	})
}

func TestClocksStandStillWhileAHumanAnswers(t *testing.T) {
	requirements.Rows(t, "TMO-13")
	r := ready(t, mcp.Rev20251125)
	id, wire := r.made(CallSpec{Method: "tools/call", Idle: 30 * time.Second, Max: 40 * time.Second, Rules: Rules{After: 35 * time.Second}})
	r.wait(20 * time.Second)
	r.recv(elicitationAsk, 1)
	if row := r.row(id); !row.Paused || !row.Deadline.IsZero() || !row.AsksYou {
		t.Errorf("%+v", row)
	}
	r.wait(90 * time.Second)
	r.recv(progressNote, token(wire), 1) // resets the idle clock, which stands still
	r.wait(time.Hour)
	r.want(id, Running, cancel.NoVerdict)
	if err := r.answer(1); err != nil {
		t.Fatal(err)
	}
	if row := r.row(id); row.Paused || row.Deadline != r.now.Add(15*time.Second) {
		t.Errorf("paused %v, the rule comes in %v", row.Paused, row.Deadline.Sub(r.now))
	}
	r.wait(15*time.Second - 1)
	r.want(id, Running, cancel.NoVerdict)
	r.wait(1)
	if row := r.row(id); row.State != Cancelling || row.Initiator != cancel.ByRule {
		t.Errorf("%+v", row)
	}
	t.Run("progress in the meantime", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		id, wire := r.made(CallSpec{Method: "tools/call", Idle: 30 * time.Second, Max: time.Minute})
		r.wait(20 * time.Second)
		r.recv(elicitationAsk, 1)
		r.wait(90 * time.Second)
		r.recv(progressNote, token(wire), 1) // a new beginning, in time that stands still
		r.wait(time.Hour)
		r.want(id, Running, cancel.NoVerdict)
		if err := r.answer(1); err != nil {
			t.Fatal(err)
		}
		if got := r.row(id).Deadline; !got.Equal(r.now.Add(30 * time.Second)) {
			t.Errorf("it has %v, want what it had when the human was asked and progress came", got.Sub(r.now))
		}
		r.wait(30*time.Second - 1)
		r.want(id, Running, cancel.NoVerdict)
		r.wait(1)
		if row := r.row(id); row.State != Cancelling || row.Initiator != cancel.ByTimeout {
			t.Errorf("%v by %v", row.State, row.Initiator)
		}
	})
	t.Run("each clock goes on where it stood", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		idle, _ := r.made(CallSpec{Method: "a", Idle: 30 * time.Second})
		whole, w := r.made(CallSpec{Method: "b", Idle: 30 * time.Second, Max: 31 * time.Second})
		r.wait(29 * time.Second)
		r.recv(progressNote, token(w), 1)
		r.recv(samplingAsk, 1)
		r.wait(time.Hour)
		r.recv(cancelledNote, 1)
		r.wait(time.Second)
		r.want(idle, Cancelling, cancel.NoVerdict)
		r.want(whole, Running, cancel.NoVerdict)
		r.wait(time.Second)
		r.want(whole, Cancelling, cancel.NoVerdict)
	})
}

func TestExtend(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, _ := r.made(CallSpec{Method: "a", Idle: 10 * time.Second, Max: 15 * time.Second, Rules: Rules{After: 30 * time.Second}})
	extend := func() {
		t.Helper()
		if _, err := r.s.Handle(r.now, Extend{Call: id}); err != nil {
			t.Fatal(err)
		}
		r.check()
	}
	r.wait(9 * time.Second)
	extend()
	r.wait(9 * time.Second)
	r.want(id, Running, cancel.NoVerdict)
	r.recv(elicitationAsk, 1)
	r.wait(time.Minute)
	extend() // while it stands still
	r.wait(time.Minute)
	if err := r.answer(1); err != nil {
		t.Fatal(err)
	}
	r.wait(9 * time.Second)
	extend()
	r.wait(3*time.Second - 1)
	r.want(id, Running, cancel.NoVerdict)
	r.wait(1) // 30 s of its own time: the rule was not extended
	if row := r.row(id); row.Initiator != cancel.ByRule {
		t.Errorf("%v by %v", row.State, row.Initiator)
	}
	if _, err := r.s.Handle(r.now, Extend{Call: id}); err == nil {
		t.Error("a call that is being cancelled has no clock")
	}
}

func TestRules(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, wire := r.made(CallSpec{Method: "a", Rules: Rules{AtFraction: 0.5, Reason: "half is enough"}})
	r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":4,"total":10}}`, token(wire))
	r.want(id, Running, cancel.NoVerdict)
	r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":5,"total":10}}`, token(wire))
	r.want(id, Cancelling, cancel.NoVerdict)
	if d, _ := r.s.Detail(id); d.Initiator != cancel.ByRule || d.Reason != "half is enough" {
		t.Errorf("by %v: %q", d.Initiator, d.Reason)
	}
}

// After a jump of time nothing is fired for it, whichever input is the first
// to see the new time.
func TestAJumpOfTimeFiresNothing(t *testing.T) {
	requirements.Rows(t, "TMO-17")
	x := func(r *rig) ExchangeID { return ExchangeID{Epoch: r.epoch} }
	for name, first := range map[string]func(*rig){
		"tick":    func(r *rig) { r.s.Tell(r.now, Tick{}) },
		"message": func(r *rig) { r.s.Receive(r.now, x(r), mcp.Decode([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))) },
		"call":    func(r *rig) { _, _ = r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "x"}}) },
		"key":     func(r *rig) { _, _ = r.s.Handle(r.now, Cancel{Call: 99}) },
		"next":    func(r *rig) { r.s.Next(r.now) },
		"stderr":  func(r *rig) { r.s.Tell(r.now, Stderr{Epoch: x(r).Epoch, Line: []byte("x")}) },
	} {
		t.Run(name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125, func(c *Config) { c.PingEvery = time.Minute })
			idle, _ := r.call("a")
			paused, _ := r.made(CallSpec{Method: "b", Idle: 2 * time.Minute})
			r.recv(samplingAsk, 1)
			stopped, _ := r.call("c")
			r.cancel(stopped, "")
			r.wait(time.Second)
			r.lines = nil
			r.now = r.now.Add(time.Hour)
			first(r)
			r.s.Tell(r.now, Tick{})
			r.check()
			r.pull()
			r.wantDiag(mcp.DiagClockJump, 1)
			if r.sent("cancelled")+r.sent(`"method":"ping"`) != 0 {
				t.Errorf("written: %v", r.lines)
			}
			r.want(idle, Running, cancel.NoVerdict)
			r.want(stopped, Cancelling, cancel.NoVerdict)
			if err := r.answer(1); err != nil {
				t.Fatal(err)
			}
			r.pull()
			r.wait(4 * time.Second)
			if d, _ := r.s.Detail(stopped); d.State != Cancelling || len(d.Evidence) == 0 {
				t.Errorf("the grace goes on where it stood: %v", d.State)
			}
			r.wait(2*time.Minute - 4*time.Second)
			r.want(paused, Cancelling, cancel.NoVerdict)
			r.want(idle, Running, cancel.NoVerdict)
			r.wait(3 * time.Minute)
			r.want(idle, Cancelling, cancel.NoVerdict)
		})
	}
	t.Run("a long silence is no jump", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125, func(c *Config) { c.Idle = 2 * time.Minute })
		id, _ := r.call("a")
		r.now = r.now.Add(2*time.Minute + 29*time.Second) // a busy machine
		r.s.Tell(r.now, Tick{})
		r.pull()
		r.want(id, Cancelling, cancel.NoVerdict)
		r.wantDiag(mcp.DiagClockJump, 0)
	})
	t.Run("a silence after a clock began anew is none", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125, func(c *Config) { c.Idle = 2 * time.Minute })
		id, wire := r.call("a")
		r.now = r.now.Add(100 * time.Second)
		r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":4}}`, token(wire))
		r.now = r.now.Add(time.Minute) // before the new time, and 40 s after the old one
		r.s.Tell(r.now, Tick{})
		r.pull()
		r.wantDiag(mcp.DiagClockJump, 0)
		r.want(id, Running, cancel.NoVerdict)
		r.wait(time.Minute)
		r.want(id, Cancelling, cancel.NoVerdict)
	})
}

func TestNothingOutlivesItsTimeouts(t *testing.T) {
	requirements.Rows(t, "SD3-33")
	r := ready(t, mcp.Rev20251125)
	for range 100 {
		r.call("never answered")
	}
	r.wait(time.Hour + 10*time.Second)
	if st := r.s.Status(); st.InFlight != 0 || r.s.timers.Len() != 0 || len(r.s.outgoing.tokens) != 0 {
		t.Errorf("%d in flight, %d timers, %d tokens", st.InFlight, r.s.timers.Len(), len(r.s.outgoing.tokens))
	}
	if _, ok := r.s.Deadline(); ok {
		t.Error("something is due")
	}
}
