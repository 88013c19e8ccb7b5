package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/covers"
	"belay/session"
)

const elicit = `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{}}}}`

// asksForm is a form elicitation with one field.
func (w *world) asksForm(id, message string) {
	w.feed(`{"jsonrpc":"2.0","id":"%s","method":"elicitation/create","params":{"message":"%s","requestedSchema":{"type":"object","required":["branch"],"properties":{`+
		`"branch":{"type":"string","title":"Branch","description":"a git branch"},"force":{"type":"boolean"}}}}}`, id, message)
}

func (w *world) asksURL(id, url string) {
	w.feed(`{"jsonrpc":"2.0","id":"%s","method":"elicitation/create","params":{"mode":"url","message":"Log in, please.","elicitationId":"e1","url":"%s"}}`, id, url)
}

const sampling = `"messages":[{"role":"user","content":{"type":"text","text":"Say hello."}}]`

func (w *world) asksModel(id, params string) {
	w.feed(`{"jsonrpc":"2.0","id":"%s","method":"sampling/createMessage","params":{%s}}`, id, params)
}

// withdraws is the server's cancel of its own request.
func (w *world) withdraws(id, reason string) {
	w.feed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"%s","reason":"%s"}}`, id, reason)
}

// quiet waits until a panel that opened by itself takes keys.
func (w *world) quiet() { w.wait(holdQuiet + 100*time.Millisecond) }

// gets fails unless the server got exactly one message with each of the texts.
func (w *world) gets(texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		if n := w.got(text); n != 1 {
			w.t.Errorf("the server got %d messages with %s, want 1:\n%s", n, text, strings.Join(w.b.wrote, "\n"))
		}
	}
}

// getsNothingFor fails if the server got anything for a request of its own.
func (w *world) getsNothingFor(ids ...string) {
	w.t.Helper()
	w.wait(time.Second)
	for _, id := range ids {
		if w.got(`"id":"`+id+`"`) != 0 {
			w.t.Errorf("something was written for %s:\n%s", id, strings.Join(w.b.wrote, "\n"))
		}
	}
}

func TestAFormIsFilledInAndSent(t *testing.T) {
	covers.Rows(t, "ELI-10", "ELI-11", "ELI-14", "ELI-15", "ELI-19")
	connected(t, 80, 24, Options{}, func(w *world) {
		w.call("asker")
		w.asksForm("q1", "Which branch?\\nQuick!")
		w.quiet()
		w.sees("? asks you", "1 asks you", "demo-server --stdio asks you", `it calls itself "demo"`, "for #6 tools/call asker",
			"┃ Which branch?", "branch*", "a git branch", "ctrl+r decline", "esc dismiss")
		w.write("main")
		w.golden("ask-form")
		w.press("ctrl+s")
		w.wait(100 * time.Millisecond)
		w.gets(`{"jsonrpc":"2.0","id":"q1","result":{"action":"accept","content":{"branch":"main"}}}`)
		w.sees("answered elicitation/create")
		w.seesNot("? asks you", "1 asks you", "┃ Which branch?")
	})
}

// What is wrong with a form is said, and nothing is sent.
func TestAFormThatIsWrongIsNotSent(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *world) {
		w.asksForm("q1", "?")
		w.quiet()
		w.press("ctrl+s")
		w.sees("not sent: branch: ")
		w.getsNothingFor("q1")
	})
}

// Defaults stand in the fields, are said to be the server's, and can be taken
// away.
func TestDefaultsAreFilledIn(t *testing.T) {
	covers.Rows(t, "ELI-30", "ELI-61")
	connected(t, 100, 30, Options{}, func(w *world) {
		w.feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{` +
			`"tries":{"type":"integer","default":3},"branch":{"type":"string","default":"main"},"force":{"type":"boolean"}}}}}`)
		w.quiet()
		w.golden("ask-defaults")
		w.press("tab", "ctrl+u", "backspace", "ctrl+s")
		w.gets(`"content":{"tries":3}`)
	})
}

func TestEnterNeverSends(t *testing.T) {
	covers.Rows(t, "ELI-63")
	connected(t, 100, 30, Options{}, func(w *world) {
		w.asksForm("q1", "?")
		w.quiet()
		w.write("main")
		for range 7 {
			w.press("enter")
		}
		w.getsNothingFor("q1")
		w.press("ctrl+s")
		w.gets(`"content":{"branch":"main"}`)
	})
}

