package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/layout"
	"belay/ui/panel"
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
	const long = "trigger-long-running-operation" // which leaves STATE no room to spare
	connected(t, 80, 24, Options{}, func(w *harness) {
		id := w.call(long)
		before, _ := w.find("STATE")
		w.progress(id, "12", "10", "")
		w.wait(100 * time.Millisecond)
		grown, _ := w.find("STATE")
		if grown >= before {
			t.Fatalf("STATE begins at %d for %q, and at %d before", grown, w.line(long), before)
		}
		w.result(id, `{"content":[]}`)
		w.wait(100 * time.Millisecond)
		if got, _ := w.find("STATE"); got != grown {
			t.Errorf("it began at %d, and at %d with the same rows", grown, got)
		}
		w.call(long)
		if got, _ := w.find("STATE"); got != before {
			t.Errorf("it begins at %d with other rows, want %d", got, before)
		}
	})
}

// tableRows makes calls of tools with these names, and ends each as it is cancelled.
func (w *harness) tableRows(tools ...string) {
	w.t.Helper()
	for _, tool := range tools {
		id := w.call(tool)
		w.wait(time.Second)
		w.press("x")
		w.wait(3 * time.Second)
		w.result(id, `{"content":[]}`)
	}
	w.wait(8 * time.Second)
}

// table is the table of calls on the screen: its head, and the lines of its rows.
func (w *harness) table() (head string, rows []string) {
	w.t.Helper()
	for l := range strings.SplitSeq(w.screen(), "\n") {
		cells := strings.Split(l, "│")
		if len(cells) < 3 {
			if head != "" {
				return head, rows
			}
			continue
		}
		switch in := cells[1]; {
		case strings.Contains(in, "STATE"):
			head = in
		case head != "" && strings.TrimSpace(in) != "" && !strings.Contains(in, "+ "):
			rows = append(rows, in)
		}
	}
	return head, rows
}

// bands are the ends of the columns of a table, and how much room of theirs is empty in
// all rows, beyond what keeps columns apart.
func bands(head string, rows []string) (names []string, empty int) {
	at := func(line string, x int) rune {
		if r := []rune(line); x < len(r) {
			return r[x]
		}
		return ' '
	}
	width, run := len([]rune(head)), 0
	for x := range width {
		blank := !slices.ContainsFunc(rows, func(l string) bool { return at(l, x) != ' ' }) && at(head, x) == ' '
		if blank {
			run++
			continue
		}
		empty, run = empty+max(0, run-2), 0
	}
	for _, r := range rows {
		names = append(names, strings.Fields(r)...)
	}
	return names, empty + max(0, run-1)
}

// At every width of the screen the table of calls, as it is drawn, cuts no name and
// shortens no state while there is empty room between its columns.
func TestNoWidthCutsANameBesideEmptyRoom(t *testing.T) {
	for _, tools := range [][]string{
		{"echo", "countdown", "stubborn"},
		{"sample_then_withdraw", "get-structured-content"},
		{"trigger-long-running-operation"},
		{"a-tool-whose-name-is-as-long-as-names-become-in-practice"},
	} {
		connected(t, 200, 40, Options{}, func(w *harness) {
			w.tableRows(tools...)
			for width := 60; width <= 300; width++ {
				w.send(tea.WindowSizeMsg{Width: width, Height: 40})
				head, rows := w.table()
				if len(rows) != len(tools) {
					t.Fatalf("width %d: the table has %d rows:\n%s", width, len(rows), w.screen())
				}
				cells, empty := bands(head, rows)
				for _, c := range cells {
					if strings.HasSuffix(c, "…") && empty > 0 {
						t.Fatalf("width %d: %s is cut beside %d empty columns:\n%s", width, c, empty, w.screen())
					}
				}
				if !strings.Contains(strings.Join(rows, ""), "cancelled ·") && empty >= len("cancelled · ") {
					t.Fatalf("width %d: states are short beside %d empty columns:\n%s", width, empty, w.screen())
				}
			}
		})
	}
}

// The first width with two panes side by side shows all that the table says in fewer
// columns, where it has the width to itself.
func TestTheTableSaysAsMuchAt120ColumnsAsAt100(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.tableRows("echo", "countdown", "stubborn", "restless")
		_, rows := w.table()
		wide, _ := bands("", rows)
		if !slices.Contains(wide, "tools/call") || !slices.Contains(wide, "countdown") || !slices.Contains(wide, "cancelled") {
			t.Fatalf("at 100 columns the table has not its long words:\n%s", w.screen())
		}
		for _, width := range []int{119, 120, 121, 130, 140, 150} {
			w.send(tea.WindowSizeMsg{Width: width, Height: 30})
			_, rows := w.table()
			if got, _ := bands("", rows); !slices.Equal(got, wide) {
				t.Errorf("at %d columns the table says\n%q\nand at 100\n%q\n%s", width, got, wide, w.screen())
			}
		}
	})
}

