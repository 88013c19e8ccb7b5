package ui

import (
	"strings"
	"testing"
)

const choices3 = `{"type":"object","required":["c"],"properties":{"one":{"enum":["cat","dog"]},` +
	`"some":{"type":"array","items":{"enum":["A","B","P","Q"]}},"c":{"const":"cat"},"o":{"type":"object","properties":{"x":{"type":"string"}}},` +
	`"kind":{"oneOf":[{"type":"string"},{"type":"integer"}]}}}`

// asksWith is a form elicitation with a schema.
func (w *harness) asksWith(id, schema string) {
	w.feed(`{"jsonrpc":"2.0","id":"%s","method":"elicitation/create","params":{"message":"Which?","requestedSchema":%s}}`, id, schema)
	w.quiet()
}

// How one chooses stands at the foot while such a field has the focus, and in the
// help.
func TestHowToChooseIsSaid(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksWith("q1", choices3)
		w.sees("← → choose", "f1 keys")
		w.press("tab")
		w.sees("← → choose", "space tick")
		w.press("f1", "/")
		w.write("tick the option")
		w.press("enter")
		w.sees("tick the option, where several can be chosen")
		w.press("esc", "esc")
		w.press("tab")
		if got := w.line("ctrl+r decline"); strings.Contains(got, "space tick") {
			t.Errorf("nothing can be ticked, and the foot says %q", got)
		}
	})
	for _, want := range []string{"`←` `→`", "`space` |  | tick", "find an option by", "leave a field out"} {
		if !strings.Contains(Keys(), want) {
			t.Errorf("the list of the keys lacks %s", want)
		}
	}
}

// A key that does nothing in a form or a question says why.
func TestAKeyThatDoesNothingSaysWhy(t *testing.T) {
	for _, tt := range []struct {
		tabs      int
		keys, why string
	}{
		{0, "x", `no option begins with "x"`},
		{1, "x", `no option begins with "x"`},
		{2, "9", "nothing is typed here: → chooses the only value"},
		{3, "w", "nothing is typed here: → fills it in"},
		{4, "w", "nothing is typed here: ← → choose what it is"},
		{4, "enter", "this is the last field, and enter sends no answer: ctrl+s does"},
		{0, "ctrl+t", "ctrl+t does nothing here: it is for \"options\""},
		{0, "ctrl+y", "ctrl+y does nothing here: it is for \"remove the item\""},
		{0, "alt+n", "alt+n does nothing here: it is for \"add an item\""},
	} {
		connected(t, 80, 24, Options{}, func(w *harness) {
			w.asksWith("q1", choices3)
			for range tt.tabs {
				w.press("tab")
			}
			w.press(tt.keys)
			if got := w.status(); got != tt.why {
				t.Errorf("%s in field %d says %q, want %q", tt.keys, tt.tabs, got, tt.why)
			}
			w.getsNothingFor("q1")
		})
	}
	connected(t, 80, 24, Options{}, func(w *harness) { // where the same keys do something they say nothing
		w.asksWith("q1", choices3)
		for _, k := range []string{"d", "right", "left", "space", "backspace", "tab", "space", "B", "tab", "right", "tab", "right"} {
			w.press(k)
			if got := w.status(); got != "" {
				t.Errorf("%s says %q", k, got)
			}
		}
		w.press("ctrl+s")
		w.gets(`"content":{"some":["A"],"c":"cat","o":{}}`)
	})
	connected(t, 80, 24, Options{}, func(w *harness) {
		id := w.call("asker")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32042,"message":"log in first","data":{"elicitations":[{"mode":"url","elicitationId":"e1","url":"https://one.example.com/","message":"One."}]}}}`, id)
		w.quiet()
		w.press("r")
		w.sees("open the address first, with ctrl+u: then r makes the call again")
	})
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksForm("q1", "First?")
		w.asksForm("q2", "Second?")
		w.quiet()
		w.withdraws("q1", "gone")
		w.sees("1 more")
		w.press("ctrl+n")
		w.sees("this has ended: esc leaves it, and shows the next that waits")
		w.press("a")
		w.sees("nothing can be filled in any more: esc leaves this")
	})
}
