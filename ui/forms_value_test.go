package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/form"
	"belay/internal/requirements"
	"belay/session"
	"belay/ui/formview"
)

// The raw side and back changes nothing, also not what is half typed.
func TestFlippingLosesNothing(t *testing.T) {
	connected(t, 100, 40, Options{}, func(w *harness) {
		f := w.form(everyKind)
		w.press("tab", "tab", "tab")
		w.write("1.50x")
		w.press("tab", "tab", "tab", "tab", "tab", "tab", "tab", "tab", "right", "tab")
		focus := f.Fields.Focus()
		w.press("ctrl+g", "ctrl+g")
		w.sees("1.50x", `["by id"]`)
		if f.Fields.Focus() != focus {
			t.Error("the focus is elsewhere")
		}
		w.press("ctrl+g")
		w.golden("form-raw")
		w.write("{")
		w.press("ctrl+g")
		w.sees("not shown as a form: line 1: this is no JSON")
		w.press("backspace", "ctrl+g")
		w.sees("1.50x")
	})
}

// What is written as JSON may break the schema, when it is sent twice: first it is
// told what is wrong.
func TestRawArgumentsAreSentAsTheyAre(t *testing.T) {
	connected(t, 100, 40, Options{}, func(w *harness) {
		w.form(`{"required":["n"],"properties":{"n":{"type":"integer","maximum":3}}}`)
		w.press("ctrl+g", "ctrl+k")
		w.send(pasted(`{"n": 9007199254740993, "x": 1.0}`))
		w.press("ctrl+s")
		w.sees(`"n": at most 3`, "not sent yet: it breaks the schema · ctrl+s again sends it as it is")
		w.golden("form-raw-breaks")
		w.press("ctrl+end")
		w.write(" ") // whatever is typed needs another look
		w.press("ctrl+s")
		if w.got("tools/call") != 0 {
			t.Error("what breaks the schema is sent without a word")
		}
		w.press("ctrl+s")
		if got, want := w.sent(), `{"n":9007199254740993,"x":1.0}`; got != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
		f := w.form(`{"required":["n"],"properties":{"n":{"type":"integer","maximum":3}}}`)
		if err := f.Fields.Load([]byte(`{"n":4}`)); err != nil {
			t.Fatal(err)
		}
		w.press("ctrl+s")
		w.sees(`not sent: "n": at most 3`)
		w.press("alt+g")
		w.press("ctrl+u")
		w.write("null")
		w.golden("form-field-json")
		w.press("ctrl+s")
		w.sees("must be a whole number", "not sent yet: it breaks the schema")
		w.press("ctrl+s")
		if got, want := w.sent(), `{"n":null}`; got != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
	})
}

func TestTheEditor(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.form(`{"properties":{"text":{"type":"string"},"n":{"type":"integer"}}}`)
		var got []string
		next := ""
		w.b.edit = func(text, ending string) (string, error) {
			got = append(got, ending+" "+text)
			if next == "" {
				return "half", errors.New("vi failed, and nothing is changed: exit status 1")
			}
			return next, nil
		}
		next = "one\ntwo\n"
		w.press("ctrl+o") // the text that has the focus
		w.sees("one", "two")
		next = "{\"text\":\"x\",\n\"n\":1.0}\n"
		w.press("tab", "ctrl+o") // the whole
		w.sees(" 1.0")
		next = "{oops"
		w.press("ctrl+o")
		w.sees("not shown as a form: line 1: this is no JSON", "{oops")
		next = ""
		w.press("ctrl+o")
		w.sees("vi failed, and nothing is changed: exit status 1", "{oops")
		next = "\n"
		w.press("ctrl+o")
		w.sees("the editor left an empty file, and nothing is changed", "{oops")
		next = `{"n":7}`
		w.press("ctrl+o", "ctrl+s")
		if got, want := w.sent(), `{"n":7}`; got != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
		want := []string{".txt ", ".json {\n  \"text\": \"one\\ntwo\"\n}", ".json {\n  \"text\": \"x\",\n  \"n\": 1.0\n}", ".json {oops", ".json {oops", ".json {oops"}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("the editor got %q, want %q", got, want)
		}
	})
}

// Notes of fields with long names have the width of the form; a row that fits in
// part shows its value, and not its note in the place of it.
func TestLongNames(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		var p []string
		for i := range 9 {
			p = append(p, fmt.Sprintf(`"aPropertyWithALongName%d":{"type":"integer","default":%d,"description":"What it is good for, in so many words that they would not fit beside the name"}`, i, i))
		}
		schema := `{"properties":{` + strings.Join(p, ",") + `}}`
		f := w.form(schema)
		f.Fields = formview.Open([]byte(schema), form.Answer, w.m.looks())
		w.press("tab")
		w.golden("form-long-names")
	})
}

// Numbers travel as they were typed.
func TestNumbersAreSentAsTyped(t *testing.T) {
	requirements.Rows(t, "ELI-62")
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.form(`{"properties":{"big":{"type":"integer"},"exact":{"type":"number"},"exp":{"type":"number"}}}`)
		w.write("9007199254740993")
		w.press("enter")
		w.write("0.10")
		w.press("enter")
		w.write("-1E+2")
		w.press("enter") // on the last field it sends
		if got, want := w.sent(), `{"big":9007199254740993,"exact":0.10,"exp":-1E+2}`; got != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
	})
}

