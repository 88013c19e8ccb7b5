package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session/mcp"
)

// onlyHTTP are the diagnostics that a server over stdio cannot cause; the tests
// of the HTTP side cause each of them (see TestEveryHTTPDiagnostic).
var onlyHTTP = map[mcp.DiagCode]bool{
	mcp.DiagWrongStream: true, mcp.DiagForeignProgress: true, mcp.DiagEventName: true, mcp.DiagEventID: true,
	mcp.DiagLinger: true, mcp.DiagServerStreamStatus: true, mcp.DiagAcceptStatus: true, mcp.DiagNotAccepted: true, mcp.DiagRedirect: true,
	mcp.DiagToolHeader: true, mcp.DiagMirrorSecret: true, mcp.DiagEventRepeat: true, mcp.DiagNoLogin: true, mcp.DiagBuffered: true,
	mcp.DiagSessions: true, mcp.DiagAcceptBody: true, mcp.DiagServerStreamAnswer: true,
}

// webRig is a session over HTTP on a bench: the test plays the server, exchange
// by exchange.
type webRig struct {
	*rig
	outs []Output // what was handed out, in order
	auto bool     // notifications, answers and cancels are accepted at once
	hold bool     // bodies are not written: nothing is begun
}

const endpoint = "http://peer.test/mcp"

func newWebRig(t testing.TB, change ...func(*Config)) *webRig {
	cfg := Config{Transport: mcp.HTTP, Endpoint: endpoint}
	for _, f := range change {
		f(&cfg)
	}
	w := &webRig{rig: newRig(t, cfg), auto: true}
	w.epoch = w.s.Tell(w.now, Connect{}).Epoch
	w.pump()
	return w
}

// readyWeb is connected to a server that speaks a revision and lists nothing.
func readyWeb(t testing.TB, rev mcp.Revision, change ...func(*Config)) *webRig {
	return servingWeb(t, rev, logging, change...)
}

// pump takes what the core hands out. Bodies are written at once.
func (w *webRig) pump() {
	w.t.Helper()
	for {
		out, ok := w.s.Next(w.now)
		if !ok {
			return
		}
		w.outs = append(w.outs, out)
		if out.Op == OpWrite && !w.hold {
			w.write(out)
		}
		if out.Op == OpAbort && out.Seq != 0 {
			w.s.Tell(w.now, Sent{Seq: out.Seq})
		}
	}
}

// write has a body written, and accepts what awaits no answer.
func (w *webRig) write(out Output) bool {
	w.t.Helper()
	if !w.s.Tell(w.now, Started{ExchangeID: out.X}).Wanted {
		w.s.Tell(w.now, Ended{ExchangeID: out.X, End: End{Err: "cancelled before it was sent"}})
		return false
	}
	w.s.Tell(w.now, Sent{Seq: out.Seq})
	checkCode(w.t, out.Data)
	if !out.Awaits && w.auto {
		w.s.Tell(w.now, Opened{ExchangeID: out.X, Head: Head{Status: 202}})
		w.s.Tell(w.now, Ended{ExchangeID: out.X, End: End{}})
	}
	return true
}

func (w *webRig) opened(x ExchangeID, h Head) {
	w.t.Helper()
	w.s.Tell(w.now, Opened{ExchangeID: x, Head: h})
	w.check()
	w.pump()
}

// stream opens the answer to a request as a stream of events.
func (w *webRig) stream(x ExchangeID) {
	w.t.Helper()
	w.opened(x, Head{Status: 200, Media: mediaStream})
}

func (w *webRig) ended(x ExchangeID, end End) {
	w.t.Helper()
	w.s.Tell(w.now, Ended{ExchangeID: x, End: end})
	w.check()
	w.pump()
}

func (w *webRig) event(x ExchangeID, id string, retry time.Duration) {
	w.t.Helper()
	w.s.Tell(w.now, EventReceived{ExchangeID: x, Event: Event{ID: &id, Retry: retry}})
	w.check()
	w.pump()
}

func (w *webRig) recvOn(x ExchangeID, format string, args ...any) {
	w.t.Helper()
	line := format
	if len(args) > 0 {
		line = fmt.Sprintf(format, args...)
	}
	w.s.Receive(w.now, x, mcp.Decode([]byte(line)))
	w.check()
	w.pump()
}

// later lets time pass, with Tick at every deadline on the way.
func (w *webRig) later(d time.Duration) {
	w.t.Helper()
	end := w.now.Add(d)
	for range 100_000 {
		at, ok := w.s.Deadline()
		if !ok || at.After(end) {
			w.now = end
			return
		}
		if at.After(w.now) {
			w.now = at
		}
		w.s.Tell(w.now, Tick{})
		w.check()
		w.pump()
	}
	w.t.Fatal("Deadline never moves on")
}

// httpSSE has the server know HTTP+SSE alone, and returns the stream that belay opens,
// before its endpoint is named.
func (w *webRig) httpSSE() ExchangeID {
	w.t.Helper()
	x := w.post("initialize").X
	w.opened(x, Head{Status: 404})
	w.ended(x, End{})
	stream := w.gets()[0].X
	w.stream(stream)
	return stream
}

// post is the latest POST of a method.
func (w *webRig) post(method string) Output {
	w.t.Helper()
	for _, out := range slices.Backward(w.outs) {
		if out.Op == OpWrite && strings.Contains(string(out.Data), `"method":"`+method+`"`) {
			return out
		}
	}
	w.t.Fatalf("no %s was posted", method)
	return Output{}
}

// count counts outputs of a kind; a POST by words in its body.
func (w *webRig) count(op Op, words ...string) int {
	n := 0
out:
	for _, out := range w.outs {
		if out.Op != op {
			continue
		}
		for _, word := range words {
			if !strings.Contains(string(out.Data), word) {
				continue out
			}
		}
		n++
	}
	return n
}

// aborted reports whether an exchange was closed.
func (w *webRig) aborted(x ExchangeID) bool {
	return slices.ContainsFunc(w.outs, func(out Output) bool { return out.Op == OpAbort && out.X == x })
}

// gets are the GETs so far.
func (w *webRig) gets() (outs []Output) {
	for _, out := range w.outs {
		if out.Op == OpOpen {
			outs = append(outs, out)
		}
	}
	return outs
}

// tool makes a tool call and returns it with its exchange. It waits for nothing:
// the head of the GET is not awaited any more.
func (w *webRig) tool(name string) (CallID, Output) {
	w.t.Helper()
	if until := w.s.timers.At(once(dueServerStreamWait)); !until.IsZero() {
		w.later(until.Sub(w.now))
	}
	id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: fmt.Appendf(nil, `{"name":%q}`, name)}}))
	if err != nil {
		w.t.Fatal(err)
	}
	w.pump()
	return id, w.post("tools/call")
}

func (w *webRig) stop(id CallID, reason string) {
	w.t.Helper()
	if _, err := w.s.Handle(w.now, Cancel{Call: id, Reason: reason}); err != nil {
		w.t.Fatalf("cancel %d: %v", id, err)
	}
	w.check()
	w.pump()
}

func (w *webRig) note(id CallID) string { return w.row(id).Note }

func field(out Output, name string) string {
	for _, h := range out.Header {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}
