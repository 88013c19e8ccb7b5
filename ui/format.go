package ui

import (
	"strconv"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
)

// rulesWords writes the rules by which a call cancels itself.
func rulesWords(r session.Rules) safe.Text {
	var t safe.Text
	if r.After > 0 {
		t = "cancel after " + safe.Text(wording.ShortDuration(r.After))
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
