package ui

import (
	"strings"
	"testing"

	"belay/session/mcp"
)

// An option that is wrong is marked while it is typed, and sending marks them
// all.
func TestOptionsThatAreWrong(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.form(`{"properties":{"a":{"type":"string"}}}`)
		w.press("ctrl+t")
		const wrong = "a duration such as 30s, 5m or 1h30m"
		w.seesNot(wrong)
		w.write("zz")
		w.sees(wrong)
		w.press("ctrl+u")
		w.seesNot(wrong)
		w.press("tab", "tab")
		w.send(pasted("-1"))
		w.sees(wrong)
		w.press("shift+tab")
		w.write("x")
		w.press("tab", "tab")
		w.write("0%")
		w.sees("50%, a progress such as 3, message or answer")
		w.press("ctrl+s")
		w.sees("not sent: at most")
		if n := strings.Count(w.screen(), wrong); n != 3 { // at most, cancel after, and the message
			t.Errorf("%d are marked:\n%s", n, w.screen())
		}
		w.press("ctrl+u", "tab", "ctrl+u", "tab", "ctrl+u")
		w.write("NaN")
		w.press("ctrl+s")
		w.sees("not sent: cancel at")
		w.press("ctrl+u")
		w.write("50%")
		w.press("ctrl+s")
		if got := w.sent(); got != "{}" {
			t.Errorf("the server got %s", got)
		}
	})
}

// A form without fields names no key that goes from one to the next; its options
// have them.
func TestAFormWithoutFieldsNamesNoNext(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.form(`{"type":"object"}`)
		w.sees("there is nothing to fill in")
		w.seesNot("tab next")
		w.press("tab", "down")
		w.press("ctrl+t")
		w.sees("tab next")
		w.press("tab")
		w.write("1m")
		w.sees("at most        1m")
	})
}

// What is broken in a schema is said above the fields.
func TestABrokenSchemaIsSaidAboveTheFields(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.form(`{"properties":{"a":{"type":"string"}},"required":["a",3]}`)
		w.sees("! the schema names what is required in a broken way", "a* ")
	})
	for _, schema := range []string{`[]`, `null`} {
		connected(t, 80, 24, Options{}, func(w *harness) {
			w.form(schema)
			w.sees("! broken: " + schema + " is no schema")
		})
	}
}

// A long description is scrolled, and a form with a short one has no key for that.
func TestALongDescriptionIsScrolled(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		f := w.m.compose.NewForm("test", mcp.Item{
			Kind: mcp.Tools, Name: "thing", Description: strings.Repeat("first ", 250) + "THE END",
			InputSchema: []byte(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`),
		})
		w.m.push(f)
		w.press("tab")
		w.sees("1-13 of", "pgdown scrolls")
		w.seesNot("THE END")
		w.press("pgdown")
		w.sees("THE END")
		w.press("pgup", "pgup")
		w.sees("1-13 of")
		w.press("alt+enter", "pgdown") // which is for the text now
		w.sees("1-13 of")
	})
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.m.push(w.m.compose.NewForm("test", mcp.Item{
			Kind: mcp.Tools, Name: "thing", Description: strings.Repeat("x", 1_000_000), InputSchema: []byte(`{"type":"object","properties":{"a":{"type":"string"}}}`),
		}))
		w.press("tab")
		w.sees("pgdown scrolls", "ctrl+s send")
	})
}
