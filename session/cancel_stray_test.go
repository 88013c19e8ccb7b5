package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// strayLines are lines that answer nothing, though they may be meant for the call of the
// ID WIRE, what the evidence says of each, and whether a line names that call after all.
var strayLines = map[string]struct {
	line, says string
	names      bool
}{
	"half an answer with a pong glued to it": {`{"jsonrpc":"2.0","id":WIRE,"result":{"content":[{"type":"te{"jsonrpc":"2.0","id":WIRE,"result":{}}`, `something that is not JSON came after the cancel: "{\"jsonrpc\"`, false},
	"text":                                   {"Traceback (most recent call last): WIRE", `something that is not JSON came after the cancel: "Traceback`, false},
	"a result without an ID":                 {`{"jsonrpc":"2.0","result":{"content":[],"x":WIRE}}`, "something that is no message of JSON-RPC came after the cancel", false},
	"an answer with its ID as a string":      {`{"jsonrpc":"2.0","id":"WIRE","result":{"content":[]}}`, "an answer with its ID as a string came after the cancel", true},
	"an error with the ID null":              {`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"no WIRE"}}`, `an error that names no request came after the cancel: -32603 "no`, false},
	"an error without an ID":                 {`{"jsonrpc":"2.0","error":{"code":-32603,"message":"no WIRE"}}`, "an error that names no request came after the cancel", false},
	"an answer with another ID":              {`{"jsonrpc":"2.0","id":98765WIRE,"result":{}}`, "an answer with an ID that belay sent no request with came after the cancel: 98765", false},
	"an empty batch":                         {`[]`, "something that is no message of JSON-RPC came after the cancel", false},
	"a batch of nonsense":                    {`[WIRE]`, "something that is no message of JSON-RPC came after the cancel", false},
	"progress with somebody's token":         {strayProgress(`"whose WIRE"`), `progress with a token that belay sent with no request of this connection came after the cancel: "whose `, false},
	"progress with its ID as the token":      {strayProgress(`WIRE`), "progress with a token that belay sent with no request of this connection came after the cancel: ", true},
	"progress with its ID as a string":       {strayProgress(`"WIRE"`), `progress with a token that belay sent with no request of this connection came after the cancel: "`, true},
	"progress without a token":               {`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1,"message":"WIRE"}}`, "malformed progress came after the cancel", false},
}

func strayProgress(token string) string {
	return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + `,"progress":1}}`
}

func aboutID(line string, id mcp.ID) string { return strings.ReplaceAll(line, "WIRE", id.String()) }

// Bytes after the cancel are no silence, whether the probe is answered or not, and they
// are not believed as the answer either.
func TestWhatAnswersNothingIsNoSilence(t *testing.T) {
	requirements.Rows(t, "BASE-10")
	for name, tt := range strayLines {
		for _, pings := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, pings answered %v", name, pings), func(t *testing.T) {
				onEveryRevision(t, func(t *testing.T, r *rig) {
					r.pings = pings
					id, wire := r.call("slow")
					r.wait(time.Second)
					r.cancel(id, "enough")
					r.wait(time.Second)
					r.recv("%s", aboutID(tt.line, wire))
					r.want(id, Cancelling, cancel.NoVerdict)
					r.wait(10 * time.Second)
					r.want(id, Cancelled, cancel.NothingHeard)
					d, _ := r.s.Detail(id)
					if e := r.evidence(id); !strings.Contains(e, tt.says) || !d.Strayed || d.Late != nil {
						t.Errorf("strayed: %v, late %v\n%s", d.Strayed, d.Late, e)
					}
				})
			})
		}
	}
}

// What came before the cancel's last byte was written is no sign of anything, and a call
// that runs is none of its business.
func TestWhatAnswersNothingBeforeTheCancel(t *testing.T) {
	for name, tt := range strayLines {
		t.Run(name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			id, wire := r.call("slow")
			line := aboutID(tt.line, wire)
			r.wait(time.Second)
			r.recv("%s", line)
			r.mute = true
			r.cancel(id, "enough")
			r.recv("%s", line)
			r.wait(time.Second)
			r.mute = false
			r.pull()
			r.want(id, Cancelling, cancel.NoVerdict)
			r.wait(10 * time.Second)
			r.want(id, Cancelled, cancel.ServerUnresponsive)
			if e := r.evidence(id); strings.Contains(e, "came after the cancel") {
				t.Error(e)
			}
		})
	}
}

