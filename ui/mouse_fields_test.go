package ui

import (
	"strings"
	"testing"

	"belay/internal/safe"
	"belay/ui/panel"
)

// clickOn clicks on a text of the screen.
func (w *harness) clickOn(text string) {
	w.t.Helper()
	for y, l := range strings.Split(w.screen(), "\n") {
		if before, _, ok := strings.Cut(l, text); ok {
			w.click(safe.Width(safe.Line(before)), y)
			return
		}
	}
	w.t.Fatalf("%q is not on the screen:\n%s", text, w.screen())
}

// The mouse goes to fields and chooses options, and never answers.
func TestTheMouseInAQuestion(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{` +
			`"pet":{"enum":["cat","dog","owl"]},"tags":{"type":"array","items":{"enum":["A","B","P"]}},"name":{"type":"string"}}}}}`)
		w.clickOn("dog") // it has just opened
		w.sees("[unset]  cat   dog")
		w.quiet()
		w.clickOn("owl")
		w.sees("[owl]")
		w.clickOn("dog")
		w.sees("[dog]")
		w.clickOn("[ ] P")
		w.clickOn("[ ] A")
		w.clickOn("[x] P")
		w.sees("[x] A  [ ] B  [ ] P", "space tick")
		w.clickOn("name ")
		w.write("Rex")
		for _, hint := range []string{"ctrl+s send", "ctrl+r decline", "esc dismiss"} {
			w.clickOn(hint)
		}
		w.getsNothingFor("q1")
		w.press("ctrl+s")
		w.gets(`"content":{"pet":"dog","tags":["A"],"name":"Rex"}`)
	})
}

// Elsewhere the keys at the foot can be clicked, those of what is on top.
func TestTheFootIsClicked(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		f := w.form(`{"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`)
		w.clickOn("b   ")
		w.write("x")
		w.clickOn("ctrl+g raw JSON")
		w.sees(`"b": "x"`)
		if !f.Fields.IsRaw() {
			t.Error("the raw side is not shown")
		}
		w.press("f1")
		w.clickOn("esc back")
		if w.m.modal() != panel.Panel(f) {
			t.Error("the help is not closed, or more than it")
		}
		w.clickOn("ctrl+s send")
		if got := w.sent(); got != `{"b":"x"}` {
			t.Errorf("sent %s", got)
		}
	})
}
