package question

import (
	"fmt"
	"strings"
	"testing"

	"belay/session"
	"belay/ui/panel"
	"belay/ui/panel/paneltest"
	"belay/ui/scope"
)

// What was typed belongs to its question, wherever the user goes in between.
func TestGoingThroughQuestionsLosesNothing(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.asksForm("q1", "First?")
		w.Press("ctrl+n")
		w.Says("the server asks nothing else")
		w.asksForm("q2", "Second?")
		w.Says("ctrl+n shows it")
		w.Type("one")
		w.Shows(w.p, "First?", "1 of 2")
		w.Press("ctrl+n")
		w.Type("two")
		w.Shows(w.p, "Second?", "two", "2 of 2")
		w.Press("ctrl+p")
		w.Shows(w.p, "First?", "one")
		w.ShowsNot(w.p, "two")
		w.Press("ctrl+s")
		w.Gets(`"id":"q1","result":{"action":"accept","content":{"branch":"one"}}`)
		w.Says("this is the next question")
		w.Press("ctrl+s")
		if w.answers("q2") != 0 {
			t.Error("the next question was answered with the key that answered this one")
		}
		w.Wait(panel.GuardMost)
		w.Press("ctrl+s")
		w.Gets(`"id":"q2","result":{"action":"accept","content":{"branch":"two"}}`)
	})
}

// A question that is withdrawn behind the one that is shown is told of, kept if the user
// had begun with it, and forgotten if not.
func TestAWithdrawalBehindTheOpenQuestion(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		for i, id := range []string{"q1", "q2", "q3"} {
			w.asksForm(id, fmt.Sprintf("Question %d?", i+1))
		}
		w.Press("ctrl+n")
		w.Type("begun")
		w.Press("ctrl+p")
		w.withdraws("q2", "late")
		w.Says(`another question, "Question 2?": withdrawn by the server · nothing was sent · "late"`)
		w.withdraws("q3", "")
		w.Shows(w.p, "Question 1?")
		if withdrawn, closed, lost := w.p.Kept(); withdrawn != 1 || closed != 0 || lost != 0 {
			t.Errorf("%d withdrawn and %d lost questions are kept", withdrawn, lost)
		}
		w.Press("ctrl+n")
		w.Shows(w.p, "took back its question", "begun", `its reason: "late"`)
		w.Press("ctrl+n")
		w.Says("this has ended: esc leaves it")
		w.Press("esc")
		w.Shows(w.p, "Question 1?")
		if withdrawn, _, _ := w.p.Kept(); withdrawn != 0 {
			t.Error("what was looked at is kept")
		}
	})
}

// An answer and the withdrawal cross: nothing was written, and that is said.
func TestAnAnswerThatIsTooLate(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.asksForm("q1", "Which branch?")
		w.Type("main")
		w.withdraws("q1", "")
		w.Run(w.p.submit()) // pressed in the frame before
		w.Shows(w.p, "too late: the server withdrew this", "main")
		if n := w.answers("q1"); n != 0 {
			t.Errorf("%d messages for what was taken back", n)
		}
	})
}

// The commands of the palette answer the question that is next, also without its panel.
func TestTheNextQuestionIsAnsweredByCommand(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.Command("answer {}")
		w.Says("the server asks nothing")
		w.Busy = true
		w.Feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Pay.","requestedSchema":{"type":"object","properties":{"cardNumber":{"type":"string"}}}}}`)
		w.Command(`answer {"action":"accept","content":{"cardNumber":"4111"}}`)
		w.Gets(`"id":"q1","result":{"action":"accept","content":{"cardNumber":"4111"}}`)
		if c := w.outside.concealed; len(c) != 1 || c[0].Text != "4111" {
			t.Errorf("a recording masks %v", c)
		}
		w.asksModel("q2", "Say hello.")
		w.Command("dismiss")
		w.Gets(`"id":"q2","error":{"code":-1`)
		w.Lies(nil)
	})
}

// Sampling is answered by belay when the user has said so, and told of each time.
func TestSamplingIsAnsweredAutomatically(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.outside.files["answer.txt"], w.outside.files["empty.txt"] = "From a file.", ""
		for command, says := range map[string]string{
			"sampling":                "type :sampling echo",
			"sampling file":           "type :sampling echo",
			"sampling file nowhere":   "there is no such file",
			"sampling file empty.txt": "the file is empty",
		} {
			w.Command(command)
			w.Says(says)
			if w.p.IsAuto() {
				t.Errorf("%s: sampling is answered automatically", command)
			}
		}
		w.Command("sampling echo")
		w.asksModel("q1", "Say hello.")
		w.Gets(`"id":"q1","result":`, `"text":"Say hello."`, `"model":"belay-canned-answer"`)
		w.Says("AUTO answered sampling/createMessage with an echo")
		w.Lies(nil)
		w.Command("sampling file answer.txt")
		w.asksModel("q2", "Say hello.")
		w.Gets(`"text":"From a file."`)
		w.asksForm("q3", "Which branch?") // which no canned answer is for
		w.Lies(w.p)
		w.Command("sampling off")
		w.asksModel("q4", "Say hello.")
		if w.answers("q4") != 0 || w.p.IsAuto() {
			t.Error("sampling is answered after it was turned off")
		}
	})
}

