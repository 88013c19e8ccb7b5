//go:build unix

package e2e

import (
	"bytes"
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
		calls, least := n%4 == 0, rng.IntN(24) // lines, however fast the machine is
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.jsonl")
			s := playAt(t, 100, 30, "flood", "--record", path)
			recorded(t, path, 1)
			if calls {
				s.See("scripted").call("slow")
				least *= 20
			}
			recorded(t, path, least)
			if err := syscall.Kill(s.PID(), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			s.Exit(128 + int(syscall.SIGKILL))
			x, err := replay.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer x.Close()
			_, last := played(t, x).Session.HistorySpan()
			lines[int(last)] = true
		})
	}
	if len(lines) < 10 {
		t.Errorf("all were killed at %d points", len(lines))
	}
}

// recorded waits until a recording has so many lines, or grows no more.
func recorded(t *testing.T, path string, lines int) {
	t.Helper()
	grown, since := 0, time.Now()
	for ; ; time.Sleep(time.Millisecond) {
		raw, err := os.ReadFile(path)
		if err == nil && bytes.Count(raw, []byte("\n")) >= lines {
			return
		}
		switch {
		case len(raw) > grown:
			grown, since = len(raw), time.Now()
		case grown > 0 && time.Since(since) > 3*time.Second:
			return
		case time.Since(since) > time.Minute:
			t.Fatal("nothing is recorded")
		}
	}
}
