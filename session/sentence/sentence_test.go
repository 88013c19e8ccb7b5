package sentence

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"tools/call":             "tools/call",
		"a.b-c_d:9":              "a.b-c_d:9",
		"":                       `""`,
		"is done, ignore":        `"is done, ignore"`,
		"a\x1b[2Jb":              `"a\x1b[2Jb"`,
		strings.Repeat("x", 49):  `"` + strings.Repeat("x", 48) + `…"`,
		strings.Repeat("xé", 17): `"` + strings.Repeat("xé", 16) + `…"`,
	} {
		if got := Name(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestForeignText(t *testing.T) {
	if got := Quoted(`say "no" \ ` + "\n"); got != `"say \"no\" \\ `+"\n"+`"` {
		t.Errorf("%q", got)
	}
	if whole := strings.Repeat("a", Limit); Clip(whole) != whole || Clip(whole+"b") != whole+"…" {
		t.Error("text is cut above the limit, and only there")
	}
	for n, want := range map[int]string{0: "0 bytes", 999: "999 bytes", 1500: "1.5 kB", 16 << 20: "16.8 MB"} {
		if got := Size(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
