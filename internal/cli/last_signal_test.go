package cli

import (
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestASignalThatComesTwiceIsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l lastSignal
		for _, s := range []struct {
			after time.Duration
			sig   os.Signal
			again bool
		}{
			{0, os.Interrupt, false},
			{time.Millisecond, os.Interrupt, true},
			{sameWithin - time.Millisecond, os.Interrupt, false},
			{sameWithin - 1, os.Interrupt, true},
			{1, syscall.SIGTERM, false},
			{0, os.Interrupt, false},
		} {
			time.Sleep(s.after)
			if got := l.isRepeated(s.sig); got != s.again {
				t.Errorf("%v after %v: %v", s.sig, s.after, got)
			}
		}
	})
}
