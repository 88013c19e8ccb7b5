//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"belay/internal/termtest"
)

// shellWithJobs runs belay as a job, has the user say when the job is to be ended, and when the shell is.
const shellWithJobs = `set -m; "$0" sh -c "$1"; stty sane; echo the shell has it; read line; kill -TERM %1; kill -CONT %1; read line; echo all is over`

// A belay that is ended in the background of a terminal does not set it: the system would stop belay for that.
func TestBelayIsEndedInTheBackground(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	s := termtest.Tell(t, termtest.Options{
		Argv: []string{"/bin/sh", "-c", shellWithJobs, os.Args[0], answersOnce}, Cols: 140, Rows: 60,
		Env: []string{childVar + "=stuck", "LOG=" + log},
	})
	s.See("scripted")
	jobs, err := termtest.ChildrenOf(s.PID())
	if err != nil || len(jobs) != 1 {
		t.Fatalf("%v: %v", jobs, err)
	}
	if err := syscall.Kill(-jobs[0].PID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	s.See("the shell has it").Type("\n")
	if err := termtest.WaitProcessGone(jobs[0].PID, time.Minute); err != nil {
		t.Fatal(err)
	}
	s.Type("\n").See("all is over").Exit(0)
	if cooked, err := s.IsCooked(); err != nil || !cooked {
		t.Errorf("the shell's modes were changed: %v", err)
	}
}
