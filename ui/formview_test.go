package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/covers"
	"belay/session"
	"belay/ui/form"
)

// form opens the form of a tool with this schema.
func (w *world) form(schema string) *callForm {
	w.t.Helper()
	f := newForm("test", session.Item{Kind: session.Tools, Name: "thing", InputSchema: []byte(schema)})
	w.m.push(f)
	w.m.dirty = true
	w.send(nil)
	return f
}

// sent is the arguments that the server got.
func (w *world) sent() string {
	w.t.Helper()
	w.wait(100 * time.Millisecond)
	w.last("tools/call")
	const mark = `"name":"thing","arguments":`
	for i := len(w.b.wrote) - 1; i >= 0; i-- {
		if _, rest, ok := strings.Cut(w.b.wrote[i], mark); ok {
			args, _, _ := strings.Cut(rest, `,"_meta"`)
			return args
		}
	}
	w.t.Fatalf("no call of thing:\n%s", strings.Join(w.b.wrote, "\n"))
	return ""
}

const everyKind = `{"type":"object","required":["name","steps","mode","who"],"properties":{
	"name":{"type":"string","title":"Full name","description":"What it is called. It stands on the cover, in the index and on the spine, so that it must be neither too long nor too plain.","maxLength":30},
	"text":{"type":"string"},
	"steps":{"type":"integer","minimum":1,"maximum":10,"default":3},
	"ratio":{"type":"number","exclusiveMinimum":0},
	"loud":{"type":"boolean"},
	"mode":{"oneOf":[{"const":"f","title":"Fast"},{"const":"s","title":"Slow"}]},
	"colors":{"type":"array","items":{"enum":["red","green","blue","grey"]},"minItems":1},
	"who":{"type":"object","description":"Whom it is for.","required":["mail"],"properties":{"mail":{"type":"string","format":"email"},"born":{"type":"string","format":"date"}}},
	"tags":{"type":"array","items":{"type":"string"},"maxItems":2},
	"target":{"oneOf":[{"title":"by id","type":"object","properties":{"id":{"type":"integer"}},"required":["id"]},{"title":"by name","type":"string"}]},
	"labels":{"type":"object","additionalProperties":{"type":"string"}},
	"any":{}}}`

func TestTheFormShowsEveryKind(t *testing.T) {
	connected(t, 100, 46, Options{}, func(w *world) {
		w.form(everyKind)
		w.write("A tale")
		w.golden("form-kinds-empty")
		w.press("tab")
		w.write("one")
		w.press("alt+enter")
		w.write("two")
		w.press("tab", "tab", "tab", "right") // loud
		w.press("tab", "f")                   // mode
		w.press("tab", "space", "right", "right", "space")
		w.press("tab", "tab") // who.mail
		w.write("ann")
		w.press("tab", "tab", "space") // tags
		w.write("x")
		w.press("alt+n")
		w.write("y")
		w.press("tab", "right", "tab")
		w.write("12")
		w.press("tab", "space")
		w.write("env")
		w.press("tab")
		w.write("test")
		w.golden("form-kinds")
		w.press("ctrl+s")
		w.sees("not sent: who > mail: an email address")
		w.write("@example.com")
		w.press("ctrl+s")
		if got, want := w.sent(), `{"name":"A tale","text":"one\ntwo","steps":3,"loud":true,"mode":"f","colors":["red","blue"],`+
			`"who":{"mail":"ann@example.com"},"tags":["x","y"],"target":{"id":12},"labels":{"env":"test"}}`; got != want {
			t.Errorf("the server got\n%s, want\n%s", got, want)
		}
	})
}

// The same at the least size that must look right: what has the focus is always
// in view.
func TestTheFormAtEighty(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *world) {
		f := w.form(everyKind)
		for range len(f.form.Rows()) - 1 {
			w.press("tab")
			at := w.m.frame.Cursor
			if at == nil {
				t.Fatalf("no cursor:\n%s", w.screen())
			}
			line := strings.Split(w.screen(), "\n")[at.Y]
			if want := string(label(f.focus)); !strings.Contains(line, want) {
				t.Fatalf("the cursor is not at %q but in %q", want, line)
			}
		}
		w.golden("form-80x24")
	})
}

func TestListsByKeys(t *testing.T) {
	connected(t, 100, 40, Options{}, func(w *world) {
		f := w.form(`{"required":["edits"],"properties":{"edits":{"type":"array","minItems":1,"items":{"type":"object","required":["old","new"],
			"properties":{"old":{"type":"string"},"new":{"type":"string"}}}},"n":{"type":"integer"}}}`)
		w.sees("edits*", "unset · space adds an item", "required · list of objects, at least 1 item")
		w.press("space", "tab")
		w.write("one")
		w.press("alt+n", "tab") // behind the item that the focus is in
		w.write("two")
		w.press("tab")
		w.write("2")
		w.sees("2 items · space adds one", "alt+n add", "ctrl+y remove")
		w.press("alt+up")
		w.golden("form-list")
		w.press("ctrl+s")
		w.sees("not sent: edits > 2 > new: required")
		w.write("1")
		w.press("insert", "ctrl+y") // added, and taken out again
		w.press("ctrl+s")
		if got, want := w.sent(), `{"edits":[{"old":"two","new":"2"},{"old":"one","new":"1"}]}`; got != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
		w.m.push(f)
		f.edge(true)
		w.press("tab") // around the end
		w.sees("2 items")
		w.press("down", "ctrl+y", "ctrl+y")
		w.sees("0 items", "at least 1 item; this has 0")
		w.press("ctrl+g")
		w.sees(`"edits": []`)
		w.press("ctrl+g", "backspace") // unset
		w.seesNot("0 items")
		w.sees("unset · space adds an item")
	})
}

