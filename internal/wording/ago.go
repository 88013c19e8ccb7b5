package wording

import (
	"time"

	"belay/internal/safe"
)

// Ago is how long ago something was, roughly: "2 h ago".
func Ago(d time.Duration) safe.Text {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return Thousands(int(d/time.Minute)) + " min ago"
	case d < day:
		return Thousands(int(d/time.Hour)) + " h ago"
	}
	return Count(int(d/day), "day") + " ago"
}