// The cancel with the default reason stands whole in the timeline at every width at which
// the calls beside it have room to spare.
func TestTheTimelineKeepsTheDefaultReasonWhole(t *testing.T) {
	for _, tt := range []struct {
		tools []string
		from  int // the width from which on there is room for both
	}{{[]string{"echo"}, 125}, {[]string{"stubborn", "countdown"}, 126}, {[]string{"sample_then_withdraw"}, 137}} {
		connected(t, 120, 36, Options{}, func(w *harness) {
			w.tableRows(tt.tools...)
			for width := 120; width <= 200; width++ {
				w.send(tea.WindowSizeMsg{Width: width, Height: 36})
				_, rows := w.table()
				cells, empty := bands("", rows)
				long := slices.Contains(cells, "cancelled")
				if width >= tt.from && (!long || slices.ContainsFunc(cells, func(c string) bool { return strings.HasSuffix(c, "…") })) {
					t.Errorf("width %d: the table is cut:\n%s", width, w.screen())
				}
				whole := strings.Contains(w.screen(), `cancelled "User requested cancellation" `)
				if !whole && (width >= tt.from || long && empty > 2) {
					t.Errorf("width %d: the reason is cut beside %d empty columns:\n%s", width, empty, w.screen())
				}
			}
		})
	}
}

// What the table says whole at one width of the screen it says whole at each greater one,
// also from where on the detail stands beside it: names, the long words of states, and for
// names of usual length METHOD as well.
func TestWhatIsWholeIsWholeInMoreColumns(t *testing.T) {
	for _, tt := range []struct {
		tools []string
		words []string
	}{
		{[]string{"echo", "countdown", "stubborn"}, []string{"echo", "countdown", "stubborn", "cancelled · answered late", "running 50%", "tools/call"}},
		{[]string{"wait_for_builder", "echo"}, []string{"wait_for_builder", "cancelled · answered late", "tools/call"}},
		{[]string{"sample_then_withdraw"}, []string{"sample_then_withdraw"}},
		{[]string{"trigger-long-running-operation", "echo"}, []string{"trigger-long-running-operation"}},
		{[]string{"a-name-that-is-as-long-as-names-are-in-practice"}, []string{"a-name-that-is-as-long-as-names-are-in-practice"}},
	} {
		connected(t, 80, 30, Options{}, func(w *harness) {
			w.tableRows(tt.tools...)
			w.progress(w.call(tt.tools[0]), "50", "100", "")
			w.wait(time.Second)
			whole := map[string]int{}
			for width := 80; width <= 200; width++ {
				w.send(resized(width, 30))
				_, rows := w.table()
				for _, word := range tt.words {
					switch seen := slices.ContainsFunc(rows, func(l string) bool { return strings.Contains(l+" ", " "+word+" ") }); {
					case seen:
						whole[word] = width
					case whole[word] > 0:
						t.Fatalf("%q is whole in %d columns, and not in %d:\n%s", word, whole[word], width, w.screen())
					case width >= 100:
						t.Fatalf("%q is not whole in %d columns:\n%s", word, width, w.screen())
					}
				}
			}
		})
	}
}

// What becomes of calls moves no border of a pane, and neither does a sentence at the foot,
// or another call that is selected.
func TestNoBorderMovesWhileCallsGoOn(t *testing.T) {
	for _, width := range []int{60, 80, 100, 119, 120, 140, 160, 200} {
		connected(t, width, 30, Options{}, func(w *harness) {
			first, second := w.call("countdown"), w.call("stubborn")
			w.wait(time.Second)
			panes := w.m.lay.Panes
			still := func(when string) {
				t.Helper()
				if w.m.lay.Panes != panes {
					t.Errorf("%d columns, %s: the panes are %v, and were %v", width, when, w.m.lay.Panes, panes)
				}
			}
			w.progress(first, "100", "100", "")
			still("progress")
			w.b.stuck = true
			w.press("x")
			still("a cancel that does not leave")
			w.b.stuck = false
			w.wait(2 * time.Second)
			still("cancelling")
			w.result(second, `{"content":[]}`)
			still("a late answer")
			w.result(first, `{"content":[{"type":"text","text":"`+strings.Repeat("long ", 40)+`"}]}`)
			w.wait(20 * time.Second)
			still("all is over")
			w.press("j")
			still("another call")
			w.m.status.Say(panel.Said(safe.Text(strings.Repeat("words ", 40))))
			w.m.dirty = true
			w.send(nil)
			still("a long sentence")
			w.clearStatus()
			still("after the sentence")
			w.press("?")
			still("a page over the panes")
		})
	}
}

// Rows that the table has no use for are the detail's, and once the table has had them it
// keeps them.
func TestTheDetailHasTheRowsThatTheCallsDoNotNeed(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}} {
		connected(t, size[0], size[1], Options{}, func(w *harness) {
			last := 0
			for n := 1; n <= 12; n++ {
				w.result(w.call("countdown"), `{"content":[]}`)
				w.wait(time.Second)
				_, rows := w.table()
				empty := w.m.lay.Panes[layout.Calls].Dy() - len(rows) - 4 // frame, head, and the line of the fold
				if empty > 0 && n > 2 || last > w.m.lay.Panes[layout.Calls].Dy() {
					t.Fatalf("%v, %d calls: %d rows are empty:\n%s", size, n, empty, w.screen())
				}
				last = w.m.lay.Panes[layout.Calls].Dy()
			}
			if most := (size[1] - 2) * 2 / 5; last != most {
				t.Errorf("%v: many calls have %d rows, want %d", size, last, most)
			}
			w.press("/")
			w.write("nothing")
			w.press("enter")
			if got := w.m.lay.Panes[layout.Calls].Dy(); got != last {
				t.Errorf("%v: a filter changes the rows from %d to %d", size, last, got)
			}
		})
	}
}
