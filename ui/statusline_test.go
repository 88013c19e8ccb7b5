package ui

import (
	"strings"
	"testing"
	"time"

	"belay/session"
)

// status is the status line.
func (w *world) status() string {
	lines := strings.Split(w.screen(), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// What the status line says of a cancel ends with the call.
func TestTheStatusLineEndsWithTheCall(t *testing.T) {
	connected(t, 100, 24, Options{}, func(w *world) {
		id := w.call("stubborn")
		w.press("x")
		w.wait(time.Second)
		if got := w.status(); got != `cancelling #6 tools/call "stubborn"` {
			t.Fatalf("it says %q", got)
		}
		w.result(id, `{"content":[]}`)
		if got := w.status(); got != "#6 cancelled · answered late" {
			t.Errorf("after the answer it says %q", got)
		}
		w.call("countdown")
		w.call("countdown")
		w.press("X", "y")
		if got := w.status(); got != "cancelling 2 requests" {
			t.Fatalf("it says %q", got)
		}
		w.result(id+1, `{"content":[]}`)
		if got := w.status(); got != "cancelling 2 requests" {
			t.Errorf("with one of them in flight it says %q", got)
		}
		w.result(id+2, `{"content":[]}`)
		if got := w.status(); strings.Contains(got, "cancelling") {
			t.Errorf("after both have ended it says %q", got)
		}
	})
}

func TestDisconnectingIsSaidUntilItIsDone(t *testing.T) {
	connected(t, 100, 24, Options{}, func(w *world) {
		w.press(":")
		w.write("disconnect")
		w.press("enter")
		w.wait(time.Second)
		w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{}})
		w.wait(100 * time.Millisecond)
		w.seesNot("disconnecting")
		w.sees("✗ disconnected", ":restart starts the server again")
		if n := strings.Count(w.screen(), "disconnected"); n != 3 { // in the header, in the notice, and in the greeting
			t.Errorf("it says so %d times:\n%s", n, w.screen())
		}
	})
}
