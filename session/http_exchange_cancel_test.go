package session

import (
	"errors"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// refusals are the ways in which the POST of a cancel may be refused, with the
// words for it.
var refusals = map[string]struct {
	refuse func(w *webRig, x ExchangeID)
	words  string
}{
	"a message": {func(w *webRig, x ExchangeID) {
		w.opened(x, Head{Status: 400})
		w.recvOn(x, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}`)
		w.ended(x, End{})
	}, "HTTP 400"},
	"a failure":     {func(w *webRig, x ExchangeID) { w.opened(x, Head{Status: 500}); w.ended(x, End{}) }, "HTTP 500"},
	"a limit":       {func(w *webRig, x ExchangeID) { w.opened(x, Head{Status: 429}); w.ended(x, End{}) }, "HTTP 429"},
	"a login":       {func(w *webRig, x ExchangeID) { w.opened(x, Head{Status: 401}); w.ended(x, End{}) }, "HTTP 401"},
	"a redirection": {func(w *webRig, x ExchangeID) { w.opened(x, Head{Status: 307}); w.ended(x, End{}) }, "HTTP 307"},
	"a cut":         {func(w *webRig, x ExchangeID) { w.ended(x, End{Err: "connection reset"}) }, "connection reset"},
}

// stoppedStream is a call on a stream with event IDs whose cancel was posted and
// awaits its head.
func stoppedStream(t *testing.T) (w *webRig, id CallID, out Output) {
	w = readyWeb(t, mcp.Rev20251125)
	id, out = w.tool("slow")
	w.stream(out.X)
	w.event(out.X, "e1", 100*time.Millisecond)
	w.auto = false
	w.later(time.Second)
	w.stop(id, "enough")
	return w, id, out
}

func (w *webRig) progressOn(x ExchangeID, id CallID, n int) {
	w.t.Helper()
	w.recvOn(x, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":%d}}`, w.row(id).Wire, n)
}

// evidenceOf is the evidence on a cancel in words.
func (w *webRig) evidenceOf(id CallID) string {
	w.t.Helper()
	d, ok := w.s.Detail(id)
	if !ok {
		w.t.Fatalf("there is no call %d", id)
	}
	var words []string
	for _, e := range d.Evidence {
		words = append(words, e.Text)
	}
	return strings.Join(words, "\n")
}

func (w *webRig) wantEvidence(id CallID, words ...string) {
	w.t.Helper()
	all := w.evidenceOf(id)
	for _, want := range words {
		if !strings.Contains(all, want) {
			w.t.Errorf("the evidence does not say %q:\n%s", want, all)
		}
	}
}

// accept has the server take a cancel.
func (w *webRig) accept(out Output) {
	w.t.Helper()
	w.opened(out.X, Head{Status: 202})
	w.ended(out.X, End{})
}

// A cancel that is not accepted changes no state: the call is heard on until its
// grace is over, and only then that is the verdict.
func TestACancelThatIsNotAcceptedChangesNoState(t *testing.T) {
	requirements.Rows(t, "HTL-10", "HTL-52")
	for name, r := range refusals {
		t.Run(name, func(t *testing.T) {
			w, id, out := stoppedStream(t)
			w.later(200 * time.Millisecond)
			r.refuse(w, w.post("notifications/cancelled").X)
			w.want(id, Cancelling, cancel.NoVerdict)
			if note := w.note(id); !strings.Contains(note, "not accepted: "+r.words) {
				t.Errorf("the row says %q", note)
			}
			for n := range 2 {
				w.later(time.Second)
				w.progressOn(out.X, id, n+1)
			}
			w.ended(out.X, End{Err: "connection reset"})
			w.later(1200 * time.Millisecond)
			gets := w.gets()
			if len(gets) != 2 || field(gets[1], headerLastID) != "e1" {
				t.Fatalf("the stream was not taken up again: %v", gets)
			}
			w.stream(gets[1].X)
			w.later(time.Second)
			w.want(id, Cancelling, cancel.NoVerdict)
			w.later(time.Second)
			w.want(id, Cancelled, cancel.NotDelivered)
			w.wantEvidence(id, "the cancel was not accepted: "+r.words, "last of 2 messages")
			if !w.aborted(gets[1].X) {
				t.Error("the stream of a call that has ended was left open")
			}
			w.later(time.Minute)
			if n, probes := w.count(OpWrite, "notifications/cancelled"), w.count(OpWrite, `"ping"`); n != 1 || probes != 0 {
				t.Errorf("it was posted %d times, with %d probes", n, probes)
			}
			if got := w.s.Status(); got.Phase != Ready {
				t.Errorf("the session is %v", got.Phase)
			}
		})
	}
}

// An answer that comes meanwhile is shown, and the cancel was not delivered all the
// same.
func TestALateAnswerAfterARefusedCancel(t *testing.T) {
	for name, r := range refusals {
		w, id, out := stoppedStream(t)
		r.refuse(w, w.post("notifications/cancelled").X)
		w.later(2 * time.Second)
		w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(id).Wire)
		w.want(id, Cancelled, cancel.NotDelivered)
		if d, _ := w.s.Detail(id); d.Late == nil || d.Late.After != 2*time.Second {
			t.Errorf("%s: the late answer is %+v", name, d.Late)
		}
		w.wantEvidence(id, r.words)
	}
}

// Where no stream is left on which anything could come, nothing is waited for.
func TestARefusedCancelWithoutAStream(t *testing.T) {
	refuse := func(w *webRig, _, cancelNote ExchangeID) { w.opened(cancelNote, Head{Status: 500}) }
	cut := func(w *webRig, call, _ ExchangeID) { w.ended(call, End{}) }
	for name, steps := range map[string][2]func(w *webRig, call, cancelNote ExchangeID){"refused last": {cut, refuse}, "cut last": {refuse, cut}} {
		t.Run(name, func(t *testing.T) {
			w := readyWeb(t, mcp.Rev20251125)
			id, out := w.tool("slow")
			w.stream(out.X)
			w.auto = false
			w.stop(id, "enough")
			post := w.post("notifications/cancelled")
			steps[0](w, out.X, post.X)
			w.want(id, Cancelling, cancel.NoVerdict)
			steps[1](w, out.X, post.X)
			w.want(id, Cancelled, cancel.NotDelivered)
			w.wantEvidence(id, "not accepted: HTTP 500")
		})
	}
}

// The user may have a cancel posted once more that was not accepted. Nobody else
// does.
func TestARefusedCancelIsPostedAgainByTheUser(t *testing.T) {
	w, id, out := stoppedStream(t)
	first := w.post("notifications/cancelled")
	if _, err := w.s.Handle(w.now, Cancel{Call: id}); !errors.Is(err, errCancelling) {
		t.Fatalf("a second cancel while the first is on its way: %v", err)
	}
	w.opened(first.X, Head{Status: 500})
	if w.s.Tell(w.now, CancelAll{}).Cancelled != 0 {
		t.Error("to cancel all posts it again")
	}
	w.progressOn(out.X, id, 1)
	w.later(time.Second)
	if got := w.row(id).Remedy.Kind; got != RemedyCancelAgain {
		t.Errorf("the remedy is %v", got)
	}
	w.stop(id, "I mean it")
	w.want(id, Cancelling, cancel.NoVerdict)
	second := w.post("notifications/cancelled")
	if w.count(OpWrite, "notifications/cancelled") != 2 || !strings.Contains(string(second.Data), "I mean it") || w.note(id) != "" {
		t.Errorf("posted: %s; the row says %q", second.Data, w.note(id))
	}
	w.ended(first.X, End{Err: "it took too long"}) // nothing that comes of the first touches the second
	w.want(id, Cancelling, cancel.NoVerdict)
	w.accept(second)
	w.later(4900 * time.Millisecond)
	w.want(id, Cancelling, cancel.NoVerdict)
	w.later(time.Second)
	w.answerPing()
	w.want(id, Cancelled, cancel.Quiet)
	w.wantEvidence(id, "enough", "not accepted: HTTP 500", "a message for it came after the cancel", "I mean it", "the server accepted the cancel")
	if w.row(id).AfterCount != 0 {
		t.Errorf("%d messages came after the cancel that was accepted", w.row(id).AfterCount)
	}
}

// answerPing answers the latest ping.
func (w *webRig) answerPing() {
	w.t.Helper()
	probe := w.post("ping")
	w.opened(probe.X, Head{Status: 200, Media: mediaJSON})
	w.recvOn(probe.X, `{"jsonrpc":"2.0","id":%v,"result":{}}`, mcp.Decode(probe.Data).ID)
	w.ended(probe.X, End{})
}

// A cancel without a head is heard of until its five seconds are over, and what
// came until then is told.
func TestACancelThatIsNeverAnswered(t *testing.T) {
	for name, later := range map[string]struct {
		head  func(w *webRig, x ExchangeID)
		words string
	}{
		"never":    {func(*webRig, ExchangeID) {}, ""},
		"accepted": {func(w *webRig, x ExchangeID) { w.opened(x, Head{Status: 202}) }, "the server accepted the cancel"},
		"refused":  {func(w *webRig, x ExchangeID) { w.opened(x, Head{Status: 503}) }, "not accepted: HTTP 503"},
	} {
		t.Run(name, func(t *testing.T) {
			w, id, out := stoppedStream(t)
			for n := range 9 {
				w.later(500 * time.Millisecond)
				w.progressOn(out.X, id, n+1)
			}
			w.want(id, Cancelling, cancel.NoVerdict)
			w.later(500 * time.Millisecond)
			w.want(id, Cancelled, cancel.NotDelivered)
			w.wantEvidence(id, "did not accept the cancel within 5s", "last of 9 messages")
			later.head(w, w.post("notifications/cancelled").X)
			w.want(id, Cancelled, cancel.NotDelivered)
			w.wantEvidence(id, later.words)
		})
	}
}

// One that is accepted after its time was read: what was written after it may have
// been answered before that is known.
func TestACancelThatIsAcceptedTooLate(t *testing.T) {
	w, id, _ := stoppedStream(t)
	post := w.post("notifications/cancelled").X
	other, out := w.tool("quick")
	w.opened(out.X, Head{Status: 200, Media: mediaJSON})
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(other).Wire)
	w.later(5 * time.Second)
	w.want(id, Cancelled, cancel.NotDelivered)
	w.opened(post, Head{Status: 202})
	w.want(id, Cancelled, cancel.Quiet)
}

