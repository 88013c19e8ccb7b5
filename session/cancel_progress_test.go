package session

import (
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// What comes while the cancel could not be written came before it: it is drawn as
// the progress that it is, and is no sign that the work went on.
func TestProgressBeforeTheCancelIsWritten(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, wire := r.call("slow")
	r.mute = true
	r.cancel(id, "")
	r.wait(time.Second)
	r.recv(progressNote, token(wire), 1)
	row := r.row(id)
	if row.State != Cancelling || row.AfterCount != 0 || row.Progress.Value != 1 {
		t.Errorf("%v, %d after the cancel, progress %+v", row.State, row.AfterCount, row.Progress)
	}
	r.wait(5 * time.Second)
	r.want(id, Cancelled, cancel.NotDelivered)
	r.recv(progressNote, token(wire), 2)
	if got := r.row(id); got.Progress.Value != 1 || got.AfterCount != 0 {
		t.Errorf("an ended row changed: %+v", got)
	}
	d, _ := r.s.Detail(id)
	kinds := map[MomentKind]int{}
	for _, m := range d.Timeline {
		kinds[m.Kind]++
	}
	if kinds[MomProgress] != 2 || kinds[MomAfter] != 0 {
		t.Errorf("the timeline has %d of progress, %d after the cancel", kinds[MomProgress], kinds[MomAfter])
	}
	r.wantDiag(mcp.DiagProgressAfter, 0)
}

// "8/8 after the cancel" is the best sign that work ran to its end.
func TestLateProgressKeepsItsNumbers(t *testing.T) {
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.NoProbe = true })
	id, wire := r.call("slow")
	r.cancel(id, "")
	for i := range 3 {
		r.wait(time.Second)
		r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":%d,"total":8,"message":"file %d"}}`, wire, i+6, i+6)
	}
	r.wait(9 * time.Second)
	d, _ := r.s.Detail(id)
	var told []string
	for _, m := range d.Timeline {
		if m.Kind == MomAfter {
			told = append(told, m.Text+" "+m.Value)
		}
	}
	if len(told) != 3 || told[2] != "notifications/progress 8/8 file 8" {
		t.Errorf("the timeline says %q", told)
	}
	for _, e := range d.Evidence {
		if e.Text == `last of 3 messages for it after the cancel: progress 8/8 "file 8"` {
			return
		}
	}
	t.Errorf("the evidence says %v", d.Evidence)
}

// Once the request was answered, there is no work that could come any further.
func TestProgressAfterTheAnswerToACancelThatNeverLeft(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, wire := r.call("slow")
	r.mute = true
	r.cancel(id, "")
	r.wait(6 * time.Second)
	r.want(id, Cancelled, cancel.NotDelivered)
	r.recv(okAnswer, wire)
	r.recv(progressNote, token(wire), 2)
	d, _ := r.s.Detail(id)
	for _, m := range d.Timeline {
		if m.Kind == MomProgress {
			t.Errorf("the timeline has progress %s", m.Text)
		}
	}
	r.wantDiag(mcp.DiagProgressAfter, 1)
}
