package ui

import (
	"testing"
	"time"

	"belay/internal/requirements"
)

// A question that is put aside keeps waiting and keeps what was typed.
func TestPutAside(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
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

// After one is put aside the keys go to where the user was, and not to the next
// question.
func TestPuttingAsideOpensNothing(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "First?")
		w.asksForm("q2", "Second?")
		w.quiet()
		w.press("ctrl+l")
		w.sees("is put aside and keeps waiting · ! shows another")
		w.quiet()
		w.press(":")
		w.write("root")
		w.press("esc")
		w.sees("2 ask you · !")
		w.getsNothingFor("q1", "q2")
		w.press("!")
		w.sees("Second?")
	})
}

// Several questions are gone through, and each keeps what was typed into it.
func TestSeveralQuestions(t *testing.T) {
	requirements.Rows(t, "ELI-60")
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.call("asker")
		w.asksForm("q1", "First?")
		w.quiet()
		w.write("one")
		w.asksForm("q2", "Second?")
		w.asksModel("q3", sayHello+`,"maxTokens":9`)
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
	connected(t, 100, 30, Options{}, func(w *harness) {
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
	requirements.Rows(t, "CXS-24")
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("asker")
		w.asksForm("q1", "?")
		w.quiet()
		w.write("typed")
		w.press("ctrl+x")
		w.wait(100 * time.Millisecond)
		w.gets(`"method":"notifications/cancelled","params":{"requestId":6`)
		w.sees(`you cancelled #6 tools/call "asker", which it was for`, " typed")
		w.getsNothingFor("q1")
		w.wait(10 * time.Second)
		w.sees(`you cancelled #6 tools/call "asker", which it was for`, " typed")
		w.press("esc")
		w.sees("esc again answers cancel without what you typed")
		w.press("esc")
		w.gets(`"id":"q1","result":{"action":"cancel"}`)
	})
	connected(t, 100, 30, Options{}, func(w *harness) {
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
	connected(t, 100, 30, Options{}, func(w *harness) {
		id := w.call("asker")
		w.asksForm("q1", "?")
		w.result(id, `{"content":[]}`)
		w.sees(`#6 tools/call "asker" has ended, which it was for: nobody may be`, "waiting")
		w.quiet()
		w.press("ctrl+x")
		w.sees("has ended")
		w.press("ctrl+r")
		w.gets(`"id":"q1","result":{"action":"decline"}`)
		w.asksForm("q2", "?")
		w.sees("unsolicited: no request of belay's was in flight")
	})
}

func TestTheNextQuestionIsOneThatWaits(t *testing.T) {
	connected(t, 120, 40, Options{}, func(w *harness) {
		w.press("2")
		for i, text := range []string{"first", "second", "third"} {
			w.asksForm("q"+string(rune('0'+i)), text)
		}
		w.withdraws("q0", "")
		w.press("!")
		w.sees("second")
		w.press("ctrl+l")
		w.quiet()
		if w.m.modal() != nil {
			t.Fatal("the next one opened by itself")
		}
		w.press("!")
		w.sees("third")
		w.press("ctrl+l")
		if w.m.modal() != nil {
			t.Fatal("what was put aside opened by itself")
		}
		w.press("!")
		w.sees("second")
	})
}
