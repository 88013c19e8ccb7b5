package nearest

import (
	"slices"
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"kitten", "sitting", 3},
		{"ecko", "echo", 1},
		{"args", "arg", 1},
		{"größe", "große", 1},
		{strings.Repeat("a", 200), strings.Repeat("a", 200), 0},
		{"a", strings.Repeat("a", 201), 200},
	} {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := Distance(pair[0], pair[1]); got != tt.want {
				t.Errorf("%q to %q: %d, want %d", pair[0], pair[1], got, tt.want)
			}
		}
	}
}

func TestNames(t *testing.T) {
	long := strings.Repeat("x", 201)
	names := []string{"ask_form", "countdown", "Count", "echo", "tell_echo", "stubborn", long}
	for word, want := range map[string][]string{
		"":         nil,
		"ecko":     {"echo"},
		"ECHO":     {"echo", "tell_echo"},
		"cont":     {"Count"},
		"count":    {"countdown", "Count"},
		"zebra":    nil,
		"stuborn":  {"stubborn"},
		"x":        nil,
		long + "x": nil,
	} {
		if got := Names(word, names); !slices.Equal(got, want) {
			t.Errorf("%.20q: %q, want %q", word, got, want)
		}
	}
	if got := Names("tool", []string{"tool1", "tool2", "tool3", "tool4"}); len(got) != 3 {
		t.Errorf("%q are proposed", got)
	}
}
