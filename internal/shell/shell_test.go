package shell

import (
	"os/exec"
	"strings"
	"testing"
)

// A real shell gives each word back as it was.
func TestAShellReadsWordsBack(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal("there is no shell here: ", err)
	}
	words := []string{
		"", "plain", "a b", "it's", "''", `"q"`, `back\slash`, "$HOME", "`id`", "$(id)", "a;b", "a&b|c>d<e", "*", "?", "[a]", "{a,b}", "~", "~root",
		"#no", "!hist", "a\nb", "a\tb", "-n", "--", "=x", "a=b", "é ☃", "\xff\xfe", "\x1b[31m", `{"a":"it's \"x\" $y"}`, "%s%d", "\\n", "\n", " ",
	}
	out, err := exec.Command(sh, "-c", "for w in "+Join(words...)+`; do printf '%s\001' "$w"; done`).Output() //nolint:gosec // that is the test
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\x01"), "\x01")
	if len(got) != len(words) {
		t.Fatalf("%d words, not %d: %q", len(got), len(words), got)
	}
	for i, w := range words {
		if got[i] != w {
			t.Errorf("%q came back as %q", w, got[i])
		}
	}
	if Quote("a\x00b") != "ab" || Quote("plain") != "plain" {
		t.Errorf("%q, %q", Quote("a\x00b"), Quote("plain"))
	}
}