// Each of the cancelled calls that may be meant has it among its evidence, and no other.
func TestWhatMayBeMeantForSeveralCancelledCalls(t *testing.T) {
	for name, tt := range strayLines {
		t.Run(name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			r.pings = true
			one, wire := r.call("slow")
			other, _ := r.call("slow")
			running, _ := r.call("slow")
			r.cancel(one, "")
			r.cancel(other, "")
			r.wait(time.Second)
			r.recv("%s", aboutID(tt.line, wire))
			r.wait(10 * time.Second)
			r.want(one, Cancelled, cancel.NothingHeard)
			if tt.names {
				r.want(other, Cancelled, cancel.Quiet)
			} else {
				r.want(other, Cancelled, cancel.NothingHeard)
			}
			r.want(running, Running, cancel.NoVerdict)
			if e := r.evidence(running); e != "" {
				t.Error(e)
			}
		})
	}
}

// What names a call after all is evidence after its end, too; what names none is not.
func TestWhatAnswersNothingAfterTheEnd(t *testing.T) {
	for name, tt := range strayLines {
		t.Run(name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			r.pings = true
			id, wire := r.call("slow")
			r.cancel(id, "")
			r.wait(10 * time.Second)
			r.want(id, Cancelled, cancel.Quiet)
			r.recv("%s", aboutID(tt.line, wire))
			r.want(id, Cancelled, map[bool]cancel.Verdict{true: cancel.NothingHeard, false: cancel.Quiet}[tt.names])
		})
	}
}

// Progress whose token has the other type of JSON may be meant for the call alone that gave
// its token so.
func TestProgressWithATokenOfTheOtherType(t *testing.T) {
	for given, comes := range map[string]string{`77`: `"77"`, `"77"`: `77`} {
		r := ready(t, mcp.Rev20251125)
		r.pings = true
		id, _ := r.made(CallSpec{Method: "x", Params: []byte(`{"_meta":{"progressToken":` + given + `}}`)})
		other, _ := r.call("slow")
		r.cancel(id, "")
		r.cancel(other, "")
		r.wait(time.Second)
		r.recv(progressNote, comes, 1)
		r.wait(10 * time.Second)
		r.want(id, Cancelled, cancel.NothingHeard)
		r.want(other, Cancelled, cancel.Quiet)
		r.wantDiag(mcp.DiagProgressToken, 1)
	}
}

// A server that writes a log to its stdout does not fill the evidence.
func TestManyStrays(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, _ := r.call("slow")
	r.cancel(id, "")
	for n := range 5000 {
		r.recv("line %d %s", n, strings.Repeat("x", 1000))
	}
	r.wait(10 * time.Second)
	d, _ := r.s.Detail(id)
	if e := r.evidence(id); len(d.Evidence) > 10 || len(d.Timeline) > 12 || len(e) > 2000 || !strings.Contains(e, "last of 5000 messages") {
		t.Errorf("%d moments, %d bytes: %s", len(d.Timeline), len(e), e)
	}
}

