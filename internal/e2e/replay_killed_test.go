//go:build unix

package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"belay/mcpclient/replay"
)

// A recording of a program that is killed at random points opens, 100 of 100: all of it
// but a last line that is cut is played, and comes out as it was recorded.
func TestARecordingOfAKilledProgramOpens(t *testing.T) {
	t.Parallel()
	rounds := 100
	if raceEnabled { // the plain run plays all of them
		rounds = 20
	}
	rng := rand.New(rand.NewPCG(15, 100))
	lines := map[int]bool{}
	for n := range rounds {
		calls, wait := n%4 == 0, time.Duration(rng.IntN(80))*time.Millisecond
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.jsonl")
			s := playAt(t, 100, 30, "flood", "--record", path)
			for begun := time.Now(); ; time.Sleep(time.Millisecond) {
				if info, err := os.Stat(path); err == nil && info.Size() > 0 {
					break
				}
				if time.Since(begun) > time.Minute {
					t.Fatal("nothing is recorded")
				}
			}
			if calls {
				s.See("scripted").call("slow")
			}
			time.Sleep(wait)
			if err := syscall.Kill(s.PID(), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			s.Exit(128 + int(syscall.SIGKILL))
			x, err := replay.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer x.Close()
			all, err := x.All(t.Context())
			if err != nil || all.Differs > 0 || all.Faulty > 0 && !(all.Cut && all.Faulty == 1) {
				t.Errorf("%v: %+v", err, all)
			}
			if err := all.Session.Check(); err != nil {
				t.Error(err)
			}
			_, last := all.Session.HistorySpan()
			lines[int(last)] = true
		})
	}
	if len(lines) < 10 {
		t.Errorf("all were killed at %d points", len(lines))
	}
}
