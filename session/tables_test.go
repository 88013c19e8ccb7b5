package session

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// What an answer, a progress notification or a cancel of another connection
// names are requests of that connection, even where the IDs are the same.
func TestConnectionsShareNothing(t *testing.T) {
	requirements.Rows(t, "SD3-35")
	r := ready(t, mcp.Rev20251125)
	lost, lostWire := r.call("t")
	gone, goneWire := r.call("t")
	r.cancel(gone, "")
	r.closed()
	old := r.epoch
	r.reconnect(mcp.Rev20251125)
	before, beforeGone := r.row(lost), r.row(gone)
	t.Run("an old ID on the new connection", func(*testing.T) {
		for _, wire := range []mcp.ID{lostWire, goneWire} {
			r.recv(okAnswer, wire)
			r.recv(progressNote, token(wire), 1)
			r.recv(cancelledNote, wire)
		}
		r.wantDiag(mcp.DiagUnknownAnswer, 2)
		r.wantDiag(mcp.DiagProgressToken, 2)
		r.wantDiag(mcp.DiagDuplicateAnswer, 0)
		r.wantDiag(mcp.DiagEarlyAnswer, 0)
	})
	t.Run("the old connection", func(t *testing.T) {
		id, wire := r.call("t")
		r.s.Receive(r.now, ExchangeID{Epoch: old}, mcp.Decode(fmt.Appendf(nil, okAnswer, wire)))
		r.s.Receive(r.now, ExchangeID{Epoch: old}, mcp.Decode(fmt.Appendf(nil, samplingAsk, 1)))
		r.want(id, Running, cancel.NoVerdict)
		r.wantDiag(mcp.DiagStaleEpoch, 2)
		if len(r.questions()) != 0 {
			t.Error("a question came from a closed connection")
		}
		r.s.Tell(r.now, Closed{Epoch: old, Why: Close{Status: "exit status 0"}})
		r.want(id, Running, cancel.NoVerdict)
	})
	if r.row(lost) != before || r.row(gone) != beforeGone {
		t.Errorf("rows of the first connection changed: %+v, %+v", r.row(lost), r.row(gone))
	}
}

func TestStrayAnswersAreToldApart(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	r.mute = true
	id, _ := r.call("queued")
	r.recv(okAnswer, r.row(id).Wire)
	r.wantDiag(mcp.DiagEarlyAnswer, 1)
	r.want(id, Queued, cancel.NoVerdict)
	r.mute = false
	r.pull()
	r.recv(okAnswer, r.row(id).Wire)
	r.recv(okAnswer, r.row(id).Wire)
	r.wantDiag(mcp.DiagDuplicateAnswer, 1)
	r.recv(okAnswer, 4711)
	r.wantDiag(mcp.DiagUnknownAnswer, 1)
	t.Run("one that was forgotten is unknown, not early", func(t *testing.T) {
		first, wire := r.call("t")
		r.recv(okAnswer, wire)
		r.s.outgoing.limit = 1000
		for range 1001 {
			_, w := r.call("t")
			r.feed(okAnswer, w)
		}
		early := r.diag(mcp.DiagEarlyAnswer)
		r.recv(okAnswer, wire)
		if r.row(first).State != Done || r.diag(mcp.DiagEarlyAnswer) != early || r.diag(mcp.DiagUnknownAnswer) != 2 {
			t.Errorf("%d early, %d unknown", r.diag(mcp.DiagEarlyAnswer), r.diag(mcp.DiagUnknownAnswer))
		}
	})
}

