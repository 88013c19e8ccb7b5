package question

import (
	"errors"
	"strings"
	"testing"

	"belay/ui/panel"
	"belay/ui/panel/paneltest"
	"belay/ui/scope"
)

// What is typed is sent once, and the panel goes.
func TestAFormIsAnswered(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.asksForm("q1", "Which branch?")
		w.Lies(w.p)
		w.Shows(w.p, "demo-server --stdio asks you to fill in a form", "Which branch?", "branch")
		if w.Hinted&scope.Elicit == 0 || w.Cursor == nil {
			t.Errorf("hints of %b, cursor %v", w.Hinted, w.Cursor)
		}
		w.Type("main")
		w.Shows(w.p, "main")
		w.Press("ctrl+s")
		w.Gets(`"id":"q1","result":{"action":"accept","content":{"branch":"main"}}`)
		w.Lies(nil)
		w.Says(`answered elicitation/create "Which branch?"`)
	})
}

// A no, no answer at all, and a model that is not to be asked are told apart.
func TestTheThreeWaysToSayNo(t *testing.T) {
	for _, c := range []struct {
		key   string
		model bool
		want  string
		says  string
	}{
		{"ctrl+r", false, `"result":{"action":"decline"}`, "declined"},
		{"esc", false, `"result":{"action":"cancel"}`, "dismissed"},
		{"ctrl+r", true, `"error":{"code":-1,`, "declined"},
		{"esc", true, `"error":{"code":-1,`, "dismissed"},
	} {
		run(t, 80, 24, func(w *harness) {
			if c.model {
				w.asksModel("q1", "Say hello.")
			} else {
				w.asksForm("q1", "Which branch?")
			}
			w.Press(c.key)
			w.Gets(c.want)
			w.Says(c.says)
			w.Lies(nil)
		})
	}
}

// Where something was typed, one esc sends nothing: it says what a second one sends. So does
// the key that declines. Any key between them takes the first one back.
func TestNothingTypedIsLostByOneKey(t *testing.T) {
	for _, c := range []struct {
		key   string
		model bool
		says  string
		want  string
		ends  string
	}{
		{"esc", false, "esc again answers cancel without what you typed", `"result":{"action":"cancel"}`, "dismissed"},
		{"esc", true, "esc again rejects the request without what you typed", `"error":{"code":-1,`, "dismissed"},
		{"ctrl+r", false, "ctrl+r again declines without what you typed", `"result":{"action":"decline"}`, "declined"},
		{"ctrl+r", true, "ctrl+r again rejects the request without what you typed", `"error":{"code":-1,`, "declined"},
	} {
		run(t, 80, 24, func(w *harness) {
			if c.model {
				w.asksModel("q1", "Say hello.")
			} else {
				w.asksForm("q1", "Which branch?")
			}
			for _, other := range []func(){func() { w.Type("n") }, func() { w.Press("tab") }, func() { w.Run(w.p.Paste("n")) }} {
				w.Type("mai")
				w.Press(c.key)
				w.Lies(w.p)
				w.Shows(w.p, c.says, "ctrl+l keeps it", "mai")
				if n := w.answers("q1"); n != 0 {
					t.Fatalf("%d answers after one key", n)
				}
				other()
				w.ShowsNot(w.p, c.says)
			}
			w.Press(c.key)
			w.Shows(w.p, c.says)
			w.Press("ctrl+l")
			w.Lies(nil)
			w.Run(w.p.OpenNext())
			w.Shows(w.p, "mai")
			w.ShowsNot(w.p, c.says)
			w.Press(c.key, c.key)
			w.Gets(c.want)
			w.Says(c.ends)
			w.Lies(nil)
		})
	}
}

