package ui

import (
	"testing"
	"time"
)

// Below 60×15 there is one line, which still takes x and q.
func TestATinyTerminal(t *testing.T) {
	for _, size := range [][2]int{{59, 14}, {40, 3}, {40, 1}} {
		connected(t, size[0], size[1], Options{}, func(w *world) {
			w.call("countdown")
			w.sees("#6 countdown", "running", " q")
			w.press("x")
			w.sees("cancelling #6 tools/call countdown")
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
	connected(t, 140, 40, Options{}, func(w *world) {
		w.call("countdown")
		for _, size := range [][2]int{{20, 2}, {140, 40}, {79, 20}, {1, 1}, {0, 0}, {140, 40}} {
			w.send(resized(size[0], size[1]))
			if size[0] > 0 {
				look(t, w, size[0], size[1], "resized")
			}
		}
		w.sees("1 Calls", "2 #6 countdown", "3 Wire")
	})
}

// ctrl+x cancels the selected call from inside fields and lists.
func TestCancelFromInsideAField(t *testing.T) {
	for _, keys := range [][]string{{"n"}, {"n", "enter"}, {"n", "enter", "ctrl+g"}, {":"}, {"/"}, {"i"}} {
		connected(t, 100, 30, Options{}, func(w *world) {
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