// Over HTTP it may be meant for the call of the exchange on which it comes, or, where that
// is nobody's, for any.
func TestWhatAnswersNothingOverHTTP(t *testing.T) {
	for _, tt := range []struct {
		name  string
		place func(w *webRig, own Output) ExchangeID
		meant bool
	}{
		{"its own stream", func(_ *webRig, own Output) ExchangeID { return own.X }, true},
		{"the server's own stream", func(w *webRig, _ Output) ExchangeID {
			get := w.gets()[0].X
			w.stream(get)
			return get
		}, true},
		{"the answer to the cancel", func(w *webRig, _ Output) ExchangeID { return w.post("notifications/cancelled").X }, true},
		{"another call's stream", func(w *webRig, _ Output) ExchangeID {
			_, out := w.tool("other")
			w.stream(out.X)
			return out.X
		}, false},
	} {
		for name, line := range strayLines {
			t.Run(tt.name+", "+name, func(t *testing.T) {
				w, id, own := stoppedWeb(t)
				post := w.post("notifications/cancelled").X
				w.opened(post, Head{Status: 202, Media: mediaJSON})
				x := tt.place(w, own)
				w.later(time.Second)
				w.recvOn(x, "%s", aboutID(line.line, w.row(id).Wire))
				w.want(id, Cancelling, cancel.NoVerdict)
				w.ended(post, End{})
				w.later(4500 * time.Millisecond)
				ping := w.post("ping")
				w.opened(ping.X, Head{Status: 200, Media: mediaJSON})
				w.recvOn(ping.X, okAnswer, mcp.Decode(ping.Data).ID)
				aboutCancel := x == post && strings.HasPrefix(name, "an ") && strings.Contains(line.line, `"error"`) // told as that
				want := cancel.NothingHeard
				if aboutCancel || !tt.meant && !line.names {
					want = cancel.Quiet
				}
				w.want(id, Cancelled, want)
				if e := w.evidence(id); strings.Contains(e, line.says) != (want == cancel.NothingHeard) {
					t.Error(e)
				}
			})
		}
	}
}

// A body of JSON that is no answer ends the exchange of the call, and is no silence.
func TestABodyThatIsNoAnswer(t *testing.T) {
	for name, answer := range map[string]struct {
		head Head
		line string
		body string
	}{
		"JSON":      {Head{Status: 200, Media: mediaJSON}, `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}`, ""},
		"a page":    {Head{Status: 200, Media: "text/html"}, "", "<h1>It works!</h1>"},
		"no body":   {Head{Status: 204}, "", ""},
		"no answer": {Head{Status: 202, Media: mediaJSON}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := readyWeb(t, mcp.Rev20251125)
			id, out := w.tool("slow")
			w.stop(id, "enough")
			w.later(time.Second)
			w.opened(out.X, answer.head)
			if answer.line != "" {
				w.recvOn(out.X, "%s", answer.line)
			}
			w.ended(out.X, End{Body: answer.body})
			ping := w.post("ping")
			w.opened(ping.X, Head{Status: 200, Media: mediaJSON})
			w.recvOn(ping.X, okAnswer, mcp.Decode(ping.Data).ID)
			w.want(id, Cancelled, cancel.NothingHeard)
			if e := w.evidence(id); !strings.Contains(e, "came after the cancel: ") {
				t.Error(e)
			}
		})
	}
}

// What is meant for the call, and is not as it should be, is no silence either.
func TestWhatIsMalformedIsNoSilence(t *testing.T) {
	for name, tt := range map[string]struct {
		say  func(r *rig, wire mcp.ID)
		says string
	}{
		"progress without a number": {func(r *rig, wire mcp.ID) {
			r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%v,"progress":"0"}}`, token(wire))
		}, "malformed progress came after the cancel"},
		"a cancel with the ID of the call as a string": {func(r *rig, wire mcp.ID) {
			r.recv(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"%v","reason":"stopped"}}`, wire)
		}, `notifications/cancelled with the ID of the call as a string came after the cancel: "stopped"`},
		"progress of nobody's in a refused batch": {func(r *rig, _ mcp.ID) {
			r.recv(`[`+progressNote+`]`, `"whose?"`, 1)
		}, `progress with a token that belay sent with no request of this connection came after the cancel: "whose?"`},
		"a pong in a refused batch": {func(r *rig, _ mcp.ID) {
			r.wait(4500 * time.Millisecond)
			r.recv(`[`+okAnswer+`]`, r.pinged())
		}, "an answer to ping in a batch, which the revision does not have, came after the cancel"},
		"what is left out of a refused batch": {func(r *rig, _ mcp.ID) {
			r.recv("[%s{}]", strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/x"},`, 2000))
		}, "a batch with more members than belay takes came after the cancel"},
	} {
		t.Run(name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			id, wire := r.call("slow")
			r.wait(time.Second)
			r.cancel(id, "enough")
			r.wait(time.Second)
			tt.say(r, wire)
			r.want(id, Cancelling, cancel.NoVerdict)
			r.wait(10 * time.Second)
			r.want(id, Cancelled, cancel.NothingHeard)
			if e := r.evidence(id); !strings.Contains(e, tt.says) {
				t.Error(e)
			}
		})
	}
}