// A field in no list has no key for lists, and its hints do not show any.
func TestHintsOnlyWhereTheyApply(t *testing.T) {
	connected(t, 120, 40, Options{}, func(w *world) {
		w.form(`{"properties":{"n":{"type":"integer"},"s":{"type":"string"},"l":{"type":"array","items":{"type":"integer"}}}}`)
		w.seesNot("remove", "alt+n", "new line")
		w.press("ctrl+y", "alt+up", "alt+n", "alt+enter")
		w.press("tab")
		w.sees("alt+enter new line")
		w.seesNot("remove", "alt+n")
		w.press("tab")
		w.sees("alt+n add")
		w.seesNot("ctrl+y")
		w.press("alt+n")
		w.sees("alt+n add", "ctrl+y remove")
		w.seesNot("new line")
	})
}

func TestATextOfSeveralLines(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *world) {
		w.form(`{"properties":{"text":{"type":"string"},"n":{"type":"integer"}}}`)
		w.write("one")
		w.press("ctrl+j")
		w.write("three")
		w.press("up", "end", "alt+enter")
		w.write("two")
		w.press("down", "down") // to the last line, and then to the next field
		w.write("5")
		w.press("up", "up", "up") // through the lines again
		w.send(pasted("0\r\nA "))
		w.golden("form-lines")
		w.press("ctrl+s")
		if got, want := w.sent(), `{"text":"one0\nA \ntwo\nthree","n":5}`; got != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
	})
}

func TestAChoiceOfThousands(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *world) {
		options := make([]string, 10_000)
		for i := range options {
			options[i] = fmt.Sprintf(`"zone %05d"`, i)
		}
		list := strings.Join(options, ",")
		w.form(`{"properties":{"zone":{"enum":[` + list + `]},"zones":{"type":"array","items":{"enum":[` + list + `]}},"s":{"type":"string"}}}`)
		w.sees("type to find one", "10,000 found")
		w.write("077")
		w.press("right")
		w.press("tab")
		w.write("999")
		w.press("space", "right", "space")
		w.golden("form-options-many")
		w.press("ctrl+s")
		if got, want := w.sent(), `{"zone":"zone 00770","zones":["zone 00999","zone 01999"]}`; got != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
	})
}