// The acceptance tells nothing of another call: one whose probe was not answered in
// time has heard nothing of the server since.
func TestTheAcceptanceOfACancelTellsOfItsCallOnly(t *testing.T) {
	w, first, _ := stoppedStream(t)
	w.opened(w.post("notifications/cancelled").X, Head{Status: 202})
	second, out := w.tool("other")
	w.stream(out.X)
	w.stop(second, "")
	late := w.post("notifications/cancelled").X
	quick := func() {
		id, out := w.tool("quick")
		w.opened(out.X, Head{Status: 200, Media: mediaJSON})
		w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(id).Wire)
		w.ended(out.X, End{})
	}
	quick()
	w.later(7 * time.Second)
	w.want(first, Cancelled, cancel.ServerUnresponsive)
	w.want(second, Cancelled, cancel.NotDelivered)
	w.opened(late, Head{Status: 202})
	w.want(first, Cancelled, cancel.ServerUnresponsive)
	w.want(second, Cancelled, cancel.Quiet)
	quick()
	w.want(first, Cancelled, cancel.Quiet)
}

// withoutSession is a connection whose server gave no session.
func withoutSession(t *testing.T, change ...func(*Config)) *webRig {
	w := newWebRig(t, append(change, func(c *Config) { c.Pin = mcp.Rev20251125 })...)
	w.agreeWith(Head{Status: 200, Media: mediaJSON}, mcp.Rev20251125, logging)
	return w
}

