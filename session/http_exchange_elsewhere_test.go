package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

const lateResult = `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`

// elsewhere are the places where a message for a call may come that is not its own
// exchange, and what is told of each. The cancel of the call has been posted and
// awaits its head.
var elsewhere = []struct {
	name  string
	place func(w *webRig) (ExchangeID, string) // the exchange, and how a message is wrapped
	code  mcp.DiagCode
}{
	{"the server's own stream", func(w *webRig) (ExchangeID, string) {
		get := w.gets()[0].X
		w.stream(get)
		return get, "%s"
	}, mcp.DiagServerStreamAnswer},
	{"another call's stream", func(w *webRig) (ExchangeID, string) {
		_, out := w.tool("other")
		w.stream(out.X)
		return out.X, "%s"
	}, mcp.DiagWrongStream},
	{"the answer to the cancel", func(w *webRig) (ExchangeID, string) {
		x := w.post("notifications/cancelled").X
		w.opened(x, Head{Status: 200, Media: mediaJSON})
		return x, "%s"
	}, mcp.DiagAcceptBody},
	{"the answer to another notification", func(w *webRig) (ExchangeID, string) {
		if _, err := w.s.Handle(w.now, Notify{Method: "notifications/x"}); err != nil {
			w.t.Fatal(err)
		}
		w.pump()
		x := w.post("notifications/x").X
		w.opened(x, Head{Status: 202, Media: mediaStream})
		return x, "%s"
	}, mcp.DiagAcceptBody},
	{"a batch", func(w *webRig) (ExchangeID, string) {
		return w.post("tools/call").X, `[{"jsonrpc":"2.0","method":"notifications/x"},%s]`
	}, mcp.DiagBatchNotAllowed},
	{"a batch on the server's own stream", func(w *webRig) (ExchangeID, string) {
		get := w.gets()[0].X
		w.stream(get)
		return get, `[%s]`
	}, mcp.DiagServerStreamAnswer},
}

// stoppedWeb is a call on a stream whose cancel was posted and awaits its head.
func stoppedWeb(t *testing.T, change ...func(*Config)) (w *webRig, id CallID, out Output) {
	w = readyWeb(t, mcp.Rev20251125, change...)
	id, out = w.tool("slow")
	w.stream(out.X)
	w.auto = false
	w.later(time.Second)
	w.stop(id, "enough")
	return w, id, out
}

// The answer to a cancelled call is evidence wherever it comes, and a diagnostic
// where it must not come.
func TestAnAnswerElsewhereIsEvidence(t *testing.T) {
	for _, tt := range elsewhere {
		t.Run(tt.name, func(t *testing.T) {
			w, id, out := stoppedWeb(t)
			x, wrap := tt.place(w)
			if post := w.post("notifications/cancelled").X; x != post {
				w.opened(post, Head{Status: 202})
			}
			w.later(2 * time.Second)
			wire := w.row(id).Wire
			w.recvOn(x, strings.Replace(wrap, "%s", lateResult, 1), wire)
			w.want(id, Cancelled, cancel.AnsweredLate)
			d, _ := w.s.Detail(id)
			if d.Late == nil || d.Late.After != 2*time.Second || string(d.Late.Result) != `{"content":[]}` {
				t.Errorf("the answer is told as %+v", d.Late)
			}
			w.wantEvidence(id, "answered with a result")
			w.wantDiag(tt.code, 1)
			if x == out.X {
				return
			}
			if !w.aborted(out.X) {
				t.Error("the stream of a call that has ended was left open")
			}
			w.later(time.Minute)
			w.wantDiag(mcp.DiagLinger, 0)
		})
	}
}

// So is one in the answer to the probe.
func TestAnAnswerOnTheProbesStreamIsEvidence(t *testing.T) {
	w, id, _ := stoppedWeb(t)
	w.accept(w.post("notifications/cancelled"))
	w.later(5 * time.Second)
	ping := w.post("ping")
	w.opened(ping.X, Head{Status: 200, Media: mediaStream})
	w.recvOn(ping.X, lateResult, w.row(id).Wire)
	w.want(id, Cancelled, cancel.AnsweredLate)
	w.wantDiag(mcp.DiagWrongStream, 1)
	w.recvOn(ping.X, okAnswer, mcp.Decode(ping.Data).ID)
	w.want(id, Cancelled, cancel.AnsweredLate)
}

