package e2e

import (
	"fmt"
	"strings"
	"testing"

	"belay/internal/requirements"
)

// The requests of the server's that only the user can answer.
var questions = map[string]string{
	"form":     `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}`,
	"url":      `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"mode":"url","message":"Log in.","url":"https://example.com/login","elicitationId":"e1"}}`,
	"sampling": `{"jsonrpc":"2.0","id":"q1","method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Hello?"}}],"maxTokens":10}}`,
}

const takeBack = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1","reason":"changed my mind"}}`

// A question that was taken back gets no answer, whatever is pressed, and
// whenever it was taken back.
func TestWhatIsTakenBackIsNeverAnswered(t *testing.T) {
	requirements.Rows(t, "CXS-04", "FR-4", "FR-5", "SC-2", "IT-2", "SD3-04", "SD3-05", "SD3-15")
	moments := map[string]func(s *stage, ask string){
		"in the same read": func(s *stage, ask string) { s.dictate(ask, takeBack) },
		"while it is open": func(s *stage, ask string) {
			s.dictate(ask).See("asks you")
			s.Press("!")
			s.dictate(takeBack)
		},
		"twice, among other cancels": func(s *stage, ask string) {
			s.dictate(ask).See("asks you")
			s.dictate(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q2"}}`,
				`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`, takeBack, takeBack)
		},
	}
	for kind, ask := range questions {
		for moment, withdraw := range moments {
			t.Run(kind+" "+moment, func(t *testing.T) {
				t.Parallel()
				s := play(t, "dictated")
				s.See("scripted").call("slow")
				s.serverReads(1, `"tools/call"`)
				withdraw(s, ask)
				s.See("withdrawn by the server", "changed my mind")
				s.silent()
				s.Press("!", "ctrl+s", "enter", "ctrl+r", "esc", "esc").silent()
			})
		}
	}
}

// The second manual scenario of the seed: a tool asks for the answer of a model,
// the server takes it back, the question goes, and the list has the keys again.
func TestTheServerCancelsASamplingRequest(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "SD3-26", "SD3-32", "IT-2")
	s := play(t, "dictated")
	s.See("scripted").call("slow")
	s.serverReads(1, `"tools/call"`)
	s.dictate(questions["sampling"]).See("asks you")
	s.dictate(takeBack).See("withdrawn by the server", "changed my mind")
	s.pressUntil("esc", "the question is still there", func() bool {
		return !strings.Contains(s.Screen().String(), "esc dismisses")
	})
	s.call("fast").See("here you are")
	s.silent()
}

// A question waits for its answer as long as nobody takes back that very
// question: what only looks like its ID is another one.
func TestOnlyTheQuestionsOwnIDTakesItBack(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "CXS-01", "CXS-22")
	s := play(t, "dictated")
	s.See("scripted").call("slow")
	s.serverReads(1, `"tools/call"`)
	var cancels []string
	for _, id := range []string{`"2"`, `2.5`, `3`, `"Q1"`, `""`, `null`, `1`, `2`} {
		cancels = append(cancels, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+id+`}}`)
	}
	s.dictate(questions["form"]).See("asks you")
	s.dictate(cancels...).silent()
	s.See("asks you")
	s.dictate(takeBack).See("withdrawn by the server").silent()
}

// The cancel of a call does not answer what it asked: the server is owed that
// until it takes it back.
func TestACancelledCallLeavesItsQuestion(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "CXS-24")
	s := play(t, "dictated", "--grace", "3s")
	s.See("scripted").call("slow")
	s.serverReads(1, `"tools/call"`)
	s.dictate(questions["sampling"]).See("asks you")
	s.pressUntil("ctrl+x", "no cancel was read", func() bool { return s.count("notifications/cancelled") > 0 })
	s.serverReads(1, "notifications/cancelled")
	s.See("quiet").silent()
	s.dictate(takeBack).See("withdrawn by the server").silent()
}

// A hundred questions in one read are all kept, and what is beyond is refused at
// once; when the server takes all of them back, nothing more is written.
func TestAHundredQuestionsAtOnce(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "SMP-36", "ELI-18", "CXS-18")
	s := play(t, "dictated")
	s.See("scripted").call("slow")
	s.serverReads(1, `"tools/call"`)
	var asks, cancels []string
	for i := range 150 {
		id := fmt.Sprintf(`"q1-%d"`, i)
		asks = append(asks, strings.Replace(questions["form"], `"q1"`, id, 1))
		cancels = append(cancels, strings.Replace(takeBack, `"q1"`, id, 1))
	}
	s.dictate(asks...).serverReads(50, `"id":"q1-`, `"code":-32603`)
	s.serverReads(50, `"id":"q1-`).See("100 ask you")
	s.dictate(cancels...).silent()
	s.serverReads(50, `"id":"q1-`)
}
