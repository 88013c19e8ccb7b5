package session

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

func TestAskedForNothingTheCallIsMadeAgainLater(t *testing.T) {
	requirements.Rows(t, "MRT-09")
	r := ready(t, mcp.Rev20260728, func(c *Config) { c.Idle, c.Max = 10*time.Second, 10*time.Second })
	id, _ := r.call("t")
	r.lines = nil
	pause := 500 * time.Millisecond
	for i := range 4 {
		members := fmt.Sprintf(`"requestState":"%d"`, i)
		if i == 3 {
			members = asking("")
		}
		r.round(id, members)
		if got := r.row(id); !got.Round.Waits || got.AsksYou || got.Round.RetryAt.Sub(r.now) != pause {
			t.Fatalf("round %d: %+v", i+1, got.Round)
		}
		r.wait(pause - time.Millisecond)
		r.wantLines()
		r.wait(time.Millisecond)
		_, params := r.again()
		if want := fmt.Sprintf(`"%d"`, i); i < 3 && (string(params["requestState"]) != want || params["inputResponses"] != nil) {
			t.Errorf("round %d: %v", i+1, params)
		}
		if i == 3 && (params["requestState"] != nil || string(params["inputResponses"]) != "{}") {
			t.Errorf("round %d: %v", i+1, params)
		}
		pause *= 2
	}
	r.round(id, asking(askName))
	r.tell(tellName)
	r.round(id, `"requestState":"x"`)
	if got := r.row(id).Round.RetryAt.Sub(r.now); got != 500*time.Millisecond {
		t.Errorf("after an answer of the user's the pause is %v", got)
	}
	r.wait(time.Second)
	r.done(id)
	if pauseBefore(40) != 30*time.Second {
		t.Errorf("the longest pause is %v", pauseBefore(40))
	}
	t.Run("or at once, by hand", func(t *testing.T) {
		id, _ := r.call("t")
		if _, err := r.s.Handle(r.now, Retry{Call: id}); !errors.Is(err, errParams) {
			t.Errorf("while it runs: %v", err)
		}
		r.lines = nil
		r.round(id, `"requestState":"x"`)
		if _, err := r.s.Handle(r.now, Retry{Call: id}); err != nil {
			t.Fatal(err)
		}
		r.pull()
		r.again()
		r.wait(5 * time.Second)
		r.wantLines()
		r.round(id, asking(askName))
		if _, err := r.s.Handle(r.now, Retry{Call: id}); !errors.Is(err, errParams) || !strings.Contains(err.Error(), "your answer") {
			t.Errorf("while it asks: %v", err)
		}
	})
}

func TestAnEndlessLoopIsHeld(t *testing.T) {
	requirements.Rows(t, "MRT-17")
	r := ready(t, mcp.Rev20260728, func(c *Config) { c.MaxRounds = 4 })
	id, _ := r.call("t")
	r.lines = nil
	for i := range 4 {
		r.round(id, `"requestState":"same"`)
		r.wait(time.Minute)
		if len(r.lines) != 1 {
			t.Fatalf("round %d: %d requests", i+1, len(r.lines))
		}
		r.lines = nil
	}
	r.wantDiag(mcp.DiagRoundLoop, 2) // the third and the fourth
	r.round(id, `"requestState":"same"`)
	r.wait(10 * time.Hour)
	r.wantLines()
	row := r.row(id)
	if !row.Round.AwaitsRetry || row.Round.Count != 5 || row.State != Running || !strings.Contains(row.Note, "held after 4 rounds") {
		t.Fatalf("%+v", row)
	}
	if _, err := r.s.Handle(r.now, Retry{Call: id}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	r.again()
	r.round(id, asking(askName))
	r.tell(tellName)
	r.again() // four more may come
	r.round(id, asking(askName))
	r.cancel(id, "")
	r.want(id, Cancelled, cancel.NothingRunning)
	r.silent(id)
}

func TestInputsOfAHeldRoundWaitForTheUserTwice(t *testing.T) {
	r := ready(t, mcp.Rev20260728, func(c *Config) { c.MaxRounds = 1 })
	id, _ := r.call("t")
	r.round(id, asking(askName))
	r.tell(tellName)
	r.lines = nil
	r.round(id, asking(askName))
	r.tell(tellName)
	r.wantLines()
	if got := r.row(id).Round; !got.AwaitsRetry || got.Open != 0 {
		t.Fatalf("%+v", got)
	}
	if _, err := r.s.Handle(r.now, Retry{Call: id}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	if _, params := r.again(); string(params["inputResponses"]) != `{"name":`+tellName+`}` {
		t.Errorf("%v", params)
	}
}

func TestNoClockRunsBetweenRounds(t *testing.T) {
	requirements.Rows(t, "TMO-14")
	r := ready(t, mcp.Rev20260728, func(c *Config) { c.Idle, c.Max = 30*time.Second, time.Minute })
	id, _ := r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`), Rules: Rules{After: 45 * time.Second}})
	r.wait(20 * time.Second)
	r.round(id, asking(askName))
	if _, err := r.s.Handle(r.now, Extend{Call: id}); !errors.Is(err, errFinished) {
		t.Errorf("extended between rounds: %v", err)
	}
	r.wait(time.Hour)
	if row := r.row(id); row.State != Running || !row.Paused || !row.Deadline.IsZero() {
		t.Fatalf("after an hour: %+v", row)
	}
	r.tell(tellName)
	row := r.row(id)
	if left := row.Deadline.Sub(r.now); row.Paused || left != 25*time.Second {
		t.Fatalf("the next thing happens in %v: %+v", left, row) // what the rule has left
	}
	r.lines = nil
	r.wait(24 * time.Second)
	r.wantLines()
	r.wait(2 * time.Second)
	if got := r.row(id); got.Initiator != cancel.ByRule || r.sent("notifications/cancelled", row.Latest.String()) != 1 {
		t.Errorf("%+v; %v", got, r.lines)
	}
	t.Run("each request has the whole of its own", func(t *testing.T) {
		id, _ := r.call("t")
		r.wait(29 * time.Second)
		r.round(id, asking(askName))
		r.tell(tellName)
		r.wait(29 * time.Second)
		r.want(id, Running, cancel.NoVerdict)
		r.wait(2 * time.Second)
		if got := r.row(id); got.State != Cancelling || got.Initiator != cancel.ByTimeout {
			t.Errorf("%+v", got)
		}
	})
	t.Run("nor does a machine that sleeps wake to a retry too early", func(t *testing.T) {
		id, _ := r.call("t")
		r.round(id, `"requestState":"x"`)
		r.now = r.now.Add(time.Hour)
		r.s.Tell(r.now, Tick{})
		if left := r.row(id).Round.RetryAt.Sub(r.now); left != 500*time.Millisecond {
			t.Errorf("%v are left of the pause", left)
		}
	})
}
