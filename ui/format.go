package ui

import (
	"strconv"
	"time"

	"belay/internal/safe"
	"belay/session"
)

// limitWords writes a timeout.
func limitWords(d time.Duration) safe.Text {
	if d <= 0 {
		return "no limit"
	}
	return safe.Text(shortDuration(d))
}

// shortDuration is "5m" where String would say "5m0s".
func shortDuration(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if n := len(s) - len(zero); n > 0 && s[n:] == zero {
			s = s[:n+1]
		}
	}
	return s
}

// rulesWords writes the rules by which a call cancels itself.
func rulesWords(r session.Rules) safe.Text {
	var t safe.Text
	if r.After > 0 {
		t = "cancel after " + safe.Text(shortDuration(r.After))
	}
	if r.AtFraction > 0 {
		at := "cancel at " + safe.Text(strconv.FormatFloat(r.AtFraction*100, 'g', 4, 64)) + "%"
		if t != "" {
			t += ", "
		}
		t += at
	}
	return t
}
