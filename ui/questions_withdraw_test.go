package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/requirements"
	"belay/session"
)

const lockedFoot = "withdrawn by the server · nothing was sent · esc dismisses"

// A panel whose question the server takes back is locked: reason and text can
// be read, only esc does anything, and nothing is ever written for it.
func TestAWithdrawnQuestionIsLocked(t *testing.T) {
	requirements.Rows(t, "CXS-02", "CXS-04", "SD3-23", "SD3-41")
	for name, ask := range map[string]func(w *harness){
		"form":     func(w *harness) { w.asksForm("q1", "Which branch?") },
		"url":      func(w *harness) { w.asksURL("q1", "https://login.example.com/start") },
		"sampling": func(w *harness) { w.asksModel("q1", sayHello+`,"maxTokens":9`) },
	} {
		connected(t, 80, 24, Options{}, func(w *harness) {
			w.call("asker")
			ask(w)
			w.quiet()
			w.write("typed text")
			w.withdraws("q1", "too slow")
			w.sees(lockedFoot, `its reason: "too slow"`)
			if name != "url" {
				w.sees("typed text")
			}
			w.golden("ask-withdrawn-" + name)
			locked := w.screen()
			for _, k := range []string{"ctrl+s", "enter", "ctrl+u", "ctrl+r", "ctrl+l", "ctrl+n", "ctrl+p", "ctrl+g", "tab", "y", "q", "backspace", "!"} {
				w.press(k)
			}
			w.send(pasted("more"))
			w.send(tea.WindowSizeMsg{Width: 70, Height: 24}) // all is written anew
			w.send(tea.WindowSizeMsg{Width: 80, Height: 24})
			if got := w.screen(); got != locked {
				t.Errorf("%s: a key changed the locked panel:\n%s", name, got)
			}
			w.getsNothingFor("q1")
			if len(w.b.opened) != 0 {
				t.Errorf("%s: an address was opened", name)
			}
			w.press("esc")
			w.seesNot(lockedFoot, "1 withdrawn")
			w.getsNothingFor("q1")
		})
	}
}

// ctrl+x and ctrl+c keep their meaning in a locked panel.
func TestTheKeysOfALockedPanel(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("asker")
		w.asksForm("q1", "?")
		w.withdraws("q1", "")
		w.quiet()
		w.press("ctrl+x")
		w.wait(100 * time.Millisecond)
		w.gets(`"method":"notifications/cancelled","params":{"requestId":6`)
		w.sees(lockedFoot)
		w.press("ctrl+c")
		w.sees("Quit")
	})
}

// A question that waits behind another is removed and noted; the counter falls.
func TestAQueuedQuestionIsWithdrawn(t *testing.T) {
	requirements.Rows(t, "CXS-11", "CXS-18")
	for method, ask := range map[string]func(w *harness) (words string){
		"elicitation/create":     func(w *harness) string { w.asksForm("q2", "Second?"); return "Second?" },
		"sampling/createMessage": func(w *harness) string { w.asksModel("q2", sayHello+`,"maxTokens":9`); return "Say hello." },
	} {
		connected(t, 140, 30, Options{}, func(w *harness) {
			w.asksForm("q1", "First?")
			words := ask(w)
			w.sees("1 of 2")
			w.withdraws("q2", "no longer needed")
			w.sees(`another question, "`+words+`": withdrawn by the server · nothing was sent · "no longer needed"`, "First?")
			w.seesNot("1 of 2", "1 withdrawn")
			w.quiet()
			w.press("ctrl+n")
			w.sees("the server asks nothing else")
			w.press("ctrl+r")
			if w.m.modal() != nil {
				t.Error("what was withdrawn opened")
			}
			w.getsNothingFor("q2")
			w.sees(method + ` "q2" withdrawn by the server: "no longer needed"`) // in the wire pane
			var e session.CancelEvent
			w.b.View(func(s *session.Session) {
				for _, e = range s.CancelEvents() {
					if e.Stage == session.CancelReceived {
						break
					}
				}
			})
			if e.Stage != session.CancelReceived || e.Method != method || e.Reason != "no longer needed" || e.Age <= 0 {
				t.Errorf("the log has %+v", e)
			}
		})
	}
}

