package ui

import (
	"strings"
	"testing"
)

// What lies over the panes leaves their borders whole, whatever it covers: each of them goes
// on beside it, and no words are cut there. What lies over a form leaves no scraps of it.
func TestWhatCoversPanesLeavesThemWhole(t *testing.T) {
	for _, size := range [][2]int{{80, 30}, {100, 40}, {120, 36}, {140, 40}} {
		connected(t, size[0], size[1], Options{}, func(w *harness) {
			w.call("countdown")
			w.press("n")
			w.write("nested")
			w.press("enter")
			lines := strings.Split(w.screen(), "\n")
			for y, l := range lines[1 : len(lines)-1] {
				cells := []rune(l)
				if len(cells) == 0 {
					continue
				}
				for _, c := range []rune{cells[0], cells[len(cells)-1]} {
					if !strings.ContainsRune("│╭╮╰╯", c) {
						t.Fatalf("%v: line %d has no border:\n%s", size, y+1, w.screen())
					}
				}
			}
		})
	}
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("countdown")
		w.press("n")
		w.write("nested")
		w.press("enter")
		w.write("some words that are long enough to be seen beside a question, if they were left there")
		w.press("ctrl+c")
		w.sees("1 call in flight", `tools/call "nested"`)
		w.seesNot("some words", "beside a question", "left there")
		w.golden("quit-over-form")
	})
}
