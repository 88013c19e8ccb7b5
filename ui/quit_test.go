package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
)

func TestQuitWithoutWorkAsksNothing(t *testing.T) {
	connected(t, 100, 24, Options{}, func(w *harness) {
		w.press("q")
		w.wait(200 * time.Millisecond)
		if !w.quit || w.m.Exit() != ExitOK || len(w.m.Farewell()) != 0 {
			t.Errorf("quit: %v, exit %d, %q", w.quit, w.m.Exit(), w.m.Farewell())
		}
	})
}

func TestQuitCancelsTheWorkFirst(t *testing.T) {
	requirements.Rows(t, "CXL-33")
	connected(t, 100, 24, Options{}, func(w *harness) {
		for range 20 {
			w.call("countdown")
		}
		w.press("q")
		w.sees("20 calls in flight: belay cancels them first.")
		w.press("enter")
		w.wait(300 * time.Millisecond)
		if n := w.got("notifications/cancelled"); n != 20 {
			t.Errorf("%d cancels were sent", n)
		}
		if !w.quit {
			t.Fatal("it did not quit")
		}
		lines := w.m.Farewell()
		if len(lines) != 20 || !strings.HasPrefix(lines[0], `⊘ #6 tools/call "countdown": cancelled · `) {
			t.Errorf("farewell:\n%s", strings.Join(lines, "\n"))
		}
	})
}

// What a signal cancels is told at the end, also if the loop of the screen has
// seen nothing of it: it is stuck, or an editor has the terminal.
func TestLeavingBesideTheLoop(t *testing.T) {
	for name, work := range map[string]int{"a call": 1, "many calls": farewellMost + 2} {
		t.Run(name, func(t *testing.T) {
			connected(t, 100, 24, Options{}, func(w *harness) {
				for range work {
					w.call("countdown")
				}
				w.m.Leave()
				w.b.pump() // no message reaches the model from here on
				if n := w.got("notifications/cancelled"); n != work {
					t.Errorf("%d cancels were sent", n)
				}
				w.m.Leave() // what follows at the end of the program
				lines := w.m.Farewell()
				if want := min(work, farewellMost+1); len(lines) != want || !strings.HasPrefix(lines[0], `⊘ #6 tools/call "countdown": cancelled · `) {
					t.Errorf("farewell:\n%s", strings.Join(lines, "\n"))
				}
				if work > 1 && lines[farewellMost] != "… and 2 calls more" {
					t.Errorf("at the end: %s", lines[farewellMost])
				}
				if w.m.Exit() != ExitOK {
					t.Errorf("exit %d", w.m.Exit())
				}
			})
		})
	}
}

func TestASecondKeyEndsTheServer(t *testing.T) {
	for _, k := range []string{"q", "ctrl+c"} {
		connected(t, 100, 24, Options{}, func(w *harness) {
			w.call("countdown")
			w.b.stuck = true
			w.press("q", "y")
			w.sees("Closing", "pid 4711", "end the server at once")
			if w.quit || w.b.killed {
				t.Fatal("it did not wait for the server")
			}
			w.press(k)
			if !w.b.killed || !w.quit {
				t.Errorf("%s: killed %v, quit %v", k, w.b.killed, w.quit)
			}
		})
	}
}

// At the question, the key that asked it is a yes.
func TestTheSecondQuitIsAnAnswer(t *testing.T) {
	for _, keys := range [][]string{{"ctrl+c", "ctrl+c"}, {"q", "q"}, {"q", "ctrl+c"}, {"ctrl+c", "q"}} {
		connected(t, 100, 24, Options{}, func(w *harness) {
			w.call("countdown")
			w.press(keys[0])
			w.sees("1 call in flight: belay cancels it first.")
			w.press(keys[1])
			w.wait(200 * time.Millisecond)
			if !w.quit || w.got("notifications/cancelled") != 1 {
				t.Errorf("%v: quit %v, %d cancels", keys, w.quit, w.got("notifications/cancelled"))
			}
		})
	}
	// Another question is not that one.
	connected(t, 100, 24, Options{}, func(w *harness) {
		w.call("countdown")
		w.command("disconnect")
		w.press("q")
		w.wait(200 * time.Millisecond)
		if w.quit || w.got("notifications/cancelled") != 0 {
			t.Error("q is no answer to what something else asks")
		}
	})
}