// Arguments that the schema does not name are added one by one.
func TestMembersOfTheWhole(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.form(`{"properties":{"loud":{"type":"boolean","default":true}},"additionalProperties":{"type":"integer"}}`)
		w.sees("true or false · the server's default is true", "more", "space adds a member")
		w.press("tab", "space")
		w.write("a b")
		w.press("tab")
		w.write("1.5")
		w.golden("form-members")
		w.press("ctrl+s")
		w.sees(`not sent: "a b": a whole number`)
		w.press("backspace", "backspace")
		w.press("alt+n")
		w.write("a b")
		w.press("ctrl+s")
		w.sees("there is another member of this name")
		w.press("ctrl+y", "ctrl+s") // the focus went to that name
		if got, want := w.sent(), `{"a b":1}`; got != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
	})
}

// A tool whose schema is broken is shown as such, and can be called with JSON.
func TestAToolWithABrokenSchema(t *testing.T) {
	run(t, 100, 30, Options{}, func(w *harness) {
		w.wait(20 * time.Millisecond)
		w.result(w.last("initialize"), initResult)
		w.result(w.last("tools/list"), `{"tools":[{"name":"thing","inputSchema":{"type":"object","properties":[]}}]}`)
		w.clearStatus()
		w.press("n")
		w.write("thing")
		w.press("enter")
		w.sees("! broken: the properties of the schema are broken")
		w.press("ctrl+g", "ctrl+k")
		w.send(pasted(`{"a":1.0}`))
		w.press("ctrl+s")
		if got, want := w.sent(), `{"a":1.0}`; got != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
	})
}

// An answer shows the server's defaults as such, and takes none but what keeps to
// the schema.
func TestTheFormOfAnAnswer(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		schema := `{"type":"object","required":["name"],"properties":{"name":{"type":"string","title":"Your name","default":"Ann"},
			"born":{"type":"string","format":"date"},"ok":{"type":"boolean","default":true},"bad":{"type":"integer","default":"x"}}}`
		f := w.form(schema)
		f.Fields = formview.Open([]byte(schema), form.Answer, w.m.looks())
		w.press("tab")
		w.write("2026-02-29")
		w.golden("form-answer")
		if _, problem, _ := f.Fields.Value(); problem != `"born": a date, such as 2026-02-28` {
			t.Errorf("problem %q", problem)
		}
		w.press("ctrl+u", "backspace", "tab", "backspace")
		if got, problem, _ := f.Fields.Value(); string(got) != `{"name":"Ann"}` || problem != "" {
			t.Errorf("%s, %q", got, problem)
		}
		if err := f.Fields.Load([]byte(`{"name":1}`)); err != nil {
			t.Fatal(err)
		}
		if got, problem, _ := f.Fields.Value(); string(got) != `{"name":1}` || problem != `"name": must be text` {
			t.Errorf("%s, %q", got, problem)
		}
	})
}

// Nothing that a schema says reaches the terminal as it is.
func TestAFormOfHostileTexts(t *testing.T) {
	const evil = `\u001b[31m\u202e\u0007\n\r\u009b`
	long := strings.Repeat("long ", 2000)
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.form(`{"required":["a` + evil + `"],"properties":{"a` + evil + `":{"type":"string","title":"` + evil + `","description":"` + long + evil + `","default":"` + evil + `","pattern":"[` + evil + `]","format":"` + evil + `"},
			"e":{"enum":["` + evil + `","` + long + `"]},"m":{"type":"array","items":{"enum":["` + evil + `","` + long + `"]}},
			"v":{"oneOf":[{"title":"` + evil + `","type":"string"},{"title":"` + long + `","type":"number"}]},
			"r":{"$ref":"` + evil + `"},"x":{"type":"` + evil + `","default":{"` + evil + `":1}}}}`)
		for range 12 {
			for _, line := range strings.Split(w.screen(), "\n") {
				if strings.ContainsAny(line, "\x1b\u202e\x07\r\u009b") {
					t.Fatalf("%q", line)
				}
			}
			w.press("right", "ctrl+s", "alt+g", "alt+g", "tab")
		}
	})
}

// A long value can be read whole where it is typed; elsewhere it shows its
// beginning and how long it is.
func TestALongValue(t *testing.T) {
	for name, size := range map[string][2]int{"form-long": {100, 30}, "form-long-80": {80, 24}} {
		connected(t, size[0], size[1], Options{}, func(w *harness) {
			w.form(`{"properties":{"query":{"type":"string"},"other":{"type":"string"}}}`)
			text := "SELECT one, two FROM " + strings.Repeat("a_table_with_a_long_name, ", 8) + "the_last WHERE id = 1"
			w.write(text)
			if got := strings.Join(strings.Fields(strings.NewReplacer("│", "", "╰", "", "╭", "", "╯", "", "╮", "", "─", "").Replace(w.screen())), " "); !strings.Contains(got, text) {
				t.Errorf("the value cannot be read whole in\n%s", w.screen())
			}
			w.golden(name)
			w.press("up") // within the text
			w.write("X")
			w.sees("X")
			w.press("tab")
			w.seesNot("the_last")
			w.sees("SELECT one", "… 251 characters")
			w.golden(name + "-off")
			w.press("tab", "ctrl+g")
			w.golden(name + "-raw")
			w.press("ctrl+g", "ctrl+end", "ctrl+u")
			w.send(pasted(strings.Repeat("0123456789", 3000) + "end")) // too long to be laid out for each frame
			w.sees("789end", "… 30,003 characters")
			w.press("tab")
			w.sees("01234567890123", "… 30,003 characters")
		})
	}
}

// What was typed is not lost with the server: a call that is refused leaves its form open,
// and esc keeps it as a draft.
func TestARefusedCallKeepsItsForm(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.form(`{"properties":{"text":{"type":"string"}}}`)
		w.write("my words")
		w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{}})
		w.wait(100 * time.Millisecond)
		w.press("ctrl+s")
		w.sees("my words", "not connected")
		w.press("esc", "esc")
		w.seesNot("my words")
	})
}
