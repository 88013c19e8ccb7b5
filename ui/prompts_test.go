package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/covers"
	"belay/session"
)

const elicit = `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{}}}}`

func TestAPromptIsShownAndAnswered(t *testing.T) {
	connected(t, 120, 30, Options{}, func(w *world) {
		w.call("asker")
		w.feed(elicit)
		w.wait(100 * time.Millisecond)
		w.sees("? asks you", "1 asks you", "the server asks you: elicitation/create · ! shows it")
		w.press("!")
		w.golden("prompt")
		w.press(":")
		w.write(`answer {"action":"accept","content":{}}`)
		w.press("enter")
		w.wait(100 * time.Millisecond)
		if w.got(`{"jsonrpc":"2.0","id":"q1","result":{"action":"accept","content":{}}}`) != 1 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
		w.seesNot("? asks you", "1 asks you")
	})
}

func TestDecliningAndDismissingAreTwoThings(t *testing.T) {
	connected(t, 120, 30, Options{}, func(w *world) {
		for i, tt := range []struct{ command, want string }{
			{"decline", `"id":10,"result":{"action":"decline"}`},
			{"dismiss", `"id":11,"result":{"action":"cancel"}`},
		} {
			w.feed(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`, 10+i)
			w.press(":")
			w.write(tt.command)
			w.press("enter")
			if w.got(tt.want) != 1 {
				t.Errorf(":%s: the server got\n%s", tt.command, strings.Join(w.b.wrote, "\n"))
			}
		}
		w.feed(`{"jsonrpc":"2.0","id":12,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`)
		w.press(":")
		w.write("decline")
		w.press("enter")
		if w.got(`"id":12,"error":{"code":-1,"message":"User rejected sampling request"}`) != 1 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
	})
}

func TestAWithdrawnPromptWritesNothing(t *testing.T) {
	connected(t, 160, 30, Options{}, func(w *world) {
		w.call("asker")
		w.feed(elicit)
		w.press("!")
		w.feed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1","reason":"too slow"}}`)
		w.wait(100 * time.Millisecond)
		w.sees("withdrawn by the server · nothing was sent · esc dismisses", `its reason: "too slow"`)
		w.golden("prompt-withdrawn")
		w.press(":")
		w.write(`answer {"action":"accept"}`)
		w.press("enter")
		w.wait(100 * time.Millisecond)
		w.sees("the server asks nothing")
		if w.got(`"q1"`) != 0 {
			t.Errorf("something was written for a withdrawn request:\n%s", strings.Join(w.b.wrote, "\n"))
		}
		w.press("esc")
		w.seesNot("withdrawn by the server · nothing was sent · esc")
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
		w.sees("1 asks you")
		w.write("2")
		w.sees(" 42")
		w.press("ctrl+s")
		w.wait(100 * time.Millisecond)
		if w.got(`"arguments":{"seconds":42}`) != 1 || w.got(`"q1"`) != 0 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
	})
}

func TestAnOrphanSaysSo(t *testing.T) {
	connected(t, 200, 30, Options{}, func(w *world) {
		id := w.call("asker")
		w.feed(elicit)
		w.result(id, `{"content":[]}`)
		w.press("!")
		w.sees("a call that has ended: nobody may be waiting for the answer")
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
	})
}

func TestTheNextPromptIsOneThatWaits(t *testing.T) {
	connected(t, 120, 40, Options{}, func(w *world) {
		for id, text := range []string{"first", "second", "third"} {
			w.feed(`{"jsonrpc":"2.0","id":"q%d","method":"elicitation/create","params":{"message":"%s","requestedSchema":{"type":"object","properties":{}}}}`, id, text)
		}
		w.feed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q0"}}`)
		w.wait(100 * time.Millisecond)
		w.press("!")
		w.sees("second")
		w.press("!")
		w.sees("third")
		w.press("!")
		w.sees("second")
	})
}
