package ui

import (
	"strings"
	"testing"
	"time"

	"belay/session"
)

// Below 60×15 there is one line, which still takes x and q.
func TestATinyTerminal(t *testing.T) {
	for _, size := range [][2]int{{59, 14}, {40, 3}, {40, 1}} {
		connected(t, size[0], size[1], Options{}, func(w *harness) {
			w.call("countdown")
			w.sees("#6 countdown", "running", " q")
			w.press("x")
			w.sees(`cancelling #6 tools/call "countdown"`)
			w.wait(7 * time.Second)
			w.result(w.last("ping"), `{}`)
			w.sees("⊘ quiet")
			w.call("countdown")
			w.press("q")
			w.sees("Quit? y n  1 call in flight")
			w.press("y")
			w.wait(200 * time.Millisecond)
			if !w.quit {
				t.Error("it did not quit")
			}
		})
	}
}

// A terminal that grows again shows everything again.
func TestResizing(t *testing.T) {
	connected(t, 140, 40, Options{}, func(w *harness) {
		w.call("countdown")
		for _, size := range [][2]int{{20, 2}, {140, 40}, {79, 20}, {1, 1}, {0, 0}, {140, 40}} {
			w.send(resized(size[0], size[1]))
			if size[0] > 0 {
				look(t, w, size[0], size[1], "resized")
			}
		}
		w.sees("1 Calls", "2 #6 \"countdown\"", "3 Wire")
	})
}

// ctrl+x cancels the selected call from inside fields and lists.
func TestCancelFromInsideAField(t *testing.T) {
	for _, keys := range [][]string{{"n"}, {"n", "enter"}, {"n", "enter", "ctrl+g"}, {":"}, {"/"}, {"i"}} {
		connected(t, 100, 30, Options{}, func(w *harness) {
			w.call("countdown")
			w.press(keys...)
			w.press("ctrl+x")
			w.wait(200 * time.Millisecond)
			if n := w.got("notifications/cancelled"); n != 1 {
				t.Errorf("after %v: %d cancels", keys, n)
			}
		})
	}
}

// A tiny terminal counts what is in flight, and says why n and ? show nothing.
func TestATinyTerminalSaysWhatItCannot(t *testing.T) {
	connected(t, 50, 3, Options{}, func(w *harness) {
		w.call("countdown")
		w.call("countdown")
		w.sees("#7 countdown", "2 in flight")
		for _, width := range []int{59, 45, 36, 30, 50} {
			w.send(resized(width, 3))
			w.sees("#7 ", "running", "2 in flight", "x")
		}
		for _, k := range []string{"n", "?"} {
			w.press(k)
			w.sees("the terminal is too small: 60×15 is the least")
			if w.m.modal() != nil {
				t.Errorf("%s opened something", k)
			}
			w.sees("#7 ", "q")
			if n := strings.Count(w.screen(), "too small"); n != 1 {
				t.Errorf("%s: it is said %d times:\n%s", k, n, w.screen())
			}
			w.press("x")
		}
	})
}

// The line for a reason shows its words whole, or not at all.
func TestTheLineForAReasonIsNotCutShort(t *testing.T) {
	for _, width := range []int{60, 80, 100, 120} {
		connected(t, width, 24, Options{}, func(w *harness) {
			w.call("a_tool_with_quite_a_long_name")
			w.press("c")
			got := w.foot()
			if !strings.HasPrefix(got, "cancel #6") || !strings.Contains(got, ": "+session.DefaultReason) || strings.Contains(got, "…") {
				t.Errorf("width %d: %q", width, got)
			}
			if strings.Contains(got, "enter") && !strings.HasSuffix(got, "enter cancels · esc does not") {
				t.Errorf("width %d: half a hint: %q", width, got)
			}
		})
	}
}

// A sentence of several lines leaves no piece of the words that it lies over.
func TestATinyTerminalTearsNoWords(t *testing.T) {
	const whole = "the terminal is too small: 60×15 is the least"
	for _, size := range [][2]int{{59, 14}, {40, 10}, {40, 3}, {30, 8}, {20, 5}, {12, 12}} {
		for name, does := range map[string]func(*harness){
			"a question": func(w *harness) {
				w.asksForm("q1", "Which branch?")
				w.quiet()
				w.send(resized(size[0], size[1]))
				w.press("esc")
			},
			"a cancel": func(w *harness) {
				w.send(resized(size[0], size[1]))
				w.call("countdown")
				w.press("x")
			},
		} {
			connected(t, 80, 24, Options{}, func(w *harness) {
				does(w)
				said := string(w.m.status.Notice().Text)
				if said == "" {
					t.Fatalf("%v, %s: nothing is said", size, name)
				}
				dense := func(s string) string { return strings.Join(strings.Fields(s), "") }
				rest, ok := strings.CutPrefix(dense(w.screen()), dense(said))
				if !ok || rest != "" && rest != dense(whole) {
					t.Errorf("%v, %s: said %q:\n%s", size, name, said, w.screen())
				}
			})
		}
	}
}

// The first screen of a terminal that is too small says so, and offers to cancel only where
// there is something to cancel.
func TestATinyTerminalSaysThatItIsOne(t *testing.T) {
	for _, size := range [][2]int{{59, 14}, {40, 5}, {20, 5}} {
		connected(t, size[0], size[1], Options{}, func(w *harness) {
			if got := strings.Join(strings.Fields(w.screen()), " "); !strings.Contains(got, "the terminal is too small: 60×15 is the least") {
				t.Errorf("%v: %q", size, got)
			}
			w.sees("q")
			w.seesNot("x ")
			if w.call("countdown"); size[0] >= 40 {
				w.sees("x ")
			}
		})
	}
	connected(t, 40, 1, Options{}, func(w *harness) { w.sees("needs 60×15", "q quit") })
}
