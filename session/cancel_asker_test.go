package session

import (
	"testing"
	"time"

	"belay/internal/covers"
	"belay/session/mcp"
)

// A question that comes after the cancel of the call that asks it is known to be of that call: over HTTP
// by its stream, over stdio where no other call can have asked it. It stands in the timeline of the call.
func TestACancelledCallThatAsksIsKnown(t *testing.T) {
	covers.Rows(t, "SMP-34")
	w, id, out := stoppedStream(t)
	w.later(time.Second)
	w.recvOn(out.X, elicitationAsk, `"a"`)
	if p := w.wantQuestion(Waiting); p.OfCancelled != id || p.Orphaned {
		t.Errorf("on its stream: %+v", p)
	}
	for _, tt := range []struct {
		name           string
		mute           bool // the cancel is not written when the question comes
		stopped, other bool
		known          bool
	}{
		{"no call is cancelled", false, false, false, false},
		{"the only one is", false, true, false, true},
		{"it crosses the cancel", true, true, false, true},
		{"another is in flight", false, true, true, false},
	} {
		r := ready(t, mcp.Rev20251125)
		id, _ := r.call("t")
		if tt.other {
			r.call("other")
		}
		r.mute = tt.mute
		if tt.stopped {
			r.cancel(id, "")
		}
		r.wait(10 * time.Millisecond)
		r.recv(elicitationAsk, `"a"`)
		want := CallID(0)
		if tt.known {
			want = id
		}
		if p := r.wantQuestion(Waiting); p.OfCancelled != want {
			t.Errorf("%s: %+v, want it of %v", tt.name, p, want)
		}
		told := false
		d, _ := r.s.Detail(id)
		for _, m := range d.Timeline {
			told = told || m.Dir == In && (m.Kind == MomAfter || m.Kind == MomQuestion)
		}
		if told == tt.other {
			t.Errorf("%s: in the timeline: %v", tt.name, told)
		}
	}
}