// pinged is the ID of the ping that was written last.
func (r *rig) pinged() mcp.ID {
	r.t.Helper()
	for i := len(r.lines) - 1; i >= 0; i-- {
		if strings.Contains(r.lines[i], `"method":"ping"`) {
			return mcp.Decode([]byte(r.lines[i])).ID
		}
	}
	r.t.Fatal("no ping was written")
	return mcp.ID{}
}

// On the call's own stream everything is about the call.
func TestWhatComesOnTheCallsOwnStream(t *testing.T) {
	for name, tt := range map[string]struct {
		say  func(w *webRig, own Output, other mcp.ID)
		want cancel.Verdict
	}{
		"an answer to another request": {func(w *webRig, own Output, other mcp.ID) { w.recvOn(own.X, okAnswer, other) }, cancel.NothingHeard},
		"an event that is no message": {func(w *webRig, own Output, _ mcp.ID) {
			w.s.Tell(w.now, EventReceived{ExchangeID: own.X, Event: Event{Name: "error", Data: `{"jsonrpc":"2.0"}`, Retry: -1}})
		}, cancel.NothingHeard},
		"an event that keeps the stream alive": {func(w *webRig, own Output, _ mcp.ID) {
			w.s.Tell(w.now, EventReceived{ExchangeID: own.X, Event: Event{Name: "ping", Data: "2026-11-21T12:00:00Z", Retry: -1}})
		}, cancel.Quiet},
	} {
		t.Run(name, func(t *testing.T) {
			w, id, own := stoppedWeb(t)
			post := w.post("notifications/cancelled").X
			w.opened(post, Head{Status: 202, Media: mediaJSON})
			w.ended(post, End{})
			other, out := w.tool("other")
			w.stream(out.X)
			wire := w.row(other).Wire
			w.recvOn(out.X, okAnswer, wire)
			w.ended(out.X, End{})
			w.later(time.Second)
			tt.say(w, own, wire)
			w.want(id, Cancelling, cancel.NoVerdict)
			w.later(4500 * time.Millisecond)
			ping := w.post("ping")
			w.opened(ping.X, Head{Status: 200, Media: mediaJSON})
			w.recvOn(ping.X, okAnswer, mcp.Decode(ping.Data).ID)
			w.want(id, Cancelled, tt.want)
		})
	}
}

