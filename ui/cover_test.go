package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/caution"
)

// seesNoScraps fails where words are torn: beside the box with a title are borders only, and
// a line above or below the box is one that was there before, a border, or empty. Before is
// nil where those lines change.
func (w *harness) seesNoScraps(title string, before []string) {
	w.t.Helper()
	lines := strings.Split(w.screen(), "\n")
	top, left, right := -1, 0, 0
	for y, l := range lines {
		if from, rest, ok := strings.Cut(l, "╭ "+title); ok {
			top, left = y, len([]rune(from))
			frame, _, _ := strings.Cut(rest, "╮")
			right = left + len([]rune("╭ "+title+frame+"╮"))
		}
	}
	if top < 0 {
		w.t.Fatalf("there is no box %q:\n%s", title, w.screen())
	}
	inside := true
	for y, l := range lines[1 : len(lines)-1] {
		y++
		cells := w.cells(l)
		said := strings.TrimRight(string(cells), " ")
		if y >= top && inside {
			inside = cells[left] != '╰'
			said = strings.TrimRight(string(cells[:left])+string(cells[right:]), " ")
		}
		if y < top || !inside && cells[left] != '╰' {
			if before == nil || said == strings.TrimRight(before[y], " ") || strings.Contains(said, "╭ ") { // a title of a form stays
				continue
			}
		}
		if words := strings.Trim(said, "│╭╮╰╯─ "); words != "" {
			w.t.Errorf("line %d has the scraps %q:\n%s", y, words, w.screen())
			return
		}
	}
}

// cells are the columns of a line of the screen.
func (w *harness) cells(line string) []rune {
	cells := []rune(line)
	for len(cells) < w.m.w {
		cells = append(cells, ' ')
	}
	return cells
}

// A question leaves no torn words: not of the panes that it covers in part, and not of the
// form that it lies on, whether that is wider than the question or not.
func TestAQuestionLeavesNoTornWords(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {80, 24}, {100, 30}, {120, 36}, {140, 40}, {200, 60}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			connected(t, size[0], size[1], Options{Confirm: caution.Always}, func(w *harness) {
				for range 12 {
					w.result(w.call("stubborn"), `{"content":[{"type":"text","text":"a text that is as long as the pane is wide, and goes on in more lines"}]}`)
				}
				w.wait(time.Second)
				w.clearStatus()
				before := strings.Split(w.screen(), "\n")
				w.press("n")
				w.write("countdown")
				w.press("enter")
				w.write("60")
				w.wait(time.Second)
				w.seesNoScraps(`tools/call "countdown"`, before)
				w.press("ctrl+s")
				w.seesNoScraps(`Call "countdown"`, before)
				w.press("p")
				w.seesNoScraps("what would be sent", before)
				w.press("esc", "n", "esc", "esc")
				w.call("stubborn")
				w.press("x", "q")
				before = nil
				w.seesNoScraps("Quit", before)
			})
		})
	}
}

// seesWholePanes fails where a pane is seen in part: what is seen at the edges of the screen
// is a pane from its title to its foot, the list of commands, which is as wide, or nothing.
func (w *harness) seesWholePanes() {
	w.t.Helper()
	lines := strings.Split(w.screen(), "\n")
	open := false
	for y, l := range lines[1 : len(lines)-1] {
		cells := w.cells(l)
		first, last := cells[0], cells[len(cells)-1]
		titled := strings.ContainsRune("123", cells[2]) && cells[3] == ' ' || strings.HasPrefix(l, "╭ Commands ")
		want, ends := "│╰", "│╯"
		if !open {
			want, ends = " ╭", " ╮"
		}
		if !strings.ContainsRune(want, first) || strings.IndexRune(want, first) != strings.IndexRune(ends, last) || first == '╭' && !titled {
			w.t.Fatalf("line %d is of a pane that is seen in part:\n%s", y+1, w.screen())
		}
		open = first == '╭' || open && first != '╰'
	}
}

// What lies over the panes leaves each of them whole, or covers all of it. What lies over a
// form leaves no scraps of it.
func TestWhatCoversPanesLeavesThemWhole(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {80, 30}, {100, 30}, {100, 40}, {120, 30}, {120, 36}, {140, 40}} {
		connected(t, size[0], size[1], Options{Confirm: caution.Always}, func(w *harness) {
			w.call("countdown")
			for _, keys := range [][]string{{"?"}, {"esc", "i"}, {"esc", "n"}, {"nested"}, {"enter"}, {"esc", "n"}, {"countdown"}, {"enter"}, {"ctrl+s"}, {"p"}, {"esc", "esc", "esc", ":"}, {"restart"}, {"esc", ":", "s"}, {"esc", "q"}} {
				for _, key := range keys {
					if len(key) > 6 {
						w.write(key)
					} else {
						w.press(key)
					}
				}
				w.seesWholePanes()
			}
			w.sees("Quit")
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
