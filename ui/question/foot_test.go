package question

import (
	"testing"

	"belay/internal/safe"
)

// The foot of a locked form says what esc does, however long the reason is and narrow the panel.
func TestTheFootKeepsItsKey(t *testing.T) {
	const reason = "its key asks for something else now · nothing was sent"
	for _, tt := range []struct {
		words safe.Text
		width int
		want  safe.Text
	}{
		{reason + " · esc dismisses", 74, reason + " · esc dismisses"},
		{reason + " · esc dismisses", 40, "its key asks for someth… · esc dismisses"},
		{"a long reason without a key", 10, "a long re…"},
		{"why · esc dismisses", 8, " · esc …"},
	} {
		if got := fitted(tt.words, tt.width); got != tt.want {
			t.Errorf("%d: %q, want %q", tt.width, got, tt.want)
		}
	}
}
