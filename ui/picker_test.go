package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/session"
)

func TestPickAndCall(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.press("n")
		w.golden("picker")
		w.write("stub")
		w.press("enter") // no arguments: called at once
		w.wait(100 * time.Millisecond)
		if w.got(`"params":{"name":"stubborn","arguments":{},`) != 1 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
		if !strings.HasPrefix(w.line("stubborn  "), "│▌") {
			t.Errorf("its row is not selected:\n%s", w.screen())
		}
		w.press("n")
		w.write("demo://readme") // found by what is not its name
		w.press("enter")
		w.wait(100 * time.Millisecond)
		if w.got(`"method":"resources/read","params":{"uri":"demo://readme",`) != 1 {
			t.Errorf("the resource was not read:\n%s", strings.Join(w.b.wrote, "\n"))
		}
	})
}

// A list that is longer than its box shows which part of it is seen.
func TestALongListHasAScrollBar(t *testing.T) {
	tools := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"name":"tool%03d","inputSchema":{"type":"object"}}`, i))
		}
		return `{"tools":[` + strings.Join(list, ",") + `]}`
	}
	offering(t, 80, 24, Options{}, tools(40), func(w *harness) {
		w.press("n")
		if !strings.Contains(w.line("tool000"), "┃") || strings.Contains(w.line("tool011"), "┃") {
			t.Errorf("no bar at the top:\n%s", w.screen())
		}
		w.press("up")
		for range 40 {
			w.press("down")
		}
		if !strings.Contains(w.line("tool039"), "┃") || strings.Contains(w.screen(), "tool000") {
			t.Errorf("no bar at the bottom:\n%s", w.screen())
		}
	})
	offering(t, 80, 24, Options{}, tools(4), func(w *harness) {
		w.press("n")
		if strings.Contains(w.line("tool000"), "┃") {
			t.Errorf("a bar beside a list that is whole:\n%s", w.screen())
		}
	})
}

func TestTheFormOfATool(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.press("n")
		w.write("count")
		w.press("enter")
		w.golden("form-empty")
		w.press("ctrl+s")
		w.sees(`not sent: "seconds": required`)
		w.write("0")
		w.sees("at least 1")
		w.write("x")
		w.sees("a whole number, such as 42")
		w.press("backspace", "backspace")
		w.write("30")
		w.press("tab")
		w.write("two words")
		w.press("tab", "right", "tab", "f")
		w.golden("form-filled")
		w.press("ctrl+g")
		w.sees(`"seconds": 30,`, `"pace": "fast"`)
		w.press("ctrl+g", "ctrl+t")
		w.write("30s")
		w.press("tab", "tab")
		w.write("2 apples")
		w.press("ctrl+s")
		w.sees("not sent: cancel after", "a duration such as 30s")
		w.press("ctrl+u")
		w.write("2s")
		w.golden("form-options")
		w.press("enter", "enter", "enter") // to the last field
		w.press("enter")                   // and off
		w.wait(100 * time.Millisecond)
		if w.got(`"arguments":{"seconds":30,"label":"two words","loud":true,"pace":"fast"}`) != 1 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
		if d := w.shown(); d.Idle != 30*time.Second || d.Rules.After != 2*time.Second {
			t.Errorf("timeout %v, cancel after %v", d.Idle, d.Rules.After)
		}
	})
}

func TestADraftIsKept(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		open := func() {
			w.press("n")
			w.write("countdown")
			w.press("enter")
		}
		open()
		w.write("77")
		w.press("esc")
		w.sees(`the draft of "countdown" is kept`)
		open()
		w.sees(" 77")
		w.press("ctrl+s")
		open()
		w.seesNot(" 77")
	})
}

// What the form cannot show stays in the JSON.
func TestTheRawSideIsLossless(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.press("n")
		w.write("countdown")
		w.press("enter", "ctrl+g", "ctrl+k", "ctrl+d", "ctrl+k")
		w.send(pasted(`{"seconds":1e1,"label":["not","text"],"extra":{"a":null}}`))
		w.press("ctrl+g")
		w.golden("form-held")
		w.press("tab", "tab", "left")
		w.press("ctrl+s")
		w.sees("not sent yet: it breaks the schema")
		w.press("ctrl+s")
		w.wait(100 * time.Millisecond)
		if w.got(`"arguments":{"seconds":1e1,"label":["not","text"],"extra":{"a":null},"loud":false}`) != 1 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
	})
}

func TestBrokenJSONIsNotSent(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.press("n")
		w.write("nested")
		w.press("enter")
		w.golden("form-nested")
		w.press("ctrl+g")
		w.write("oops")
		w.press("ctrl+s")
		w.sees("not sent: line 1: this is no JSON")
		w.press("ctrl+g")
		w.sees("not shown as a form")
		for range "oops" {
			w.press("backspace")
		}
		w.press("ctrl+s", "ctrl+s") // the schema asks for more
		w.wait(100 * time.Millisecond)
		if w.got(`"arguments":{"who":{}}`) != 1 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
	})
}

func TestPromptsAndTemplatesHaveForms(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.press("n")
		w.write("review")
		w.press("enter")
		w.write("x = 1")
		w.press("enter")
		w.press("n")
		w.write("file")
		w.press("enter")
		w.write("a b/ü")
		w.press("ctrl+s")
		w.wait(100 * time.Millisecond)
		for _, want := range []string{
			`"method":"prompts/get","params":{"name":"review","arguments":{"code":"x = 1"},`,
			`"method":"resources/read","params":{"uri":"demo://files/a%20b%2F%C3%BC",`,
		} {
			if w.got(want) != 1 {
				t.Errorf("the server never got %s:\n%s", want, strings.Join(w.b.wrote, "\n"))
			}
		}
	})
}

func TestEditAndResend(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.start(w.m.call(session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"countdown","arguments":{"seconds":9}}`)}))
		w.wait(100 * time.Millisecond)
		w.press("r")
		w.wait(100 * time.Millisecond)
		if w.got(`"arguments":{"seconds":9}`) != 2 {
			t.Error("it was not sent again")
		}
		w.press("e")
		w.sees(" 9")
		w.press("backspace")
		w.write("12")
		w.press("ctrl+s")
		w.wait(100 * time.Millisecond)
		if w.got(`"arguments":{"seconds":12}`) != 1 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
	})
}

