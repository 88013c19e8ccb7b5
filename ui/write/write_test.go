package write

import (
	"strings"
	"testing"

	"belay/ui/doc"
	"belay/ui/theme"
)

func to(lines int, printed Printed) *Writer {
	return To(doc.New(40, lines), theme.Looks{Glyphs: theme.Unicode}, printed)
}

func text(w *Writer) string {
	var b strings.Builder
	for _, l := range w.Lines {
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	return b.String()
}

// A server cannot write a line that looks like one of belay's.
func TestEachLineOfAServerStandsBehindABar(t *testing.T) {
	w := to(MaxLines, nil)
	w.Quote("first\nname       forged")
	for l := range strings.Lines(text(w)) {
		if !strings.HasPrefix(l, string(theme.Unicode.Quote)) {
			t.Errorf("the line %q has no bar", l)
		}
	}
	if n := len(w.Lines); n != 2 {
		t.Errorf("%d lines, want 2", n)
	}
}

func TestATextThatIsTooLongSaysHowMuchIsLeftOut(t *testing.T) {
	w := to(MaxLines, nil)
	w.Quote(strings.Repeat("a", MaxBytes+3000))
	if got := text(w); !strings.HasSuffix(got, "3.0 kB more: o saves all of it\n") {
		t.Errorf("the last line is %q", got[len(got)-60:])
	}
}

func TestAHeadingStandsBelowOneBlankLine(t *testing.T) {
	w := to(MaxLines, nil)
	w.Heading("one")
	w.Field("label", "value", w.Styles.Text)
	w.Heading("two")
	w.Blank()
	w.Heading("three")
	if got, want := text(w), "one\nlabel      value\n\ntwo\n\nthree\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Long JSON is printed once for a width, and a few of them are remembered.
func TestLongJSONIsRemembered(t *testing.T) {
	raw := []byte(`{"a":"` + strings.Repeat("x", printedFrom) + `"}`)
	printed := Printed{}
	first, again := to(MaxLines, printed), to(MaxLines, printed)
	first.JSON(raw)
	if len(printed) != 1 {
		t.Fatalf("%d are remembered", len(printed))
	}
	again.JSON(raw)
	if text(first) != text(again) || len(again.Lines) == 0 {
		t.Errorf("the second time it is\n%s\nand the first\n%s", text(again), text(first))
	}
	for range 2 * printedMost {
		raw = append([]byte{}, raw...)
		to(MaxLines, printed).JSON(raw)
	}
	if len(printed) > printedMost {
		t.Errorf("%d are remembered, at most %d should be", len(printed), printedMost)
	}
}
