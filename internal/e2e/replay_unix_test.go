//go:build unix

package e2e

import (
	"path/filepath"
	"syscall"
	"testing"
)

// Signals end the screen of a recording, as they end any other; a recording that ends
// while calls are in flight asks nothing on the way out.
func TestSignalsEndAReplay(t *testing.T) {
	t.Parallel()
	recording := plays(t, filepath.Join(t.TempDir(), "run.jsonl"))
	live := play(t, "silent-cancel", "--record", recording)
	live.See("scripted").call("slow").See("running")
	for _, end := range []func(*stage){
		func(s *stage) { s.Press("q") },
		func(s *stage) { s.Press("ctrl+c") },
		func(s *stage) { signals(t, s, syscall.SIGTERM) },
		func(s *stage) { signals(t, s, syscall.SIGHUP) },
	} {
		s := replayed(t, 100, 30, recording)
		s.See("recording", " end", "running")
		end(s)
		s.Exit(0)
	}
	live.Press("q", "q").Exit(0)
}

func signals(t *testing.T, s *stage, sig syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(s.PID(), sig); err != nil {
		t.Fatal(err)
	}
}
