package session

import (
	"errors"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

func TestCancelOfARunningCallSendsTheNotification(t *testing.T) {
	requirements.Rows(t, "CXL-01", "CXL-26", "SD3-02", "FR-2", "FR-8")
	for _, rev := range mcp.Supported() {
		t.Run(string(rev), func(t *testing.T) {
			r := ready(t, rev)
			id, wire := r.call("slow")
			r.mute = true
			if _, err := r.s.Handle(r.now, Cancel{Call: id, Reason: "wrong branch"}); err != nil {
				t.Fatal(err)
			}
			r.want(id, Cancelling, cancel.NoVerdict)
			if !r.row(id).Unsent {
				t.Error("the row claims that the cancel was written")
			}
			r.mute = false
			r.pull()
			want := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + wire.String() + `,"reason":"wrong branch"}}`
			if r.sent(want) != 1 {
				t.Fatalf("want %s in\n%v", want, r.lines)
			}
		})
	}
}

func TestVerdicts(t *testing.T) {
	requirements.Rows(t, "CXL-19", "CXL-22", "CXL-23", "CXL-36", "SD0-13", "SD0-14")
	answer := `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`
	failure := `{"jsonrpc":"2.0","id":%v,"error":{"code":-32603,"message":"the order was cancelled"}}`
	cancelled := `{"jsonrpc":"2.0","id":%v,"result":{"content":[{"type":"text","text":"context canceled"}],"isError":true}}`
	progress := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":%d}}`
	for _, tt := range []struct {
		name  string
		probe bool // the server answers the probe
		play  func(r *rig, wire mcp.ID)
		want  cancel.Verdict
	}{
		{"crossed", true, func(r *rig, wire mcp.ID) { r.wait(20 * time.Millisecond); r.recv(answer, wire) }, cancel.Crossed},
		{"an error within the bound is crossed too", true, func(r *rig, wire mcp.ID) { r.recv(failure, wire) }, cancel.Crossed},
		{"an error that says so has read the cancel", true, func(r *rig, wire mcp.ID) { r.recv(cancelled, wire) }, cancel.SaysCancelled},
		{"and so has a later one", true, func(r *rig, wire mcp.ID) { r.wait(20 * time.Second); r.recv(cancelled, wire) }, cancel.SaysCancelled},
		{"one with a text about work has not", true, func(r *rig, wire mcp.ID) {
			r.wait(time.Second)
			r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[{"type":"text","text":"context canceled"},{"type":"text","text":"3 rows written"}],"isError":true}}`, wire)
		}, cancel.AnsweredError},
		{"late", true, func(r *rig, wire mcp.ID) { r.wait(21 * time.Millisecond); r.recv(answer, wire) }, cancel.AnsweredLate},
		{"error", true, func(r *rig, wire mcp.ID) { r.wait(time.Second); r.recv(failure, wire) }, cancel.AnsweredError},
		{"late after the end", true, func(r *rig, wire mcp.ID) { r.wait(20 * time.Second); r.recv(answer, wire) }, cancel.AnsweredLate},
		{"quiet", true, func(r *rig, _ mcp.ID) { r.wait(8 * time.Second) }, cancel.Quiet},
		{"unresponsive", false, func(r *rig, _ mcp.ID) { r.wait(8 * time.Second) }, cancel.ServerUnresponsive},
		{"progress early in the grace", true, func(r *rig, wire mcp.ID) {
			r.wait(time.Second)
			r.recv(progress, wire, 1)
			r.wait(6 * time.Second)
		}, cancel.Quiet},
		{"progress in the last second", true, func(r *rig, wire mcp.ID) {
			r.wait(4100 * time.Millisecond)
			r.recv(progress, wire, 1)
			r.wait(5 * time.Second)
		}, cancel.StillWorking},
		{"progress after the end", true, func(r *rig, wire mcp.ID) {
			r.wait(9 * time.Second)
			r.recv(progress, wire, 1)
		}, cancel.StillWorking},
		{"death", true, func(r *rig, _ mcp.ID) {
			r.wait(time.Second)
			r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 3"}})
		}, cancel.ServerDied},
		{"our own end says nothing", true, func(r *rig, _ mcp.ID) {
			r.wait(time.Second)
			r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{ByUs: true, Status: "closed"}})
		}, cancel.NothingHeard},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			id, wire := r.call("slow")
			r.wait(time.Second)
			r.cancel(id, "")
			r.pings = tt.probe
			tt.play(r, wire)
			r.want(id, Cancelled, tt.want)
			if r.row(id).Initiator != cancel.ByUser {
				t.Errorf("initiator %v", r.row(id).Initiator)
			}
		})
	}
}

func TestLateProbeAnswerTurnsUnresponsiveIntoQuiet(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, _ := r.call("slow")
	r.cancel(id, "")
	r.wait(8 * time.Second)
	r.want(id, Cancelled, cancel.ServerUnresponsive)
	r.recv(`{"jsonrpc":"2.0","id":3,"result":{}}`)
	r.want(id, Cancelled, cancel.Quiet)
}

func TestRefusals(t *testing.T) {
	requirements.Rows(t, "CXL-05", "CXL-06", "CXL-31", "FR-6", "SD0-16", "SD3-06", "SD3-27", "EDGE-1")
	r := opened(t, Config{})
	if _, err := r.s.Handle(r.now, Cancel{Call: 1}); !errors.Is(err, errInitialize) {
		t.Errorf("initialize: %v", err)
	}
	if n := r.s.Tell(r.now, CancelAll{}).Cancelled; n != 0 {
		t.Errorf("cancel-all took %d of nothing but initialize", n)
	}
	if _, err := r.s.Handle(r.now, Cancel{Call: 99}); !errors.Is(err, errUnknown) {
		t.Errorf("unknown: %v", err)
	}
	r.agree(mcp.Rev20251125, logging)
	id, wire := r.call("slow")
	r.cancel(id, "")
	for range 4 {
		if _, err := r.s.Handle(r.now, Cancel{Call: id}); !errors.Is(err, errCancelling) {
			t.Errorf("again: %v", err)
		}
		r.pull()
	}
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, wire)
	if _, err := r.s.Handle(r.now, Cancel{Call: id}); !errors.Is(err, errFinished) {
		t.Errorf("finished: %v", err)
	}
	r.pull()
	if n := r.sent("notifications/cancelled"); n != 1 {
		t.Errorf("%d cancels were written, want 1", n)
	}
}

func TestCancelBeforeItsBytesWereHandedOutSendsNothing(t *testing.T) {
	requirements.Rows(t, "CXL-30")
	r := ready(t, mcp.Rev20251125)
	r.mute = true
	id, _ := r.call("slow")
	r.cancel(id, "")
	r.want(id, Dropped, cancel.NoVerdict)
	r.mute = false
	r.pull()
	if len(r.lines) != 0 {
		t.Errorf("written: %v", r.lines)
	}
}

func TestAnswerBeforeTheCancelLeftTakesItBack(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, wire := r.call("slow")
	r.mute = true
	r.cancel(id, "")
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, wire)
	r.want(id, Done, cancel.NoVerdict)
	r.mute = false
	r.pull()
	if n := r.sent("cancelled"); n != 0 {
		t.Errorf("written: %v", r.lines)
	}
}

func TestCancelOvertakesQueuedRequests(t *testing.T) {
	requirements.Rows(t, "CXL-14")
	r := ready(t, mcp.Rev20251125)
	id, _ := r.call("slow")
	r.lines, r.mute = nil, true
	for range 100 {
		r.call("other")
	}
	r.cancel(id, "")
	r.mute = false
	r.pull()
	if r.lines[0] != string(mcp.AppendCancelled(nil, r.row(id).Wire, DefaultReason)) {
		t.Errorf("first was %s", r.lines[0])
	}
}

func TestUndeliveredCancel(t *testing.T) {
	requirements.Rows(t, "CXL-32", "SD0-28", "NFR-1")
	r := ready(t, mcp.Rev20251125)
	id, wire := r.call("slow")
	r.mute = true
	r.cancel(id, "")
	r.wait(4999 * time.Millisecond)
	r.want(id, Cancelling, cancel.NoVerdict)
	r.wait(time.Millisecond)
	r.want(id, Cancelled, cancel.NotDelivered)
	t.Run("it still leaves first when the server reads again", func(t *testing.T) {
		r.mute = false
		r.pull()
		if r.sent("notifications/cancelled") != 1 {
			t.Errorf("written: %v", r.lines)
		}
		r.want(id, Cancelled, cancel.NotDelivered)
		r.wait(time.Second)
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, wire)
		r.want(id, Cancelled, cancel.AnsweredLate) // what came after it was written tells more
		d, _ := r.s.Detail(id)
		if d.Late == nil {
			t.Error("the late answer is lost")
		}
	})
}
