package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// The stream of a cancelled call that is away when the grace ends could not be heard:
// also while the GET that takes it up has no head.
func TestAStreamThatIsTakenUpWithoutAHead(t *testing.T) {
	for name, tt := range map[string]struct {
		headed bool
		want   cancel.Verdict
	}{"no head": {false, cancel.NothingHeard}, "a head in time": {true, cancel.Quiet}} {
		t.Run(name, func(t *testing.T) {
			w, id, out := stoppedStream(t)
			w.accept(w.post("notifications/cancelled"))
			w.later(time.Second)
			w.ended(out.X, End{Err: "connection reset"})
			w.later(time.Second)
			get := w.gets()[1].X
			if tt.headed {
				w.stream(get)
			}
			w.later(3 * time.Second)
			ping := w.post("ping")
			w.opened(ping.X, Head{Status: 200, Media: mediaStream})
			w.recvOn(ping.X, okAnswer, mcp.Decode(ping.Data).ID)
			w.want(id, Cancelled, tt.want)
			if d, _ := w.s.Detail(id); d.Away == tt.headed {
				t.Errorf("away: %v", d.Away)
			}
			if away := strings.Contains(w.evidenceOf(id), "its stream was away from here on"); away == tt.headed {
				t.Errorf("the evidence: %s", w.evidenceOf(id))
			}
		})
	}
}

// What did not reach the server stands in the evidence: a GET for the call's stream,
// and the probe.
func TestARefusedConnectionIsEvidence(t *testing.T) {
	w, id, out := stoppedStream(t)
	w.accept(w.post("notifications/cancelled"))
	w.ended(out.X, End{})
	w.later(time.Second)
	w.ended(w.gets()[1].X, End{Err: "connection refused"})
	w.later(4 * time.Second)
	w.ended(w.post("ping").X, End{Err: "no route to host"})
	w.later(3 * time.Second)
	w.want(id, Cancelled, cancel.ServerUnresponsive)
	w.wantEvidence(id, "GET for its stream brought no answer: connection refused", "the probe (ping) brought no answer: no route to host")
}

// A kept connection may end just as the probe is written to it: the server is asked once more, and
// only once.
func TestAProbeOfWhichNothingIsHeardIsAskedOnceMore(t *testing.T) {
	for name, tt := range map[string]struct {
		then func(w *webRig, first, second Output)
		want cancel.Verdict
	}{
		"the second is answered": {func(w *webRig, _, second Output) {
			w.opened(second.X, Head{Status: 200, Media: mediaJSON})
			w.recvOn(second.X, okAnswer, mcp.Decode(second.Data).ID)
		}, cancel.Quiet},
		"the first is answered elsewhere": {func(w *webRig, first, second Output) {
			w.opened(second.X, Head{Status: 200, Media: mediaStream})
			w.recvOn(second.X, okAnswer, mcp.Decode(first.Data).ID)
		}, cancel.Quiet},
		"the second breaks as well": {func(w *webRig, _, second Output) {
			w.ended(second.X, End{Err: "EOF"})
			w.later(time.Second)
			if n := w.count(OpWrite, `"ping"`); n != 2 {
				w.t.Errorf("%d probes", n)
			}
		}, cancel.ServerUnresponsive},
	} {
		t.Run(name, func(t *testing.T) {
			w, id, _ := stoppedStream(t)
			w.accept(w.post("notifications/cancelled"))
			w.later(5 * time.Second) // the grace
			first := w.post("ping")
			w.later(1900 * time.Millisecond)
			w.ended(first.X, End{Err: "EOF"})
			second := w.post("ping")
			if second.X == first.X {
				t.Fatal("it was not asked once more")
			}
			w.later(1900 * time.Millisecond)
			w.want(id, Cancelling, cancel.NoVerdict)
			tt.then(w, first, second)
			w.later(time.Second)
			w.want(id, Cancelled, tt.want)
		})
	}
}

// An error in the answer to a cancel is no acceptance, whatever the status.
func TestAnErrorInTheAnswerToACancel(t *testing.T) {
	for name, status := range map[string]int{"accepted": 200, "rejected": 400} {
		t.Run(name, func(t *testing.T) {
			w, id, _ := stoppedWeb(t)
			post := w.post("notifications/cancelled").X
			w.opened(post, Head{Status: status, Media: mediaJSON})
			w.recvOn(post, `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}`)
			w.ended(post, End{})
			w.want(id, Cancelling, cancel.NoVerdict)
			w.wantEvidence(id, `the answer to the cancel holds an error: -32601 "Method not found"`)
			if all := w.evidenceOf(id); strings.Contains(all, "the server accepted the cancel") {
				t.Errorf("the evidence says %s", all)
			}
			d, _ := w.s.Detail(id)
			if last := d.Timeline[len(d.Timeline)-1]; last.Entry == 0 || !strings.Contains(last.Text, "-32601") && !strings.Contains(last.Text, "accepted with a body") {
				t.Errorf("the timeline ends with %+v", last)
			}
			if n := len(w.s.CallEntries(nil, id, 100)); n < 3 {
				t.Errorf("the wire of the call has %d messages", n)
			}
		})
	}
}

// Of an answer over the limit only its size and kind are known: a result is no
// error.
func TestALateAnswerOverTheLimit(t *testing.T) {
	for line, want := range map[string]struct {
		verdict cancel.Verdict
		words   string
	}{
		`{"jsonrpc":"2.0","result":{"text":"%s"},"id":%v}`:            {cancel.AnsweredLate, "answered with a result of 3.0 kB, over the limit"},
		`{"jsonrpc":"2.0","error":{"code":1,"message":"%s"},"id":%v}`: {cancel.AnsweredError, "answered with an error of 3.1 kB, over the limit"},
	} {
		r, lines := recorded(t, nil)
		r.measured(time.Millisecond)
		id, wire := r.call("slow")
		r.cancel(id, "")
		r.wait(2 * time.Second)
		var long mcp.Skim
		fmt.Fprintf(&long, line, strings.Repeat("x", 3000), wire)
		r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, long.Frame())
		r.check()
		r.want(id, Cancelled, want.verdict)
		d, _ := r.s.Detail(id)
		var words []string
		for _, e := range d.Evidence {
			words = append(words, e.Text)
		}
		if all := strings.Join(words, "; "); !strings.Contains(all, want.words) {
			t.Errorf("the evidence says %s", all)
		}
		replayed(t, r, lines)
	}
}