func TestAPickerWithoutAServer(t *testing.T) {
	run(t, 100, 24, Options{}, func(w *harness) {
		w.wait(100 * time.Millisecond)
		w.press("n")
		w.sees("New call", "belay is still connecting… this list fills in by itself")
		w.press("c", "o")
		w.sees("belay is still connecting…")
		w.seesNot("nothing has that name")
		w.press("backspace", "backspace")
		w.handshake()
		w.sees("countdown", "review") // it fills while it is open
	})
}

// The cursor of a field with options stands on the one that is chosen.
func TestTheCursorOfAChoice(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.press("n")
		w.write("count")
		w.press("enter", "tab", "tab")
		for _, want := range []string{"[unset]", "[true]", "[false]"} {
			x, y := w.find(want)
			if at := w.m.seen.Cursor; at == nil || at.X != x+1 || at.Y != y {
				t.Errorf("%s at %d,%d has the cursor at %v", want, x, y, at)
			}
			w.press("right")
		}
	})
}

// Where nothing is said of a tool, its name has the room.
func TestANameIsNotCutBesideNothing(t *testing.T) {
	long := "a_tool_with_a_name_that_goes_on_and_on_for_more_than_a_column"
	offering(t, 80, 24, Options{}, `{"tools":[{"name":"`+long+`","inputSchema":{"type":"object"}},{"name":"other","description":"Says more.","inputSchema":{"type":"object"}}]}`, func(w *harness) {
		w.press("n", "down")
		if got := w.line("tool      a_tool"); !strings.Contains(got, long) {
			t.Errorf("%q", got)
		}
	})
}

// A name is whole where what is said beside it leaves room: the list cuts none while there
// are empty columns.
func TestANameUsesTheRoomThatItsDescriptionLeaves(t *testing.T) {
	const name = "a_very_long_tool_name_that_goes_on_and_on"
	tools := `{"tools":[{"name":"` + name + `","description":"long name","inputSchema":{"type":"object"}},` +
		`{"name":"` + name + `_with_words","description":"What is said of this one needs as much room as there is: no name takes that away from it, nor does it take more than its share.","inputSchema":{"type":"object"}},` +
		`{"name":"short","description":"Says little.","inputSchema":{"type":"object"}}]}`
	for _, size := range [][2]int{{80, 24}, {100, 30}, {140, 40}} {
		offering(t, size[0], size[1], Options{}, tools, func(w *harness) {
			w.press("n")
			if l := w.line("┃ long name"); !strings.Contains(l, name+"  ┃ long name") {
				t.Errorf("%v: the name is cut: %q", size, l)
			}
			w.golden(fmt.Sprintf("picker-names-%dx%d", size[0], size[1]))
		})
	}
}
