package wording

import (
	"time"

	"belay/internal/safe"
)

// Limit writes a timeout.
func Limit(d time.Duration) safe.Text {
	if d <= 0 {
		return "no limit"
	}
	return safe.Text(ShortDuration(d))
}

// ShortDuration is "5m" where String would say "5m0s".
func ShortDuration(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if n := len(s) - len(zero); n > 0 && s[n:] == zero {
			s = s[:n+1]
		}
	}
	return s
}
