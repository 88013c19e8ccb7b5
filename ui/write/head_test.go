package write

import (
	"fmt"
	"strings"
	"testing"

	"belay/internal/safe"
)

// What is left out is counted, and nothing else.
func TestHead(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width int
		head  []safe.Text
		more  int
	}{
		{"abc", 5, []safe.Text{"abc"}, 0},
		{"abc\n", 5, []safe.Text{"abc"}, 0},
		{"abcdefgh", 5, []safe.Text{"abcde", "fgh"}, 0},
		{strings.Repeat("a", 100), 5, []safe.Text{"aaaaa", "aaaaa", "aaaa…"}, 86},
		{"a\nb\nc\nd\ne", 5, []safe.Text{"a", "b", "c"}, 3},
		{"a\n\n\nd\ne", 5, []safe.Text{"a", "", ""}, 3},
		{strings.Repeat("a", 20_000), 5, []safe.Text{"aaaaa", "aaaaa", "aaaa…"}, 20_000 - 14},
	} {
		head, more := Head(tt.text, 16<<10, tt.width, 3)
		if fmt.Sprint(head) != fmt.Sprint(tt.head) || more != tt.more {
			t.Errorf("%.20q: %q and %d more, want %q and %d", tt.text, head, more, tt.head, tt.more)
		}
	}
	if head, more := Head("abc", 100, 0, 3); len(head) != 0 || more != 0 {
		t.Errorf("without room: %q, %d", head, more)
	}
}
