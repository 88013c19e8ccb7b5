package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/ui/panel"
)

// Nobody answers but the user.
func TestNothingIsAnsweredByItself(t *testing.T) {
	requirements.Rows(t, "SMP-01", "SMP-34", "ELI-16")
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		w.asksModel("q2", sayHello+`,"maxTokens":9`)
		w.wait(time.Minute)
		w.getsNothingFor("q1", "q2")
		w.sees("2 ask you")
	})
}

// A question that comes while a line or a form is in use takes neither the focus
// nor a key.
func TestAQuestionNeverTakesTheFocus(t *testing.T) {
	requirements.Rows(t, "SEC-32")
	connected(t, 120, 30, Options{}, func(w *harness) {
		w.press("n")
		w.write("countdown")
		w.press("enter")
		w.write("4")
		w.feed(elicit)
		w.wait(100 * time.Millisecond)
		w.sees("1 asks you", "the server asks you: elicitation/create · it waits until you are done")
		w.seesNot("! shows it", "· !") // where ! is text
		w.write("2")
		w.sees(" 42")
		w.press("ctrl+s")
		w.wait(100 * time.Millisecond)
		if w.got(`"arguments":{"seconds":42}`) != 1 || w.got(`"q1"`) != 0 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
	})
	for _, keys := range [][]string{{"n"}, {"/"}, {":"}, {"?"}, {"i"}, {"2"}, {"3"}, {"c"}, {"X"}, {"q"}} {
		connected(t, 120, 30, Options{}, func(w *harness) {
			w.call("countdown")
			w.press(keys...)
			before := w.m.modal()
			w.feed(elicit)
			if w.m.modal() != before {
				t.Errorf("after %v: the question took the screen", keys)
			}
			w.sees("1 asks you")
			if named := strings.Contains(w.screen(), "! shows it"); named != (before == nil) {
				t.Errorf("after %v: that ! shows it is said: %v", keys, named)
			}
			if before == nil || keys[0] == "q" {
				return
			}
			for w.m.modal() != nil {
				w.press("esc")
			}
			w.sees("1 asks you · !")
			w.press("!")
			w.sees("Which branch?")
			w.seesNot("1 asks you · !")
		})
	}
}

// A panel that opens by itself takes no key until the user pauses, and at most
// for a second and a half.
func TestTheDeadTime(t *testing.T) {
	requirements.Rows(t, "SEC-31")
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		w.sees("this opened by itself: no key is taken until you pause")
		began := time.Now()
		taken := func() bool { return !strings.Contains(w.screen(), "no key is taken") }
		for range 6 { // one key each 200 ms
			for _, k := range []string{"x", "enter", "esc", "ctrl+s", "ctrl+r"} {
				w.press(k)
			}
			w.send(pasted("pasted"))
			if taken() {
				t.Fatalf("a key was taken after %v", time.Since(began))
			}
			w.wait(200 * time.Millisecond)
		}
		w.getsNothingFor("q1")
		if !taken() {
			t.Fatal("no key is taken after a second of quiet")
		}
		w.seesNot("pasted", "xxx")
		w.write("x")
		w.press("ctrl+s")
		w.gets(`"content":{"branch":"x"}`)
	})
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		time.Sleep(panel.GuardQuiet - 50*time.Millisecond - frameTime)
		w.press("a")
		time.Sleep(panel.GuardQuiet - 50*time.Millisecond)
		w.press("b")
		time.Sleep(panel.GuardQuiet)
		w.settle()
		w.press("c")
		w.sees(" c ")
		w.seesNot("no key is taken")
	})
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		for range 14 {
			time.Sleep(100 * time.Millisecond)
			w.settle()
			w.press("a")
		}
		time.Sleep(100 * time.Millisecond)
		w.press("b")
		w.sees(" b ")
		w.seesNot(" ab", "no key is taken")
	})
}

// What does not answer keeps its meaning in the dead time: ctrl+x cancels the
// selected call, as it would have done a moment before, and ctrl+c quits.
func TestStoppingInTheDeadTime(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("first")
		w.call("second")
		w.asksForm("q1", "?")
		w.press("ctrl+x")
		w.wait(100 * time.Millisecond)
		w.gets(`"method":"notifications/cancelled","params":{"requestId":7`)
		w.getsNothingFor("q1")
	})
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		w.press("ctrl+c")
		w.sees("Quit", "1 question of the server's will not be answered.")
		w.press("y")
		w.wait(200 * time.Millisecond)
		if !w.quit || w.got(`"id":"q1"`) != 0 {
			t.Errorf("quit %v; the server got\n%s", w.quit, strings.Join(w.b.wrote, "\n"))
		}
	})
}

// A panel that the user opened takes keys at once.
func TestAPanelThatTheUserOpens(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("asker")
		w.press("3")
		w.asksForm("q1", "?")
		w.press("1", "enter")
		w.sees("asks you to fill in a form")
		w.seesNot("no key is taken")
		w.write("dev")
		w.press("ctrl+s")
		w.gets(`"content":{"branch":"dev"}`)
	})
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.press("3")
		w.asksForm("q1", "?")
		w.press("!")
		w.write("dev")
		w.press("ctrl+s")
		w.gets(`"content":{"branch":"dev"}`)
	})
}

// Pasted text answers no question.
func TestPastedTextIsNoKey(t *testing.T) {
	requirements.Rows(t, "SEC-30")
	connected(t, 100, 24, Options{}, func(w *harness) {
		w.call("countdown")
		w.press("q")
		w.sees("Quit", "1 call in flight: belay cancels it first.")
		w.send(pasted("y\n"))
		w.sees("Quit", "1 call in flight")
		w.press("n")
		w.send(pasted("xXq:quit\n"))
		w.wait(100 * time.Millisecond)
		if w.got("notifications/cancelled") != 0 || w.quit {
			t.Error("pasted text acted as keys")
		}
		var st session.Status
		w.b.View(func(s *session.Session) { st = s.Status() })
		if st.InFlight != 1 {
			t.Errorf("%d in flight", st.InFlight)
		}
		w.asksURL("q1", "https://example.com/")
		w.quiet()
		w.send(pasted("\x15\x13\r\n\x1b"))
		w.getsNothingFor("q1")
		if len(w.b.opened) != 0 {
			t.Error("pasted text opened an address")
		}
	})
}
