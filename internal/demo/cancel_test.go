package demo

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// sleepLong lets everything that is still to happen, happen.
func sleepLong() {
	time.Sleep(2 * time.Hour)
	synctest.Wait()
}

func TestCountdownRuns(t *testing.T) {
	// Above 2^53 a token read through a float comes back changed.
	for _, token := range []string{`"t-1"`, `1`, `9007199254740993`} {
		t.Run(token, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				p := begin(t, "2025-11-25")
				p.call(1, "countdown", `{"from":4,"interval_ms":250}`, token)
				time.Sleep(999 * time.Millisecond)
				synctest.Wait()
				if n := len(p.answers("1")); n != 0 {
					t.Error("it answered before its time")
				}
				time.Sleep(time.Millisecond)
				synctest.Wait()
				if got := p.answer("1").tool(t); got.IsError || !strings.Contains(got.Content[0].Text, "from 4") {
					t.Errorf("result %+v", got)
				}
				steps := p.progress(token)
				if len(steps) != 4 {
					t.Fatalf("%d steps, want 4", len(steps))
				}
				for i, s := range steps {
					if s.Progress != float64(i+1) || s.Total != 4 || s.Message == "" {
						t.Errorf("step %d: %+v", i+1, s)
					}
				}
			})
		})
	}
}

func TestNoProgressWithoutToken(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.call(1, "countdown", `{"from":3}`, "")
		p.call(2, "restless", `{"seconds":1}`, "")
		p.call(3, "countdown", `{"from":3}`, "null")
		sleepLong()
		p.answer("1")
		p.answer("2")
		p.answer("3")
		for _, m := range p.all() {
			if m.Method != "" {
				t.Errorf("not asked for: %s", m.line)
			}
		}
	})
}

func TestProgressMessageIsNewerThanFirstRevision(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2024-11-05")
		p.call(1, "countdown", `{"from":2}`, "1")
		sleepLong()
		for _, s := range p.progress("1") {
			if s.Message != "" {
				t.Errorf("2024-11-05 knows no message: %+v", s)
			}
		}
	})
}

func TestCountdownCancelledGoesQuiet(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.call(7, "countdown", `{}`, "7")
		p.call(8, "countdown", `{"from":5}`, "")
		time.Sleep(3500 * time.Millisecond)
		p.cancel(7, "wrong branch")
		pong := p.ping(9)
		if n := len(p.progress("7")); n != 3 {
			t.Errorf("%d steps before the cancel, want 3", n)
		}
		sleepLong()
		p.answer("8") // the other call lives on, and is all that follows
		p.nothingAfter(pong + 1)
		if n := len(p.answers("7")); n != 0 {
			t.Errorf("%d answers to the cancelled call", n)
		}
	})
}

func TestStubbornAnswersLate(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.call(7, "stubborn", `{"seconds":3}`, "")
		time.Sleep(time.Second)
		p.cancel(7, "stop")
		time.Sleep(2*time.Second - time.Millisecond)
		synctest.Wait()
		if n := len(p.answers("7")); n != 0 {
			t.Fatal("it answered before its full time")
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		got := p.answer("7").tool(t)
		if got.IsError || !strings.Contains(got.Content[0].Text, "although I was told to stop") {
			t.Errorf("late result %+v", got)
		}
	})
}

func TestRestlessNeverAnswersButWorksOn(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.call(7, "restless", `{"seconds":20,"interval_ms":200}`, `"r"`)
		time.Sleep(10*time.Second + 100*time.Millisecond)
		p.cancel(7, "stop")
		synctest.Wait()
		if n := len(p.progress(`"r"`)); n != 50 {
			t.Errorf("%d steps before the cancel, want 50", n)
		}
		sleepLong()
		steps := p.progress(`"r"`)
		if len(steps) != 100 {
			t.Fatalf("%d steps in all, want 100", len(steps))
		}
		if !strings.Contains(steps[99].Message, "told to stop") || strings.Contains(steps[49].Message, "told to stop") {
			t.Errorf("messages before and after the cancel: %q, %q", steps[49].Message, steps[99].Message)
		}
		if n := len(p.answers("7")); n != 0 {
			t.Errorf("%d answers to the cancelled call", n)
		}
	})
}

