package ui

import (
	"strings"
	"testing"

	"belay/ui/form"
	"belay/ui/spell"
)

// An item that was added has the focus where it can be filled in.
func TestAnAddedItemIsTypedInto(t *testing.T) {
	connected(t, 100, 40, Options{}, func(w *world) {
		f := w.form(`{"properties":{"p":{"type":"array","items":{"type":"object","required":["who"],"properties":{
			"who":{"type":"object","properties":{"name":{"type":"string"}}},"age":{"type":"integer"}}}}}}`)
		w.press("space")
		w.write("Ann")
		w.press("alt+n")
		w.write("Bob")
		if got, want := string(f.form.JSON()), `{"p":[{"who":{"name":"Ann"}},{"who":{"name":"Bob"}}]}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		w.press("tab", "alt+n", "tab")
		w.write("7")
		if got, want := string(f.form.JSON()), `{"p":[{"who":{"name":"Ann"}},{"who":{"name":"Bob"}},{"who":{},"age":7}]}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// An item that nobody filled in is no null: not on the raw side, and not in what
// is sent from there.
func TestAnItemThatIsUnset(t *testing.T) {
	const schema = `{"properties":{"l":{"type":"array","items":{"type":"string"}}}}`
	for _, use := range []form.Use{form.Arguments, form.Answer} {
		connected(t, 100, 40, Options{}, func(w *world) {
			f := w.form(schema)
			f.formView = newFormView(form.ParseSchema([]byte(schema)).For(use))
			w.press("space")
			w.write("a")
			w.press("alt+n")
			w.sees("unset", "required · text")
			if _, problem, _ := f.value(); problem != "l > 2: required" {
				t.Errorf("problem %q", problem)
			}
			w.press("ctrl+g")
			w.seesNot("null")
			if got, problem, _ := f.value(); string(got) != `{"l":["a"]}` || problem != "" {
				t.Errorf("%s, %q", got, problem)
			}
			w.press("ctrl+s")
			if got, want := w.sent(), `{"l":["a"]}`; got != want {
				t.Errorf("the server got %s, want %s", got, want)
			}
		})
	}
}

// How many options are found never runs into the last of them.
func TestTheCountOfManyOptions(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *world) {
		all := make([]string, 10_000)
		for i := range all {
			all[i] = `"v` + string(spell.Thousands(i)) + `"`
		}
		w.form(`{"properties":{"e":{"enum":[` + strings.Join(all, ",") + `]}}}`)
		for _, line := range strings.Split(w.screen(), "\n") {
			if before, _, ok := strings.Cut(line, "10,000 found"); ok {
				if !strings.HasSuffix(before, "  ") {
					t.Errorf("the list runs into its count: %q", line)
				}
				return
			}
		}
		t.Error("there is no count")
	})
}

// What a server gives as a default that is none is quoted as the JSON that it is.
func TestAWrongDefaultIsQuotedOnce(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *world) {
		w.form(`{"properties":{"a":{"type":"integer","default":"abc"},"b":{"type":"string","default":12}}}`)
		w.sees(`the server's default "abc" does not fit`, `the server's default 12 does not fit`)
		w.seesNot(`\"`, `"12"`)
	})
}
