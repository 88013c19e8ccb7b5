package sampler

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"belay/session/witness"
)

// A process that left the tree, the group and the session before it was first seen is known by
// the environment that the server has handed on.
func TestADetachedProcessIsKnownByItsMark(t *testing.T) {
	mark := NewMark()
	w := New(startTree(t, "setsid -f sleep 63; setsid -f sh -c 'sleep 64 & wait'; sleep 100", mark), mark, new(Births), new(Lives), func(args []string) string { return strings.Join(args, " ") })
	is := func(s witness.Sample, command string) bool {
		return slices.ContainsFunc(s.Processes, func(p witness.Process) bool { return p.Command == command })
	}
	seen := map[int]bool{}
	t.Cleanup(func() {
		for pid := range seen {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	told := map[string]bool{}
	await(t, w, "who has left", func(s witness.Sample) bool {
		for _, p := range s.Processes[1:] {
			seen[p.PID] = true
		}
		for _, command := range []string{"sleep 63", "sleep 64", "sh -c sleep 64 & wait"} {
			told[command] = told[command] || is(s, command)
		}
		return len(told) == 3 && !slices.Contains([]bool{told["sleep 63"], told["sleep 64"], told["sh -c sleep 64 & wait"]}, false)
	})
	other := New(startTree(t, "sleep 100", NewMark()), NewMark(), new(Births), new(Lives), func(args []string) string { return strings.Join(args, " ") })
	if s := other.Look(time.Now()); is(s, "sleep 63") {
		t.Errorf("another server has it: %+v", s.Processes)
	}
}
