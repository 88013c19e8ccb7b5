package session

import (
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// The scenarios of the founding documents, on the four revisions.

func onEveryRevision(t *testing.T, f func(t *testing.T, r *rig)) {
	for _, rev := range mcp.Supported() {
		t.Run(string(rev), func(t *testing.T) { f(t, ready(t, rev)) })
	}
}

func TestScenarioCancelBeforeTheAnswer(t *testing.T) {
	requirements.Rows(t, "SCENARIO-1", "SD0-13", "IT-1")
	onEveryRevision(t, func(t *testing.T, r *rig) {
		id, wire := r.call("slow_operation")
		r.wait(time.Second)
		r.lines = nil
		r.cancel(id, "wrong branch")
		r.wantLines(string(mcp.AppendCancelled(nil, wire, "wrong branch")))
		r.pings = true
		r.wait(time.Minute)
		d, _ := r.s.Detail(id)
		if d.State != Cancelled || d.Verdict != cancel.Quiet || d.Late != nil || d.Result != nil {
			t.Errorf("%v · %v, late %v", d.State, d.Verdict, d.Late)
		}
	})
}

func TestScenarioCancelAndAnswerCross(t *testing.T) {
	requirements.Rows(t, "SCENARIO-2", "SD0-14")
	onEveryRevision(t, func(t *testing.T, r *rig) {
		id, wire := r.call("t")
		r.wait(time.Second)
		r.cancel(id, "")
		r.wait(5 * time.Millisecond)
		r.lines = nil
		r.recv(okAnswer, wire)
		d, _ := r.s.Detail(id)
		if d.State != Cancelled || d.Verdict != cancel.Crossed || d.Result != nil || d.Late == nil {
			t.Errorf("%v · %v, result %s, late %v", d.State, d.Verdict, d.Result, d.Late)
		}
		r.wantLines()
		if ds := r.s.Diagnostics(); len(ds) != 0 {
			t.Errorf("found wrong: %v", ds)
		}
	})
}

func TestScenarioAnswerBeforeTheCancel(t *testing.T) {
	requirements.Rows(t, "SCENARIO-3", "SD0-15")
	onEveryRevision(t, func(t *testing.T, r *rig) {
		id, wire := r.call("t")
		r.recv(okAnswer, wire)
		r.lines = nil
		if _, err := r.s.Handle(r.now, Cancel{Call: id}); err == nil {
			t.Error("a finished call was cancelled")
		}
		if n := r.s.Tell(r.now, CancelAll{}).Cancelled; n != 0 {
			t.Errorf("cancel-all took %d", n)
		}
		r.pull()
		r.wantLines()
		if d, _ := r.s.Detail(id); d.State != Done || d.Result == nil {
			t.Errorf("%v, result %s", d.State, d.Result)
		}
	})
}

// What the seed wants of an abort signal is the row: it reads cancelling… as
// soon as Cancel returns, with the reason, and is gone from what is in flight
// once it is over.
func TestTheHandleOfACall(t *testing.T) {
	requirements.Rows(t, "UT-2", "UT-4", "SD3-19", "SD3-21", "NFR-3")
	r := ready(t, mcp.Rev20251125)
	r.mute = true // nothing waits for any I/O
	id, _ := r.call("t")
	r.mute = false
	r.pull()
	r.mute = true
	if _, err := r.s.Handle(r.now, Cancel{Call: id, Reason: "because"}); err != nil {
		t.Fatal(err)
	}
	if d, _ := r.s.Detail(id); d.State != Cancelling || d.Reason != "because" || d.Initiator != cancel.ByUser || !d.IsInFlight() {
		t.Errorf("%v by %v: %q", d.State, d.Initiator, d.Reason)
	}
	r.mute = false
	r.pull()
	r.pings = true
	r.wait(time.Minute)
	row := r.row(id)
	if row.IsInFlight() || len(r.s.InFlight(nil, 10)) != 0 || r.s.Status().ActiveReqs != 0 {
		t.Errorf("still tracked: %+v", row)
	}
	if n := len(r.s.outgoing.open) + len(r.s.outgoing.tokens) + r.s.timers.Len() + len(r.s.out.waiting) + r.s.out.cancels; n != 0 {
		t.Errorf("%d things are left", n)
	}
}

func TestCancelWhileTheAnswerIsBeingProcessed(t *testing.T) {
	requirements.Rows(t, "EDGE-2", "SD3-28", "SC-4")
	for _, handed := range []bool{false, true} {
		r := ready(t, mcp.Rev20251125)
		id, _ := r.call("t")
		f := mcp.Decode([]byte(`{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`)) // outside the lock
		r.mute = !handed
		r.cancel(id, "")
		r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, f)
		r.mute = false
		r.pull()
		d, _ := r.s.Detail(id)
		switch {
		case handed && (d.State != Cancelled || d.Verdict != cancel.Crossed || d.Result != nil || r.sent("cancelled") != 1):
			t.Errorf("the cancel had left: %v · %v, result %s, written %v", d.State, d.Verdict, d.Result, r.lines)
		case !handed && (d.State != Done || d.Result == nil || r.sent("cancelled") != 0):
			t.Errorf("the cancel had not left: %v, result %s, written %v", d.State, d.Result, r.lines)
		}
	}
}

