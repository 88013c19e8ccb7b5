package ui

import (
	"strings"
	"testing"
	"time"

	"belay/session"
	"belay/ui/question"
)

// What stands below an open question never seems to speak of that one: it names
// the question that it means, or it is gone.
func TestTheStatusLineDoesNotSpeakOfAnotherQuestion(t *testing.T) {
	t.Run("answered before", func(t *testing.T) {
		connected(t, 80, 24, Options{}, func(w *harness) {
			w.asksForm("q1", "First?")
			w.asksForm("q2", "Second?")
			w.quiet()
			w.press("ctrl+r")
			w.sees("┃ Second?", `declined elicitation/create "First?" · this is the next question`)
		})
	})
	t.Run("put aside", func(t *testing.T) {
		connected(t, 80, 24, Options{}, func(w *harness) {
			w.asksForm("q1", "First?")
			w.quiet()
			w.press("ctrl+l")
			w.sees(`elicitation/create "First?" is put aside and keeps waiting · ! brings it back`)
			w.asksForm("q2", "Second?")
			w.sees("┃ Second?")
			w.seesNot("brings it back", "put aside")
			w.quiet()
			w.withdraws("q1", "gone") // nothing was typed there, but it was put aside
			w.sees("┃ Second?", `another question, "First?": withdrawn by the server · nothing was sent`)
			w.seesNot("! shows it")
		})
	})
	t.Run("withdrawn unseen", func(t *testing.T) {
		connected(t, 80, 24, Options{}, func(w *harness) {
			w.b.locked(func(s *session.Session, now time.Time) {
				for _, m := range []string{elicit, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1","reason":"r"}}`} {
					s.Receive(now, session.ExchangeID{Epoch: w.b.epoch}, w.dec.Decode([]byte(m)))
				}
			})
			w.settle()
			w.wait(100 * time.Millisecond)
			w.sees(`"Which branch?" withdrawn by the server · nothing was sent · "r"`)
			w.asksForm("q2", "Second?")
			w.sees("┃ Second?")
			if got := w.status(); got != "" {
				t.Errorf("the status line is %q", got)
			}
		})
	})
	t.Run("two addresses", func(t *testing.T) {
		connected(t, 80, 24, Options{}, func(w *harness) {
			id := w.call("asker")
			w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32042,"message":"log in first","data":{"elicitations":[`+
				`{"mode":"url","elicitationId":"e1","url":"https://one.example.com/","message":"One."},`+
				`{"mode":"url","elicitationId":"e2","url":"https://two.example.com/","message":"Two."}]}}}`, id)
			w.sees("one.example.com", "1 of 2 · ctrl+n")
			if got := w.status(); got != "" {
				t.Errorf("the status line is %q", got)
			}
		})
	})
	t.Run("refused for you", func(t *testing.T) {
		connected(t, 80, 24, Options{}, func(w *harness) {
			w.feed(`{"jsonrpc":"2.0","id":"x","method":"sampling/createMessage","params":{"messages":{},"maxTokens":9}}`)
			w.sees("refused for you: sampling/createMessage")
			w.asksForm("q1", "First?")
			w.sees("┃ First?")
			w.seesNot("refused for you")
			w.wait(question.AwayPause)
			w.feed(`{"jsonrpc":"2.0","id":"y","method":"sampling/createMessage","params":{"messages":{},"maxTokens":9}}`)
			w.wait(time.Second)
			w.sees("┃ First?", "another request refused for you: sampling/createMessage")
		})
	})
}

// What was taken back is not said to be still wanted, and what was lost is not
// said to be asked.
func TestALockedPanelDoesNotContradictItself(t *testing.T) {
	connected(t, 120, 30, Options{}, func(w *harness) {
		w.call("asker")
		w.asksForm("q1", "First?")
		w.quiet()
		w.write("main")
		w.press("ctrl+x")
		w.wait(100 * time.Millisecond)
		w.sees(`you cancelled #6 tools/call "asker", which it was for; the server has not taken`)
		w.withdraws("q1", "as you wish")
		w.sees("took back its question", `you cancelled #6 tools/call "asker", which it was for`)
		w.seesNot("the server has not taken")
	})
	connected(t, 120, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "First?")
		w.quiet()
		w.write("main")
		w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 3"}})
		w.wait(100 * time.Millisecond)
		w.sees("asked you to fill in a form", "connection lost: nobody waits for the answer")
		w.seesNot("asks you to fill in a form", "may be waiting")
	})
}

// A schema that is nested where the revision wants it flat is filled in all the
// same, and called that.
func TestASchemaThatIsNotFlatIsCalledThat(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksWith("q1", `{"type":"object","properties":{"o":{"type":"object","properties":{"x":{"type":"string"}}}}}`)
		w.sees(`! its schema is not flat, as 2025-11-25 wants: the field "o" is of the type`, "1 diagnostic · 1 asks you")
		w.press("esc")
		w.asksWith("q2", `{"type":"object","properties":{"o":{"type":"object"},"p":{"type":"object"},"q":{"$ref":"#/a"}}}`)
		w.sees("and 2 more")
		w.press("esc")
		w.asksForm("q3", "Flat?")
		w.seesNot("not flat")
	})
}

