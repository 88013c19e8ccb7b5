package mcpclient

import (
	"testing"
	"testing/synctest"
	"time"
)

// A time in which nobody looked at the clock is one in which belay did not run, whoever
// looks first: it is told once, and no time goes back.
func TestTheClockStandsWhileBelayIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		r := &runTime{real: time.Now}
		time.Sleep(time.Hour) // nobody has begun to look
		if got := r.now().Sub(began); got != time.Hour {
			t.Errorf("before it was begun, %v passed in an hour", got)
		}
		var told []time.Duration
		r.start(func(d time.Duration) { told = append(told, d) })
		began = r.now()
		time.Sleep(10 * time.Second) // in which the clock is looked at
		if got := r.now().Sub(began); got != 10*time.Second || len(told) != 0 {
			t.Errorf("%v passed in ten seconds, told %v", got, told)
		}
		r.mu.Lock()
		r.looked = r.looked.Add(-7 * time.Second) // as if belay had been stopped for so long
		r.lost -= 7 * time.Second
		r.mu.Unlock()
		// Of 17 seconds by a clock that counts the stop there remain:
		if got := r.now().Sub(began); got != 10*time.Second {
			t.Errorf("after a stop the clock says %v", got)
		}
		synctest.Wait()
		if len(told) != 1 || told[0] != 7*time.Second {
			t.Errorf("told %v", told)
		}
		r.end()
		time.Sleep(time.Hour)
		if got := r.now().Sub(began); got != time.Hour+10*time.Second {
			t.Errorf("after its end: %v", got)
		}
	})
}
