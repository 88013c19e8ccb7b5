package session

import (
	"errors"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// A tasks/cancel that nothing answers is sent once more by the same row, at the wish of the user. The
// verdict stays until something tells what became of the second one.
func TestATaskIsCancelledAgainAfterItsVerdict(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TEX-37", "CXL-38")
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		for end, verdict := range map[string]cancel.Verdict{
			"cancelled": cancel.TaskCancelled, "completed": cancel.TaskCompleted, "working": cancel.TaskWorking, "silence": cancel.TaskUnacknowledged, "503": cancel.TaskUnacknowledged,
		} {
			w := taskingWeb(t, rev, func(c *Config) { c.NoProbe = true })
			id, out := w.wished()
			w.handle(out, "task-4711")
			w.stop(id)
			w.next("tasks/cancel")
			w.polls(7*time.Second, "working")
			w.want(id, Cancelled, cancel.TaskUnacknowledged)
			if k := w.row(id).Task; !k.GoesOn || !k.MayCancelAgain || k.CancelsAgain {
				t.Fatalf("%s: %+v", rev, k)
			}
			w.stop(id)
			x := w.next("tasks/cancel")
			if k := w.row(id).Task; k.MayCancelAgain || !k.CancelsAgain || !k.GoesOn {
				t.Errorf("%s: %+v", rev, k)
			}
			if _, err := w.s.Handle(w.now, Cancel{Call: id}); !errors.Is(err, errCancelling) {
				t.Errorf("%s: a third cancel: %v", rev, err)
			}
			w.want(id, Cancelled, cancel.TaskUnacknowledged)
			switch end {
			case "silence":
				w.polls(7*time.Second, "working")
			case "503":
				w.opened(x.X, Head{Status: 503})
				w.ended(x.X, End{})
			default:
				w.polls(3*time.Second, "working")
				w.want(id, Cancelled, cancel.TaskUnacknowledged)
				w.answer(x, `"result":{`+strings.TrimSuffix(`"resultType":"complete",`+map[bool]string{false: w.object("working")}[rev.IsModern()], ",")+`}`)
				w.want(id, Cancelled, cancel.TaskUnacknowledged)
				w.polls(2*time.Second, end)
			}
			w.want(id, Cancelled, verdict)
			over := verdict == cancel.TaskUnacknowledged
			if k := w.row(id).Task; k.CancelsAgain || k.MayCancelAgain != over {
				t.Errorf("%s, %s: %+v", rev, end, k)
			}
			if words := w.evidence(id); strings.Count(words, "tasks/cancel written") != 2 || strings.Count(words, "cancel requested by user") != 2 {
				t.Errorf("%s, %s: %s", rev, end, words)
			}
			if w.shownRows() != 1 {
				t.Errorf("%s, %s: %d rows", rev, end, w.shownRows())
			}
		}
	}
}

// polls lets so much time pass in which each poll is answered with a status.
func (w *taskWeb) polls(d time.Duration, status string) {
	w.t.Helper()
	for end := w.now.Add(d); w.now.Before(end); w.later(100 * time.Millisecond) {
		for ; w.n < len(w.outs); w.n++ {
			out := w.outs[w.n]
			if out.Op != OpWrite || !out.Awaits {
				continue
			}
			switch method := mcp.Decode(out.Data).Method; method {
			case "tasks/get":
				member := `"result":{"resultType":"complete",` + w.object(status)
				if status == "completed" {
					member += `,"result":{"resultType":"complete","content":[]}`
				}
				w.answer(out, member+`}`)
			case "tasks/result":
				w.answer(out, `"result":{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"task-4711"}}}`)
			default:
				w.t.Fatalf("%s is posted meanwhile", method)
			}
		}
	}
}

// shownRows counts the rows that call a tool, or follow a task.
func (w *taskWeb) shownRows() (n int) {
	rows, _, _ := w.s.Changed(nil, 0, 1000)
	for i := range rows {
		if rows[i].Task != nil {
			n++
		}
	}
	return n
}
