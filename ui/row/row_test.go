package row

import (
	"testing"
	"time"

	"belay/internal/covers"
	"belay/internal/safe"
	"belay/session"
	"belay/ui/theme"
)

func TestProgress(t *testing.T) {
	covers.Rows(t, "PRG-06", "PRG-07", "PRG-21")
	for _, tt := range []struct {
		value, total float64
		has          bool
		want         safe.Text
	}{
		{0.2, 1, true, "20%"},
		{1e-3, 1, true, "0%"},
		{3, 7, true, "42%"},
		{29, 100, true, "29%"},
		{999, 1000, true, "99%"},
		{17, 0, false, "17"},
		{12, 10, true, "100% (12/10)"},
		{5, 0, true, "5"},
		{1e308, 1e-308, true, "100% (1e+308/1e-308)"},
		{0, 3, true, "0%"},
		{2.5, 0, false, "2.5"},
	} {
		p := session.ProgressView{Count: 1, Value: tt.value, Total: tt.total, HasTotal: tt.has}
		if got := Progress(p); got != tt.want {
			t.Errorf("%v of %v: %q, want %q", tt.value, tt.total, got, tt.want)
		}
	}
}

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
