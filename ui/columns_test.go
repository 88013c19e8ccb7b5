package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
)

// column is where a column of the table begins; -1 when it is left out.
func (w *world) column(name string) int {
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
		connected(t, width, 30, Options{}, func(w *world) {
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
	connected(t, 80, 24, Options{}, func(w *world) {
		id := w.call("countdown")
		before := w.m.calls.columns(78).state
		w.progress(id, "12", "10", "")
		w.wait(100 * time.Millisecond)
		grown := w.m.calls.columns(78).state
		if grown <= before {
			t.Fatalf("%d columns for %q, %d before", grown, w.line("countdown"), before)
		}
		w.result(id, `{"content":[]}`)
		w.wait(100 * time.Millisecond)
		if got := w.m.calls.columns(78).state; got != grown {
			t.Errorf("it shrank from %d to %d columns with the same rows", grown, got)
		}
		w.call("countdown")
		if got := w.m.calls.columns(78).state; got != before {
			t.Errorf("%d columns with other rows, want %d", got, before)
		}
	})
}

// METHOD is readable beside the detail: STATE takes no more than it needs.
func TestTheMethodHasRoomBesideTheDetail(t *testing.T) {
	rows := []session.Row{{State: session.Cancelled, Verdict: cancel.AnsweredLate, Wire: mcp.IntID(12)}}
	run(t, 120, 32, Options{}, func(w *world) {
		for _, v := range []cancel.Verdict{cancel.Quiet, cancel.AnsweredLate, cancel.StillWorking, cancel.AnsweredError, cancel.ServerUnresponsive} {
			rows[0].Verdict = v
			c := tableColumns(67, w.m.needOf(rows))
			if c.method < len("tools/call") || c.wide {
				t.Errorf("%v: METHOD has %d columns, STATE %d", v, c.method, c.state)
			}
		}
		if c := tableColumns(98, w.m.needOf(rows)); !c.wide {
			t.Error("a wide table has no long states")
		}
	})
}
