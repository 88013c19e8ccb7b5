package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/ui/question"
)

// What is refused in the user's name is told of, in one sentence.
func TestWhatIsRefusedForTheUserIsTold(t *testing.T) {
	for _, tt := range []struct{ method, params, want string }{
		{"elicitation/create", `{"mode":"url","message":"?","elicitationId":"e","url":""}`, "refused for you: elicitation/create: "},
		{"elicitation/create", `{"message":"?","requestedSchema":null}`, "refused for you: elicitation/create: requestedSchema"},
		{"elicitation/create", `{"message":"?","requestedSchema":[]}`, "refused for you: elicitation/create: requestedSchema"},
		{"sampling/createMessage", `{"messages":{},"maxTokens":9}`, "refused for you: sampling/createMessage: messages"},
	} {
		connected(t, 80, 24, Options{}, func(w *harness) {
			w.feed(`{"jsonrpc":"2.0","id":"q1","method":"%s","params":%s}`, tt.method, tt.params)
			w.sees(tt.want)
			w.gets(`"id":"q1","error"`)
		})
	}
}

// A flood of refusals is one sentence that counts, and it does not keep the
// status line.
func TestAFloodOfRefusalsIsCounted(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		ask := func(n int) {
			for i := range n {
				w.feed(`{"jsonrpc":"2.0","id":"q%d","method":"sampling/createMessage","params":{"messages":{},"maxTokens":9}}`, i)
			}
		}
		ask(12)
		w.sees("refused for you: 12 requests, the last: messages")
		w.press("j")
		for range 20 { // as fast as that it may not have the line back
			ask(1)
			w.wait(question.AwayQuiet / 2)
			w.seesNot("refused for you")
		}
		w.wait(question.AwayQuiet)
		w.sees("refused for you: 20 requests, the last: messages")
		w.press("j")
		ask(1) // one behind a flood is told of, too, and not only when the user has forgotten it
		w.wait(question.AwayQuiet)
		w.sees("refused for you: sampling/createMessage: messages")
	})
	connected(t, 100, 30, Options{}, func(w *harness) {
		for i := range 101 {
			w.asksForm(fmt.Sprintf("q%d", i), "?")
		}
		w.wait(100 * time.Millisecond)
		w.sees("100 ask you")
		if line := w.line("refused for you"); !strings.Contains(line, "100 requests wait for the user already") {
			t.Errorf("the last was refused, and there is %q", line)
		}
	})
}