// The probe's own answer proves what it is to prove wherever it comes; its own stream is
// closed then.
func TestTheProbesAnswerElsewhereIsTaken(t *testing.T) {
	w, id, _ := stoppedWeb(t)
	w.accept(w.post("notifications/cancelled"))
	w.later(5 * time.Second)
	ping := w.post("ping")
	w.opened(ping.X, Head{Status: 200, Media: mediaStream})
	get := w.gets()[0].X
	w.stream(get)
	w.recvOn(get, okAnswer, mcp.Decode(ping.Data).ID)
	w.want(id, Cancelled, cancel.Quiet)
	w.wantDiag(mcp.DiagServerStreamAnswer, 1)
	if !w.aborted(ping.X) {
		t.Error("the stream of the probe was left open")
	}
	w.recvOn(get, okAnswer, mcp.Decode(ping.Data).ID)
	w.want(id, Cancelled, cancel.Quiet)
}

// And one that comes when the call has ended.
func TestAnAnswerElsewhereAfterTheEnd(t *testing.T) {
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		t.Run(string(rev), func(t *testing.T) {
			before := cancel.Quiet
			w, id := (*webRig)(nil), CallID(0)
			if rev.IsModern() {
				var out Output
				w = modernWeb(t)
				id, out = w.tool("slow")
				w.stop(id, "")
				w.ended(out.X, End{Err: "belay closed it"})
				before = cancel.StreamClosed
			} else {
				var out Output
				w, id, out = stoppedWeb(t)
				w.accept(w.post("notifications/cancelled"))
				w.ended(out.X, End{})
				ping := w.post("ping")
				w.opened(ping.X, Head{Status: 200, Media: mediaStream})
				w.recvOn(ping.X, okAnswer, mcp.Decode(ping.Data).ID)
			}
			w.want(id, Cancelled, before)
			w.later(7 * time.Second)
			_, other := w.tool("other")
			w.stream(other.X)
			w.recvOn(other.X, lateResult, w.row(id).Wire)
			w.want(id, Cancelled, cancel.AnsweredLate)
			w.recvOn(other.X, lateResult, w.row(id).Wire)
			w.wantDiag(mcp.DiagDuplicateAnswer, 1)
		})
	}
}

// Of a call that was not cancelled, or whose cancel has not left, an answer
// elsewhere is none.
func TestAnAnswerElsewhereAnswersNoCall(t *testing.T) {
	requirements.Rows(t, "HTL-28")
	w := readyWeb(t, mcp.Rev20251125)
	get := w.gets()[0].X
	w.stream(get)
	w.hold = true
	id, out := w.tool("slow")
	w.s.Tell(w.now, Started{ExchangeID: out.X})
	w.recvOn(get, lateResult, w.row(id).Wire)
	w.want(id, Running, cancel.NoVerdict)
	w.stop(id, "enough")
	w.recvOn(get, lateResult, w.row(id).Wire)
	w.want(id, Cancelling, cancel.NoVerdict)
	w.wantDiag(mcp.DiagServerStreamAnswer, 2)
	w.hold = false
	w.s.Tell(w.now, Sent{Seq: out.Seq})
	w.pump()
	if n := w.count(OpWrite, "notifications/cancelled"); n != 1 {
		t.Errorf("%d cancels were posted", n)
	}
}

// Progress of a cancelled call counts as a message after the cancel wherever it
// comes.
func TestProgressElsewhereIsEvidence(t *testing.T) {
	for _, tt := range elsewhere {
		t.Run(tt.name, func(t *testing.T) {
			w, id, _ := stoppedWeb(t)
			x, wrap := tt.place(w)
			if post := w.post("notifications/cancelled").X; x != post {
				w.accept(Output{X: post})
			}
			for n := range 4 {
				w.later(1200 * time.Millisecond)
				w.recvOn(x, strings.Replace(wrap, "%s", `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":%d}}`, 1), w.row(id).Wire, n+1)
			}
			if n := w.row(id).AfterCount; n != 4 {
				t.Errorf("%d messages came after the cancel", n)
			}
			w.later(time.Second)
			ping := w.post("ping")
			w.opened(ping.X, Head{Status: 200, Media: mediaStream})
			w.recvOn(ping.X, okAnswer, mcp.Decode(ping.Data).ID)
			w.want(id, Cancelled, cancel.StillWorking)
		})
	}
}

