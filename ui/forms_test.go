package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/session/mcp"
	"belay/ui/compose"
)

// form opens the form of a tool with this schema.
func (w *harness) form(schema string) *compose.Form {
	w.t.Helper()
	f := w.m.compose.NewForm("test", mcp.Item{Kind: mcp.Tools, Name: "thing", InputSchema: []byte(schema)})
	w.m.push(f)
	w.m.dirty = true
	w.send(nil)
	return f
}

// sent is the arguments that the server got.
func (w *harness) sent() string {
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
	connected(t, 100, 46, Options{}, func(w *harness) {
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
		w.sees(`not sent: "who" > "mail": an email address`)
		w.write("@example.com")
		w.press("ctrl+s")
		if got, want := w.sent(), `{"name":"A tale","text":"one\ntwo","steps":3,"loud":true,"mode":"f","colors":["red","blue"],`+
			`"who":{"mail":"ann@example.com"},"tags":["x","y"],"target":{"id":12},"labels":{"env":"test"}}`; got != want {
			t.Errorf("the server got\n%s, want\n%s", got, want)
		}
	})
}

// The same at the least size that must look right.
func TestTheFormAtEighty(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		f := w.form(everyKind)
		for range len(f.Fields.Form().Rows()) - 1 {
			w.press("tab")
			if w.m.seen.Cursor == nil {
				t.Fatalf("no cursor:\n%s", w.screen())
			}
		}
		w.golden("form-80x24")
	})
}

func TestListsByKeys(t *testing.T) {
	connected(t, 100, 40, Options{}, func(w *harness) {
		f := w.form(`{"required":["edits"],"properties":{"edits":{"type":"array","minItems":1,"items":{"type":"object","required":["old","new"],
			"properties":{"old":{"type":"string"},"new":{"type":"string"}}}},"n":{"type":"integer"}}}`)
		w.sees("edits*", "unset · space adds an item", "required · list of objects, at least 1 item")
		w.press("space")
		w.write("one")
		w.press("alt+n") // behind the item that the focus is in
		w.write("two")
		w.press("tab")
		w.write("2")
		w.sees("2 items · space adds one", "alt+n add", "ctrl+y remove")
		w.press("alt+up")
		w.golden("form-list")
		w.press("ctrl+s")
		w.sees(`not sent: "edits" > 2 > "new": required`)
		w.write("1")
		w.press("insert", "ctrl+y") // added, and taken out again
		w.press("ctrl+s")
		if got, want := w.sent(), `{"edits":[{"old":"two","new":"2"},{"old":"one","new":"1"}]}`; got != want {
			t.Errorf("the server got %s, want %s", got, want)
		}
		w.m.push(f)
		f.Fields.Edge(true)
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
	connected(t, 120, 40, Options{}, func(w *harness) {
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

// Terminals may tell of the text of a key that is held with alt or ctrl: it is a
// key of belay's or of the field, and types nothing.
func TestAKeyWithAltTypesNothing(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.form(`{"properties":{"a":{"type":"string"}}}`)
		w.write("q")
		w.send(tea.KeyPressMsg{Code: 'z', Mod: tea.ModAlt, Text: "z"})
		w.send(tea.KeyPressMsg{Code: 'y', Mod: tea.ModCtrl, Text: "y"})
		w.press("ctrl+s")
		if got := w.sent(); got != `{"a":"q"}` {
			t.Errorf("sent %s", got)
		}
	})
}

func TestATextOfSeveralLines(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
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
	connected(t, 100, 30, Options{}, func(w *harness) {
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