// Bytes on a stream of events that are no message are no silence, unless they keep the
// stream open: a comment, or an event without data, which the reader does not tell of.
func TestWhatIsNoMessageOnAStream(t *testing.T) {
	own := func(_ *webRig, own Output) ExchangeID { return own.X }
	servers := func(w *webRig, _ Output) ExchangeID {
		get := w.gets()[0].X
		w.stream(get)
		return get
	}
	toCancel := func(w *webRig, _ Output) ExchangeID { return w.post("notifications/cancelled").X }
	another := func(w *webRig, _ Output) ExchangeID {
		_, out := w.tool("other")
		w.stream(out.X)
		return out.X
	}
	event := func(ev Event) func(w *webRig, x ExchangeID) {
		ev.Retry = -1
		return func(w *webRig, x ExchangeID) { w.s.Tell(w.now, EventReceived{ExchangeID: x, Event: ev}) }
	}
	part := func(size int) func(w *webRig, x ExchangeID) {
		return func(w *webRig, x ExchangeID) {
			w.s.Tell(w.now, ReceivedPart{ExchangeID: x, Part: Part{Size: size, Kept: true, Began: 2 * time.Second}})
		}
	}
	both := func(one, other func(w *webRig, x ExchangeID)) func(w *webRig, x ExchangeID) {
		return func(w *webRig, x ExchangeID) { one(w, x); other(w, x) }
	}
	cut := func(w *webRig, x ExchangeID) { w.ended(x, End{}) }
	for name, tt := range map[string]struct {
		place func(w *webRig, own Output) ExchangeID
		say   func(w *webRig, x ExchangeID)
		want  cancel.Verdict
		says  string
	}{
		"an odd line on its own stream":        {own, event(Event{Odd: "Traceback"}), cancel.NothingHeard, `a line that is no part of an event came after the cancel: "Traceback"`},
		"an odd line on the server's stream":   {servers, event(Event{Odd: "Traceback"}), cancel.NothingHeard, `a line that is no part of an event came after the cancel: "Traceback"`},
		"an odd line in answer to the cancel":  {toCancel, event(Event{Odd: "Traceback"}), cancel.NothingHeard, `a line that is no part of an event came after the cancel`},
		"an odd line on another call's stream": {another, event(Event{Odd: "Traceback"}), cancel.Quiet, ""},
		"JSON in a named event":                {servers, event(Event{Name: "result", Data: `{"id":1}`}), cancel.NothingHeard, "an event that is no message came after the cancel"},
		"a named event that keeps it open":     {servers, event(Event{Name: "ping", Data: "2026-11-23"}), cancel.Quiet, ""},
		"half a message":                       {servers, part(70), cancel.NothingHeard, "bytes of a message, 70 bytes in all and not its end, came after the cancel"},
		"half a message, and the end":          {servers, both(part(70), cut), cancel.NothingHeard, "bytes of a message, 70 bytes in all and not its end, came after the cancel"},
		"half a message that was none":         {servers, both(part(70), part(0)), cancel.Quiet, ""},
		"half a message to the cancel":         {toCancel, both(part(70), cut), cancel.NothingHeard, "bytes of a message, 70 bytes in all and not its end, came after the cancel"},
		"half of another call's":               {another, part(70), cancel.Quiet, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w, id, out := stoppedWeb(t)
			post := w.post("notifications/cancelled").X
			w.opened(post, Head{Status: 202, Media: mediaStream})
			x := tt.place(w, out)
			w.later(time.Second)
			tt.say(w, x)
			w.want(id, Cancelling, cancel.NoVerdict)
			if e := w.evidence(id); strings.HasSuffix(name, "the end") && !strings.Contains(e, tt.says) {
				t.Errorf("when it was cut off:\n%s", e)
			}
			w.later(4500 * time.Millisecond)
			ping := w.post("ping")
			w.opened(ping.X, Head{Status: 200, Media: mediaJSON})
			w.recvOn(ping.X, okAnswer, mcp.Decode(ping.Data).ID)
			w.want(id, Cancelled, tt.want)
			d, _ := w.s.Detail(id)
			if e := w.evidence(id); !strings.Contains(e, tt.says) || d.Strayed != (tt.says != "") {
				t.Errorf("strayed %v\n%s", d.Strayed, e)
			}
		})
	}
}

// Bytes that came before the cancel was written, and none since, are no sign of anything;
// those of a message whose answer is there neither.
func TestHalfAMessageBeforeTheCancel(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	get := w.gets()[0].X
	w.stream(get)
	id, out := w.tool("slow")
	w.stream(out.X)
	w.s.Tell(w.now, ReceivedPart{ExchangeID: get, Part: Part{Size: 70, Kept: true}})
	w.later(time.Second)
	w.stop(id, "")
	w.opened(w.post("notifications/cancelled").X, Head{Status: 202})
	w.later(5100 * time.Millisecond)
	ping := w.post("ping")
	w.opened(ping.X, Head{Status: 200, Media: mediaJSON})
	w.recvOn(ping.X, okAnswer, mcp.Decode(ping.Data).ID)
	w.want(id, Cancelled, cancel.Quiet)
}

// Of a message over the limit in which no ID was found only the size is known.
func TestAStrayOverTheLimit(t *testing.T) {
	for ago, want := range map[time.Duration]string{
		0:               "a message over the limit (3.0 kB, no ID found) came after the cancel",
		2 * time.Second: "a message over the limit (3.0 kB, no ID found), begun before the cancel was written, ended after it",
	} {
		r := ready(t, mcp.Rev20251125)
		id, _ := r.call("slow")
		r.wait(2 * time.Second)
		r.cancel(id, "enough")
		r.wait(time.Second)
		r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, &mcp.Frame{Kind: mcp.FrameOversize, Size: 3000, Began: r.now.Add(-ago)})
		r.wait(10 * time.Second)
		r.want(id, Cancelled, cancel.NothingHeard)
		if e := r.evidence(id); !strings.Contains(e+"\n", want+"\n") {
			t.Errorf("%s\nwant %q", e, want)
		}
	}
}

