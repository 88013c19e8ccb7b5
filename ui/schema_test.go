package ui

import (
	"testing"
	"time"

	"belay/internal/requirements"
)

// An answer that breaks the schema is not sent; one that was written as JSON is,
// when it is sent again, to see what the server makes of it.
func TestAnAnswerThatBreaksTheSchema(t *testing.T) {
	requirements.Rows(t, "ELI-35")
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForm("q1", "Which branch?")
		w.quiet()
		w.press("ctrl+s")
		w.sees(`not sent: "branch": required`)
		w.press("ctrl+s")
		w.getsNothingFor("q1")
		w.press("ctrl+g", "ctrl+end", "ctrl+u", "backspace", "ctrl+u", "backspace", "ctrl+u", "backspace", "ctrl+u")
		w.send(pasted(`{"branch":7,"force":"yes"}`))
		w.press("ctrl+s")
		w.sees(`"branch": must be text`, "not sent yet: it breaks the schema · ctrl+s again sends it")
		w.send(pasted(" ")) // which may have changed what it means
		w.press("ctrl+s")
		w.getsNothingFor("q1")
		w.press("ctrl+s")
		w.gets(`"id":"q1"`, `"content":{"branch":7,"force":"yes"}`)
	})
}

// What concerns the whole stands above the fields; what is only missing is told
// once sending was tried.
func TestWhatIsWrongWithTheWhole(t *testing.T) {
	for name, size := range map[string][2]int{"form-whole": {100, 30}, "form-whole-80": {80, 24}} {
		connected(t, size[0], size[1], Options{}, func(w *harness) {
			w.form(`{"properties":{"name":{"type":"string"},"id":{"type":"integer"},"kind":{"type":"string","pattern":"^(?!x)"}},
				"anyOf":[{"required":["name"]},{"required":["id"]}],"not":{"required":["name","id"]},
				"dependentRequired":{"id":["kind"]},"if":{"$ref":"https://example.com/schemas/more.json"}}`)
			w.seesNot("fill in")
			w.sees("not checked here: ")
			w.press("ctrl+s")
			w.sees(`not sent: fill in "name" or "id"`, `✗ fill in "name" or "id"`)
			w.write("a")
			w.seesNot("fill in")
			w.press("tab")
			w.write("1")
			w.sees(`✗ not all of "name" and "id" may be filled in`, `✗ required, as "id" is filled in`)
			w.golden(name)
		})
	}
}

// A tool whose schema is none is marked, and can be called with JSON.
func TestAToolWithoutASchema(t *testing.T) {
	requirements.Rows(t, "SRV-15")
	for schema, is := range map[string]string{"null": "null", `"x"`: "a string", "[]": "an array"} {
		connected(t, 100, 30, Options{}, func(w *harness) {
			w.feed(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			w.wait(2 * time.Second)
			w.result(w.last("tools/list"), `{"tools":[{"name":"thing","description":"It has no schema.","inputSchema":`+schema+`}]}`)
			w.press("n")
			w.sees("thing", "! broken: its inputSchema is "+is, "tools: entry 1 has an inputSchema that is "+is+", not an object")
			w.press("esc", "i", "G")
			w.sees("! broken: its inputSchema is " + is)
			w.press("esc", "n")
			w.write("thing")
			w.press("enter")
			w.sees("! broken: " + schema + " is no schema · " + "ctrl+g takes the arguments as JSON")
			if schema == "null" {
				w.golden("form-no-schema")
			}
			w.press("ctrl+g", "ctrl+end", "ctrl+u")
			w.send(pasted(`{"a":[1,null],"b":1.0}`))
			w.press("ctrl+s")
			if got, want := w.sent(), `{"a":[1,null],"b":1.0}`; got != want {
				t.Errorf("%s: the server got %s, want %s", schema, got, want)
			}
		})
	}
}