// On stdio, too, a batch that is refused is evidence of the cancelled call in it,
// and of nothing else.
func TestARefusedBatchIsEvidence(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	a, wireA := r.call("a")
	b, wireB := r.call("b")
	r.cancel(a, "")
	r.wait(2 * time.Second)
	r.recv(`[{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%v,"progress":1}},`+
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%v,"progress":1}},`+okAnswer+`,`+okAnswer+`,{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
		token(wireA), token(wireB), wireA, wireB)
	r.want(a, Cancelled, cancel.AnsweredLate)
	if n := r.row(a).AfterCount; n != 1 {
		t.Errorf("%d messages came after the cancel", n)
	}
	r.want(b, Running, cancel.NoVerdict)
	if row := r.row(b); row.Progress.Count != 0 || r.sent(`"id":1,"result"`) != 0 {
		t.Errorf("the rest of the batch was taken: %+v, %q", row.Progress, r.lines)
	}
}

// A question to the user is evidence of the call that it can only belong to.
func TestAQuestionAfterTheCancelIsEvidence(t *testing.T) {
	for name, tt := range map[string]struct {
		before func(r *rig) // beside the call that is cancelled
		after  time.Duration
		ask    string
		count  int
	}{
		"a form":                     {nil, 4500 * time.Millisecond, elicitationAsk, 1},
		"sampling":                   {nil, 4500 * time.Millisecond, samplingAsk, 1},
		"no question to the user":    {nil, 4500 * time.Millisecond, `{"jsonrpc":"2.0","id":%v,"method":"roots/list"}`, 0},
		"after the end":              {nil, 20 * time.Second, elicitationAsk, 1},
		"long after the end":         {nil, 2 * time.Minute, elicitationAsk, 0},
		"beside another call":        {func(r *rig) { r.call("other") }, 4500 * time.Millisecond, elicitationAsk, 0},
		"beside another, cancelled":  {func(r *rig) { id, _ := r.call("other"); r.cancel(id, "") }, 20 * time.Second, elicitationAsk, 0},
		"after another was answered": {func(r *rig) { _, wire := r.call("other"); r.recv(okAnswer, wire) }, 4500 * time.Millisecond, elicitationAsk, 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			r.pings = true
			if tt.before != nil {
				tt.before(r)
			}
			id, _ := r.call("slow")
			r.cancel(id, "")
			r.wait(tt.after)
			r.recv(tt.ask, 3)
			if n := r.row(id).AfterCount; n != tt.count {
				t.Errorf("%d messages came after the cancel, want %d", n, tt.count)
			}
			r.wait(time.Second)
			want := cancel.Quiet
			if tt.count > 0 {
				want = cancel.StillWorking
			}
			r.want(id, Cancelled, want)
		})
	}
}

// A moment keeps no more of a method and of an address than a sentence does, however long they are.
func TestMomentsKeepNoLongNames(t *testing.T) {
	w, id, out := stoppedWeb(t)
	long := strings.Repeat("x", 1<<20)
	w.later(time.Second)
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":3,"method":"%s"}`, long)
	other, to := w.tool("other")
	w.opened(to.X, Head{Status: 200, Media: mediaJSON, At: "http://peer.test/" + long})
	for _, of := range []CallID{id, other} {
		d, _ := w.s.Detail(of)
		found := false
		for _, m := range d.Timeline {
			found = found || strings.Contains(m.Text, "xxx")
			if len(m.Text) > 2*sentence.Limit {
				t.Errorf("%v keeps a text of %d bytes", m.Kind, len(m.Text))
			}
		}
		if !found {
			t.Errorf("call %d says nothing of it", of)
		}
	}
}

// On the stream of a cancelled call, and in the answer to its cancel, a question is
// that call's, whatever else is in flight.
func TestAQuestionOnTheStreamOfACancelledCall(t *testing.T) {
	w, id, out := stoppedWeb(t)
	w.tool("other")
	w.later(time.Second)
	w.recvOn(out.X, elicitationAsk, 3)
	post := w.post("notifications/cancelled").X
	w.opened(post, Head{Status: 200, Media: mediaStream})
	w.recvOn(post, samplingAsk, 4)
	w.stream(w.gets()[0].X)
	w.recvOn(w.gets()[0].X, elicitationAsk, 5)
	if n := w.row(id).AfterCount; n != 2 {
		t.Errorf("%d messages came after the cancel, want 2", n)
	}
}

