//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"belay/internal/termtest"
)

// shellWithJobs runs belay as a job, ends what that may have been stopped in the middle of, a sequence or a character, and ends
// the job when the user says so.
const (
	shellWithJobs = `set -m; "$0" sh -c "$1"; stty sane; printf '\030\n\n'; echo the shell has it; ` + endsTheJob
	endsTheJob    = `read line; kill -TERM %1; kill -CONT %1; while kill -0 %1 2>/dev/null; do sleep 0.1; done; read line; echo all is over`
)

// A belay that is ended in the background of a terminal neither sets nor reads it: the system would stop belay for that.
func TestBelayIsEndedInTheBackground(t *testing.T) { endsInTheBackground(t, shellWithJobs, "\n") }

// endsInTheBackground stops belay in a shell, and types until belay has ended.
func endsInTheBackground(t *testing.T, shell, types string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	s := termtest.Tell(t, termtest.Options{
		Argv: []string{"/bin/sh", "-c", shell, os.Args[0], answersOnce}, Cols: 140, Rows: 60,
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
	s.See("the shell has it").Type(types)
	if err := termtest.WaitProcessGone(jobs[0].PID, time.Minute); err != nil {
		t.Fatal(err)
	}
	s.Type("\n").See("all is over").Exit(0)
	if cooked, err := s.IsCooked(); err != nil || !cooked {
		t.Errorf("the shell's modes were changed: %v", err)
	}
}

// shellThatResets runs belay as a job, resets the terminal when the job is stopped, and brings the job back when the
// user says so.
const shellThatResets = `set -m; "$0" sh -c "$1"; stty sane; printf '\030\n\n\033[<u\033[?2004l\033[?1002l\033[?1003l\033[?1006l\033[?1004l\033[?25h'
echo the shell has it; read line; fg >/dev/null`

// A belay that comes back after it was stopped from outside sets each mode of its screen again, and is drawn in the
// size that the terminal has now.
func TestAScreenThatComesBack(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	s := termtest.Tell(t, termtest.Options{
		Argv: []string{"/bin/sh", "-c", shellThatResets, os.Args[0], answersOnce}, Cols: 140, Rows: 60,
		Env: []string{childVar + "=stuck", "LOG=" + log},
	})
	modes := []int{1002, 1003, 1004, 1006, 2004}
	on := func(screen termtest.Screen) (set []int) {
		for _, m := range modes {
			if screen.HasMode(m) {
				set = append(set, m)
			}
		}
		return set
	}
	s.See("scripted")
	before := s.Screen()
	if len(on(before)) < 2 || before.Kitty == 0 {
		t.Fatalf("there is nothing to set again: %v, %d", on(before), before.Kitty)
	}
	jobs, err := termtest.ChildrenOf(s.PID())
	if err != nil || len(jobs) != 1 {
		t.Fatalf("%v: %v", jobs, err)
	}
	if err := syscall.Kill(-jobs[0].PID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	s.See("the shell has it").Until("the modes to be reset", func(screen termtest.Screen) bool { return len(on(screen)) == 0 })
	s.Resize(100, 30).Type("\n")
	s.Until("the whole screen in its size", func(screen termtest.Screen) bool {
		edge, _, found := screen.Find("╮")
		return found && edge < 100 && !screen.Contains("the shell has it") && screen.Contains("? help") &&
			slices.Equal(on(screen), on(before)) && screen.Kitty == before.Kitty && !screen.Cursor.Visible
	})
	s.Press("q").Exit(0)
}