func TestRestlessAnswersWhenLeftAlone(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.call(7, "restless", `{"seconds":1}`, "1")
		sleepLong()
		if got := p.answer("7").tool(t); got.IsError {
			t.Errorf("result %+v", got)
		}
	})
}

func TestPromptErrorAnswersTheCancel(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.call(7, "prompt_error", `{}`, "")
		p.call(8, "prompt_error", `{"seconds":1}`, "")
		time.Sleep(2 * time.Second)
		p.cancel(7, "wrong branch")
		time.Sleep(tidying - time.Millisecond)
		synctest.Wait()
		if n := len(p.answers("7")); n != 0 {
			t.Fatal("it answered while it could still be taken for an answer that crossed the cancel")
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		got := p.answer("7")
		if got.Error == nil || got.Error.Code != codeRequestCancelled || got.Error.Message != "cancelled: wrong branch" {
			t.Errorf("answer to the cancel: %s", got.line)
		}
		if got := p.answer("8").tool(t); got.IsError {
			t.Errorf("result of the one left alone: %+v", got)
		}
		sleepLong()
		p.answer("7") // once
	})
}

// A cancel right behind its request reaches the SDK before the handler runs,
// and would be answered by it.
func TestCancelRightBehindTheRequest(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		request := func(id, tool string) string {
			return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":{},"_meta":{"progressToken":` + id + `}}}` + "\n" +
				`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}` + "\n"
		}
		p.send("%s", strings.TrimSpace(request("1", "countdown")+request("2", "stubborn")+request("4", "prompt_error")))
		time.Sleep(tidying)
		synctest.Wait()
		if got := p.answer("4"); got.Error == nil || got.Error.Message != "cancelled" {
			t.Errorf("prompt_error: %s", got.line)
		}
		sleepLong()
		if got := p.answer("2").tool(t); got.IsError {
			t.Errorf("stubborn: %+v", got)
		}
		if n := len(p.answers("1")); n != 0 {
			t.Errorf("%d answers to the quiet call", n)
		}
		if n := len(p.progress("1")); n != 0 {
			t.Errorf("%d steps of a call that was cancelled before it began", n)
		}
	})
}

func TestCancelsThatNameNothingAreIgnored(t *testing.T) {
	for name, params := range map[string]string{
		"another type":  `{"requestId":"1"}`,
		"a fraction":    `{"requestId":1.5}`,
		"unknown":       `{"requestId":99}`,
		"no ID":         `{"reason":"x"}`,
		"null":          `{"requestId":null}`,
		"an object":     `{"requestId":{"a":1}}`,
		"a wrong shape": `[1]`,
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				p := begin(t, "2025-11-25")
				p.call(1, "countdown", `{"from":2}`, "")
				synctest.Wait()
				p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":%s}`, params)
				sleepLong()
				if got := p.answer("1").tool(t); got.IsError {
					t.Errorf("result %+v", got)
				}
			})
		})
	}
}

func TestCancelsRepeatedAndTooLate(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.call(1, "countdown", `{"from":1}`, "")
		sleepLong()
		p.answer("1")
		p.cancel(1, "too late")
		p.call(2, "stubborn", `{}`, "")
		p.cancel(2, "once")
		p.cancel(2, "twice")
		p.send(`{"jsonrpc":"2.0","id":"2","method":"tools/call","params":{"name":"countdown","arguments":{"from":1}}}`)
		sleepLong()
		p.answer("1")
		p.answer("2")
		p.answer(`"2"`) // an ID of another type is another call
	})
}

func TestAnIDInUseIsRefusedAndKeepsItsCall(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.call(1, "countdown", `{"from":3}`, "")
		p.call(1, "stubborn", `{}`, "")
		synctest.Wait()
		p.cancel(1, "stop")
		sleepLong()
		if n := len(p.answers("1")); n != 0 {
			t.Errorf("%d answers to the quiet call", n)
		}
		p.ping(2)
	})
}
