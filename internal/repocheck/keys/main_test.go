package main

import (
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/ui"
)

func TestThePageIsUpToDate(t *testing.T) {
	if err := run(true); err != nil {
		t.Error(err)
	}
}

// What the specification calls cancel in three places has three names on the
// keys.
func TestTheThreeCancelsHaveThreeNames(t *testing.T) {
	requirements.Rows(t, "CXL-40")
	page := ui.Keys()
	for _, want := range []string{
		"| `x` |  | cancel the selected request now, with the default reason<br>cancel task: the selected call runs as one, and the server is asked to stop it by tasks/cancel |",
		"| `:dismiss` | dismiss the server's question without deciding |",
		"| `:decline` | decline the server's question |",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("docs/keys.md lacks %q", want)
		}
	}
	for line := range strings.SplitSeq(page, "\n") {
		low := strings.ToLower(line)
		if strings.Contains(low, "question") && strings.Contains(low, "cancel") {
			t.Errorf("a question of the server's is answered, not cancelled: %s", line)
		}
	}
}
