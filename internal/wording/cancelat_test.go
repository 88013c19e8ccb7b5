package wording

import (
	"testing"
	"time"

	"belay/session"
)

// The moments of a cancel are read as they are written, and what is none is refused.
func TestTheMomentsOfACancel(t *testing.T) {
	for text, want := range map[string]session.Rules{
		"50%": {AtFraction: 0.5}, "0.5 %": {AtFraction: 0.005}, "100%": {AtFraction: 1}, "3": {AtProgress: 3}, "1e3": {AtProgress: 1000},
		"message": {OnMessage: true}, "answer": {AtAnswer: true}, " 50%,message , answer, 7": {AtFraction: 0.5, AtProgress: 7, OnMessage: true, AtAnswer: true},
	} {
		want.After, want.Reason = time.Second, "why"
		got := session.Rules{After: time.Second, Reason: "why", AtFraction: 0.9, OnMessage: true, AtAnswer: true, AtProgress: 4}
		if err := ParseCancelAt(text, &got); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		var again session.Rules
		if err := ParseCancelAt(string(CancelAt(&got)), &again); err != nil || again.AtFraction != want.AtFraction || again.AtProgress != want.AtProgress || again.OnMessage != want.OnMessage || again.AtAnswer != want.AtAnswer {
			t.Errorf("%q is written as %q", text, CancelAt(&got))
		}
	}
	for _, text := range []string{"", "0", "0%", "101%", "-1", "NaN", "Inf", "half", "50%,", "%", "message answer"} {
		r := session.Rules{AtProgress: 4}
		if err := ParseCancelAt(text, &r); err == nil || r.AtProgress != 4 {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
}