// A flood of messages that may be meant for any call which is being cancelled is counted for each
// from its own cancel to its own end.
func TestManyStraysForManyCancelledCalls(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	r.pings = true
	flood := func(n int) {
		for range n {
			r.recv("no JSON")
		}
	}
	says := func(words map[CallID]string) {
		t.Helper()
		for id, want := range words {
			if e := r.evidence(id); !strings.Contains(e, want) {
				t.Errorf("want %s: %s", want, e)
			}
		}
	}
	one, _ := r.call("slow")
	other, wire := r.call("slow")
	flood(10)
	r.mute = true
	r.cancel(one, "")
	flood(20) // the cancel waits to be written
	r.wait(time.Second)
	r.mute = false
	r.pull()
	flood(100)
	r.wait(3 * time.Second)
	r.cancel(other, "")
	flood(1)
	r.recv(`{"jsonrpc":"2.0","id":%q,"result":{"content":[]}}`, wire.String()) // the other one's
	flood(50)
	const counting = "more messages after the cancel that belay cannot take as its answer came from here on"
	says(map[CallID]string{one: counting, other: counting})
	r.wait(3 * time.Second)
	r.want(one, Cancelled, cancel.NothingHeard)
	r.want(other, Cancelling, cancel.NoVerdict)
	_, before, _ := r.s.Changed(nil, 0, 0)
	flood(7)
	if _, after, _ := r.s.Changed(nil, 0, 0); after != before {
		t.Errorf("%d rows changed by messages that are only counted", after-before)
	}
	r.wait(10 * time.Second)
	r.want(other, Cancelled, cancel.NothingHeard)
	flood(1000)
	says(map[CallID]string{one: "last of 151 messages", other: "last of 59 messages"})
}

// A server that says that it has stopped, and then answers once more, has that in the timeline of the
// call.
func TestASecondAnswerIsInTheTimeline(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, wire := r.call("slow")
	r.cancel(id, "")
	r.wait(time.Second)
	r.recv(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32800,"message":"Request cancelled"}}`, wire.String())
	r.want(id, Cancelled, cancel.SaysCancelled)
	r.wait(2 * time.Second)
	for range 2 {
		r.recv(okAnswer, wire)
	}
	d, _ := r.s.Detail(id)
	notes := 0
	for _, m := range d.Timeline {
		if strings.Contains(m.Text, "a second response to the same request") {
			notes++
		}
	}
	if last := d.Timeline[len(d.Timeline)-1]; notes != 1 || last.Entry == 0 {
		t.Errorf("%d notes, the last moment is %+v", notes, last)
	}
	r.wantDiag(mcp.DiagDuplicateAnswer, 2)
}

// What is wrong with many messages is told with the first of them, and that it is the first of others.
func TestADiagnosticOfSeveralThingsSaysSo(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	for _, line := range []string{"one", "one"} {
		r.recv("%s", line)
	}
	of := func(code mcp.DiagCode) (all []Diagnostic) {
		for _, d := range r.s.Diagnostics() {
			if d.Code == code {
				all = append(all, d)
			}
		}
		return all
	}
	if all := of(mcp.DiagNotJSON); len(all) != 1 || all[0].Mixed || all[0].Count != 2 {
		t.Errorf("of one thing: %+v", all)
	}
	r.recv("other")
	if one := r.s.DiagnosticsOf(lastEntry(r)); len(one) != 1 || one[0].Mixed || one[0].Count != 1 || !strings.Contains(one[0].Detail, "other") {
		t.Errorf("of one message: %+v", one)
	}
	if all := of(mcp.DiagNotJSON); len(all) != 1 || !all[0].Mixed || all[0].Count != 3 {
		t.Errorf("of two: %+v", all)
	}
	for n := range 2 * maxDiags {
		r.recv("%s", strayProgress(fmt.Sprintf(`"token %d"`, n)))
	}
	if all := of(mcp.DiagProgressToken); all[0].Mixed || !all[len(all)-1].Mixed || all[len(all)-1].Count < maxDiags {
		t.Errorf("%d of many, the last is %+v", len(all), all[len(all)-1])
	}
}