// What is in the answer to a notification is told once, and not in HTTP+SSE, which
// has no rule about it.
func TestABodyInTheAnswerToANotification(t *testing.T) {
	requirements.Rows(t, "HTL-09")
	w, id, _ := stoppedWeb(t)
	post := w.post("notifications/cancelled").X
	w.opened(post, Head{Status: 202, Media: "text/plain"})
	w.ended(post, End{Body: "Accepted"})
	w.wantDiag(mcp.DiagAcceptBody, 1)
	for _, d := range w.s.Diagnostics() {
		if d.Code == mcp.DiagAcceptBody && (d.Call != id || d.Detail != `HTTP 202 to notifications/cancelled, with "Accepted"`) {
			t.Errorf("%+v", d)
		}
	}

	w = newWebRig(t)
	w.auto = false
	init := w.post("initialize").X
	w.opened(init, Head{Status: 404})
	w.ended(init, End{})
	stream := w.gets()[0].X
	w.stream(stream)
	w.s.Tell(w.now, EventReceived{ExchangeID: stream, Event: Event{Name: "endpoint", Retry: -1, Data: "/messages"}})
	w.pump()
	w.accept(w.post("initialize"))
	w.recvOn(stream, "%s", agreement(w.opening().Latest, mcp.Rev20241105, logging))
	done := w.post(notifyInitialized).X
	w.opened(done, Head{Status: 202})
	w.ended(done, End{Body: "Accepted"})
	w.wantDiag(mcp.DiagAcceptBody, 0)
}

// A stream that is taken up again and answered with JSON is told, and what the JSON
// holds counts.
func TestAStreamThatIsTakenUpWithJSON(t *testing.T) {
	w, id, out := stoppedStream(t)
	w.accept(w.post("notifications/cancelled"))
	w.ended(out.X, End{Err: "connection reset"})
	w.later(time.Second)
	get := w.gets()[1].X
	w.opened(get, Head{Status: 200, Media: mediaJSON})
	w.later(2100 * time.Millisecond) // what had waited for the stream would have come before
	w.recvOn(get, lateResult, w.row(id).Wire)
	w.want(id, Cancelled, cancel.AnsweredLate)
	w.wantDiag(mcp.DiagServerStreamStatus, 1)
}

// A question that a cancelled call asks, and that waits, is no silence of the
// server's. Answered, it is as long ago as any other message.
func TestAQuestionThatWaitsIsNoSilence(t *testing.T) {
	for name, tt := range map[string]struct {
		at     time.Duration // after the cancel
		answer bool
		want   cancel.Verdict
	}{
		"waits":                  {time.Second, false, cancel.StillWorking},
		"answered":               {time.Second, true, cancel.Quiet},
		"was on its way":         {time.Millisecond, false, cancel.Quiet},
		"answered, and so short": {4500 * time.Millisecond, true, cancel.StillWorking},
	} {
		t.Run(name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			r.pings = true
			r.measured(time.Millisecond)
			id, _ := r.call("slow")
			r.cancel(id, "")
			r.wait(tt.at)
			r.recv(elicitationAsk, 3)
			if tt.answer {
				if _, err := r.s.Handle(r.now, Answer{Question: r.s.Questions()[0].ID, Result: []byte(`{"action":"cancel"}`), As: Dismissed}); err != nil {
					t.Fatal(err)
				}
			}
			r.wait(10 * time.Second)
			r.want(id, Cancelled, tt.want)
		})
	}
}

