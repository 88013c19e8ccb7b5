package session

import (
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// A question that comes after the cancel of the call that asks it is known to be of that call: over HTTP
// by its stream, over stdio where no other call can have asked it. It stands in the timeline of the call.
func TestACancelledCallThatAsksIsKnown(t *testing.T) {
	requirements.Rows(t, "SMP-34")
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

// Where several calls may have asked a question, the cancelled ones among them are named with the others.
// No verdict stands on it, and each cancelled one tells of it. Nothing says that it is of the one that runs.
func TestAQuestionOfACancelledCallOrAnother(t *testing.T) {
	requirements.Rows(t, "SMP-34", "CXS-24")
	for _, tt := range []struct {
		name            string
		other           bool          // another call runs
		after           time.Duration // the question comes so long after the cancels
		owners, stopped int
	}{
		{"two are cancelled", false, time.Second, 2, 2},
		{"their graces are over", false, 20 * time.Second, 2, 2},
		{"it crosses the cancels", false, 0, 2, 2},
		{"another runs", true, time.Second, 3, 2},
	} {
		r := ready(t, mcp.Rev20251125)
		r.pings = true
		var ids []CallID
		for range tt.owners {
			id, _ := r.call("t")
			ids = append(ids, id)
		}
		stopped := ids[:tt.stopped]
		r.mute = tt.after == 0
		for _, id := range stopped {
			r.cancel(id, "")
		}
		r.wait(max(tt.after, time.Millisecond))
		r.recv(elicitationAsk, `"a"`)
		p := r.wantQuestion(Waiting)
		if p.Owners != tt.owners || p.CancelledOwners != tt.stopped || !slices.Equal(p.Candidates, slices.Concat(ids[tt.stopped:], stopped)) || p.OfCancelled != 0 || p.Orphaned == tt.other {
			t.Errorf("%s: %+v", tt.name, p)
		}
		for _, id := range stopped {
			d, _ := r.s.Detail(id)
			told := slices.ContainsFunc(d.Timeline, func(m MomentView) bool { return strings.Contains(m.Text, "of this call or of another") })
			if d.MayHaveAsked != 1 || d.After.All != 0 || !told {
				t.Errorf("%s: %d questions, %d messages, in the timeline: %v", tt.name, d.MayHaveAsked, d.After.All, told)
			}
			if e := r.evidence(id); tt.after > 0 && !strings.Contains(e, "a question of this call or of another (elicitation/create) came after the cancel: nothing on the wire says which") {
				t.Errorf("%s: %s", tt.name, e)
			}
		}
		if !tt.other {
			continue
		}
		live := ids[tt.stopped]
		if d, _ := r.s.Detail(live); r.row(live).AsksYou || !r.row(live).Paused || slices.ContainsFunc(d.Timeline, func(m MomentView) bool { return m.Kind == MomQuestion }) {
			t.Errorf("%s: it is said to be of the call that runs, or does not hold it", tt.name)
		}
		r.wait(10 * time.Second)
		for _, id := range stopped {
			r.want(id, Cancelled, cancel.Quiet)
		}
		r.cancel(live, "")
		if p := r.wantQuestion(Waiting); p.Owners != 3 || p.CancelledOwners != 3 || !p.Orphaned {
			t.Errorf("all are cancelled: %+v", p)
		}
	}
}

// A question without an ID can be answered by nobody. It is no silence of the call that may have asked it.
func TestAQuestionWithoutAnIDAfterTheCancel(t *testing.T) {
	requirements.Rows(t, "CXS-24")
	for rev, asked := range map[mcp.Revision]int{mcp.Rev20251125: 1, mcp.Rev20260728: 0} {
		r := ready(t, rev)
		r.pings = true
		id, _ := r.call("t")
		r.cancel(id, "")
		r.wait(time.Second)
		r.recv(`{"jsonrpc":"2.0","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`)
		if d, _ := r.s.Detail(id); d.MayHaveAsked != asked || d.After.All != 0 || len(r.s.Questions()) != 0 {
			t.Errorf("%s: %d questions, %d messages, %v", rev, d.MayHaveAsked, d.After.All, r.s.Questions())
		}
	}
}

// A question that had begun to come before the cancel was written is told as one that may have been on
// its way: the call was not silent.
func TestAQuestionThatCrossesTheCancel(t *testing.T) {
	requirements.Rows(t, "SMP-34")
	r := ready(t, mcp.Rev20251125)
	r.pings = true
	id, _ := r.call("t")
	r.mute = true
	r.cancel(id, "")
	r.recv(elicitationAsk, `"a"`)
	if d, _ := r.s.Detail(id); d.AskedCrossing != 1 || d.MayHaveAsked != 0 || d.After.All != 0 {
		t.Errorf("%d cross, %d may be its, %d messages", d.AskedCrossing, d.MayHaveAsked, d.After.All)
	}
	// One that comes while the cancel is with the writer is told once, too.
	out, _ := r.s.Next(r.now)
	handed := r.now
	r.wait(20 * time.Millisecond)
	r.recv(elicitationAsk, `"b"`)
	r.s.Tell(r.now, Sent{Seq: out.Seq, Ago: r.now.Sub(handed)})
	if d, _ := r.s.Detail(id); d.AskedCrossing != 2 || d.MayHaveAsked != 0 || d.After.All != 0 {
		t.Errorf("while it is written: %d cross, %d may be its, %d messages", d.AskedCrossing, d.MayHaveAsked, d.After.All)
	}
}
