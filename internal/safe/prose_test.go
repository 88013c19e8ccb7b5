package safe

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"belay/internal/requirements"
)

func TestProseKeepsItsParagraphs(t *testing.T) {
	requirements.Rows(t, "SEC-22")
	for _, tt := range []struct {
		text  string
		width int
		want  []Text
	}{
		{"", 10, nil},
		{"one", 10, []Text{"one"}},
		{"\n\none two three four\n\nfive\r\nsix\n\n", 10, []Text{"one two ", "three four", "", "five", "six"}},
		{"Does it.\n\n    Args:\n        x: what there is to do\n    Returns: it\n    ", 14, []Text{"Does it.", "", "Args:", "    x: what ", "    there is ", "    to do", "Returns: it"}},
		{"a\n  - b c d e f", 8, []Text{"a", "- b c d ", "e f"}},
		{"a\nb\n  - b c d e f", 8, []Text{"a", "b", "  - b c ", "  d e f"}},
		{"a\n\tb\x1b[2J\n\tc\u202e", 20, []Text{"a", "b⟨ESC⟩[2J", "c⟨U+202E⟩"}},
		{"a\nb\n" + strings.Repeat(" ", 30) + "c d", 8, []Text{"a", "b", "    c d"}},
		{"one", 0, nil},
		{"日本語", 4, []Text{"日本", "語"}},
	} {
		if got := Prose(tt.text, tt.width, 1000); !slices.Equal(got, tt.want) {
			t.Errorf("%q in %d columns: %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
	long := strings.Repeat("日本\n", 10_000)
	looked := 0
	Looked = func(n int) { looked += n }
	got := Prose(long, 10, 1000)
	Looked = nil
	if last := got[len(got)-1]; last != "⟨+69000 bytes⟩" {
		t.Errorf("of the rest is said %q", last)
	}
	if looked > 20_000 {
		t.Errorf("%d bytes are looked at", looked)
	}
	for _, l := range got {
		if strings.Contains(string(l), "0x") {
			t.Errorf("a character is cut in half: %q", l)
		}
	}
}

func TestUnbrokenIsOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		"one":                        "one",
		"  one  two ":                "one  two",
		"one\ntwo":                   "one two",
		"\n one \r\n\t\r\n  two\n\n": "one two",
		"a\x1b\nb":                   "a\x1b b",
		"\n\n":                       "",
	} {
		if got := Unbroken(text, 100); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for n := range 12 {
		if got := Unbroken("日\n本語ab\xff\xff", n); len(got) > n || !utf8.ValidString(strings.ToValidUTF8(got, "")) {
			t.Errorf("%d bytes: %q", n, got)
		}
	}
}