// Any answer of HTTP's to the probe shows that the server lives.
func TestTheProbeIsAnsweredWithAStatus(t *testing.T) {
	for _, status := range []int{400, 404, 429, 500, 503} {
		w := withoutSession(t)
		id, out := w.tool("slow")
		w.stream(out.X)
		w.stop(id, "enough")
		w.later(5 * time.Second)
		probe := w.post("ping")
		w.opened(probe.X, Head{Status: status, Media: mediaJSON})
		w.recvOn(probe.X, `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"what?"}}`)
		w.ended(probe.X, End{})
		w.want(id, Cancelled, cancel.Quiet)
		words := statusWords(Head{Status: status}, End{})
		w.wantEvidence(id, words)
		if got := w.timelineOf(id); !strings.Contains(got, words) {
			t.Errorf("the timeline does not tell of %s:\n%s", words, got)
		}
		if !w.aborted(out.X) || w.s.Status().Phase != Ready {
			t.Errorf("HTTP %d: the stream is open, or the session is %v", status, w.s.Status().Phase)
		}
	}
}

func (w *webRig) timelineOf(id CallID) string {
	d, _ := w.s.Detail(id)
	var words []string
	for _, m := range d.Timeline {
		words = append(words, m.Text)
	}
	return strings.Join(words, "\n")
}