// Declining, dismissing and a withdrawal are three things; only the first two
// are answers (ELI-22).
func TestDecliningAndDismissingAreTwoThings(t *testing.T) {
	covers.Rows(t, "ELI-17", "ELI-22", "ELI-59", "SMP-32", "SMP-42")
	for _, tt := range []struct {
		key, method, want string
		as                session.PromptState
	}{
		{"ctrl+r", "form", `"id":"q1","result":{"action":"decline"}}`, session.Declined},
		{"esc", "form", `"id":"q1","result":{"action":"cancel"}}`, session.Dismissed},
		{"ctrl+r", "url", `"id":"q1","result":{"action":"decline"}}`, session.Declined},
		{"esc", "url", `"id":"q1","result":{"action":"cancel"}}`, session.Dismissed},
		{"ctrl+r", "sampling", `"id":"q1","error":{"code":-1,"message":"User rejected sampling request"}}`, session.Declined},
		{"esc", "sampling", `"id":"q1","error":{"code":-1,"message":"User rejected sampling request"}}`, session.Dismissed},
	} {
		for field := range 3 {
			connected(t, 100, 30, Options{}, func(w *world) {
				switch tt.method {
				case "form":
					w.asksForm("q1", "?")
				case "url":
					w.asksURL("q1", "https://example.com/")
				default:
					w.asksModel("q1", sampling+`,"maxTokens":9`)
				}
				w.quiet()
				for range field {
					w.press("tab")
				}
				w.press(tt.key)
				w.gets(tt.want)
				w.sees(tt.as.String() + " ")
				var all []session.PromptView
				w.b.View(func(s *session.Session) { all = s.Prompts() })
				if all[0].State != tt.as {
					t.Errorf("%s of %s: %v", tt.key, tt.method, all[0].State)
				}
				if w.m.modal() != nil {
					t.Errorf("%s of %s: the panel is still open", tt.key, tt.method)
				}
			})
		}
	}
	connected(t, 100, 30, Options{}, func(w *world) {
		w.asksForm("q1", "?")
		w.quiet()
		w.withdraws("q1", "")
		w.press("esc")
		w.getsNothingFor("q1")
	})
}

// Nobody answers but the user.
func TestNothingIsAnsweredByItself(t *testing.T) {
	covers.Rows(t, "SMP-01", "SMP-34", "ELI-16")
	connected(t, 100, 30, Options{}, func(w *world) {
		w.asksForm("q1", "?")
		w.asksModel("q2", sampling+`,"maxTokens":9`)
		w.wait(time.Minute)
		w.getsNothingFor("q1", "q2")
		w.sees("2 ask you")
	})
}

// The commands answer the question that ! would open.
func TestTheCommandsForQuestions(t *testing.T) {
	connected(t, 120, 30, Options{}, func(w *world) {
		w.press("2") // nothing opens by itself outside of the calls
		for _, tt := range []struct{ command, want string }{
			{`answer {"action":"accept","content":{"any":1}}`, `"id":"q0","result":{"action":"accept","content":{"any":1}}`},
			{"decline", `"id":"q1","result":{"action":"decline"}`},
			{"dismiss", `"id":"q2","result":{"action":"cancel"}`},
		} {
			w.asksForm("q"+string(tt.want[7]), "?")
			w.press(":")
			w.write(tt.command)
			w.press("enter")
			w.gets(tt.want)
		}
		w.press(":")
		w.write("decline")
		w.press("enter")
		w.sees("the server asks nothing")
	})
}