// An answer that came elsewhere before the cancel was no answer; but the cancel
// crossed it, and nothing is waited for.
func TestACancelOfWhatWasAnsweredElsewhere(t *testing.T) {
	for name, tt := range map[string]struct {
		line     string
		evidence string
	}{
		"a result":             {lateResult, "answered with a result"},
		"an error":             {`{"jsonrpc":"2.0","id":%v,"error":{"code":-32603,"message":"boom"}}`, `answered with error -32603: "boom"`},
		"an error of the tool": {`{"jsonrpc":"2.0","id":%v,"result":{"isError":true,"content":[]}}`, "answered with a result that says isError"},
		"in a batch":           {`[` + lateResult + `]`, "answered with a result"},
	} {
		t.Run(name, func(t *testing.T) {
			w := readyWeb(t, mcp.Rev20251125)
			id, out := w.tool("slow")
			w.stream(out.X)
			on := w.gets()[0].X
			w.stream(on)
			if name == "in a batch" {
				on = out.X
			}
			w.later(time.Second)
			w.recvOn(on, tt.line, w.row(id).Wire)
			w.want(id, Running, cancel.NoVerdict)
			w.later(time.Second)
			w.auto = false
			w.stop(id, "enough")
			w.want(id, Cancelled, cancel.Crossed)
			w.wantEvidence(id, tt.evidence, "it began before the cancel's last byte was written")
			if d, _ := w.s.Detail(id); d.Late == nil || !d.Late.At.Equal(w.now.Add(-time.Second)) {
				t.Errorf("the answer is told as %+v", d.Late)
			}
			if !w.aborted(out.X) || w.count(OpWrite, "notifications/cancelled") != 1 {
				t.Error("its stream was left open, or it was not cancelled")
			}
			// Its own answer, were it to come, changes nothing.
			_, other := w.tool("other")
			w.stream(other.X)
			w.recvOn(other.X, lateResult, w.row(id).Wire)
			w.want(id, Cancelled, cancel.Crossed)
		})
	}
}

// Progress in a body of JSON is told like progress on a stream, wherever it comes: it ends
// no grace, and is not the sign of work that progress to the end of a grace is.
func TestProgressInABodyOfJSON(t *testing.T) {
	asJSON := Head{Status: 200, Media: mediaJSON}
	for name, begin := range map[string]func(w *webRig, get, own ExchangeID) ExchangeID{
		"on its own exchange": func(w *webRig, _, own ExchangeID) ExchangeID {
			w.opened(own, asJSON)
			return own
		},
		"on the GET that takes its stream up": func(w *webRig, _, own ExchangeID) ExchangeID {
			w.stream(own)
			w.event(own, "e1", -1)
			w.ended(own, End{Err: "connection reset"})
			w.later(time.Second)
			get := w.gets()[1].X
			w.opened(get, asJSON)
			return get
		},
		"on the server's own GET": func(w *webRig, get, own ExchangeID) ExchangeID {
			w.stream(own)
			w.opened(get, asJSON)
			if w.aborted(get) {
				w.t.Error("the GET is closed, and what comes on it is lost")
			}
			return get
		},
		"in the answer to the cancel": func(w *webRig, _, own ExchangeID) ExchangeID {
			w.stream(own)
			post := w.post("notifications/cancelled").X
			w.opened(post, asJSON)
			return post
		},
	} {
		for _, accepted := range []bool{true, false} { // before the body has come
			t.Run(fmt.Sprintf("%s, accepted before %v", name, accepted), func(t *testing.T) {
				w := readyWeb(t, mcp.Rev20251125)
				id, out := w.tool("slow")
				w.auto = false
				w.later(time.Second)
				w.stop(id, "enough")
				begun := w.now
				post := w.post("notifications/cancelled").X
				if accepted {
					w.opened(post, Head{Status: 202})
				}
				x := begin(w, w.gets()[0].X, out.X)
				w.later(begun.Add(1100 * time.Millisecond).Sub(w.now))
				w.recvOn(x, progressNote, token(w.row(id).Wire), 5)
				w.ended(x, End{})
				if !accepted {
					w.opened(post, Head{Status: 202})
				}
				w.want(id, Cancelling, cancel.NoVerdict)
				w.later(begun.Add(5*time.Second).Sub(w.now) - time.Millisecond)
				if w.count(OpWrite, `"ping"`) != 0 {
					t.Error("the grace was cut short")
				}
				w.later(500 * time.Millisecond)
				ping := w.post("ping")
				w.opened(ping.X, asJSON)
				w.recvOn(ping.X, okAnswer, mcp.Decode(ping.Data).ID)
				w.want(id, Cancelled, cancel.Quiet)
				if n := w.row(id).AfterCount; n != 1 {
					t.Errorf("%d messages after the cancel", n)
				}
			})
		}
	}
}

// A body of JSON on the server's own GET that does not end is closed.
func TestTheServersOwnStreamIsABodyThatDoesNotEnd(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	get := w.gets()[0].X
	w.opened(get, Head{Status: 200, Media: mediaJSON})
	w.later(time.Minute)
	if !w.aborted(get) {
		t.Error("it stays open")
	}
}
