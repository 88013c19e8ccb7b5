package ui

import (
	"strings"
	"testing"
	"time"

	"belay/ui/statusline"
)

// Below the least size an open question cannot be answered: no key does what
// nobody can read. What is typed is not taken either, and what stood in the
// fields is there again when there is room.
func TestAQuestionIsNotAnsweredOnOneLine(t *testing.T) {
	for name, ask := range map[string]func(w *harness){
		"elicitation/create":     func(w *harness) { w.asksForm("q1", "Which?"); w.quiet(); w.write("main") },
		"elicitation/create url": func(w *harness) { w.asksURL("q1", "https://example.com/") },
		"sampling/createMessage": func(w *harness) { w.asksModel("q1", sayHello+`,"maxTokens":9`); w.quiet(); w.write("main") },
	} {
		for _, size := range [][2]int{{50, 10}, {59, 14}, {80, 14}, {24, 2}} {
			connected(t, 80, 24, Options{}, func(w *harness) {
				ask(w)
				w.quiet()
				before := w.screen()
				w.send(resized(size[0], size[1]))
				w.sees("60×15", "x", "q")
				if size[0] >= 50 {
					w.sees("asks you · needs 60×15")
				}
				for _, k := range []string{
					"ctrl+s", "ctrl+r", "esc", "ctrl+u", "enter", "ctrl+l", "ctrl+g", "ctrl+o", "ctrl+n", "f1", "tab", "y", "r", "space", "backspace", "!", ":",
				} {
					w.press(k)
					w.wait(600 * time.Millisecond) // also behind any dead time
					if !strings.Contains(strings.Join(strings.Fields(w.screen()), " "), "too small") {
						t.Errorf("%s, %v: %s does nothing, and says nothing: %q", name, size, k, w.screen())
					}
				}
				w.m.paste("pasted")
				w.getsNothingFor("q1")
				if len(w.b.opened) > 0 {
					t.Errorf("%s, %v: an address was opened", name, size)
				}
				w.send(resized(80, 24))
				w.press("ctrl+s", "ctrl+r", "esc", "ctrl+u") // it has just come into view
				w.sees("this is in view again: no key is taken until you pause")
				w.seesNot("opened by itself")
				w.getsNothingFor("q1")
				w.wait(10 * time.Second)
				if got := w.screen(); got != before {
					t.Errorf("%s, %v: it was\n%s\nand is\n%s", name, size, before, got)
				}
			})
		}
	}
}

// x and q work on the one line, and what waits behind it is not answered by a
// command either.
func TestOneLineTakesXAndQ(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.call("asker")
		w.asksForm("q1", "Which?")
		w.quiet()
		w.send(resized(50, 10))
		w.press("x")
		w.sees(`cancelling #6 tools/call "asker"`)
		w.gets("notifications/cancelled")
		w.press("q")
		w.sees("Quit? y n")
		w.press("n")
		w.getsNothingFor("q1")
	})
	connected(t, 50, 10, Options{}, func(w *harness) {
		w.asksForm("q1", "Which?")
		if w.m.modal() != nil {
			t.Error("a question opened where it cannot be read")
		}
		for _, c := range []string{"decline", "dismiss", "answer {}", "question"} {
			w.command(c)
			w.sees("the terminal is too small: 60×15 is the least")
		}
		w.getsNothingFor("q1")
		w.wait(statusline.Lasts + time.Second)
		w.sees("1 asks you")
	})
}

// What has ended stays until it can be read.
func TestWhatHasEndedIsNotLeftOnOneLine(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksForm("q1", "Which?")
		w.quiet()
		w.write("main")
		w.send(resized(50, 10))
		w.withdraws("q1", "enough")
		w.sees("? elicitation/create withdrawn · needs 60×15")
		w.press("esc")
		w.send(resized(80, 24))
		w.sees("took back its question", "main", `its reason: "enough"`)
	})
}
