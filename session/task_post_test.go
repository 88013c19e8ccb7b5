package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// works lets so much time pass in which all that is posted is answered within a second, but
// tasks/cancel: the task works on.
func (w *taskWeb) works(d time.Duration) {
	w.t.Helper()
	for end := w.now.Add(d); w.now.Before(end); w.later(time.Second) {
		for ; w.n < len(w.outs); w.n++ {
			switch out := w.outs[w.n]; {
			case out.Op != OpWrite || !out.Awaits:
			case mcp.Decode(out.Data).Method == "tasks/get":
				w.answer(out, `"result":{"resultType":"complete",`+w.object("working")+`}`)
			case mcp.Decode(out.Data).Method != "tasks/cancel":
				w.answer(out, `"result":{"resultType":"complete"}`)
			}
		}
	}
}

// A tasks/cancel whose connection is refused was not delivered, also where the task ends by itself at once, and nothing
// says that the server may have read it.
func TestATasksCancelThatCouldNotBeSentIsNotDelivered(t *testing.T) {
	requirements.Rows(t, "TSK-62", "TEX-40")
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		for _, status := range []string{"working", "completed"} {
			w := taskingWeb(t, rev)
			id, out := w.wished()
			w.handle(out, "task-4711")
			w.hold = true
			w.stop(id)
			w.ended(w.next("tasks/cancel").X, End{Err: "connection refused"})
			w.hold = false
			for range 10 {
				for ; w.n < len(w.outs); w.n++ {
					switch out := w.outs[w.n]; {
					case out.Op != OpWrite || !out.Awaits:
					case mcp.Decode(out.Data).Method == "tasks/get":
						w.answer(out, `"result":{"resultType":"complete",`+w.object(status)+`,"result":{"resultType":"complete","content":[]}}`)
					default:
						w.answer(out, `"result":{"resultType":"complete","content":[]}`)
					}
				}
				w.later(time.Second)
			}
			d, _ := w.s.Detail(id)
			if words := fmt.Sprint(d.Evidence); d.State != Cancelled || d.Verdict != cancel.NotDelivered || strings.Contains(words, "has read the cancel is not known") || strings.Contains(words+d.Undelivered, "within 5s") {
				t.Errorf("%s, %s: %v, %v: %s, %s", rev, status, d.State, d.Verdict, words, d.Undelivered)
			}
		}
	}
}

// Over HTTP each POST stands for itself: an answer to what was posted later does not tell that
// the server has read a tasks/cancel which it never answered, or answered with 503.
func TestWhatIsPostedLaterConfirmsNoTasksCancel(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37")
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		for _, status := range []int{0, 503} {
			w := taskingWeb(t, rev)
			id, out := w.wished()
			w.handle(out, "task-4711")
			w.stop(id)
			x := w.next("tasks/cancel").X
			if status != 0 {
				w.opened(x, Head{Status: status})
				w.ended(x, End{})
			}
			w.works(20 * time.Second)
			d, _ := w.s.Detail(id)
			if words := fmt.Sprint(d.Evidence); d.Verdict != cancel.TaskUnacknowledged || strings.Contains(words, "had read it") ||
				status == 0 && !strings.Contains(words, "it lives, and whether it has read the cancel is not known") {
				t.Errorf("%s, status %d: %v: %s", rev, status, d.Verdict, words)
			}
		}
	}
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.cancel(id, "")
	r.wantNext("tasks/cancel")
	r.works(20 * time.Second)
	r.want(id, Cancelled, cancel.TaskUnacknowledged)
	if words := r.evidence(id); !strings.Contains(words, "it had read it") {
		t.Errorf("on stdio the order tells: %s", words)
	}
}
