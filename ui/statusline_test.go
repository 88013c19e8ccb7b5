package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/panel"
)

// status is what the status line says, where all of it is to be seen.
func (w *harness) status() string {
	w.t.Helper()
	text := string(w.m.status.Notice().Text)
	lines := strings.Split(w.screen(), "\n")
	foot := ""
	for _, l := range lines[len(lines)-3:] {
		foot = strings.TrimSpace(foot + " " + strings.TrimSpace(l))
	}
	if !strings.Contains(foot, text) {
		w.t.Fatalf("%q is not to be seen:\n%s", text, w.screen())
	}
	return text
}

// foot is the last line of the screen.
func (w *harness) foot() string {
	lines := strings.Split(w.screen(), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// What the status line says stands beside the hints, or above them, where the panes give
// way: it hides no key and nothing of a pane.
func TestTheStatusLineHidesNothing(t *testing.T) {
	for _, width := range []int{60, 80, 100, 120, 140} {
		connected(t, width, 24, Options{}, func(w *harness) {
			w.call("stubborn")
			w.press("x")
			text, got := w.status(), w.foot()
			w.m.status.Clear()
			w.send(resized(width, 24)) // draws it
			bare := w.foot()
			if !strings.HasPrefix(got, bare) || !strings.HasSuffix(got, text) && width == 140 {
				t.Errorf("%d columns: %q, and %q without it", width, got, bare)
			}
			long := strings.Repeat("words ", 40)
			w.m.status.Say(panel.Said(safe.Text(strings.TrimSpace(long))))
			w.send(resized(width, 24))
			if got := w.foot(); got != bare {
				t.Errorf("%d columns, below a long sentence: %q, and %q without it", width, got, bare)
			}
			lines := strings.Split(w.screen(), "\n")
			for i, l := range lines {
				if strings.Contains(l, "words") {
					if !strings.HasPrefix(lines[i-1], "╰") || strings.Count(w.screen(), "words") != 40 {
						t.Errorf("%d columns: a long sentence covers panes, or is cut:\n%s", width, w.screen())
					}
					break
				}
			}
		})
	}
}

// What the status line says of a cancel ends with the call.
func TestTheStatusLineEndsWithTheCall(t *testing.T) {
	connected(t, 100, 24, Options{}, func(w *harness) {
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
	connected(t, 100, 24, Options{}, func(w *harness) {
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
