package ui

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/ui/question"
)

// A model's answer that belay gives by itself has a cancelled call go on: what such a call asks is left
// to the user, who is told why. Where another call may have asked it, nothing says that it was this one.
func TestACancelledCallIsNotAnsweredAutomatically(t *testing.T) {
	requirements.Rows(t, "SMP-34")
	const hello = sayHello + `,"maxTokens":9`
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("asker")
		w.command("sampling echo")
		w.asksModel("q0", hello)
		w.wait(100 * time.Millisecond)
		w.gets(`"id":"q0","result":{"role":"assistant"`) // the call is at work
		w.press("x")
		w.asksModel("q1", hello)
		w.sees("AUTO does not answer: came after the cancel of its call", "1 asks you")
		w.sees("asks you to answer for a model", "came after you cancelled #", "which it was for; the")
		w.getsNothingFor("q1")
		w.quiet()
		w.press("esc")
		w.gets(`"id":"q1","error":{"code":-1,"message":"User rejected sampling request"`)
	})
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("other")
		w.call("asker")
		w.command("sampling echo")
		w.press("x")
		w.asksModel("q1", hello)
		w.wait(100 * time.Millisecond)
		w.gets(`"id":"q1","result":{"role":"assistant"`)
	})
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("other")
		w.call("asker")
		w.command("sampling echo")
		w.press("x", "j", "x")
		w.asksModel("q1", hello)
		w.sees("AUTO does not answer: each call that it may be for was cancelled · ! shows it", "1 asks you")
		w.press("!")
		w.sees("for one of #6, #7, which were cancelled; nothing on the wire says which")
		w.getsNothingFor("q1")
	})
}

// A question of a cancelled call or of one that runs names both, and ctrl+x cancels neither.
func TestAQuestionOfACancelledCallOrOfOneThatRuns(t *testing.T) {
	requirements.Rows(t, "CXS-24")
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("other")
		w.call("asker")
		w.press("x")
		w.asksForm("q1", "?")
		w.sees("for #6, or #7, which was cancelled; nothing on the wire says which")
		w.quiet()
		w.press("ctrl+x")
		w.sees("not cancelled: it is for #6, or #7, which was cancelled")
		w.getsNothingFor("q1")
	})
}

// A large request is read beside the screen. Where its call is cancelled meanwhile, it is not answered
// either.
func TestACallIsCancelledWhileBelayMakesItsAnswer(t *testing.T) {
	requirements.Rows(t, "SMP-34")
	large := `"messages":[{"role":"user","content":{"type":"text","text":"` + strings.Repeat("Say hello. ", question.ParamsAtOnce/10) + `"}}],"maxTokens":90000`
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("asker")
		w.command("sampling echo")
		overtaken := false
		w.turn = func(what string, update func()) {
			if what == "question.cannedMsg" {
				overtaken = true
				x, _ := w.m.keys.Named("cancel request")
				w.m.run(x, "")
				w.m.Update(nil)
			}
			update()
		}
		w.asksModel("q1", large)
		if !overtaken || w.got("notifications/cancelled") == 0 {
			t.Fatalf("the call is not cancelled meanwhile: %v", overtaken)
		}
		w.sees("AUTO does not answer: its call was cancelled meanwhile · ! shows it")
		w.getsNothingFor("q1")
	})
}

// A question that was for one of several calls, and is withdrawn, says of which: one of them may be in flight yet.
func TestAWithdrawnQuestionOfOneOfSeveralCalls(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("stubborn")
		w.press("x")
		w.wait(10 * time.Second)
		w.call("stubborn")
		w.asksForm("q1", "?")
		w.sees("for #8, or #6, which was cancelled")
		w.quiet()
		w.press("ctrl+l", "x")
		w.withdraws("q1", "over")
		w.press("!")
		w.sees("withdrawn by the server", "for #8, or #6, which was cancelled")
		w.seesNot("for a call that has ended")
	})
}
