package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// Why no poll told what a cancel did is evidence: the server does not know tasks/get, or answered no
// poll before the time of the task was over.
func TestWhyATaskWasNotSeenAgain(t *testing.T) {
	requirements.Rows(t, "TEX-38", "TSK-77")
	r := tasking(t, mcp.Rev20260728)
	id := r.begun()
	r.wait(time.Second)
	r.refuses("tasks/get", mcp.CodeMethodNotFound)
	r.cancel(id, "")
	r.ack()
	r.want(id, Cancelled, cancel.TaskUnseen)
	if e := r.evidence(id); !strings.Contains(e, "nothing more is polled: the server does not know tasks/get") {
		t.Error(e)
	}
	for _, tt := range []struct {
		rev       mcp.Revision
		ttl, says string
	}{
		{mcp.Rev20251125, `"ttl":null`, "no poll after the answer to tasks/cancel was answered within"},
		{mcp.Rev20251125, `"ttl":9000`, "nothing more is polled: the time of the task is over"},
		{mcp.Rev20260728, `"ttlMs":null`, "no poll after the answer to tasks/cancel was answered within"},
		{mcp.Rev20260728, `"ttlMs":9000`, "nothing more is polled: the time of the task is over"},
	} {
		w := taskingWeb(t, tt.rev)
		id, out := w.wished()
		w.handle(out, "task-4711")
		w.later(time.Second)
		w.answers("tasks/get", w.object("working", tt.ttl))
		w.stop(id)
		w.answers("tasks/cancel", w.object("working", tt.ttl))
		for range 100 {
			w.later(time.Second)
			for _, out := range w.outs[w.n:] {
				if w.n++; out.Op == OpWrite {
					w.opened(out.X, Head{Status: 429})
					w.ended(out.X, End{})
				}
			}
		}
		w.want(id, Cancelled, cancel.TaskUnseen)
		if e := w.evidence(id); !strings.Contains(e, "a poll that was sent after that brought nothing: HTTP 429") || !strings.Contains(e, tt.says) {
			t.Errorf("%s, %s: %s", tt.rev, tt.ttl, e)
		}
	}
}

// A poll whose answer is lost is followed by another one: what became of a cancelled task, and that the
// time of a task is over, do not wait for it.
func TestAPollIsLost(t *testing.T) {
	requirements.Rows(t, "TSK-63", "TEX-38")
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		id := r.begun()
		r.cancel(id, "")
		r.answers("tasks/cancel", r.object("task-4711", "working"))
		r.wait(time.Second)
		r.wantNext("tasks/get") // and no answer
		r.wait(4900 * time.Millisecond)
		if n := r.sent("notifications/cancelled"); n != 0 {
			t.Errorf("given up after less than the limit: %v", r.lines)
		}
		r.wait(1700 * time.Millisecond)
		for r.n < len(r.lines) && mcp.Decode([]byte(r.lines[r.n])).Method == "notifications/cancelled" {
			r.n++
		}
		r.answers("tasks/get", r.object("task-4711", "working"))
		r.want(id, Cancelled, cancel.TaskWorking)
	})
	everyTaskProtocol(t, func(_ *testing.T, r *taskRig) {
		id, wire := r.wished()
		r.handle(wire, "task-4711", `"ttl":3000`, `"ttlMs":3000`)
		r.polled("working", `"ttl":3000`, `"ttlMs":3000`)
		r.wait(9 * time.Second)
		r.want(id, Failed, cancel.NoVerdict)
	})
}

// How long a poll may stay unanswered follows from how long the server took before, and grows with each
// poll that brought nothing.
func TestHowLongAPollMayTake(t *testing.T) {
	everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
		r.begun()
		k := r.s.tasks.all[0]
		r.wait(time.Second)
		wire := r.wantNext("tasks/get")
		r.wait(3 * time.Second)
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete",%s}}`, wire, r.object("task-4711", "working"))
		if got := k.pollWithin(); got != 12*time.Second {
			t.Errorf("after an answer of 3 s, %v", got)
		}
		r.wait(time.Second)
		r.wantNext("tasks/get")
		r.wait(12*time.Second - time.Millisecond)
		if n := r.sent("notifications/cancelled"); n != 0 {
			t.Errorf("%d are given up", n)
		}
		r.wait(time.Millisecond)
		if n, got := r.sent("notifications/cancelled"), k.pollWithin(); n != 1 || got != 24*time.Second {
			t.Errorf("%d are given up, and the next may take %v", n, got)
		}
		k.Missed(r.now, 1)
		if got := k.pollWithin(); got != pollLimit {
			t.Errorf("the third may take %v", got)
		}
	})
}

