package session

import (
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

func TestHowMuchAServerMayAsk(t *testing.T) {
	requirements.Rows(t, "SMP-36", "ELI-18")
	t.Run("a hundred at once are all kept", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		for i := range 100 {
			r.recv(elicitationAsk, i)
		}
		r.wantLines()
		if n := r.s.Status().Waiting; n != 100 || len(r.s.Diagnostics()) != 0 {
			t.Errorf("%d wait", n)
		}
	})
	t.Run("of a flood the rest is refused, and the keys still work", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		id, _ := r.call("t")
		r.lines = nil
		for i := range 1000 {
			r.recv(samplingAsk, i)
		}
		if n := r.s.Status().Waiting; n != maxWaiting || r.sent(`"error":{"code":-32603,"message":"100 requests wait`) != 1000-maxWaiting {
			t.Errorf("%d wait, %d lines", n, len(r.lines))
		}
		r.wantDiag(mcp.DiagQuestionFlood, 1000-maxWaiting)
		r.cancel(id, "")
		if r.sent("notifications/cancelled") != 1 {
			t.Error("the cancel was not written")
		}
	})
	t.Run("what is answered at once is bounded by the minute", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		asked := 0
		ask := func() bool {
			if asked++; asked > 1000 {
				t.Fatal("there is no bound")
			}
			r.recv(elicitationAsk, asked)
			ps := r.s.Questions()
			p := ps[len(ps)-1]
			return p.State == Waiting && r.answer(p.ID) == nil
		}
		for ask() {
		}
		if asked != questionBurst+1 || r.sent("more than 20 requests to the user a minute") != 1 {
			t.Errorf("the burst ended with request %d: %s", asked, r.lines[len(r.lines)-1])
		}
		for minute := range 3 {
			r.wait(time.Minute)
			taken := 0
			for ask() {
				taken++
			}
			if taken != questionsAMinute {
				t.Errorf("minute %d: %d taken", minute, taken)
			}
		}
		r.wait(time.Hour)
		taken := 0
		for ask() {
			taken++
		}
		if taken != questionBurst {
			t.Errorf("after an hour of silence %d are taken", taken)
		}
	})
	t.Run("another connection begins anew", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		for i := range 200 {
			r.recv(elicitationAsk, i)
		}
		r.closed()
		r.reconnect(mcp.Rev20251125)
		r.recv(elicitationAsk, 1)
		if n := r.s.Status().Waiting; n != 1 {
			t.Errorf("%d wait", n)
		}
	})
}