// A long request is answered beside the screen. What the user ends meanwhile is not
// answered, nor what the server takes back.
func TestALongRequestIsAnsweredBesideTheScreen(t *testing.T) {
	long := strings.Repeat("long ", ParamsAtOnce/5)
	for name, meanwhile := range map[string]func(w *harness){
		"off":       func(w *harness) { w.Command("sampling off") },
		"withdrawn": func(w *harness) { w.withdraws("q1", "") },
		"":          func(*harness) {},
	} {
		run(t, 80, 24, func(w *harness) {
			w.outside.files["f"] = "Hello."
			w.Command("sampling file f")
			update := w.Update
			var late []any
			w.Host.Update = hold(&late)
			w.asksModel("q1", long)
			if w.answers("q1") != 0 {
				t.Fatal("it was answered between two keys")
			}
			w.Host.Update = update
			meanwhile(w)
			said := w.Said()
			for _, msg := range late {
				cmd, _ := update(msg)
				w.Run(cmd)
			}
			want := 0
			if name == "" {
				want = 1
			}
			if n := w.answers("q1"); n != want {
				t.Errorf("%q meanwhile: %d answers, want %d", name, n, want)
			}
			if name == "withdrawn" && w.Said() != said {
				t.Errorf("of what was taken back it says %q", w.Said())
			}
		})
	}
}

// A question of which there is much is read beside the screen: until then there is
// nothing to fill in, and it can be dismissed.
func TestALongQuestionIsReadBesideTheScreen(t *testing.T) {
	ask := func(w *harness) {
		w.asksForm("q1", strings.Repeat("long ", ParamsAtOnce/5))
	}
	run(t, 80, 24, func(w *harness) {
		ask(w)
		w.Shows(w.p, "asks you to fill in a form", "branch")
		w.Type("main")
		w.Press("ctrl+s")
		w.Gets(`"content":{"branch":"main"}`)
	})
	run(t, 80, 24, func(w *harness) {
		update := w.Host.Update
		var late []any
		w.Host.Update = hold(&late)
		ask(w)
		w.Shows(w.p, "asks you something", "are being read")
		w.Type("m")
		w.Says("it is still being read")
		w.Press("ctrl+s")
		w.Says("not sent: it is still being read")
		w.withdraws("q1", "")
		if w.p.Scope() != scope.Locked {
			t.Errorf("scope %b", w.p.Scope())
		}
		w.Press("esc")
		for _, msg := range late {
			cmd, _ := update(msg)
			w.Run(cmd)
		}
		w.Lies(nil)
		if w.answers("q1") != 0 {
			t.Error("something was written for what was taken back")
		}
	})
}

// Requests that are refused in the user's name are told of in one sentence, which counts
// while it stands: a server must not keep the status line.
func TestWhatWasRefusedForTheUserIsCounted(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		refused := func(id string) {
			w.Feed(`{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":{"message":7}}`, paneltest.JSON(id))
		}
		refused("q1")
		w.Says("refused for you: elicitation/create: ")
		refused("q2")
		refused("q3")
		w.Says("refused for you: 3 requests, the last: ")
		w.Run(w.Say(panel.Silence()))
		refused("q4")
		if w.Said() != "" {
			t.Errorf("in a flood, the next notice came at once: %q", w.Said())
		}
		w.Wait(AwayQuiet)
		w.Says("refused for you: elicitation/create: ") // that was no flood after all
	})
}

// An input of a round is answered like a question; the answer says what follows.
func TestAQuestionOfACallSaysSo(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		id := w.Call("deploy")
		w.asksForm("q1", "Which branch?")
		w.Feed(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, w.Last("tools/call"))
		if s := w.Row(id).State; s != session.Done {
			t.Fatal(s)
		}
		w.Shows(w.p, "has ended, which it was for:", "nobody may be waiting for the answer")
		w.Type("main")
		w.Press("ctrl+s")
		w.Gets(`"content":{"branch":"main"}`) // an orphan is answered all the same
	})
}
