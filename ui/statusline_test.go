package ui

import (
	"slices"
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
	lines := strings.Split(unframed(w.screen()), "\n")
	if foot := strings.Join(strings.Fields(strings.Join(lines[len(lines)-3:], " ")), " "); !strings.Contains(foot, text) {
		w.t.Fatalf("%q is not to be seen:\n%s", text, w.screen())
	}
	return text
}

// unframed is a screen without the borders of panes and boxes.
func unframed(screen string) string { return strings.NewReplacer(frames...).Replace(screen) }

var frames = []string{"│", " ", "╭", " ", "╮", " ", "╰", " ", "╯", " ", "─", " "}

// foot is the last line of the screen.
func (w *harness) foot() string {
	lines := strings.Split(w.screen(), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// What the status line says stands beside the hints, or in the border of the lowest pane: it
// hides no key and moves no pane. Only what the border has no room for stands over the pane.
func TestTheStatusLineHidesNothing(t *testing.T) {
	for _, width := range []int{60, 80, 100, 120, 140} {
		connected(t, width, 24, Options{}, func(w *harness) {
			w.call("stubborn")
			w.clearStatus()
			w.press("x")
			text, got := w.status(), w.foot()
			w.clearStatus()
			if bare := w.foot(); !strings.HasPrefix(got, bare) || !strings.HasSuffix(got, text) && width == 140 {
				t.Errorf("%d columns: %q, and %q without it", width, got, bare)
			}
			w.hidesNothing(3, 0, 1)
			w.hidesNothing(9, 1, 1)
			w.hidesNothing(40, 2, 5)
		})
	}
}

// hidesNothing says a sentence of n words, and fails where that changes other lines than the
// last ones above the keys: at most so many, of which the lowest is a border still.
func (w *harness) hidesNothing(n, least, most int) {
	w.t.Helper()
	before := strings.Split(w.screen(), "\n")
	w.m.status.Say(panel.Said(safe.Text(strings.TrimSpace(strings.Repeat("words ", n)))))
	w.m.dirty = true
	w.send(nil)
	lines, last := strings.Split(w.screen(), "\n"), len(before)-1
	if !strings.HasPrefix(lines[last], before[last]) || strings.Count(w.screen(), "words") != n {
		w.t.Errorf("keys are hidden, or words are cut:\n%s", w.screen())
	}
	changed := 0
	for y := range last {
		line := []rune(lines[y])
		switch {
		case lines[y] == before[y] && changed == 0:
			continue
		case y < last-1 && (line[0] != '│' || line[len(line)-1] != '│'), y == last-1 && (line[0] != '╰' || line[len(line)-1] != '╯'):
			w.t.Errorf("line %d is %q, and was %q", y, lines[y], before[y])
		}
		changed++
	}
	if beside := strings.Contains(lines[last], "words"); changed < least && !beside || changed > most || beside && changed > 0 {
		w.t.Errorf("a sentence of %d words changes %d lines of the panes:\n%s", n, changed, w.screen())
	}
	w.clearStatus()
	if got := strings.Split(w.screen(), "\n"); !slices.Equal(got, before) {
		w.t.Errorf("after the sentence:\n%s\nbefore it:\n%s", w.screen(), strings.Join(before, "\n"))
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
		w.sees("✗ disconnected", "R or :restart starts the server again")
		if n := strings.Count(w.screen(), "disconnected"); n != 3 { // in the header, in the notice, and in the greeting
			t.Errorf("it says so %d times:\n%s", n, w.screen())
		}
	})
}