// The raw side and back changes nothing, also not what is half typed.
func TestFlippingLosesNothing(t *testing.T) {
	connected(t, 100, 40, Options{}, func(w *world) {
		f := w.form(everyKind)
		w.press("tab", "tab", "tab")
		w.write("1.50x")
		w.press("tab", "tab", "tab", "tab", "tab", "tab", "tab", "tab", "right", "tab")
		focus := f.focus
		w.press("ctrl+g", "ctrl+g")
		w.sees("1.50x", "[by id]")
		if f.focus != focus {
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

// What is written as JSON may break the schema, when it is sent from there.
func TestRawArgumentsAreSentAsTheyAre(t *testing.T) {
	connected(t, 100, 40, Options{}, func(w *world) {
		w.form(`{"required":["n"],"properties":{"n":{"type":"integer","maximum":3}}}`)
		w.press("ctrl+g", "ctrl+k")
		w.send(pasted(`{"n": 9007199254740993, "x": 1.0}`))
		w.press("ctrl+s")
		if got, want := w.sent(), `{"n":9007199254740993,"x":1.0}`; got != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
		f := w.form(`{"required":["n"],"properties":{"n":{"type":"integer","maximum":3}}}`)
		if err := f.load([]byte(`{"n":4}`)); err != nil {
			t.Fatal(err)
		}
		w.press("ctrl+s")
		w.sees("not sent: n: at most 3")
		w.press("alt+g")
		w.press("ctrl+u")
		w.write("null")
		w.golden("form-field-json")
		w.press("ctrl+s")
		if got, want := w.sent(), `{"n":null}`; got != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
	})
}

func TestTheEditor(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *world) {
		w.form(`{"properties":{"text":{"type":"string"},"n":{"type":"integer"}}}`)
		var got []string
		next := ""
		w.b.edit = func(text, ending string) (string, error) {
			got = append(got, ending+" "+text)
			if next == "" {
				return "half", errors.New("vi ($EDITOR) failed, and nothing is changed: exit status 1")
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
		w.sees("vi ($EDITOR) failed, and nothing is changed: exit status 1", "{oops")
		next = `{"n":7}`
		w.press("ctrl+o", "ctrl+s")
		if got, want := w.sent(), `{"n":7}`; got != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
		want := []string{".txt ", ".json {\n  \"text\": \"one\\ntwo\"\n}", ".json {\n  \"text\": \"x\",\n  \"n\": 1.0\n}", ".json {oops", ".json {oops"}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("the editor got %q, want %q", got, want)
		}
	})
}

// Notes of fields with long names have the width of the form; a row that fits in
// part shows its value, and not its note in the place of it.
func TestLongNames(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *world) {
		var p []string
		for i := range 9 {
			p = append(p, fmt.Sprintf(`"aPropertyWithALongName%d":{"type":"integer","default":%d,"description":"What it is good for, in so many words that they would not fit beside the name"}`, i, i))
		}
		schema := `{"properties":{` + strings.Join(p, ",") + `}}`
		f := w.form(schema)
		f.formView = newFormView(form.ParseSchema([]byte(schema)).For(form.Answer))
		w.press("tab")
		w.golden("form-long-names")
	})
}

// Numbers travel as they were typed.
func TestNumbersAreSentAsTyped(t *testing.T) {
	covers.Rows(t, "ELI-62")
	connected(t, 100, 30, Options{}, func(w *world) {
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

// A yes-or-no has three states unless it is required.
func TestBooleansOnTheScreen(t *testing.T) {
	covers.Rows(t, "ELI-28")
	connected(t, 100, 30, Options{}, func(w *world) {
		schema := `{"required":["must"],"properties":{"may":{"type":"boolean"},"yes":{"type":"boolean","default":true},"must":{"type":"boolean"}}}`
		f := w.form(schema)
		f.formView = newFormView(form.ParseSchema([]byte(schema)).For(form.Answer))
		w.press("tab", "tab")
		for _, want := range []string{"may       [unset]  true   false", "yes        unset  [true]  false", "must*     [unset]  true   false"} {
			w.sees(want)
		}
		if _, problem := f.value(); problem != "must: required" {
			t.Errorf("problem %q", problem)
		}
		w.press("left")
		w.sees("must*      true  [false]")
		if got, problem := f.value(); string(got) != `{"yes":true,"must":false}` || problem != "" {
			t.Errorf("%s, %q", got, problem)
		}
	})
}

// Arguments that the schema does not name are added one by one.
func TestMembersOfTheWhole(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *world) {
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
	run(t, 100, 30, Options{}, func(w *world) {
		w.wait(20 * time.Millisecond)
		w.result(w.last("initialize"), initResult)
		w.result(w.last("tools/list"), `{"tools":[{"name":"thing","inputSchema":{"type":"object","properties":[]}}]}`)
		w.drainToasts()
		w.press("n")
		w.write("thing")
		w.press("enter")
		w.sees("there is nothing to fill in: the properties of the schema are broken")
		w.press("ctrl+g", "ctrl+k")
		w.send(pasted(`{"a":1.0}`))
		w.press("ctrl+s")
		if got, want := w.sent(), `{"a":1.0}`; got != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
	})
}

// A locked form shows what was typed and takes no key.
func TestALockedForm(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *world) {
		f := w.form(`{"properties":{"text":{"type":"string"},"b":{"type":"boolean"}}}`)
		w.write("typed")
		f.locked = true
		before := string(f.form.JSON())
		w.write("more")
		w.send(pasted("pasted"))
		w.press("backspace", "alt+n", "ctrl+g", "tab", "space")
		if got := string(f.form.JSON()); got != before {
			t.Errorf("%s became %s", before, got)
		}
		w.sees("typed")
		if w.m.frame.Cursor != nil {
			t.Error("there is a cursor")
		}
	})
}

// An answer shows the server's defaults as such, and takes none but what keeps to
// the schema.
func TestTheFormOfAnAnswer(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *world) {
		schema := `{"type":"object","required":["name"],"properties":{"name":{"type":"string","title":"Your name","default":"Ann"},
			"born":{"type":"string","format":"date"},"ok":{"type":"boolean","default":true},"bad":{"type":"integer","default":"x"}}}`
		f := w.form(schema)
		f.formView = newFormView(form.ParseSchema([]byte(schema)).For(form.Answer))
		w.press("tab")
		w.write("2026-02-29")
		w.golden("form-answer")
		if _, problem := f.value(); problem != "born: a date, such as 2026-02-28" {
			t.Errorf("problem %q", problem)
		}
		w.press("ctrl+u", "backspace", "tab", "backspace")
		if got, problem := f.value(); string(got) != `{"name":"Ann"}` || problem != "" {
			t.Errorf("%s, %q", got, problem)
		}
		if err := f.load([]byte(`{"name":1}`)); err != nil {
			t.Fatal(err)
		}
		if got, problem := f.value(); string(got) != `{"name":1}` || problem != "name: must be text" {
			t.Errorf("%s, %q", got, problem)
		}
	})
}

// Nothing that a schema says reaches the terminal as it is.
func TestAFormOfHostileTexts(t *testing.T) {
	const evil = `\u001b[31m\u202e\u0007\n\r\u009b`
	long := strings.Repeat("long ", 2000)
	connected(t, 80, 24, Options{}, func(w *world) {
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
