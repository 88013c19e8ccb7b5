package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
)

// The poll by which a cancelled task is said to work on is in the timeline, and keeps its time in
// the evidence. What is polled later has a line of its own.
func TestThePollThatDecidesIsToldOnceAndKeepsItsTime(t *testing.T) {
	requirements.Rows(t, "TSK-61", "TEX-38")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		r.polled("working")
		r.cancel(id, "")
		r.pings = true
		if r.modern() {
			r.ack()
		} else {
			r.refuses("tasks/cancel", -32603)
		}
		r.polled("working")
		decided := r.now
		r.want(id, Cancelled, cancel.TaskWorking)
		told := func() (times []time.Time, texts string) {
			d, _ := r.s.Detail(id)
			for _, m := range d.Timeline {
				if m.Kind == MomTask && strings.Contains(m.Text, "still working") {
					times, texts = append(times, m.At), texts+m.Text
					if e, ok := r.s.Entry(m.Entry); !ok || e.Dir != In {
						t.Errorf("it leads to %+v", e)
					}
				}
			}
			return times, texts
		}
		r.works(5 * time.Minute)
		if times, texts := told(); len(times) != 1 || !times[0].Equal(decided) || texts != "task still working, in tasks/get" {
			t.Errorf("%v, %q, want one moment at %v", times, texts, decided)
		}
		var at, last time.Time
		d, _ := r.s.Detail(id)
		for _, e := range d.Evidence {
			switch {
			case e.Text == "tasks/get says that the task is working":
				at = e.At
			case strings.HasPrefix(e.Text, "last told that it goes on: tasks/get"):
				last = e.At
			}
		}
		if !at.Equal(decided) || last.Sub(decided) < 4*time.Minute {
			t.Errorf("the evidence is of %v, want %v; the last of it is of %v", at, decided, last)
		}
	})
}

// A notification that comes while the poll is out that is to tell what a cancel did decides nothing: it
// may have been sent before.
func TestANotificationBesideThePollDecidesNothing(t *testing.T) {
	requirements.Rows(t, "TEX-38", "TSK-50")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		r.polled("working")
		r.cancel(id, "")
		r.answers("tasks/cancel", r.object("task-4711", "working"))
		r.wait(time.Second)
		method := "notifications/tasks/status"
		if r.modern() {
			method = "notifications/tasks"
		}
		r.recv(`{"jsonrpc":"2.0","method":%q,"params":{%s}}`, method, r.object("task-4711", "working"))
		if r.row(id).State != Cancelling || strings.Contains(r.evidence(id), "tasks/get") {
			t.Fatalf("%v; %s", r.row(id).State, r.evidence(id))
		}
		r.wait(100 * time.Millisecond)
		r.polled("working")
		r.want(id, Cancelled, cancel.TaskWorking)
		d, _ := r.s.Detail(id)
		if last := d.Timeline[len(d.Timeline)-1]; last.Text != "task still working, in tasks/get" || !strings.Contains(r.evidence(id), "tasks/get says that the task is working") {
			t.Errorf("%q; %s", last.Text, r.evidence(id))
		}
	})
}