// A question that was put aside and then withdrawn stays behind its badge, with
// its text, and ! shows it locked.
func TestWhatWasPutAsideIsWithdrawn(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		w.quiet()
		w.write("typed")
		w.press("ctrl+l")
		w.withdraws("q1", "late")
		w.sees("1 withdrawn", "· ! shows it")
		w.press("!")
		w.sees(lockedFoot, " typed", `its reason: "late"`)
		w.press("esc")
		w.seesNot("1 withdrawn")
		w.press("!")
		w.sees("the server asks nothing")
		w.getsNothingFor("q1")
	})
}

// A request and its cancel in one read leave nothing open and write nothing.
func TestWithdrawnInTheSameRead(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.b.locked(func(s *session.Session, now time.Time) {
			for _, m := range []string{elicit, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1","reason":"sorry"}}`} {
				s.Receive(now, session.ExchangeID{Epoch: w.b.epoch}, w.dec.Decode([]byte(m)))
			}
		})
		w.settle()
		w.wait(100 * time.Millisecond)
		if w.m.modal() != nil {
			t.Error("a panel opened")
		}
		w.sees(`"Which branch?" withdrawn by the server · nothing was sent · "sorry"`)
		w.seesNot("1 asks you", "1 withdrawn")
		w.getsNothingFor("q1")
	})
}

// An answer after the cancel is refused in the core's words; the panel is
// locked then, and nothing was written.
func TestAnAnswerAfterTheCancel(t *testing.T) {
	requirements.Rows(t, "CXS-09")
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		w.quiet()
		w.write("main")
		// The cancel is in, and the screen does not know yet when the key comes.
		w.b.mu.Lock()
		w.b.s.Receive(time.Now(), session.ExchangeID{Epoch: w.b.epoch},
			w.dec.Decode([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1","reason":"enough"}}`)))
		w.b.mu.Unlock()
		w.press("ctrl+s")
		w.sees("too late: the server withdrew this", " main", `its reason: "enough"`)
		w.golden("ask-too-late")
		w.getsNothingFor("q1")
		w.press("esc")
		if w.m.modal() != nil {
			t.Error("esc did not leave")
		}
	})
}

// A cancel after the key, while the answer has not left, takes the answer back;
// one after that comes too late for the server.
func TestACancelAfterTheAnswer(t *testing.T) {
	requirements.Rows(t, "CXS-09")
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		w.quiet()
		w.b.stuck = true // the server reads nothing
		w.write("main")
		w.press("ctrl+s")
		w.sees("answered elicitation/create")
		w.withdraws("q1", "enough")
		w.sees(`too late: the server withdrew "?" · nothing was sent · "enough"`, "1 withdrawn")
		w.b.stuck = false
		w.getsNothingFor("q1")
		w.press("!")
		w.sees(lockedFoot, " main")
	})
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		w.quiet()
		w.write("main")
		w.press("ctrl+s")
		w.withdraws("q1", "enough")
		w.gets(`"id":"q1","result":{"action":"accept","content":{"branch":"main"}}`)
		w.seesNot("withdrawn by the server", "1 withdrawn")
		w.wait(time.Second)
		w.gets(`"id":"q1"`)
	})
}

