package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
)

// What a task asks for looks like the same question in a request of the server's own, but for the
// line that tells what the question is for.
func TestAQuestionOfATaskLooksAsAnyOther(t *testing.T) {
	requirements.Rows(t, "TEX-28")
	for name, ask := range map[string]string{
		"form":     `"method":"elicitation/create","params":{"mode":"form","message":"Where to?","requestedSchema":{"type":"object","properties":{"town":{"type":"string","title":"Town"},"nights":{"type":"integer","minimum":1},"password":{"type":"string"}},"required":["town"]}}`,
		"address":  `"method":"elicitation/create","params":{"mode":"url","message":"Please pay","url":"https://xn--pypal-4ve.example/pay?id=7","elicitationId":"e1"}`,
		"sampling": `"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Say hello"}}],"maxTokens":100}`,
	} {
		t.Run(name, func(t *testing.T) {
			var alone, ofTask string
			tasking(t, 100, 30, func(w *harness) {
				w.feed(`{"jsonrpc":"2.0","id":"q1",%s}`, ask)
				w.wait(2 * time.Second)
				alone = w.screen()
			})
			extending(t, 100, 30, func(w *harness) {
				w.asExtensionTask("task-1")
				w.wait(1100 * time.Millisecond)
				w.result(w.last("tasks/get"), `{"resultType":"complete",`+w.task("task-1", "input_required", `"ttlMs":null,"pollIntervalMs":60000,"inputRequests":{"k":{`+ask+`}}`)+`}`)
				w.wait(2 * time.Second)
				ofTask = w.screen()
			})
			whose, rest := panelOf(t, alone)
			whoseTask, restOfTask := panelOf(t, ofTask)
			if rest != restOfTask {
				t.Errorf("alone\n%s\nof a task\n%s", rest, restOfTask)
			}
			if !strings.Contains(whose, "unsolicited") || !strings.Contains(whoseTask, `for the task of #3 tools/call "countdown"`) {
				t.Errorf("%q, and %q", whose, whoseTask)
			}
		})
	}
}

// panelOf is the panel of a question on a screen: the line that tells what it is for, and all others
// with something in them, but for that which tells how old such a question is.
func panelOf(t *testing.T, screen string) (whose, rest string) {
	t.Helper()
	lines := strings.Split(screen, "\n")
	first := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, " asks you to ") })
	if first < 0 || !strings.Contains(lines[first+1], "it calls itself") {
		t.Fatalf("no question:\n%s", screen)
	}
	whose = lines[first+1]
	lines = slices.DeleteFunc(slices.Delete(lines[first:], 1, 2), func(l string) bool {
		return strings.Trim(l, "│ ") == "" || strings.Contains(l, "sampling is deprecated in 2026-07-28")
	})
	return whose, strings.Join(lines, "\n")
}
