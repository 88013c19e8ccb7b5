package ui

import (
	"testing"
	"time"

	"belay/ui/rebuild"
)

// The offer stands above the calls, also when keys are pressed, and what has the focus keeps it: a
// form takes its keys as text. R restarts the server, which ends the offer.
func TestTheOfferOfARestart(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.send(rebuild.Changed{Paths: []string{"/src/server.py"}})
		w.golden("rebuilt")
		w.press("n")
		w.write("countdown")
		w.press("enter", "tab")
		w.write("RL")
		w.sees("RL")
		if w.b.restarts != 0 {
			t.Error("a key of a form restarted the server")
		}
		w.press("esc")
		w.clearStatus()
		w.sees("server.py has changed")
		w.call("countdown")
		w.seesNot("has changed")
		w.result(w.last("tools/call"), `{"content":[]}`)
		w.sees("server.py has changed")
		w.press("L")
		w.seesNot("has changed")
		w.press("L")
		w.sees("no restart is offered")
		w.send(rebuild.Changed{Paths: []string{"/src/server.py"}})
		w.press("R")
		w.wait(100 * time.Millisecond)
		if w.b.restarts != 1 {
			t.Errorf("%d restarts", w.b.restarts)
		}
		w.seesNot("has changed")
	})
}

// With a call in flight, R asks, as :restart does.
func TestRestartingWithACallInFlight(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.call("countdown")
		w.press("R")
		w.sees("1 call in flight")
		w.press("n")
		if w.b.restarts != 0 {
			t.Error("it was restarted without a yes")
		}
	})
}
