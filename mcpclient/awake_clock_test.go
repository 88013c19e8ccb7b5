package mcpclient

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"belay/session"
)

// A time in which nobody looked at the clock is one in which belay did not run, whoever
// looks first: it is told once, and no time goes back.
func TestTheClockStandsWhileBelayIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		r := &awakeClock{real: time.Now}
		time.Sleep(time.Hour) // nobody has begun to look
		if got := r.now().Sub(began); got != time.Hour {
			t.Errorf("before it was begun, %v passed in an hour", got)
		}
		var told []time.Duration
		r.start(func() {
			_, d := r.take()
			told = append(told, d)
		})
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

// What comes first after a stop, whatever it is, comes after the word of the stop: the stop is
// in its time of day.
func TestAStopIsToldBeforeWhatWasReadSince(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{})
		c.running.start(func() {}) // nobody is as quick as the one who reads
		defer c.running.end()
		c.tell(session.Stderr{Line: []byte("before")})
		time.Sleep(2*lookEvery + lookEvery/10) // the clock is looked at meanwhile
		c.running.mu.Lock()
		c.running.looked = c.running.looked.Add(-7 * time.Second) // as if belay had been stopped for so long
		c.running.lost -= 7 * time.Second
		c.running.mu.Unlock()
		c.tell(session.Stderr{Line: []byte("after")})
		var said []string
		c.View(func(s *session.Session) {
			first, last := s.HistorySpan()
			for _, e := range s.Entries(nil, first, 10) {
				said = append(said, string(e.Raw))
				if d := e.Wall.Sub(e.At); e.Seq == last && d.Round(time.Second) != 7*time.Second || e.Seq == first && d != 0 {
					t.Errorf("the time of day of %q is %v ahead", e.Raw, d)
				}
			}
		})
		if want := "before|belay did not run for 7s: no timeout and no verdict counts that time|after"; strings.Join(said, "|") != want {
			t.Errorf("told %q", said)
		}
	})
}

// Whatever tells the session of something under the lock takes the time of it by inputTime, which
// tells of a stop first.
func TestInputsHaveTheTimeOfInputs(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 20 {
		t.Fatal(len(files), err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range strings.Split(string(text), "\nfunc ")[1:] {
			if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(f, "(c *Client) inputTime") {
				continue
			}
			told := strings.Contains(f, ".s.Tell(") || strings.Contains(f, "c.tape.Receive(")
			if told && strings.Contains(f, "mu.lock") && strings.Contains(f, "now := c.opt.Now()") {
				t.Errorf("%s: %.60q takes the time by itself", name, f)
			}
		}
	}
}