// What breaks before its head is no answer, and neither is a stream that says
// nothing.
func TestTheProbeIsNotAnsweredByHTTP(t *testing.T) {
	for name, happens := range map[string]func(w *webRig, x ExchangeID){
		"broken":         func(w *webRig, x ExchangeID) { w.ended(x, End{Err: "connection reset"}) },
		"a stream":       func(w *webRig, x ExchangeID) { w.stream(x) },
		"a stream, cut":  func(w *webRig, x ExchangeID) { w.stream(x); w.ended(x, End{Err: "connection reset"}) },
		"nothing at all": func(*webRig, ExchangeID) {},
	} {
		t.Run(name, func(t *testing.T) {
			w, id, _ := stoppedStream(t)
			w.accept(w.post("notifications/cancelled"))
			w.later(5 * time.Second)
			happens(w, w.post("ping").X)
			w.want(id, Cancelling, cancel.NoVerdict)
			w.later(2 * time.Second)
			w.want(id, Cancelled, cancel.ServerUnresponsive)
			other, out := w.tool("other") // which is answered, if only by its status
			w.opened(out.X, Head{Status: 500})
			w.ended(out.X, End{})
			w.want(other, Failed, cancel.NoVerdict)
			w.want(id, Cancelled, cancel.Quiet)
		})
	}
}

// A ping that hears 404 has lost the session, like any other request.
func TestASessionEndsAtAPing(t *testing.T) {
	for name, ask := range map[string]func(w *webRig, id CallID){
		"probe": func(w *webRig, id CallID) {
			w.stop(id, "enough")
			w.later(5 * time.Second)
		},
		"periodic": func(w *webRig, _ CallID) { w.later(30 * time.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			w := readyWeb(t, mcp.Rev20251125, func(c *Config) { c.PingEvery = 30 * time.Second })
			id, out := w.tool("slow")
			w.stream(out.X)
			ask(w, id)
			epoch := w.s.Status().Epoch
			probe := w.post("ping")
			w.opened(probe.X, Head{Status: 404})
			w.ended(probe.X, End{})
			if st := w.s.Status(); st.Phase != Connecting || st.Epoch != epoch+1 {
				t.Errorf("the session is %v, connection %d", st.Phase, st.Epoch)
			}
			if r := w.row(id); name == "probe" {
				w.want(id, Cancelled, cancel.Quiet)
			} else if r.State != Lost {
				t.Errorf("the row is %v", r.State)
			}
		})
	}
}

