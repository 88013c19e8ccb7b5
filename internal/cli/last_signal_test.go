package cli

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestASignalThatComesTwiceIsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l lastSignal
		for _, s := range []struct {
			after time.Duration
			again bool
		}{
			{0, false},
			{time.Millisecond, true},
			{sameWithin - time.Millisecond, false},
			{sameWithin - 1, true},
			{1, false},
			{0, true},
		} {
			time.Sleep(s.after)
			if got := l.isRepeated(); got != s.again {
				t.Errorf("after %v: %v", s.after, got)
			}
		}
	})
}
