package ui

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// manyFields is a tool with a description of several paragraphs and many fields.
func manyFields() string {
	var fields strings.Builder
	for i := range 30 {
		fmt.Fprintf(&fields, `,"field_%02d":{"type":"string","description":"What it is.\n  It has a second line."}`, i)
	}
	about := strconv.Quote("Looks for a pattern.\n\n    Args:\n        pattern: what is to be found, as a regular expression that is explained somewhere else at some length\n        path: where\n\n    Returns:\n        the places, one a line\n")
	return `{"name":"search","description":` + about + `,"inputSchema":{"type":"object","properties":{` + fields.String()[1:] + `}}}`
}

// A form takes the height that there is: for its fields, for the description in its
// paragraphs, for the JSON and for a long text. Wherever the focus goes, it is in view.
func TestAFormUsesTheHeightThereIs(t *testing.T) {
	for _, size := range [][3]int{{80, 24, 7}, {100, 30, 9}, {140, 40, 13}} {
		connected(t, size[0], size[1], Options{}, func(w *harness) {
			name := fmt.Sprintf("%dx%d", size[0], size[1])
			w.offers(manyFields())
			w.press("n")
			w.sees("┃ Looks for a pattern. Args: pattern: what is t")
			w.seesNot("⏎")
			w.golden("picker-paragraphs-" + name)
			w.press("enter")
			w.seesNot("⏎")
			w.golden("form-tall-" + name)
			if n := strings.Count(w.screen(), "field_"); n < size[2] {
				t.Errorf("%s: %d fields are in view:\n%s", name, n, w.screen())
			}
			for i := range 30 {
				w.write(fmt.Sprintf("<%d>", i))
				w.sees(fmt.Sprintf("field_%02d", i), fmt.Sprintf("<%d>", i), "Looks for a pattern.")
				w.press("tab")
			}
			w.press("ctrl+g")
			if n := strings.Count(w.screen(), `"field_`); n < size[2] {
				t.Errorf("%s: %d members of the JSON are in view:\n%s", name, n, w.screen())
			}
		})
	}
}

func TestALongTextUsesTheHeightThereIs(t *testing.T) {
	for _, tt := range []struct{ w, h, lines int }{{80, 24, 11}, {140, 40, 22}} {
		connected(t, tt.w, tt.h, Options{}, func(w *harness) {
			w.form(`{"properties":{"text":{"type":"string"},"other":{"type":"string"}}}`)
			for i := range 40 {
				w.write(fmt.Sprintf("line %d", i))
				w.press("alt+enter")
			}
			if n := strings.Count(w.screen(), "line "); n < tt.lines {
				t.Errorf("%d×%d: %d lines are in view:\n%s", tt.w, tt.h, n, w.screen())
			}
			w.sees("line 39", "other")
			w.press("tab")
			w.sees("line 0", "other")
			w.seesNot("line 3 ")
		})
	}
}

// What a server says of a field is read whole where there is room: below the field that has
// the focus first, in few rows also a text of more columns than one line has, and a default in
// the field that it is of.
func TestWhatIsSaidOfAFieldIsWholeWhereThereIsRoom(t *testing.T) {
	const about = "What becomes of an error: it may be thrown as the error of the request, so that the client sees its code, and the login that it asks for is made; or it is told in the result, as the text that a model would read. A client without logins sees that text alone, says that it cannot do anything about that, and calls the tool again when somebody has logged in by hand. That is the end of it."
	const preset = "Call me Ishmael. Some years ago, never mind how long precisely, having little or no money in my purse, and nothing particular to interest me on shore, I thought I would sail about a little and see the watery part of the world."
	one := fmt.Sprintf(`{"type":"object","properties":{"path":{"type":"string","description":%q},"text":{"type":"string","default":%q}}}`, about, preset)
	var many strings.Builder
	for i := range 30 {
		fmt.Fprintf(&many, `,"field_%02d":{"type":"string","description":%q}`, i, about)
	}
	words := func(w *harness) string {
		return strings.Join(strings.FieldsFunc(w.screen(), func(r rune) bool { return strings.ContainsRune(" \n│┃", r) }), " ")
	}
	for _, size := range [][2]int{{80, 24}, {100, 30}, {140, 40}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		connected(t, size[0], size[1], Options{}, func(w *harness) {
			w.form(one)
			if got := words(w); !strings.Contains(got, about) || !strings.Contains(got, preset) {
				t.Errorf("%s: a text is cut:\n%s", name, w.screen())
			}
			w.golden("form-texts-" + name)
			w.press("esc")
			w.form(`{"type":"object","properties":{` + many.String()[1:] + `}}`)
			for i := range 30 {
				got := words(w)
				if !strings.Contains(got, about) || strings.Count(got, about) > 1 && size[1] < 30 {
					t.Fatalf("%s: the text of field %d is cut:\n%s", name, i, w.screen())
				}
				w.sees(fmt.Sprintf("field_%02d", i))
				w.press("tab")
			}
		})
	}
}