// Whoever leaves while belay connects has quit, and nothing has failed.
func TestLeavingWhileConnecting(t *testing.T) {
	run(t, 100, 24, Options{}, func(w *harness) {
		w.press("q")
		w.wait(200 * time.Millisecond)
		if !w.quit || w.m.Exit() != ExitOK || len(w.m.Farewell()) != 0 {
			t.Errorf("quit %v, exit %d, %q", w.quit, w.m.Exit(), w.m.Farewell())
		}
	})
}

// So has one who leaves while the first login is under way, or after having
// given it up. A login that fails by itself is why there is no connection.
func TestLeavingALoginOfTheHandshake(t *testing.T) {
	for _, tt := range []struct {
		name     string
		over     func(w *harness)
		farewell string
	}{
		{"under way", func(*harness) {}, ""},
		{"given up", func(w *harness) {
			w.press("esc")
			over := failing(aLogin(), "the login was abandoned")
			over.Ended = true
			w.login(over)
			w.loggedIn(over.Failure)
			w.sees("the server wants a login", ":restart tries again")
		}, ""},
		{"failed", func(w *harness) {
			over := failing(aLogin(), "who are you?")
			over.Remedy.Kind = session.RemedyOwnClient
			w.login(over)
			w.loggedIn("who are you?")
			w.press("esc")
			w.sees("check --client-id, and --client-secret")
		}, "cannot connect: who are you?\n  check --client-id, and --client-secret, "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			httpHarness(t, 100, 30, func(w *harness) {
				w.refused()
				w.login(aLogin())
				w.quiet()
				tt.over(w)
				w.press("ctrl+c")
				w.wait(200 * time.Millisecond)
				said := strings.Join(w.m.Farewell(), "\n")
				if want := tt.farewell != ""; !w.quit || (w.m.Exit() == ExitNotConnected) != want || (said != "") != want || !strings.HasPrefix(said, tt.farewell) {
					t.Errorf("quit %v, exit %d, %q", w.quit, w.m.Exit(), said)
				}
				if strings.Contains(said, ":restart") {
					t.Errorf("it names what only a program that runs can do: %q", said)
				}
			})
		})
	}
}

// ctrl+c works in every place, and asks first.
func TestCtrlCFromAnywhere(t *testing.T) {
	for _, keys := range [][]string{{"n"}, {"c"}, {"/"}, {":"}, {"?"}, {"i"}, {"n", "enter"}, {"X"}} {
		connected(t, 100, 24, Options{}, func(w *harness) {
			w.call("countdown")
			w.press(keys...)
			w.press("ctrl+c")
			w.sees("1 call in flight: belay cancels it first.")
			w.press("y")
			w.wait(200 * time.Millisecond)
			if !w.quit {
				t.Errorf("after %v: it did not quit", keys)
			}
		})
	}
}

// A signal quits by the same path without asking.
func TestQuittingFromOutside(t *testing.T) {
	connected(t, 100, 24, Options{}, func(w *harness) {
		w.call("countdown")
		w.b.stuck = true
		w.m.Leave()
		w.wait(100 * time.Millisecond)
		w.sees("Closing")
		w.b.stuck = false
		w.wait(200 * time.Millisecond)
		if !w.quit || len(w.m.Farewell()) != 1 {
			t.Errorf("quit: %v, %q", w.quit, w.m.Farewell())
		}
	})
}

func TestExitAndFarewellOfALostConnection(t *testing.T) {
	connected(t, 100, 24, Options{}, func(w *harness) {
		w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 3"}})
		w.wait(100 * time.Millisecond)
		w.press("q")
		w.wait(100 * time.Millisecond)
		if !w.quit || w.m.Exit() != ExitLost || !strings.Contains(strings.Join(w.m.Farewell(), "\n"), "the connection is lost: the server ended: exit status 3") {
			t.Errorf("quit %v, exit %d, %q", w.quit, w.m.Exit(), w.m.Farewell())
		}
	})
	run(t, 100, 24, Options{}, func(w *harness) {
		w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 127"}})
		w.wait(100 * time.Millisecond)
		w.press("q")
		w.wait(100 * time.Millisecond)
		if w.m.Exit() != ExitNotConnected || !strings.HasPrefix(w.m.Farewell()[0], "cannot connect: ") {
			t.Errorf("exit %d, %q", w.m.Exit(), w.m.Farewell())
		}
	})
}

func TestATerminalWithoutASizeStillTakesKeys(t *testing.T) {
	connected(t, 100, 24, Options{}, func(w *harness) {
		w.send(tea.WindowSizeMsg{})
		id := w.call("countdown")
		w.press("x")
		w.wait(100 * time.Millisecond)
		if n := w.got(fmt.Sprintf(`"requestId":%d`, id)); n != 1 {
			t.Errorf("%d cancels were sent", n)
		}
		w.press("q", "y")
		w.wait(300 * time.Millisecond)
		if !w.quit {
			t.Error("it did not quit")
		}
	})
}

