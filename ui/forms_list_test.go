package ui

import (
	"testing"

	"belay/internal/form"
	"belay/ui/formview"
)

// An item that nobody filled in is no null: not on the raw side, and not in what
// is sent from there.
func TestAnItemThatIsUnset(t *testing.T) {
	const schema = `{"properties":{"l":{"type":"array","items":{"type":"string"}}}}`
	for _, use := range []form.Use{form.Arguments, form.Answer} {
		connected(t, 100, 40, Options{}, func(w *harness) {
			f := w.form(schema)
			f.Fields = formview.Open([]byte(schema), use, w.m.looks())
			w.press("space")
			w.write("a")
			w.press("alt+n")
			w.sees("unset", "required · text")
			if _, problem, _ := f.Fields.Value(); problem != `"l" > 2: required` {
				t.Errorf("problem %q", problem)
			}
			w.press("ctrl+g")
			w.seesNot("null")
			if got, problem, _ := f.Fields.Value(); string(got) != `{"l":["a"]}` || problem != "" {
				t.Errorf("%s, %q", got, problem)
			}
			w.press("ctrl+s")
			if got, want := w.sent(), `{"l":["a"]}`; got != want {
				t.Errorf("the server got %s, want %s", got, want)
			}
		})
	}
}
