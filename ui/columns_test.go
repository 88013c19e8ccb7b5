package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/safe"
)

// column is where a column of the table begins; -1 when it is left out.
func (w *harness) column(name string) int {
	w.t.Helper()
	x, _, ok := strings.Cut(w.line("STATE"), name)
	if !ok {
		return -1
	}
	return safe.Width(safe.Text(x))
}

// A percentage that grows moves no column, and neither does a cancel that is on
// its way out.
func TestColumnsStandStillWhileTheRowsAreTheSame(t *testing.T) {
	for _, width := range []int{60, 80, 100, 120, 140} {
		connected(t, width, 30, Options{}, func(w *harness) {
			id := w.call("countdown")
			w.progress(id, "1", "100", "")
			w.wait(200 * time.Millisecond)
			state, end := w.column("STATE"), w.column("TIME")
			still := func(when string) {
				t.Helper()
				if w.column("STATE") != state || w.column("TIME") != end {
					t.Errorf("width %d, %s: the columns moved:\n%s", width, when, w.screen())
				}
			}
			for _, p := range []string{"9", "10", "99", "100"} {
				w.progress(id, p, "100", "")
				w.wait(100 * time.Millisecond)
				w.sees("running " + p + "%")
				still("at " + p + "%")
			}
			w.b.stuck = true
			w.press("x")
			w.sees("⊘ cancelling… (not sent yet)")
			still("cancelling")
		})
	}
}

// Columns grow at once and shrink only when other rows are shown.
func TestTheStateColumnGrowsAtOnceAndShrinksWithTheRows(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		id := w.call("countdown")
		before, _ := w.find("STATE")
		w.progress(id, "12", "10", "")
		w.wait(100 * time.Millisecond)
		grown, _ := w.find("STATE")
		if grown >= before {
			t.Fatalf("STATE begins at %d for %q, and at %d before", grown, w.line("countdown"), before)
		}
		w.result(id, `{"content":[]}`)
		w.wait(100 * time.Millisecond)
		if got, _ := w.find("STATE"); got != grown {
			t.Errorf("it began at %d, and at %d with the same rows", grown, got)
		}
		w.call("countdown")
		if got, _ := w.find("STATE"); got != before {
			t.Errorf("it begins at %d with other rows, want %d", got, before)
		}
	})
}
