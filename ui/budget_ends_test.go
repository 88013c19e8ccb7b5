package ui

import (
	"fmt"
	"strings"

	"belay/session"
)

const (
	inLocked = "pgdown end pgup home down up esc"
	inPicker = "n b i g 1 backspace down pgdown up enter esc n r e s enter esc"
)

// takenBack are questions that somebody has begun to answer, and that nobody waits for any more.
var takenBack = []bigThing{
	{"the text of a question that is taken back", withdrawn(bigRequest("elicitation/create", func(n int) string {
		return `"message":"` + filled(n) + `","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}`
	})), inLocked},
	{"the text of a question that is lost", lost(bigRequest("elicitation/create", func(n int) string {
		return `"message":"` + filled(n) + `","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}`
	})), inLocked},
	{"short lines of a question that is taken back", withdrawn(bigRequest("elicitation/create", func(n int) string {
		return `"message":"` + strings.Repeat(`x\n`, 1+n/3) + `","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}`
	})), inLocked},
	{"properties that are taken back", withdrawn(bigQuestion(func(n int) string {
		return `{"type":"object","properties":{` + each(min(n, 70_000), func(i int) string { return fmt.Sprintf(`"p%d":{"type":"string"}`, i) }) + `}}`
	})), inLocked},
	{"defaults that are taken back", withdrawn(bigQuestion(func(n int) string {
		return `{"type":"object","properties":{` + each(min(n, 60_000), func(i int) string {
			return fmt.Sprintf(`"p%d":{"type":"string","default":"%s"}`, i, filled(min(n, 200)))
		}) + `}}`
	})), inLocked},
	{"a text to a model that is taken back", withdrawn(bigRequest("sampling/createMessage", func(n int) string {
		return `"maxTokens":9,"messages":[{"role":"user","content":{"type":"text","text":"` + filled(n) + `"}}]`
	})), inLocked},
	{"messages to a model that are taken back", withdrawn(bigRequest("sampling/createMessage", func(n int) string {
		return `"maxTokens":9,"messages":[` + each(n, func(int) string { return `{"role":"user","content":{"type":"text","text":"a"}}` }) + `]`
	})), inLocked},
	{"an address that is taken back", withdrawn(bigRequest("elicitation/create", func(n int) string {
		return `"mode":"url","elicitationId":"e","message":"` + filled(n) + `","url":"https://x.y/` + strings.Repeat("a/", 1+min(n, 16_000)/2) + `"`
	})), inLocked},
	{"the reason of a withdrawal", func(w *harness, n int) {
		bigRequest("elicitation/create", func(int) string {
			return `"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}`
		})(w, n)
		w.withdrawsLate(filled(n))
	}, inLocked},
}

// withdrawn is a question that the server takes back.
func withdrawn(come func(w *harness, n int)) func(w *harness, n int) {
	return func(w *harness, n int) {
		come(w, n)
		w.withdrawsLate("too slow")
	}
}

// withdrawsLate is the server's cancel of a question that somebody has begun to answer.
func (w *harness) withdrawsLate(reason string) {
	w.press("x")
	w.deliver(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q","reason":"` + reason + `"}}`)
}

// lost is a question whose connection ends.
func lost(come func(w *harness, n int)) func(w *harness, n int) {
	return func(w *harness, n int) {
		come(w, n)
		w.press("x")
		w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 3"}})
		w.settle()
		w.wait(2 * frameTime)
	}
}

// manyThings are lists that are as long as belay keeps them.
var manyThings = []bigThing{
	{"tens of thousands of things to be called", func(w *harness, n int) {
		for _, l := range []struct {
			method, word, thing string
			most                int // bytes: 90,000 things in all
		}{
			{"tools/list", "tools", `{"name":"big%d","inputSchema":{"type":"object"}}`, 600_000},
			{"prompts/list", "prompts", `{"name":"big%d"}`, 990_000},
			{"resources/list", "resources", `{"name":"big%d","uri":"x:%[1]d"}`, 990_000},
		} {
			bigList(l.method, l.word, func(n int) string {
				return `{"` + l.word + `":[` + each(min(n, l.most), func(i int) string { return fmt.Sprintf(l.thing, i) }) + `]}`
			})(w, n)
		}
	}, inPicker},
	{"hundreds of things with long texts", bigList("tools/list", "tools", func(n int) string {
		text := strings.Repeat("é", min(n, 900))
		return `{"tools":[` + each(min(n, 1<<20), func(i int) string {
			return fmt.Sprintf(`{"name":"big%d","title":"%s","description":"%[2]s","inputSchema":{"type":"object"}}`, i, text)
		}) + `]}`
	}), inPicker},
}