// Where the call's own stream went away, its silence says nothing.
func TestAStreamThatCannotBeTakenUpAgain(t *testing.T) {
	refused := func(w *webRig, x ExchangeID) {
		w.event(x, "e2", 100*time.Millisecond)
		w.ended(x, End{})
		w.later(1200 * time.Millisecond)
		get := w.gets()[1]
		w.opened(get.X, Head{Status: 404})
		w.ended(get.X, End{})
	}
	for name, c := range map[string]struct {
		rig   func(t *testing.T, change ...func(*Config)) *webRig
		goes  func(w *webRig, x ExchangeID)
		words string
		phase Phase
	}{
		"no ID":       {withoutSession, func(w *webRig, x ExchangeID) { w.ended(x, End{Err: "connection reset"}) }, "connection reset", Ready},
		"GET refused": {withoutSession, refused, "its stream could not be taken up again: HTTP 404", Ready},
		"session over": {
			func(t *testing.T, change ...func(*Config)) *webRig {
				w := readyWeb(t, mcp.Rev20251125, change...)
				w.stream(w.gets()[0].X) // the server has a route for GET
				return w
			},
			refused, "its stream could not be taken up again: HTTP 404", Connecting,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := c.rig(t)
			id, out := w.tool("slow")
			w.stream(out.X)
			w.stop(id, "enough")
			w.later(2 * time.Second)
			c.goes(w, out.X)
			if w.s.Status().Phase == Ready {
				w.answerPing()
			}
			w.want(id, Cancelled, cancel.NothingHeard)
			w.wantEvidence(id, c.words, "could not be heard")
			if d, _ := w.s.Detail(id); !d.Away {
				t.Error("the detail does not say that the stream was away")
			}
			if got := w.s.Status().Phase; got != c.phase {
				t.Errorf("the session is %v", got)
			}
		})
	}
}

// The head of a body of JSON announces an answer: that is no silence, and belay waits for it on. The head of a stream
// announces nothing, and one from before the cancel came in the course of the call.
func TestTheHeadOfAnAnswerAfterTheCancel(t *testing.T) {
	requirements.Rows(t, "CXL-23")
	for name, tt := range map[string]struct {
		media   string
		before  bool
		verdict cancel.Verdict
	}{
		"of JSON":                    {mediaJSON, false, cancel.NothingHeard},
		"of a stream":                {mediaStream, false, cancel.Quiet},
		"of JSON, before the cancel": {mediaJSON, true, cancel.Quiet},
	} {
		w := readyWeb(t, mcp.Rev20251125)
		id, out := w.tool("slow")
		if tt.before {
			w.opened(out.X, Head{Status: 200, Media: tt.media})
		}
		w.later(time.Second)
		w.stop(id, "enough")
		w.accept(w.post("notifications/cancelled"))
		w.later(800 * time.Millisecond)
		if !tt.before {
			w.opened(out.X, Head{Status: 200, Media: tt.media})
		}
		w.later(4300 * time.Millisecond)
		w.answerPing()
		w.want(id, Cancelled, tt.verdict)
		const words = "the head of an answer came, and nothing of the answer itself"
		if said, open := strings.Contains(w.evidenceOf(id), words), !w.aborted(out.X); said != (tt.verdict == cancel.NothingHeard) || open != said {
			t.Errorf("%s: said %v, open %v:\n%s", name, said, open, w.evidenceOf(id))
		}
		if tt.verdict == cancel.NothingHeard {
			w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(id).Wire)
			w.want(id, Cancelled, cancel.AnsweredLate)
		}
	}
}