// A panel that opened by itself swallows keys and pasted text until there is quiet.
func TestAPanelThatOpensByItselfTakesNoKeyAtFirst(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.Feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}`)
		w.Lies(w.p)
		if w.p.Scope() != scope.Guarded {
			t.Fatalf("scope %b", w.p.Scope())
		}
		w.Shows(w.p, "no key is taken until you pause")
		w.Press("ctrl+s", "esc", "x")
		w.Run(w.p.Paste("pasted"))
		w.Wait(panel.GuardQuiet - 1)
		w.Press("ctrl+s")
		if w.answers("q1") != 0 {
			t.Fatal("a key was taken in the dead time")
		}
		w.Wait(panel.GuardQuiet)
		w.ShowsNot(w.p, "no key is taken")
		w.Press("ctrl+s")
		w.Gets(`"id":"q1","result":{"action":"accept","content":{}}`)
	})
}

// A question that the server takes back stays to be read, with what was typed and the
// reason. Nothing is written for it, whatever is pressed.
func TestAWithdrawnQuestionIsLocked(t *testing.T) {
	for _, size := range paneltest.Sizes() {
		run(t, 80, 24, func(w *harness) {
			w.asksForm("q1", "Which branch?")
			w.Type("half-typed")
			w.Resize(size.X, size.Y)
			w.withdraws("q1", "no longer \x1b[2Jneeded")
			w.Lies(w.p)
			screen := w.Draw(w.p)
			if !w.Screen().IsTiny() {
				for _, text := range []string{"took back its question", "no longer", "half-typed", "Which branch?", "nothing was sent"} {
					if !strings.Contains(screen, text) && size.Y > 20 {
						t.Errorf("%v: lacks %q:\n%s", size, text, screen)
					}
				}
				w.Type("y")
				w.Says("nothing can be filled in any more")
			}
			w.Press("ctrl+s", "ctrl+r")
			w.Lies(w.p)
			if w.p.Scope() != scope.Locked {
				t.Errorf("%v: scope %b", size, w.p.Scope())
			}
			w.Press("esc")
			w.Lies(nil)
			if n := w.answers("q1"); n != 0 {
				t.Errorf("%v: %d messages for a question that was taken back", size, n)
			}
		})
	}
}

// The connection ends while a question is open: it can be read, and nobody is told.
func TestAQuestionWhoseConnectionIsLostIsLocked(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.asksForm("q1", "Which branch?")
		w.Type("main")
		w.Lose()
		w.Shows(w.p, "connection lost: nobody waits for the answer", "main")
		w.Press("ctrl+s")
		if w.p.Scope() != scope.Locked {
			t.Errorf("scope %b", w.p.Scope())
		}
		w.Press("esc")
		w.Lies(nil)
	})
}

// Where there is but a line, a question is neither shown nor answered.
func TestATinyScreenAnswersNothing(t *testing.T) {
	run(t, 40, 8, func(w *harness) {
		w.Busy = true
		w.asksForm("q1", "Which branch?")
		w.Lies(nil)
		w.Says("needs 60×15")
		w.Resize(80, 24)
		w.Busy = false
		w.Command("decline")
		w.Gets(`"action":"decline"`)
	})
	run(t, 80, 24, func(w *harness) {
		w.asksForm("q1", "Which branch?")
		w.Resize(40, 8)
		w.Shows(w.p, "? asks you", "needs 60×15", "x q")
		if screen := w.Draw(w.p); strings.ContainsRune(strings.Split(screen, "\n")[0], paneltest.Behind) {
			t.Errorf("what lies behind shows in the line:\n%s", screen)
		}
		w.Type("y")
		w.Says("too small to answer")
		w.Run(w.p.Paste("pasted"))
		w.Resize(80, 24)
		w.Run(w.p.HoldAnew())
		w.Type("z")
		w.ShowsNot(w.p, "pasted", "y  ", "z")
		w.Wait(panel.GuardMost)
		w.Type("k")
		w.Press("ctrl+s")
		w.Gets(`"content":{"branch":"k"}`)
	})
}

// Whatever a server writes, it stays where the server's words are, on every screen.
func TestHostileQuestions(t *testing.T) {
	for _, size := range paneltest.Sizes() {
		for name, ask := range map[string]func(w *harness){
			"form": func(w *harness) {
				w.Feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":%s,"requestedSchema":{"type":"object","properties":{%s:{"type":"string","title":%s,"description":%s}}}}}`,
					paneltest.JSON(paneltest.Hostile), paneltest.JSON(paneltest.Hostile), paneltest.JSON(paneltest.Hostile), paneltest.JSON(paneltest.Hostile))
			},
			"url": func(w *harness) {
				w.Feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"mode":"url","message":%s,"elicitationId":%s,"url":%s}}`,
					paneltest.JSON(paneltest.Hostile), paneltest.JSON(paneltest.Hostile), paneltest.JSON("https://exämple.com/"+paneltest.Hostile))
			},
			"model": func(w *harness) {
				w.Feed(`{"jsonrpc":"2.0","id":"q1","method":"sampling/createMessage","params":{"maxTokens":50,"systemPrompt":%s,"messages":[{"role":"user","content":{"type":"text","text":%s}}]}}`,
					paneltest.JSON(paneltest.Hostile), paneltest.JSON(paneltest.Hostile))
			},
		} {
			run(t, 80, 24, func(w *harness) {
				ask(w)
				w.Lies(w.p)
				w.Resize(size.X, size.Y)
				w.Draw(w.p)
				w.withdraws("q1", paneltest.Hostile)
				screen := w.Draw(w.p)
				if !w.Screen().IsTiny() && !strings.Contains(screen, "withdrawn by the server · nothing was sent") {
					t.Errorf("%s, %v: what the server wrote has pushed belay's own words away:\n%s", name, size, screen)
				}
			})
		}
	}
}

// An address is opened on its key only; that it was opened is what accepts it.
func TestAnAddressIsOpenedOnItsKey(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.asksURL("q1", "https://example.com/login")
		w.Shows(w.p, "asks you to open an address", "https://example.com/login")
		w.Press("enter")
		w.Says("ctrl+u opens the address")
		w.Press("ctrl+s")
		if len(w.outside.opened) != 0 || w.answers("q1") != 0 {
			t.Fatal("an address was opened by another key")
		}
		w.Press("ctrl+u")
		if len(w.outside.opened) != 1 || w.outside.opened[0] != "https://example.com/login" {
			t.Errorf("opened %q", w.outside.opened)
		}
		w.Gets(`"result":{"action":"accept"}`)
		w.Lies(w.p) // it stays to be seen
		w.Shows(w.p, "opened · waiting for the server")
		w.Press("esc")
		w.Lies(nil)
	})
	run(t, 80, 24, func(w *harness) {
		w.outside.openErr = errors.New("no browser")
		w.asksURL("q1", "https://example.com/login")
		w.Press("ctrl+u")
		w.Says("not opened, nothing answered: no browser")
		if w.answers("q1") != 0 {
			t.Error("what was not opened was accepted")
		}
		w.Lies(w.p)
	})
	run(t, 80, 24, func(w *harness) {
		w.asksURL("q1", "javascript:alert(1)")
		w.Press("ctrl+u")
		w.Says("not opened")
		if len(w.outside.opened) != 0 {
			t.Errorf("opened %q", w.outside.opened)
		}
	})
}

// What warns of an address has to be seen before the address is opened, on a small
// screen, too.
func TestTheWarningsOfAnAddressAreWithinReach(t *testing.T) {
	run(t, 60, 15, func(w *harness) {
		w.asksURL("q1", "http://user:pass@xn--80ak6aa92e.com:8443/?token=abc")
		w.Shows(w.p, "and more: pgdown shows it")
		w.Press("ctrl+u")
		w.Says("not opened: read its warnings first, pgdown shows them")
		for range 5 {
			w.Press("pgdown")
		}
		w.Press("ctrl+u")
		if len(w.outside.opened) != 1 {
			t.Errorf("after its warnings were read, opened %q; %q", w.outside.opened, w.Said())
		}
	})
}

// An address that was opened and is withdrawn is not accepted any more.
func TestAnAddressThatIsWithdrawnWhileItOpens(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.asksURL("q1", "https://example.com/login")
		open := w.p.openURL()
		w.withdraws("q1", "")
		w.Run(open)
		w.Shows(w.p, "too late: the server withdrew this", "the page you opened may still be live")
		if w.answers("q1") != 0 {
			t.Error("something was written for what was taken back")
		}
	})
}

// The key that cancels the call of a question asks the screen for that; of several
// calls it names none.
func TestCancelTheCallOfAQuestion(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.asksForm("q0", "First?")
		w.Press("ctrl+x")
		w.Says("it is for no call that could be cancelled")
		w.Press("esc")
		id := w.Call("deploy")
		w.asksForm("q1", "Which branch?")
		w.Shows(w.p, `tools/call "deploy"`)
		w.Press("ctrl+x")
		if got := paneltest.Wished[panel.Cancel](w.Host); len(got) != 1 || got[0].Row.ID != id {
			t.Errorf("wished %v", got)
		}
		w.Press("esc")
		w.Call("other")
		w.asksForm("q2", "And now?")
		w.Press("ctrl+x")
		w.Says("choose the call in the table")
		if got := paneltest.Wished[panel.Cancel](w.Host); len(got) != 1 {
			t.Errorf("one of several calls was cancelled: %v", got)
		}
	})
}

// The answer for a model may be written in the editor, and comes back into the field.
func TestAnAnswerFromTheEditor(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.asksModel("q1", "Say hello.")
		w.Shows(w.p, "asks you to answer for a model", "Say hello.")
		w.Type("x")
		w.Press("ctrl+o")
		edits := paneltest.Wished[panel.Edit](w.Host)
		if len(edits) != 1 || edits[0].Text != "x" {
			t.Fatalf("wished %v", edits)
		}
		w.Run(edits[0].Take("Hello from afar."))
		w.Shows(w.p, "Hello from afar.")
		w.Press("ctrl+s")
		w.Gets(`"text":"Hello from afar."`)
	})
}

// What breaks the schema, and what sounds like a secret, is sent when the user says so twice.
func TestASecretIsSentOnTheSecondKeyOnly(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.Feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Pay.","requestedSchema":{"type":"object","properties":{"cardNumber":{"type":"string"}}}}}`)
		w.Wait(panel.GuardMost)
		w.Shows(w.p, "looks like a secret")
		w.Type("4111")
		w.Press("ctrl+s")
		w.Says("not sent yet")
		w.Type("2")
		w.Press("ctrl+s")
		w.Says("not sent yet") // it is another answer
		w.Press("3", "backspace", "ctrl+s")
		w.Says("not sent yet") // a key came in between
		if w.answers("q1") != 0 {
			t.Fatal("it was sent at once")
		}
		w.Press("ctrl+s")
		w.Gets(`"cardNumber":"41112"`)
		if c := w.outside.concealed; len(c) == 0 || c[len(c)-1].Text != "41112" {
			t.Errorf("a recording masks %v", c)
		}
	})
}

