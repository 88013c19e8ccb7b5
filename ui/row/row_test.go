package row

import (
	"testing"
	"time"

	"belay/session"
	"belay/ui/theme"
)

// The last minute before a timeout is a countdown, unless the clock is paused or
// the call has only begun.
func TestTimeCountsDownBeforeATimeout(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	w := Words{Looks: theme.Looks{Glyphs: theme.Unicode}, Now: now}
	r := session.Row{State: session.Running, Created: now.Add(-90 * time.Second), Deadline: now.Add(30 * time.Second)}
	if got := w.Time(r); got != "30s left" {
		t.Errorf("the time is %q", got)
	}
	r.Paused = true
	if got := w.Time(r); got != "1m30s" {
		t.Errorf("the time of a paused call is %q", got)
	}
	w.Slow, r.Created = true, now.Add(-2500*time.Millisecond)
	if got := w.Time(r); got != "2s" {
		t.Errorf("without motion the time is %q", got)
	}
}
