package session

import (
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

const notSubscribed = `{"jsonrpc":"2.0","id":%v,"error":{"code":-32602,"message":"no"}}`

// A subscription that begins although its request was cancelled is ended, as the
// user wanted: once, and its updates are no fault of the server's.
func TestSubscriptionThatBeginsAfterItsCancel(t *testing.T) {
	for name, tt := range map[string]struct {
		wait    time.Duration
		verdict cancel.Verdict
	}{
		"at once":           {0, cancel.Crossed},
		"within the grace":  {time.Second, cancel.AnsweredLate},
		"after the verdict": {time.Minute, cancel.AnsweredLate},
	} {
		t.Run(name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			r.pings = true
			id, wire := r.subscribe(boardURI)
			r.lines = nil
			r.cancel(id, "enough")
			r.wait(tt.wait)
			r.recv(emptyAnswer, wire)
			r.recv(updatedNote, boardURI)
			r.want(id, Cancelled, tt.verdict)
			if row := r.row(id); row.Sub.Residual != ResidualStands || row.Sub.Updates != 1 || !strings.Contains(row.Note, "the server subscribed after all") {
				t.Errorf("%q, %+v", row.Note, row.Sub)
			}
			r.wait(time.Second)
			if r.sent(methodUnsubscribe, boardURI) != 1 {
				t.Fatalf("written: %q", r.lines)
			}
			r.wantDiag(mcp.DiagUpdateUnasked, 0)
			end := r.asked(methodUnsubscribe)
			r.recv(emptyAnswer, end.Wire)
			r.want(end.ID, Done, cancel.NoVerdict)
			if row := r.row(id); row.Sub.Residual != ResidualNone || !strings.Contains(row.Note, "has ended it") {
				t.Errorf("%q, %+v", row.Note, row.Sub)
			}
			r.recv(updatedNote, boardURI)
			r.wantDiag(mcp.DiagUpdateUnasked, 1)
			if _, err := r.s.Handle(r.now, Cancel{Call: id}); err == nil {
				t.Error("it could be ended again")
			}
		})
	}
}

// An end that the server refuses, or does not answer, is told as what it is, and
// may be asked for again.
func TestSubscriptionThatDoesNotEnd(t *testing.T) {
	for name, tt := range map[string]struct {
		play func(r *rig, wire mcp.ID)
		left Residual
	}{
		"refused":      {func(r *rig, wire mcp.ID) { r.recv(notSubscribed, wire) }, ResidualStands},
		"not answered": {func(r *rig, _ mcp.ID) { r.wait(time.Minute) }, ResidualPossible},
		"not written":  {func(r *rig, _ mcp.ID) { r.mute = true; r.wait(time.Minute) }, ResidualPossible},
	} {
		t.Run(name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			id := r.standing(boardURI)
			r.mute = name == "not written"
			r.cancel(id, "enough")
			tt.play(r, r.row(id).Latest)
			r.mute = false
			r.pull()
			if row := r.row(id); row.State != Cancelled || row.Sub.Residual != tt.left {
				t.Fatalf("%v · %v, %+v", row.State, row.Verdict, row.Sub)
			}
			r.recv(updatedNote, boardURI)
			r.wantDiag(mcp.DiagUpdateUnasked, 0)
			if row := r.row(id); row.Sub.Updates != 1 || row.Sub.Residual != ResidualStands {
				t.Errorf("%+v", row.Sub)
			}
			if n := r.sent(methodUnsubscribe); n != 1 {
				t.Errorf("unsubscribed %d times", n)
			}
			r.cancel(id, "again")
			if _, err := r.s.Handle(r.now, Cancel{Call: id}); err == nil || r.sent(methodUnsubscribe) != 2 {
				t.Errorf("%v; unsubscribed %d times", err, r.sent(methodUnsubscribe))
			}
			r.recv(notSubscribed, r.asked(methodUnsubscribe).Wire)
			if row := r.row(id); row.Sub.Residual != ResidualStands || !strings.Contains(row.Note, "was refused: the subscription stands") {
				t.Errorf("%q, %+v", row.Note, row.Sub)
			}
			r.cancel(id, "and again")
			r.recv(emptyAnswer, r.asked(methodUnsubscribe).Wire)
			if row := r.row(id); row.Sub.Residual != ResidualNone {
				t.Errorf("%+v", row.Sub)
			}
		})
	}
}

// A later row to the same resource is not ended with the one before.
func TestALaterSubscriptionStays(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	r.pings = true
	id, wire := r.subscribe(boardURI)
	r.cancel(id, "enough")
	r.wait(time.Minute)
	next := r.standing(boardURI)
	r.recv(emptyAnswer, wire)
	r.recv(updatedNote, boardURI)
	if r.sent(methodUnsubscribe) != 0 || r.row(next).Sub.Updates != 1 || r.row(id).Sub.Residual != ResidualNone {
		t.Errorf("%q; %+v, %+v", r.lines, r.row(id).Sub, r.row(next).Sub)
	}
}

// Over HTTP a late answer is not heard after the verdict, but an update is: it
// tells that the subscription has begun.
func TestAnUpdateTellsThatASubscriptionBegan(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	w.later(serverStreamWait)
	get := w.gets()[0].X
	w.stream(get)
	id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: methodSubscribe, Params: uriParams(boardURI)}}))
	if err != nil {
		t.Fatal(err)
	}
	w.pump()
	w.stop(id, "enough")
	w.later(time.Minute)
	if row := w.row(id); row.State != Cancelled || row.Sub.Residual != ResidualPossible {
		t.Fatalf("%v, %+v", row.State, row.Sub)
	}
	w.recvOn(get, updatedNote, boardURI)
	w.recvOn(get, updatedNote, boardURI)
	if w.count(OpWrite, methodUnsubscribe, boardURI) != 1 || w.row(id).Sub.Updates != 2 || w.row(id).Sub.Residual != ResidualStands {
		t.Errorf("%+v", w.row(id).Sub)
	}
	w.wantDiag(mcp.DiagUpdateUnasked, 0)
}

// A server that refuses to unsubscribe over HTTP leaves the subscription.
func TestUnsubscribeRefusedOverHTTP(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	w.later(serverStreamWait)
	id, _ := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: methodSubscribe, Params: uriParams(boardURI)}}))
	w.pump()
	x := w.post(methodSubscribe).X
	w.opened(x, Head{Status: 200, Media: mediaJSON})
	w.recvOn(x, emptyAnswer, w.row(id).Wire)
	w.ended(x, End{})
	w.stop(id, "enough")
	x = w.post(methodUnsubscribe).X
	w.opened(x, Head{Status: 500})
	w.ended(x, End{})
	if row := w.row(id); row.State != Cancelled || row.Sub.Residual == ResidualNone {
		t.Fatalf("%v, %+v", row.State, row.Sub)
	}
	w.stop(id, "again")
	if w.count(OpWrite, methodUnsubscribe) != 2 {
		t.Error("it was not asked for again")
	}
}

// With the connection nothing is left.
func TestNothingIsLeftAfterTheConnection(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id := r.standing(boardURI)
	r.cancel(id, "enough")
	r.recv(notSubscribed, r.row(id).Latest)
	r.closed()
	r.anew(mcp.Rev20251125)
	if row := r.row(id); row.Sub.Residual != ResidualNone {
		t.Errorf("%+v", row.Sub)
	}
}