func TestConnectionLostWhileCancelling(t *testing.T) {
	requirements.Rows(t, "EDGE-3", "SD3-29")
	for _, written := range []bool{false, true} {
		r := ready(t, mcp.Rev20251125)
		id, _ := r.call("t")
		r.mute = !written
		r.cancel(id, "")
		r.closed()
		want := cancel.NotDelivered
		if written {
			want = cancel.ServerDied
		}
		r.want(id, Cancelled, want)
		if _, due := r.s.Deadline(); due {
			t.Error("something is due without a connection")
		}
		d, _ := r.s.Detail(id)
		found := false
		for _, e := range d.Evidence {
			found = found || e.Text == "the server ended: exit status 3"
		}
		if !found {
			t.Errorf("the evidence does not say how it ended: %v", d.Evidence)
		}
	}
}

// A server that ended by itself is told of when what was left of its processes has ended: the rows say when it ended.
func TestTheEndOfTheServerIsToldLate(t *testing.T) {
	requirements.Rows(t, "EDGE-3")
	for _, tc := range []struct {
		name           string
		quiet, ago     time.Duration // since the progress; how long ago it ended
		byUs           bool
		wantAgo        time.Duration
		cancels, isNew bool
	}{
		{name: "at once", quiet: 3 * time.Second},
		{name: "late", quiet: 3 * time.Second, ago: 2 * time.Second, wantAgo: 2 * time.Second},
		{name: "late, cancelled", quiet: 3 * time.Second, ago: 2 * time.Second, cancels: true, wantAgo: 2 * time.Second},
		{name: "progress came since", quiet: time.Second, ago: 2 * time.Second, wantAgo: time.Second},
		{name: "the cancel was written since", quiet: time.Second, ago: 2 * time.Second, cancels: true, wantAgo: time.Second},
		{name: "the call was made since", ago: 2 * time.Second, isNew: true},
		{name: "in a time to come", quiet: 3 * time.Second, ago: -time.Second},
		{name: "belay ended it", quiet: 3 * time.Second, ago: 2 * time.Second, byUs: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			r.wait(5 * time.Second)
			id, wire := r.call("t")
			if !tc.isNew {
				r.wait(time.Second)
				r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":1}}`, wire)
				if tc.cancels {
					r.cancel(id, "")
				}
			}
			r.wait(tc.quiet)
			r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 3", ByUs: tc.byUs}, Ago: tc.ago})
			row, _ := r.s.Row(id)
			if got := r.now.Sub(row.Ended); !row.State.IsTerminal() || got != tc.wantAgo {
				t.Errorf("%v: the row ended %v ago, want %v", row.State, got, tc.wantAgo)
			}
			d, _ := r.s.Detail(id)
			last := d.Timeline[len(d.Timeline)-1]
			if last.Kind != MomEnd || r.now.Sub(last.At) != tc.wantAgo {
				t.Errorf("the timeline ends with %+v", last)
			}
			for _, e := range d.Evidence {
				if strings.HasPrefix(e.Text, "the server ended") && r.now.Sub(e.At) != tc.wantAgo {
					t.Errorf("the evidence is %+v", e)
				}
			}
			if err := r.s.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestQuit(t *testing.T) {
	requirements.Rows(t, "CXL-33")
	r := ready(t, mcp.Rev20251125)
	for range 20 {
		r.call("t")
	}
	r.recv(samplingAsk, 1)
	r.lines = nil
	r.s.Tell(r.now, Quit{})
	r.pull()
	if r.sent("notifications/cancelled") != 20 || len(r.lines) != 21 || r.lines[20] != "CLOSE" {
		t.Errorf("written: %v", r.lines)
	}
	t.Run("what belay asked by itself is pending as well", func(t *testing.T) {
		r := serving(t, mcp.Rev20251125, `{"tools":{}}`)
		r.lines = nil
		r.s.Tell(r.now, Quit{})
		r.pull()
		if want := string(mcp.AppendCancelled(nil, mcp.IntID(2), "belay is quitting")); r.sent(want) != 1 || len(r.lines) != 2 {
			t.Errorf("written: %v", r.lines)
		}
	})
	t.Run("a server that does not read gets a second", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		id, _ := r.call("t")
		r.s.Tell(r.now, Quit{})
		if out, ok := r.s.Next(r.now); !ok || out.Op != OpWrite {
			t.Fatalf("first is %+v", out)
		}
		if out, ok := r.s.Next(r.now.Add(time.Second - 1)); ok {
			t.Fatalf("too early: %+v", out)
		}
		if at, ok := r.s.Deadline(); !ok || at != r.now.Add(time.Second) {
			t.Errorf("due at %v", at)
		}
		r.now = r.now.Add(time.Second)
		if out, ok := r.s.Next(r.now); !ok || out.Op != OpClose {
			t.Fatalf("then %+v", out)
		}
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{ByUs: true}})
		r.want(id, Cancelled, cancel.NotDelivered)
	})
}

