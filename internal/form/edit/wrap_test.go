package edit

import (
	"strings"
	"testing"

	"belay/internal/safe"
)

// shownText is what the area shows, with the cursor as a bar.
func shownText(t *testing.T, a *Area, w, h int) string {
	t.Helper()
	lines, x, y := a.View(w, h)
	var b strings.Builder
	for i, l := range lines {
		if safe.Width(l) > w {
			t.Errorf("%q is wider than %d", l, w)
		}
		if i == y {
			r := []rune(string(l))
			x = min(x, len(r))
			l = safe.Text(string(r[:x]) + "|" + string(r[x:]))
		}
		b.WriteString(strings.TrimRight(string(l), " ") + "\n")
	}
	return b.String()
}

func TestLongLinesAreWrapped(t *testing.T) {
	a := Area{Wrap: true}
	a.Insert("call me Ishmael, some years ago\nnever mind")
	if got, want := shownText(t, &a, 13, 9), "call me\nIshmael,\nsome years\nago\nnever mind|\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	up, down := Key{Name: "up"}, Key{Name: "down"}
	for _, tt := range []struct {
		key  Key
		want string
	}{
		{up, "call me\nIshmael,\nsome years\nago|\nnever mind\n"},
		{up, "call me\nIshmael,\nsom|e years\nago\nnever mind\n"},
		{up, "call me\nIsh|mael,\nsome years\nago\nnever mind\n"},
		{up, "cal|l me\nIshmael,\nsome years\nago\nnever mind\n"},
		{up, "cal|l me\nIshmael,\nsome years\nago\nnever mind\n"},
		{down, "call me\nIsh|mael,\nsome years\nago\nnever mind\n"},
	} {
		a.Key(tt.key)
		if got := shownText(t, &a, 13, 9); got != tt.want {
			t.Errorf("%s: got\n%swant\n%s", tt.key, got, tt.want)
		}
	}
	if got, want := shownText(t, &a, 13, 2), "call me\nIsh|mael,\n"; got != want {
		t.Errorf("two rows: got\n%swant\n%s", got, want)
	}
	a.End()
	if got, want := shownText(t, &a, 13, 2), "ago\nnever mind|\n"; got != want {
		t.Errorf("two rows at the end: got\n%swant\n%s", got, want)
	}
	if got := a.String(); got != "call me Ishmael, some years ago\nnever mind" {
		t.Errorf("the text has become %q", got)
	}
}

// Whatever is in it, all of a text is shown, within its width, and the cursor
// stays in view.
func TestEverythingOfATextIsShown(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("x", 100), strings.Repeat("日本", 40), strings.Repeat("e\u0301", 60), strings.Repeat(" ", 80),
		"\x1b[31m" + strings.Repeat("a b ", 30), strings.Repeat("👩‍👩‍👧 ", 20), "a" + strings.Repeat("\u0301", 200), strings.Repeat("\x00", 50),
	} {
		a := Area{Wrap: true}
		a.Insert(text)
		for _, w := range []int{1, 2, 3, 7, 20} {
			lines, x, y := a.View(w, 1000)
			if x < 0 || x >= w || y != len(lines)-1 {
				t.Errorf("%.20q at %d: the cursor is at %d,%d of %d rows", text, w, x, y, len(lines))
			}
			runes := 0
			for p, ok := (place{}), true; ok; p, ok = a.down(p) {
				from, to := a.span(p)
				runes += to - from
			}
			if runes != len([]rune(text)) {
				t.Errorf("%.20q at %d: %d characters are shown of %d", text, w, runes, len([]rune(text)))
			}
			for _, l := range lines {
				if safe.Width(l) > w {
					t.Errorf("%.20q at %d: %q is too wide", text, w, l)
				}
			}
		}
	}
}

func BenchmarkWrap(b *testing.B) {
	a := Area{Wrap: true}
	a.Insert(strings.Repeat("some words of prose, ", WrapMost/21))
	for b.Loop() {
		a.View(80, 20)
	}
}

// How many rows a text takes is what View shows of it.
func TestRowsAreCounted(t *testing.T) {
	for text, want := range map[string]int{
		"": 1, "abc": 1, "abcd": 1, "abcde": 2, "one two three": 4, "a\nb\n": 3, "日本語": 2, strings.Repeat("x", 100): 20, strings.Repeat("y", WrapMost+1): 1,
	} {
		a := Area{Wrap: true}
		a.Set(text)
		shown, _, _ := a.View(5, 30)
		if got := a.Rows(5, 20); got != want || len(shown) < got {
			t.Errorf("%.20q takes %d rows, want %d; %d are shown", text, got, want, len(shown))
		}
	}
	a := Area{}
	a.Set("a long line\nx")
	if got := a.Rows(3, 20); got != 2 || a.Len() != 12 {
		t.Errorf("without wrapping %d rows, %d characters", got, a.Len())
	}
	if head := a.Head(4, 1); len(head) != 1 || head[0] != "a l…" {
		t.Errorf("the beginning is %q", head)
	}
}

// A scroll bar is told of the rows that are above the view, and of all.
func TestScrolledCountsRows(t *testing.T) {
	a := Area{Wrap: true}
	a.Set("one\ntwo two two two two\n" + strings.Repeat("line\n", 10) + "end")
	a.End()
	_, _, y := a.View(11, 4)
	if above, all := a.Scrolled(); above+y+1 != all || all != 15 {
		t.Errorf("%d of %d rows are above, the cursor is in row %d", above, all, y)
	}
	a.Set("short")
	a.View(10, 4)
	if above, all := a.Scrolled(); above != 0 || all != 1 {
		t.Errorf("%d of %d", above, all)
	}
}