// A server that is busy says when it may be asked again.
func TestAPollWaitsForRetryAfter(t *testing.T) {
	requirements.Rows(t, "TEX-14", "TSK-77")
	for said, want := range map[string]time.Duration{
		"20": 20 * time.Second, "1": 1500 * time.Millisecond, "soon": 1500 * time.Millisecond, "-5": 1500 * time.Millisecond, "99999999999": 1500 * time.Millisecond,
		"date": 30 * time.Second,
	} {
		for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
			for _, status := range []int{429, 503} {
				w := taskingWeb(t, rev)
				id, out := w.wished()
				w.handle(out, "task-4711")
				w.later(time.Second)
				poll := w.next("tasks/get")
				retry := said
				if said == "date" {
					retry = w.now.Add(want).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")
				}
				w.opened(poll.X, Head{Status: status, Retry: retry})
				w.ended(poll.X, End{})
				got := w.row(id).Task.NextPoll.Sub(w.now)
				if got > want || got <= want-time.Second {
					t.Errorf("%s, %d, Retry-After %s: the next poll in %v", rev, status, said, got)
				}
			}
		}
	}
}

// When a busy server may be asked again is told with its unit, where it says that in seconds.
func TestTheWordsOfRetryAfter(t *testing.T) {
	requirements.Rows(t, "TSK-77")
	const date = "Fri, 27 Nov 2026 17:00:00 GMT"
	for said, want := range map[string]string{"3": "3 s", "soon": `"soon"`, "-5": `"-5"`, date: `"` + date + `"`} {
		want = "HTTP 429 Too Many Requests; it says to try again after " + want
		if got := statusWords(Head{Status: 429, Retry: said}, End{}); got != want {
			t.Errorf("Retry-After %s: %q, want %q", said, got, want)
		}
	}
}

// A tasks/cancel that is not known to be delivered is sent once more, at a second wish of the user, and
// no third time.
func TestATaskIsCancelledOnceMore(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37")
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		w := taskingWeb(t, rev)
		id, out := w.wished()
		w.handle(out, "task-4711")
		w.stop(id)
		if _, err := w.s.Handle(w.now, Cancel{Call: id}); err == nil {
			t.Errorf("%s: it is cancelled twice while the answer is awaited", rev)
		}
		x := w.next("tasks/cancel").X
		w.opened(x, Head{Status: 503})
		w.ended(x, End{})
		if row := w.row(id); row.State != Cancelling || !row.CancelRejected || row.Remedy.Kind != RemedyCancelAgain {
			t.Errorf("%s: %v, %q", rev, row.State, row.Note)
		}
		w.stop(id)
		if row := w.row(id); row.CancelRejected {
			t.Errorf("%s: it may be sent a third time", rev)
		}
		w.answers("tasks/cancel", w.object("working"))
		if _, err := w.s.Handle(w.now, Cancel{Call: id}); err == nil {
			t.Errorf("%s: it is cancelled once more after the answer", rev)
		}
		w.later(time.Second)
		w.answers("tasks/get", w.object("cancelled"))
		w.want(id, Cancelled, cancel.TaskCancelled)
		if words := w.evidence(id); len(words) == 0 {
			t.Errorf("%s: no evidence", rev)
		}
	}
}

// A server that knows neither tasks/get nor tasks/cancel is not said to let the task be cancelled, in
// whichever order it says so.
func TestAServerThatKnowsNothingOfTasksLetsNoneBeCancelled(t *testing.T) {
	for _, pollFirst := range []bool{true, false} {
		everyTaskProtocol(t, func(t *testing.T, r *taskRig) {
			id := r.begun()
			if pollFirst {
				r.wait(time.Second)
				r.refuses("tasks/get", mcp.CodeMethodNotFound)
				if note := r.row(id).Note; !strings.Contains(note, "the task can be cancelled") {
					t.Errorf("%q", note)
				}
				if !r.modern() {
					r.wantNext("tasks/result")
				}
			}
			r.cancel(id, "")
			r.refuses("tasks/cancel", mcp.CodeMethodNotFound)
			if !pollFirst {
				r.wait(time.Second)
				r.refuses("tasks/get", mcp.CodeMethodNotFound)
			}
			if note := r.row(id).Note; strings.Contains(note, "can be cancelled") || !strings.Contains(note, "does not know tasks/get, and refused tasks/cancel") {
				t.Errorf("poll first %v: %q", pollFirst, note)
			}
		})
	}
}