// What failed for want of an address is made again by the screen.
func TestACallThatNeedsAnAddressIsMadeAgain(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		id := w.Call("deploy")
		w.Feed(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32042,"message":"Log in first.","data":{"elicitations":[{"mode":"url","elicitationId":"e1","url":"https://example.com/login","message":"Log in."}]}}}`, w.Last("tools/call"))
		w.Wait(panel.GuardMost)
		w.Lies(w.p)
		w.Press("r")
		w.Says("open the address first")
		w.Press("ctrl+u")
		w.Shows(w.p, "r makes the call again")
		w.Press("r")
		if got := paneltest.Wished[panel.Repeat](w.Host); len(got) != 1 || got[0].Call.ID != id {
			t.Errorf("wished %v", got)
		}
		w.Lies(nil)
	})
}

// A question is never in the way of what is in use.
func TestAQuestionDoesNotDisturb(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		in := other{}
		w.Push(in)
		w.asksForm("q1", "Which branch?")
		w.Lies(in)
		w.Says("it waits until you are done")
		w.Pop(in)
		w.Settle()
		w.Lies(nil)
		w.Run(w.p.OpenNext())
		w.Lies(w.p)
		w.Type("m") // no dead time: the user opened it
		w.Press("ctrl+s")
		w.Gets(`"content":{"branch":"m"}`)
	})
}

// A question of which the server has answered nothing yet can be opened for its call.
func TestTheQuestionOfACall(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		id := w.Call("deploy")
		w.Busy = true
		w.asksForm("q1", "Which branch?")
		w.Lies(nil)
		if _, ok := w.p.OpenFor(id + 1); ok {
			t.Error("a question was found for another call")
		}
		if _, ok := w.p.OpenFor(id); !ok {
			t.Fatal("the question of the call was not found")
		}
		w.Lies(w.p)
		w.Press("ctrl+l")
		w.Lies(nil)
		w.Says("is put aside and keeps waiting")
		w.Run(w.p.OpenNext())
		if got := paneltest.Wished[panel.Choose](w.Host); len(got) != 1 || got[0].Call != id {
			t.Errorf("chosen %v", got)
		}
		if w.answers("q1") != 0 {
			t.Error("what was put aside was answered")
		}
	})
}

// A long command is whole in the title of its server's question where there is room, also when
// the question was taken back, and gives way to belay's words where there is not.
func TestTheTitleIsWholeWhereThereIsRoom(t *testing.T) {
	const long = "npx -y @modelcontextprotocol/server-everything stdio"
	for width, want := range map[int]string{140: long + " took back its question", 80: long + " took back its question ─╮", 60: "… took back its question ─╮"} {
		run(t, width, 30, func(w *harness) {
			w.outside.start.Argv = strings.Fields(long)
			w.asksForm("q1", "Which branch?")
			w.Type("main")
			w.withdraws("q1", "late")
			w.Shows(w.p, want)
		})
	}
}