// A prompt that comes while a line or a form is in use takes neither the focus
// nor a key.
func TestAPromptNeverTakesTheFocus(t *testing.T) {
	covers.Rows(t, "SEC-32")
	connected(t, 120, 30, Options{}, func(w *world) {
		w.press("n")
		w.write("countdown")
		w.press("enter")
		w.write("4")
		w.feed(elicit)
		w.wait(100 * time.Millisecond)
		w.sees("1 asks you", "the server asks you: elicitation/create · ! shows it")
		w.write("2")
		w.sees(" 42")
		w.press("ctrl+s")
		w.wait(100 * time.Millisecond)
		if w.got(`"arguments":{"seconds":42}`) != 1 || w.got(`"q1"`) != 0 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
	})
	for _, keys := range [][]string{{"n"}, {"/"}, {":"}, {"?"}, {"i"}, {"2"}, {"3"}, {"c"}, {"X"}, {"q"}} {
		connected(t, 120, 30, Options{}, func(w *world) {
			w.call("countdown")
			w.press(keys...)
			before := w.m.modal()
			w.feed(elicit)
			if w.m.modal() != before {
				t.Errorf("after %v: the question took the screen", keys)
			}
			w.sees("1 asks you")
		})
	}
}

// A panel that opens by itself takes no key until the user pauses, and at most
// for a second and a half.
func TestTheDeadTime(t *testing.T) {
	covers.Rows(t, "SEC-31")
	connected(t, 100, 30, Options{}, func(w *world) {
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
	connected(t, 100, 30, Options{}, func(w *world) {
		w.asksForm("q1", "?")
		time.Sleep(holdQuiet - 50*time.Millisecond - frameTime)
		w.press("a")
		time.Sleep(holdQuiet - 50*time.Millisecond)
		w.press("b")
		time.Sleep(holdQuiet)
		w.settle()
		w.press("c")
		w.sees(" c ")
		w.seesNot("no key is taken")
	})
	connected(t, 100, 30, Options{}, func(w *world) {
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
	connected(t, 100, 30, Options{}, func(w *world) {
		w.call("first")
		w.call("second")
		w.asksForm("q1", "?")
		w.press("ctrl+x")
		w.wait(100 * time.Millisecond)
		w.gets(`"method":"notifications/cancelled","params":{"requestId":7`)
		w.getsNothingFor("q1")
	})
	connected(t, 100, 30, Options{}, func(w *world) {
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
	connected(t, 100, 30, Options{}, func(w *world) {
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
	connected(t, 100, 30, Options{}, func(w *world) {
		w.press("3")
		w.asksForm("q1", "?")
		w.press("!")
		w.write("dev")
		w.press("ctrl+s")
		w.gets(`"content":{"branch":"dev"}`)
	})
}

// A question that is put aside keeps waiting and keeps what was typed.
func TestPutAside(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *world) {
		w.asksForm("q1", "?")
		w.quiet()
		w.write("half")
		w.press("ctrl+l")
		w.sees("is put aside and keeps waiting · ! brings it back", "1 asks you")
		if w.m.modal() != nil {
			t.Fatal("the panel is still open")
		}
		w.getsNothingFor("q1")
		w.press("!")
		w.sees(" half")
		w.press("ctrl+s")
		w.gets(`"content":{"branch":"half"}`)
	})
}

// Several questions are gone through, and each keeps what was typed into it.
func TestSeveralQuestions(t *testing.T) {
	covers.Rows(t, "ELI-60")
	connected(t, 80, 24, Options{}, func(w *world) {
		w.call("asker")
		w.asksForm("q1", "First?")
		w.quiet()
		w.write("one")
		w.asksForm("q2", "Second?")
		w.asksModel("q3", sampling+`,"maxTokens":9`)
		w.sees("1 of 3", "First?", " one", "3 ask you", "the server asks something else, too: sampling/createMessage · ctrl+n shows it")
		w.press("ctrl+n")
		w.sees("2 of 3", "Second?")
		w.seesNot(" one")
		w.write("two")
		w.golden("ask-queue")
		w.press("ctrl+n")
		w.sees("3 of 3", "Say hello.")
		w.press("ctrl+n")
		w.sees("1 of 3", " one")
		w.press("ctrl+p", "ctrl+p")
		w.sees("2 of 3", " two")
		w.press("ctrl+s")
		w.gets(`"id":"q2","result":{"action":"accept","content":{"branch":"two"}}`)
		w.sees("1 of 2", "First?", " one", "no key is taken") // the next one opens by itself
		w.press("ctrl+s", "esc")
		w.quiet()
		w.press("ctrl+s")
		w.gets(`"id":"q1","result":{"action":"accept","content":{"branch":"one"}}`)
		w.sees("Say hello.")
		w.seesNot("1 of 1")
		w.quiet()
		w.press("ctrl+n")
		w.sees("the server asks nothing else")
		w.press("esc")
		w.gets(`"id":"q3","error":{"code":-1`)
		if w.m.modal() != nil {
			t.Error("the panel is still open")
		}
	})
}

// A hundred questions at once leave the screen usable, and none is lost.
func TestAHundredQuestions(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *world) {
		for i := range 100 {
			w.feed(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`, 1000+i)
		}
		w.sees("1 of 100", "100 ask you")
		for range 100 {
			w.quiet()
			w.press("ctrl+r")
		}
		if n := w.got(`"result":{"action":"decline"}`); n != 100 {
			t.Errorf("%d were declined", n)
		}
		if w.m.modal() != nil {
			t.Error("the panel is still open")
		}
	})
}

// ctrl+x cancels the call that the question is for, and the question stays,
// marked, until it is answered or withdrawn (CXS-24).
func TestCancellingTheCallOfAQuestion(t *testing.T) {
	covers.Rows(t, "CXS-24")
	connected(t, 100, 30, Options{}, func(w *world) {
		w.call("asker")
		w.asksForm("q1", "?")
		w.quiet()
		w.write("typed")
		w.press("ctrl+x")
		w.wait(100 * time.Millisecond)
		w.gets(`"method":"notifications/cancelled","params":{"requestId":6`)
		w.sees("you cancelled #6 tools/call asker, which it was for", " typed")
		w.getsNothingFor("q1")
		w.wait(10 * time.Second)
		w.sees("you cancelled #6 tools/call asker, which it was for", " typed")
		w.press("esc")
		w.gets(`"id":"q1","result":{"action":"cancel"}`)
	})
	connected(t, 100, 30, Options{}, func(w *world) {
		w.call("asker")
		w.call("asker")
		w.asksForm("q1", "?")
		w.quiet()
		w.sees("for one of #6, #7; nothing on the wire says which")
		w.press("ctrl+x")
		w.sees("not cancelled: it is for one of #6, #7")
		w.wait(100 * time.Millisecond)
		if w.got("notifications/cancelled") != 0 {
			t.Error("a call was cancelled that may be another's")
		}
	})
}

func TestAnOrphanSaysSo(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *world) {
		id := w.call("asker")
		w.asksForm("q1", "?")
		w.result(id, `{"content":[]}`)
		w.sees("#6 tools/call asker has ended, which it was for: nobody may be waiting")
		w.quiet()
		w.press("ctrl+x")
		w.sees("has ended")
		w.press("ctrl+r")
		w.gets(`"id":"q1","result":{"action":"decline"}`)
		w.asksForm("q2", "?")
		w.sees("unsolicited: no request of belay's was in flight")
	})
}

// Pasted text answers no question.
func TestPastedTextIsNoKey(t *testing.T) {
	covers.Rows(t, "SEC-30")
	connected(t, 100, 24, Options{}, func(w *world) {
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

func TestTheNextPromptIsOneThatWaits(t *testing.T) {
	connected(t, 120, 40, Options{}, func(w *world) {
		w.press("2")
		for i, text := range []string{"first", "second", "third"} {
			w.asksForm("q"+string(rune('0'+i)), text)
		}
		w.withdraws("q0", "")
		w.press("!")
		w.sees("second")
		w.press("ctrl+l") // on to the next, which opens by itself
		w.sees("third")
		w.quiet()
		w.press("ctrl+l")
		if w.m.modal() != nil {
			t.Fatal("what was put aside opened by itself")
		}
		w.press("!")
		w.sees("second")
	})
}

// A terminal that is too small shows one line, which still takes the keys.
func TestAPanelInATinyTerminal(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *world) {
		w.asksForm("q1", "?")
		w.quiet()
		w.write("main")
		w.send(resized(50, 5))
		w.sees("? ctrl+s", "esc")
		w.press("ctrl+s")
		w.gets(`"content":{"branch":"main"}`)
		w.asksForm("q2", "?")
		if w.m.modal() != nil {
			t.Error("a question opened where it cannot be read")
		}
		w.wait(toastTime + time.Second)
		w.sees("1 asks you")
	})
}
