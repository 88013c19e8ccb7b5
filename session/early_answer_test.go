package session

import (
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// A server that guesses IDs answers what it has not been sent. Nothing of that is
// believed, and it is no answer that came elsewhere either.
func TestAnAnswerToARequestThatHasNotLeft(t *testing.T) {
	early := func(t *testing.T, w *webRig, x ExchangeID, wire mcp.ID) {
		t.Helper()
		before := w.diag(mcp.DiagEarlyAnswer)
		w.recvOn(x, okAnswer, wire)
		w.recvOn(x, `[`+okAnswer+`]`, wire)
		w.recvOn(x, progressNote, token(wire), 3)
		if n := w.diag(mcp.DiagEarlyAnswer) - before; n < 1 {
			t.Errorf("told %d times", n)
		}
	}
	t.Run("a call", func(t *testing.T) {
		w := readyWeb(t, mcp.Rev20251125)
		get := w.gets()[0].X
		w.stream(get)
		w.hold = true
		id, out := w.tool("slow")
		early(t, w, get, w.row(id).Wire)
		w.want(id, Running, cancel.NoVerdict)
		if n := w.row(id).Progress.Count; n != 0 {
			t.Errorf("progress came %d times", n)
		}
		w.hold = false
		w.write(out) // its body leaves all the same, and what came before answers nothing
		w.later(time.Second)
		w.stop(id, "enough")
		w.want(id, Cancelling, cancel.NoVerdict)
	})
	t.Run("an unsubscribe", func(t *testing.T) {
		w, id := standingWeb(t)
		get := w.gets()[0].X
		w.hold = true
		w.stop(id, "enough")
		out := w.post(methodUnsubscribe)
		early(t, w, get, mcp.Decode(out.Data).ID)
		w.want(id, Cancelling, cancel.NoVerdict)
		w.hold = false
		if !w.write(out) {
			t.Fatal("the unsubscribe is not written any more")
		}
		w.opened(out.X, Head{Status: 200, Media: mediaJSON})
		w.recvOn(out.X, emptyAnswer, mcp.Decode(out.Data).ID)
		w.want(id, Cancelled, cancel.Acknowledged)
	})
	t.Run("a call that was dropped", func(t *testing.T) {
		w := readyWeb(t, mcp.Rev20251125)
		get := w.gets()[0].X
		w.stream(get)
		w.hold = true
		id, _ := w.tool("slow")
		w.stop(id, "enough")
		early(t, w, get, w.row(id).Wire)
		if d, _ := w.s.Detail(id); d.State != Dropped || d.Late != nil {
			t.Errorf("%v, with the answer %v", d.State, d.Late)
		}
	})
	t.Run("in part", func(t *testing.T) { // the server may have read what it needs
		w, id := standingWeb(t)
		get := w.gets()[0].X
		w.hold = true
		w.stop(id, "enough")
		out := w.post(methodUnsubscribe)
		w.s.Tell(w.now, Started{ExchangeID: out.X})
		w.recvOn(get, emptyAnswer, mcp.Decode(out.Data).ID)
		w.want(id, Cancelled, cancel.Acknowledged)
		w.wantDiag(mcp.DiagEarlyAnswer, 0)
	})
	t.Run("over HTTP+SSE", func(t *testing.T) {
		w, stream := oldWeb(t)
		w.hold = true
		id, out := w.tool("slow")
		early(t, w, stream, w.row(id).Wire)
		w.want(id, Running, cancel.NoVerdict)
		w.s.Tell(w.now, Started{ExchangeID: out.X})
		w.recvOn(stream, okAnswer, w.row(id).Wire)
		w.want(id, Done, cancel.NoVerdict)
	})
}

// oldWeb is connected to a server of 2024-11-05, by its one stream.
func oldWeb(t *testing.T) (w *webRig, stream ExchangeID) {
	w = newWebRig(t)
	init := w.post("initialize").X
	w.opened(init, Head{Status: 404})
	w.ended(init, End{})
	stream = w.gets()[0].X
	w.stream(stream)
	w.s.Tell(w.now, EventReceived{ExchangeID: stream, Event: Event{Name: "endpoint", Retry: -1, Data: "/messages"}})
	w.pump()
	w.accept(w.post("initialize"))
	w.recvOn(stream, "%s", agreement(w.opening().Latest, mcp.Rev20241105, logging))
	return w, stream
}