// A verdict says that belay did not wait where belay ended the connection, and claims no silence.
func TestTheVerdictOfACallThatBelayLeft(t *testing.T) {
	for name, tt := range map[string]struct {
		play    func(*rig)
		verdict cancel.Verdict
		says    string
	}{
		"in the grace": {func(r *rig) { r.wait(400 * time.Millisecond) }, cancel.NothingHeard, "belay ended the connection before the grace was over"},
		"in the grace, and the server had read the cancel": {func(r *rig) {
			r.wait(400 * time.Millisecond)
			_, other := r.call("other")
			r.recv(okAnswer, other)
		}, cancel.NothingHeard, "belay ended the connection before the grace was over"},
		"while the probe is out": {func(r *rig) { r.wait(5100 * time.Millisecond) }, cancel.NothingHeard, "belay ended the connection before the probe was answered"},
	} {
		t.Run(name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			id, _ := r.call("slow")
			r.cancel(id, "")
			tt.play(r)
			r.s.Tell(r.now, Quit{})
			r.pull()
			r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{ByUs: true}})
			r.want(id, Cancelled, tt.verdict)
			d, _ := r.s.Detail(id)
			if !d.Disconnected || !slices.ContainsFunc(d.Evidence, func(e cancel.Evidence) bool { return e.Text == tt.says }) {
				t.Errorf("disconnected: %v, %v", d.Disconnected, d.Evidence)
			}
		})
	}
	t.Run("a server that is deaf to the end, too, until the grace is over", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		id, _ := r.call("slow")
		r.cancel(id, "")
		r.wait(400 * time.Millisecond)
		r.s.Tell(r.now, Quit{})
		r.pull()
		r.wait(5 * time.Second)
		r.want(id, Cancelled, cancel.NothingHeard)
		d, _ := r.s.Detail(id)
		if !d.Disconnected || !slices.ContainsFunc(d.Evidence, func(e cancel.Evidence) bool {
			return e.Text == "belay was ending the connection: it did not probe the server"
		}) {
			t.Errorf("disconnected: %v, %v", d.Disconnected, d.Evidence)
		}
	})
	t.Run("over HTTP, where belay closes the exchange of the call", func(t *testing.T) {
		w := readyWeb(t, mcp.Rev20251125)
		id, out := w.tool("slow")
		w.stream(out.X)
		w.stop(id, "")
		w.later(400 * time.Millisecond)
		w.s.Tell(w.now, Quit{})
		w.pump()
		if w.count(OpClose) != 1 {
			t.Fatal("the connection is not closed")
		}
		w.ended(out.X, End{Err: "belay closed it"})
		w.s.Tell(w.now, Closed{Epoch: w.epoch, Why: Close{ByUs: true}})
		w.want(id, Cancelled, cancel.NothingHeard)
		const says = "belay ended the connection before the grace was over"
		if d, _ := w.s.Detail(id); !d.Disconnected || d.Away || d.EndedEarly || !strings.Contains(w.evidenceOf(id), says) || strings.Contains(w.evidenceOf(id), "exchange") {
			t.Errorf("disconnected: %v, away: %v, ended early: %v, %s", d.Disconnected, d.Away, d.EndedEarly, w.evidenceOf(id))
		}
	})
	t.Run("a server that ends by itself", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		id, _ := r.call("slow")
		r.cancel(id, "")
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 1"}})
		if d, _ := r.s.Detail(id); d.Disconnected || d.Verdict != cancel.ServerDied {
			t.Errorf("disconnected: %v, %v", d.Disconnected, d.Verdict)
		}
	})
}