// The questions count anew while they wait for an answer.
func TestQuestionsCountAnew(t *testing.T) {
	connected(t, 100, 24, Options{}, func(w *harness) {
		first := w.call("countdown")
		second := w.call("countdown")
		for _, ask := range []struct{ key, both, one string }{
			{"X", "Cancel 2 requests in flight?", "Cancel 1 request in flight?"},
			{"q", "2 calls in flight: belay cancels them first.", "1 call in flight: belay cancels it first."},
		} {
			w.press(ask.key)
			w.sees(ask.both)
			w.result(first, `{"content":[]}`)
			w.sees(ask.one)
			w.result(second, `{"content":[]}`)
			w.sees("Nothing is in flight any more.")
			w.press("n")
			first, second = w.call("countdown"), w.call("countdown")
		}
	})
}

// What is being cancelled already is not cancelled once more. When nothing is left of what quitting
// asks about, belay goes on until there is an answer.
func TestQuitSaysWhatIsTrue(t *testing.T) {
	connected(t, 100, 24, Options{}, func(w *harness) {
		first := w.call("countdown")
		w.press("x", "q")
		w.sees("1 call is being cancelled already; belay does not await the outcome.", "y/enter yes  n/esc no")
		w.seesNot("in flight: belay cancels")
		w.press("n")
		second := w.call("countdown")
		w.press("q")
		w.sees("1 call in flight: belay cancels it first.", "1 call is being cancelled already")
		w.result(first, `{"content":[]}`)
		w.seesNot("being cancelled already")
		w.result(second, `{"content":[]}`)
		w.wait(300 * time.Millisecond)
		w.sees("Nothing is in flight any more.", "y/enter yes  n/esc no")
		if w.quit {
			t.Fatal("nobody answered, and it has quit")
		}
		w.press("y")
		w.wait(300 * time.Millisecond)
		if !w.quit {
			t.Error("it did not quit")
		}
	})
}

// A call that waits for a login is not in flight: the lines on the normal screen
// do not say both.
func TestQuittingWhileACallWaitsForALogin(t *testing.T) {
	resourceful(t, 80, 24, mcp.HTTP, `{}`, func(w *harness) {
		w.call("countdown")
		w.refused()
		w.sees("waiting for login")
		w.wait(2 * time.Second)
		w.press("q", "y")
		w.wait(time.Second)
		lines := w.m.Farewell()
		if !w.quit || len(lines) != 1 || !strings.Contains(lines[0], "nothing running, waited 2.") {
			t.Errorf("quit: %v, %q", w.quit, lines)
		}
	})
}

// ctrl+z suspends belay from anywhere, also from a field; why it cannot is told.
func TestSuspend(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.press("ctrl+z", "n")
		w.write("co")
		w.press("ctrl+z")
		w.settle()
		if w.b.suspended != 2 {
			t.Errorf("suspended %d times", w.b.suspended)
		}
		w.sees("New call", "co")
		w.b.noShell = errors.New("no shell here")
		w.press("esc", "ctrl+z")
		w.settle()
		w.sees("no shell here")
	})
}

// While the question has the focus the hints of what it covers, whose keys do something else now,
// are not shown, and nothing that was typed there has the cursor.
func TestQuitHidesTheHintsOfWhatItCovers(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}, {140, 40}} {
		for keys, hints := range map[string][]string{
			"c": {"enter cancels · esc does not"}, "/": {"enter keeps · esc drops it"}, ":": {"enter run", "tab complete"}, "f1": {"/ search  esc back"},
		} {
			connected(t, size[0], size[1], Options{}, func(w *harness) {
				w.call("countdown")
				w.press(keys)
				if keys != "f1" {
					w.write("zz")
				}
				if keys == ":" {
					w.press("backspace", "backspace")
					w.write("log")
				}
				w.sees(hints...)
				w.press("ctrl+c")
				w.sees("enter yes", "esc no")
				w.seesNot(hints...)
				if keys == "c" || keys == "/" {
					w.sees("zz")
				}
				if at := w.m.View().Cursor; at != nil {
					t.Errorf("%q: the cursor is at %v", keys, at)
				}
				w.press("esc")
				w.sees(hints...)
				if at := w.m.View().Cursor; at == nil && keys != "f1" {
					t.Errorf("%q: there is no cursor", keys)
				}
			})
		}
	}
}
