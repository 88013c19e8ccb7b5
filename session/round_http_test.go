package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

func noProbe(c *Config) { c.NoProbe = true }

// asks answers the latest request of a call on its exchange, and closes that.
func (w *webRig) asks(id CallID, members string) Output {
	w.t.Helper()
	out := w.post("tools/call")
	w.opened(out.X, Head{Status: 200, Media: mediaJSON})
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":%s}`, w.row(id).Latest, inputRequired(members))
	w.ended(out.X, End{})
	return out
}

func (w *webRig) says(result string) Output {
	w.t.Helper()
	if _, err := w.s.Handle(w.now, Answer{Question: w.waiting()[0].ID, Result: []byte(result), As: Answered}); err != nil {
		w.t.Fatal(err)
	}
	w.check()
	w.pump()
	return w.post("tools/call")
}

// A server that asks holds nothing open over HTTP: what it does meanwhile does
// not matter to the question.
func TestRoundsOverHTTPHaveExchangesOfTheirOwn(t *testing.T) {
	requirements.Rows(t, "CXS-26", "MRT-13")
	w := modernWeb(t, noProbe)
	id, _ := w.tool("t")
	first := w.asks(id, asking(askName)+`,"requestState":"s"`)
	w.later(time.Hour)
	if len(w.waiting()) != 1 || !w.row(id).AsksYou {
		t.Fatalf("the question is gone: %+v", w.row(id))
	}
	second := w.says(tellName)
	if second.X == first.X || !strings.Contains(string(second.Data), `"requestState":"s"`) {
		t.Errorf("made again on %v: %s", second.X, second.Data)
	}
	w.opened(second.X, Head{Status: 200, Media: mediaJSON})
	w.recvOn(second.X, okAnswer, w.row(id).Latest)
	w.want(id, Done, cancel.NoVerdict)
}

func TestRoundsOverHTTPAreCancelledByTheTable(t *testing.T) {
	requirements.Rows(t, "MRT-18", "MRT-19", "MRT-28")
	quiet := func(t *testing.T, w *webRig, id CallID, do func()) {
		t.Helper()
		before := len(w.outs)
		do()
		w.check()
		w.pump()
		w.want(id, Cancelled, cancel.NothingRunning)
		w.later(time.Minute)
		if len(w.outs) != before {
			t.Errorf("handed out: %v", w.outs[before:])
		}
	}
	t.Run("between rounds: nothing", func(t *testing.T) {
		w := modernWeb(t, noProbe)
		id, _ := w.tool("t")
		w.asks(id, asking(askName))
		quiet(t, w, id, func() { _, _ = w.s.Handle(w.now, Cancel{Call: id}) })
	})
	t.Run("rejecting a model: nothing", func(t *testing.T) {
		w := modernWeb(t, noProbe)
		id, _ := w.tool("t")
		w.asks(id, asking(askStory))
		quiet(t, w, id, func() {
			_, _ = w.s.Handle(w.now, Refuse{Question: w.waiting()[0].ID, Code: mcp.CodeRejected, Message: "no", As: Declined})
		})
	})
	t.Run("while the second request runs: its exchange is closed", func(t *testing.T) {
		w := modernWeb(t, noProbe)
		id, _ := w.tool("t")
		other, otherOut := w.tool("u")
		w.opened(otherOut.X, Head{Status: 200, Media: mediaStream})
		first := w.outs[1]
		w.opened(first.X, Head{Status: 200, Media: mediaJSON})
		w.recvOn(first.X, `{"jsonrpc":"2.0","id":%v,"result":%s}`, w.row(id).Latest, inputRequired(asking(askName)))
		w.ended(first.X, End{})
		second := w.says(tellName)
		before := len(w.outs)
		if _, err := w.s.Handle(w.now, Cancel{Call: id}); err != nil {
			t.Fatal(err)
		}
		w.pump()
		if len(w.outs) != before+1 || w.outs[before].Op != OpAbort || w.outs[before].X != second.X {
			t.Errorf("handed out: %v", w.outs[before:])
		}
		w.ended(second.X, End{Err: "closed"})
		w.want(id, Cancelled, cancel.StreamClosed)
		w.want(other, Running, cancel.NoVerdict)
	})
	t.Run("before the second request was begun: it never leaves", func(t *testing.T) {
		w := modernWeb(t, noProbe)
		id, _ := w.tool("t")
		w.asks(id, asking(askName))
		w.hold = true
		second := w.says(tellName)
		if _, err := w.s.Handle(w.now, Cancel{Call: id}); err != nil {
			t.Fatal(err)
		}
		w.check()
		w.pump()
		w.want(id, Cancelled, cancel.NothingRunning)
		if w.write(second) {
			t.Error("its body was written")
		}
		w.check()
	})
}

// Each request of a call has a time limit of its own, and a cancel of its own
// when that is over.
func TestTheLimitOfARoundIsItsOwn(t *testing.T) {
	requirements.Rows(t, "TMO-05")
	t.Run("over stdio", func(t *testing.T) {
		r := ready(t, mcp.Rev20260728, func(c *Config) { c.Idle = time.Minute })
		id, _ := r.call("t")
		r.wait(50 * time.Second)
		r.round(id, asking(askName))
		r.tell(tellName)
		r.lines = nil
		r.wait(59 * time.Second)
		r.wantLines()
		r.wait(time.Second)
		if n := r.sent("notifications/cancelled", `"requestId":`+r.row(id).Latest.String(), "silent for 1m0s"); n != 1 {
			t.Errorf("%v", r.lines)
		}
	})
	t.Run("over HTTP", func(t *testing.T) {
		w := modernWeb(t, noProbe, func(c *Config) { c.Idle = time.Minute })
		id, _ := w.tool("t")
		w.later(50 * time.Second)
		first := w.asks(id, asking(askName))
		second := w.says(tellName)
		before := len(w.outs)
		w.later(59 * time.Second)
		if len(w.outs) != before {
			t.Errorf("too early: %v", w.outs[before:])
		}
		w.later(time.Second)
		if w.aborted(first.X) || !w.aborted(second.X) || w.row(id).Initiator != cancel.ByTimeout || len(w.outs) != before+1 {
			t.Errorf("%+v; %v", w.row(id), w.outs[before:])
		}
	})
}

func TestNothingFollowsAnInterimAnswerOnItsStream(t *testing.T) {
	requirements.Rows(t, "MRT-27")
	w := modernWeb(t, noProbe)
	id, out := w.tool("t")
	wire := w.row(id).Latest
	w.stream(out.X)
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":%s}`, wire, inputRequired(asking(askName)))
	w.recvOn(out.X, progressNote, token(wire), 1)
	if n := len(w.s.Diagnostics()); n != 1 {
		t.Errorf("found wrong: %v", w.s.Diagnostics())
	}
	if p := w.row(id).Progress; p.Count != 0 || !w.row(id).AsksYou {
		t.Errorf("%+v", w.row(id))
	}
}
