package ui

import (
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
)

// A task whose cancel was not delivered may be cancelled once more: the question before quitting says so, and x
// does it, also after the user has stopped waiting.
func TestATaskIsLeftWhoseCancelWasNotDelivered(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TSK-75")
	cfg := session.Config{Pin: mcp.Rev20251125, Transport: mcp.HTTP, Endpoint: "http://demo.test/mcp", FirstID: 1, DiscoverLimit: -1, NoListen: true}
	runWith(t, 80, 24, Options{}, cfg, func(w *harness) {
		working := `"ttl":null,"pollInterval":1000`
		time.Sleep(20 * time.Millisecond)
		w.result(w.last("initialize"), taskInit)
		w.refuse(202) // which accepts notifications/initialized
		w.result(w.last("tools/list"), taskTools)
		w.result(w.asTask(0), `{"task":{`+w.task("task-4711", "working", working)+`}}`)
		w.press("x")
		w.b.locked(func(s *session.Session, now time.Time) {
			s.Tell(now, session.Ended{ExchangeID: w.b.at, End: session.End{Err: "connection refused"}})
		})
		w.wait(2 * time.Second)
		w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", working)+`}`)
		w.wait(6 * time.Second)
		w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", working)+`}`)
		w.sees("task cancel not acknowledged", "x cancel task")
		w.press("q")
		w.sees("1 cancelled task may go on: belay asks for it no more.", "1 cancel is not known to be delivered: esc, then x on it sends it again.")
		w.press("n", "d")
		w.clearStatus()
		w.sees("x cancel task")
		w.press("x")
		w.result(w.last("tasks/get"), `{`+w.task("task-4711", "working", working)+`}`)
		if n := w.got(`"method":"tasks/cancel"`); n != 2 {
			t.Fatalf("%d cancels", n)
		}
		w.result(w.last("tasks/cancel"), `{`+w.task("task-4711", "cancelled", `"ttl":null`)+`}`)
		w.press("j")
		w.clearStatus()
		w.seesNot("x cancel task")
		w.press("x")
		w.sees("tasks/cancel was sent for the task by #")
		if n := w.got(`"method":"tasks/cancel"`); n != 2 {
			t.Errorf("%d cancels", n)
		}
	})
}