// Of what the error -32042 lists and cannot be shown, somebody is told.
func TestABrokenErrorForAddressesIsTold(t *testing.T) {
	for data, want := range map[string]string{
		`[1]`:                 "not shown: what the error -32042 lists: data.elicitations is missing, not a list",
		`{"elicitations":[]}`: "not shown: what the error -32042 lists: data.elicitations is empty",
		`{"elicitations":[{"mode":"form","message":"?","requestedSchema":{}}]}`:                                      "not shown: what the error -32042 lists: elicitation 1 is in mode form",
		`{"elicitations":[{"mode":"form","message":"?"},{"mode":"url","message":"?","url":"https://example.com/"}]}`: "2 requests, the last: elicitation 2: elicitationId is missing",
	} {
		connected(t, 80, 24, Options{}, func(w *harness) {
			id := w.call("asker")
			w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32042,"message":"log in first","data":%s}}`, id, data)
			if got := strings.Join(strings.Fields(unframed(w.screen())), " "); !strings.Contains(got, want) {
				t.Errorf("%s: the screen lacks %q:\n%s", data, want, w.screen())
			}
		})
	}
	connected(t, 80, 24, Options{}, func(w *harness) { // one can be shown, another not: both are to be known
		id := w.call("asker")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32042,"message":"log in first","data":{"elicitations":[`+
			`{"mode":"url","elicitationId":"e1","url":"https://one.example.com/","message":"One."},{"mode":"form","message":"?"}]}}}`, id)
		w.sees("one.example.com", "not shown: what the error -32042 lists: elicitation 2 is in mode form")
	})
}

// What is wrong with the JSON comes before what the fields could not hold.
func TestBrokenJSONIsCalledThat(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksModel("q1", sayHello+`,"maxTokens":9`)
		w.quiet()
		w.write("hi")
		w.press("ctrl+g", "ctrl+end")
		w.write("garbage")
		w.press("ctrl+g")
		w.sees("not shown as text: line", "something follows the end of the object")
		w.press("ctrl+s")
		w.sees("not sent: line", "something follows the end of the object")
	})
}

// A field without a name is called by what it has: none.
func TestAFieldWithoutANameIsNamed(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksWith("q1", `{"type":"object","required":["a",""],"properties":{"a":{"type":"string"},"":{"type":"string"},"never":{"type":"string","enum":[]}}}`)
		w.sees(`""*`, "the schema allows no value here: enum is empty")
		w.write("x")
		w.press("ctrl+s")
		w.sees(`not sent: "": required`)
		w.write("y")
		w.press("tab")
		w.write("z")
		w.press("ctrl+s")
		w.sees(`not sent: "never": the schema allows no value here`)
		w.press("backspace", "backspace", "ctrl+s")
		w.gets(`"content":{"a":"x","":"y"}`)
	})
}

// The help that is opened from a question begins with its keys.
func TestTheHelpBeginsWhereOneIs(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksForm("q1", "First?")
		w.quiet()
		w.press("f1")
		w.sees("In a question of the server's", "answer no")
		w.seesNot("Moving about")
		w.press("home")
		w.sees("Moving about")
	})
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.form(`{"properties":{"a":{"type":"string"}}}`)
		w.press("f1")
		w.sees("In a form", "send the call")
		w.seesNot("Moving about")
	})
}

// A long answer to a model has more room where there is more, and it is said how
// much is not shown where there is not.
func TestALongAnswerIsSeen(t *testing.T) {
	answer := func(w *harness) {
		w.asksModel("q1", sayHello+`,"maxTokens":99`)
		w.quiet()
		w.send(pasted("line 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\nline 8\nline 9\nline 10\nline 11\nline 12\nline 13"))
	}
	connected(t, 100, 40, Options{}, func(w *harness) {
		answer(w)
		w.sees("line 1 ", "line 7", "line 13")
		w.seesNot(" of 13 ")
	})
	connected(t, 60, 15, Options{}, func(w *harness) {
		answer(w)
		w.sees("12-13 of 13")
		w.golden("ask-sampling-long-60")
	})
}

// Raw JSON with a member twice names it.
func TestAMemberThatIsThereTwiceIsNamed(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksForm("q1", "First?")
		w.quiet()
		w.b.edit = func(string, string) (string, error) { return `{"x":1,"x":2}`, nil }
		w.press("ctrl+g", "ctrl+o")
		w.sees(`a member occurs twice: "x"`)
	})
}

// The timeline of a call says why its question was withdrawn.
func TestTheTimelineSaysWhy(t *testing.T) {
	connected(t, 160, 40, Options{}, func(w *harness) {
		w.call("asker")
		w.asksForm("q1", "First?")
		w.quiet()
		w.withdraws("q1", "no longer needed")
		w.press("esc")
		w.sees(`the question was withdrawn: "no longer needed"`)
	})
}