// A stream that waits to be taken up again when belay closes the connection is not taken up any more: the silence of
// its call says nothing, though the server answers what was written after the cancel.
func TestAStreamIsNotTakenUpWhileBelayLeaves(t *testing.T) {
	for name, leaves := range map[string]bool{"belay leaves": true, "belay stays": false} {
		w := readyWeb(t, mcp.Rev20251125, func(c *Config) { c.Grace = time.Second; c.NoProbe = true })
		id, out := w.tool("slow")
		w.stream(out.X)
		w.event(out.X, "e1", 500*time.Millisecond)
		w.later(time.Second)
		w.stop(id, "enough")
		w.accept(w.post("notifications/cancelled"))
		if _, err := w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "ping"}}); err != nil {
			t.Fatal(err)
		}
		w.pump()
		ping := w.post("ping")
		w.ended(out.X, End{Err: "reset"})
		if leaves {
			if _, err := w.s.Handle(w.now, Disconnect{}); err != nil {
				t.Fatal(err)
			}
			w.pump()
		}
		w.later(500 * time.Millisecond)
		if gets := w.gets(); !leaves {
			w.stream(gets[len(gets)-1].X)
		}
		w.opened(ping.X, Head{Status: 200, Media: mediaJSON})
		w.recvOn(ping.X, okAnswer, mcp.Decode(ping.Data).ID)
		w.later(500 * time.Millisecond)
		w.want(id, Cancelled, map[bool]cancel.Verdict{true: cancel.NothingHeard, false: cancel.Quiet}[leaves])
		if d, _ := w.s.Detail(id); d.Away != leaves {
			t.Errorf("%s: its stream was away: %v", name, d.Away)
		}
	}
}

// A stream that the server closes in order can tell nothing more, which is said.
func TestAStreamThatIsClosedInOrder(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	id, out := w.tool("slow")
	w.stream(out.X)
	w.stop(id, "enough")
	w.later(time.Second)
	w.ended(out.X, End{})
	w.answerPing()
	w.want(id, Cancelled, cancel.Quiet)
	w.wantEvidence(id, "the stream ended without a response")
}

// An HTTP error is an answer to the call, and counts like one.
func TestACancelledCallIsAnsweredWithAStatus(t *testing.T) {
	for name, c := range map[string]struct {
		after time.Duration
		want  cancel.Verdict
	}{"late": {3 * time.Second, cancel.AnsweredError}, "at once": {time.Microsecond, cancel.Crossed}} {
		t.Run(name, func(t *testing.T) {
			w := readyWeb(t, mcp.Rev20251125)
			id, out := w.tool("slow")
			w.stop(id, "enough")
			w.later(c.after)
			w.opened(out.X, Head{Status: 500})
			w.ended(out.X, End{Body: "cancelled"})
			w.want(id, Cancelled, c.want)
			w.wantEvidence(id, "answered with HTTP 500", "cancelled")
			if d, _ := w.s.Detail(id); d.Late == nil || d.Late.Status != 500 || d.Late.After != c.after {
				t.Errorf("the late answer is %+v", d.Late)
			}
			if w.count(OpWrite, `"ping"`) != 0 {
				t.Error("an answer was followed by a probe")
			}
		})
	}
}

// One that comes before the cancel has left takes it back.
func TestAStatusBeforeTheCancelLeft(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	w.hold = true
	id, out := w.tool("slow")
	w.s.Tell(w.now, Started{ExchangeID: out.X})
	w.stop(id, "enough") // it waits for the body of its call
	w.opened(out.X, Head{Status: 413})
	w.ended(out.X, End{})
	w.want(id, Failed, cancel.NoVerdict)
	if note := w.note(id); !strings.Contains(note, "HTTP 413") || !strings.Contains(note, "before the cancel left") {
		t.Errorf("the row says %q", note)
	}
	w.later(time.Minute)
	if w.count(OpWrite, "notifications/cancelled") != 0 {
		t.Error("a cancel was posted for what was answered")
	}
}
