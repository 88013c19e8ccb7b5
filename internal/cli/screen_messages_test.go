package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"belay/internal/safe"
)

// What a user may copy is kept whole, and of what does not end the newest.
func TestMessagesAreKeptWithinBounds(t *testing.T) {
	var m messages
	most := ansi.SetSystemClipboard(strings.Repeat("x", 1<<20)) // which ui lets a user copy
	m.keep([]byte(most))
	m.keep([]byte(ansi.SetSystemClipboard(strings.Repeat("y", 2<<20))))
	for i := range notificationsMost + 3 {
		m.keep([]byte(notifier(func(string) string { return "" })(safe.Text("number " + string(rune('a'+i))))))
	}
	m.keep([]byte(ansi.Notify(strings.Repeat("x", notificationMost))))
	all := m.take(nil)
	if !bytes.HasPrefix(all, []byte(most)) {
		t.Error("what was copied is not kept")
	}
	if rest := string(all[len(most):]); strings.Count(rest, "number") != notificationsMost || strings.Contains(rest, "number c") || !strings.Contains(rest, "number k") {
		t.Errorf("the notifications are %q", rest)
	}
	if again := m.take(nil); len(again) > 0 {
		t.Errorf("%d bytes are kept for ever", len(again))
	}
}