// Withdrawals of other requests, twice, or for an ID of ours, touch no panel.
func TestWithdrawalsOfOthers(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		id := w.call("asker")
		w.feed(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"Mine?","requestedSchema":{"type":"object","properties":{}}}}`, id)
		w.quiet()
		for _, other := range []string{`"q9"`, `null`, `{}`, `1.5`, `"6"`} {
			w.feed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, other)
		}
		w.sees("Mine?", "esc dismiss", `for #6 tools/call "asker"`)
		w.feed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
		w.feed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
		w.sees(lockedFoot)
		w.press("esc")
		w.sees("⠼ running"[len("⠼ "):])
		var r session.Row
		w.b.View(func(s *session.Session) { r, _ = s.Row(w.m.calls.Chosen()) })
		if r.State != session.Running {
			t.Errorf("our own request with that ID is %v", r.State)
		}
	})
}

// A connection that is lost locks the panel with other words.
func TestALostConnectionLocksThePanel(t *testing.T) {
	requirements.Rows(t, "CXS-21")
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		w.asksForm("q2", "?")
		w.quiet()
		w.write("typed")
		wrote := len(w.b.wrote)
		w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 3"}})
		w.wait(100 * time.Millisecond)
		w.sees("connection lost · nothing was sent · esc dismisses", " typed")
		w.press("ctrl+s", "enter")
		w.sees(" typed")
		w.press("esc")
		if w.m.modal() != nil {
			t.Error("esc did not leave")
		}
		if len(w.b.wrote) != wrote {
			t.Errorf("something was written:\n%s", strings.Join(w.b.wrote[wrote:], "\n"))
		}
	})
}

// A question that was put aside is kept when the connection is lost, and nobody
// says of it that the server took it back.
func TestALostConnectionKeepsWhatWasPutAside(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		w.asksForm("q2", "?")
		w.quiet()
		w.write("typed")
		w.press("ctrl+l", "!")
		w.write("too")
		w.press("ctrl+l")
		w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 3"}})
		w.wait(100 * time.Millisecond)
		w.sees("2 questions lost · !")
		w.seesNot("withdrawn")
		w.press("!")
		w.sees("typed", "connection lost · nothing was sent", "1 question lost")
	})
}

// Whatever the user has begun with is kept when it is taken back unseen, and be
// it the name of the model.
func TestABegunAnswerIsKept(t *testing.T) {
	for name, begin := range map[string]func(w *harness){
		"the text":        func(w *harness) { w.write("begun") },
		"the model":       func(w *harness) { w.press("tab"); w.write("begun") },
		"the stop reason": func(w *harness) { w.press("tab", "tab"); w.write("begun") },
	} {
		connected(t, 100, 30, Options{}, func(w *harness) {
			w.asksModel("q1", sayHello+`,"maxTokens":9,"modelPreferences":{"hints":[{"name":"some-model"}]}`)
			w.asksModel("q2", sayHello+`,"maxTokens":9`)
			w.quiet()
			begin(w)
			w.press("ctrl+n")
			w.withdraws("q1", "enough")
			w.sees("1 withdrawn")
			w.press("ctrl+n")
			w.sees(lockedFoot, "begun")
			if t.Failed() {
				t.Log(name)
			}
		})
	}
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksModel("q1", sayHello+`,"maxTokens":9,"modelPreferences":{"hints":[{"name":"some-model"}]}`)
		w.asksModel("q2", sayHello+`,"maxTokens":9`)
		w.quiet()
		w.press("ctrl+n")
		w.withdraws("q1", "enough")
		w.seesNot("1 withdrawn") // nobody had begun
	})
}

// The server's reason is its text: it cannot act, and it cannot imitate.
func TestTheReasonIsForeignText(t *testing.T) {
	requirements.Rows(t, "CXS-23")
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		w.quiet()
		w.withdraws("q1", `\u001b[2J\u0007\nesc\" sends it\u202e`+strings.Repeat("long ", 100))
		raw := w.m.View().Content
		for _, bad := range []string{"\x1b[2J", "\x07", "\u202e"} {
			if strings.Contains(raw, bad) {
				t.Errorf("%q reached the terminal", bad)
			}
		}
		w.sees(`its reason: "⟨ESC⟩[2J⟨BEL⟩⏎esc\" sends it⟨U+202E⟩long`, lockedFoot)
	})
}
