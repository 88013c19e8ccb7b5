package edit

import (
	"strings"
	"testing"

	"belay/internal/safe"
)

// press is a key by its name; of one character, the key that types it.
func press(s string) Key {
	if len([]rune(s)) == 1 {
		return Key{Name: s, Text: s}
	}
	return Key{Name: s}
}

// lineOf is a line that holds s, the cursor behind it.
func lineOf(s string) (l Line) {
	l.Set(s)
	return l
}

func TestLineTakesTheKeysOfAShell(t *testing.T) {
	for _, tt := range []struct{ start, keys, want string }{
		{"one two three", "ctrl+w", "one two |"},
		{"one two three", "ctrl+w ctrl+w X", "one X|"},
		{"one two", "ctrl+a ctrl+d", "|ne two"},
		{"one two", "ctrl+a alt+f ctrl+k", "one|"},
		{"one two", "alt+b ctrl+u", "|two"},
		{"one two", "alt+b alt+d", "one |"},
		{"abc", "left left X ctrl+e Y", "aXbcY|"},
		{"日本", "backspace x", "日x|"},
		{"abc", "home delete delete", "|c"},
		{"", "backspace delete left right", "|"},
	} {
		l := lineOf(tt.start)
		for k := range strings.FieldsSeq(tt.keys) {
			if taken, _ := l.Key(press(k)); !taken {
				t.Errorf("%s was not taken", k)
			}
		}
		if got := string(l.text[:l.at]) + "|" + string(l.text[l.at:]); got != tt.want {
			t.Errorf("%q after %s is %q, want %q", tt.start, tt.keys, got, tt.want)
		}
	}
}

func TestLineLeavesOtherKeysAlone(t *testing.T) {
	l := lineOf("x")
	for _, k := range []string{"ctrl+s", "ctrl+x", "ctrl+g", "alt+x", "enter", "up"} {
		if taken, _ := l.Key(press(k)); taken {
			t.Errorf("%s was taken", k)
		}
	}
}

func TestPastedLineBreaksDoNotSubmit(t *testing.T) {
	l := lineOf("a")
	l.Insert("b\r\nc\nd")
	if got := l.String(); got != "ab c d" {
		t.Errorf("got %q", got)
	}
}

func TestTheCursorIsAlwaysInView(t *testing.T) {
	for _, s := range []string{strings.Repeat("long ", 60), strings.Repeat("日本語", 30), "\x1b[31m\u202e" + strings.Repeat("é", 90)} {
		l := lineOf(s)
		for range len([]rune(s)) + 1 {
			for _, w := range []int{1, 2, 7, 40} {
				shown, cursor := l.View(w)
				if cursor >= w || cursor < 0 || safe.Width(shown) > w {
					t.Fatalf("%q at %d: cursor %d, shown %d columns of %d", s, l.at, cursor, safe.Width(shown), w)
				}
			}
			l.Key(press("left"))
		}
	}
}

func TestArea(t *testing.T) {
	var a Area
	a.Set("{\n  \"a\": 1\n}")
	for k := range strings.FieldsSeq("down end , enter x up up home down backspace") {
		a.Key(press(k))
	}
	if got, want := a.String(), "{  \"a\": 1,\n  x\n}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	a.Set("ab")
	a.Insert("1\n2")
	a.Key(press("end"))
	a.Key(press("delete"))
	if got, want := a.String(), "1\n2ab"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var b Area
	b.Set(strings.Repeat("line\n", 50))
	for range 30 {
		b.Key(press("down"))
	}
	shown, _, y := b.View(10, 5)
	if len(shown) != 5 || y < 0 || y > 4 {
		t.Errorf("%d lines shown, cursor in %d", len(shown), y)
	}
}

func TestAreaKeepsWhatItWasGiven(t *testing.T) {
	var a Area
	if !a.Empty() || a.Height() != 1 || a.Move(1) || a.Move(-1) {
		t.Error("an area without text has lines to go to")
	}
	const text = "one\r\ntwo\rthree\n"
	a.Set(text)
	if got := a.String(); got != text || a.Height() != 3 || a.Empty() {
		t.Errorf("%q came back as %q, %d lines", text, got, a.Height())
	}
	a.End()
	if a.Move(1) || !a.Move(-1) || !a.Move(-1) || a.Move(-1) {
		t.Error("the cursor does not go from the last line to the first")
	}
	a.End()
	a.Insert("x\r\ny\rz") // what is pasted ends its lines in any way
	if got, want := a.String(), text+"x\ny\nz"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