func TestAServersRequestCannotBeCancelled(t *testing.T) {
	requirements.Rows(t, "CXL-03", "SD0-01")
	r := ready(t, mcp.Rev20251125)
	r.recv(samplingAsk, `"theirs"`)
	r.recv(samplingAsk, `2`)
	id, _ := r.call("t") // its ID is 2 as well
	r.lines = nil
	_, err := r.s.Handle(r.now, Notify{Method: "notifications/cancelled", Params: []byte(`{"requestId":"theirs"}`)})
	if !errors.Is(err, errDirection) {
		t.Errorf("cancelling the server's request: %v", err)
	}
	if _, err := r.s.Handle(r.now, Cancel{Call: 99}); !errors.Is(err, errUnknown) {
		t.Errorf("cancelling an unknown call: %v", err)
	}
	r.pull()
	r.wantLines()
	t.Run("by hand, ours is a cancel like any other", func(t *testing.T) {
		if _, err := r.s.Handle(r.now, Notify{Method: "notifications/cancelled", Params: []byte(` {"requestId":2,"reason":"by hand"}`)}); err != nil {
			t.Fatal(err)
		}
		r.pull()
		r.wantLines(string(mcp.AppendCancelled(nil, mcp.IntID(2), "by hand")))
		r.want(id, Cancelling, cancel.NoVerdict)
		if _, err := r.s.Handle(r.now, Notify{Method: "notifications/cancelled", Params: []byte(`{"requestId":2}`)}); !errors.Is(err, errCancelling) {
			t.Errorf("a second one: %v", err)
		}
		if s := r.questions(); s[1] != Waiting {
			t.Errorf("the server's request 2 is %v", s[1])
		}
	})
	t.Run("by hand, before the request has left", func(t *testing.T) {
		r.mute, r.lines = true, nil
		queued, wire := r.call("queued")
		if _, err := r.s.Handle(r.now, Notify{Method: "notifications/cancelled", Params: fmt.Appendf(nil, `{"requestId":%v}`, wire)}); err != nil {
			t.Fatal(err)
		}
		r.mute = false
		r.pull()
		r.wantLines()
		r.want(queued, Dropped, cancel.NoVerdict)
	})
	t.Run("what nobody knows is written as it is", func(t *testing.T) {
		r.lines = nil
		if _, err := r.s.Handle(r.now, Notify{Method: "notifications/cancelled", Params: []byte(`{"requestId":4711}`)}); err != nil {
			t.Fatal(err)
		}
		r.pull()
		if r.sent(`"requestId":4711`) != 1 {
			t.Errorf("written: %v", r.lines)
		}
	})
}

func TestTheRefusalsOfACall(t *testing.T) {
	requirements.Rows(t, "SD3-42")
	r := newRig(t, Config{})
	try := func(method, params string) error {
		var p []byte
		if params != "" {
			p = []byte(params)
		}
		_, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: method, Params: p}})
		return err
	}
	if err := try("tools/list", ""); !errors.Is(err, errNotReady) {
		t.Errorf("not connected: %v", err)
	}
	r.connect()
	for _, tt := range []struct {
		method, params string
		want           error
	}{
		{"", "", errMethod},
		{"initialize", "", errMethod},
		{"tools/list", "[]", errParams},
		{"tools/list", `{"a":}`, errParams},
	} {
		if err := try(tt.method, tt.params); !errors.Is(err, tt.want) {
			t.Errorf("%q %s: %v", tt.method, tt.params, err)
		}
	}
	if _, err := r.s.Handle(r.now, SetPin{Revision: "1999-01-01"}); !errors.Is(err, ErrNotSupported) {
		t.Errorf("pin: %v", err)
	}
	if _, err := r.s.Handle(r.now, Extend{Call: 99}); !errors.Is(err, errUnknown) {
		t.Errorf("extend: %v", err)
	}
	r.s.Tell(r.now, Disconnect{Reason: "the user disconnected"})
	if err := try("tools/list", ""); !errors.Is(err, errQuitting) {
		t.Errorf("closing: %v", err)
	}
	r.pull()
	r.closed()
	if _, err := r.s.Handle(r.now, Cancel{Call: 1}); !errors.Is(err, errFinished) {
		t.Errorf("cancelling a lost call: %v", err)
	}
	if n := r.sent("tools/list") + r.sent("cancelled"); n != 0 {
		t.Errorf("written: %v", r.lines)
	}
}

func TestAListOfWhatIsInFlight(t *testing.T) {
	requirements.Rows(t, "SD3-40", "SD3-01", "FR-1", "UT-1", "SD3-18")
	r := ready(t, mcp.Rev20251125)
	r.mute = true
	var ids []CallID
	for range 5 {
		id, _ := r.call("t")
		r.wait(time.Millisecond)
		ids = append(ids, id)
		if row := r.row(id); row.State != Queued || !row.IsInFlight() || row.Wire.IsZero() {
			t.Errorf("before it is written: %+v", row)
		}
	}
	r.mute = false
	r.pull()
	rows := r.s.InFlight(nil, 100)
	for i, row := range rows {
		if row.ID != ids[i] || row.State != Running || row.Created != origin.Add(5*time.Millisecond+time.Duration(i)*time.Millisecond) {
			t.Errorf("row %d: %+v", i, row)
		}
	}
	rows[0].State = Lost // a copy
	r.want(ids[0], Running, cancel.NoVerdict)
	if n := len(r.s.InFlight(nil, 3)); n != 3 || r.s.Status().InFlight != 5 {
		t.Errorf("%d of 3 rows; %d in flight", n, r.s.Status().InFlight)
	}
}
