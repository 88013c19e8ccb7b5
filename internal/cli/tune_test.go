package cli

import (
	"runtime/debug"
	"testing"
)

// The memory goal stays where there is room for garbage below it, and leaves some room above what
// lives in any other case.
func TestTheMemoryGoalLeavesRoomForGarbage(t *testing.T) {
	for _, c := range []struct{ live, most uint64 }{
		{0, memoryGoal}, {64 << 20, memoryGoal}, {92 << 20, memoryGoal}, {107 << 20, 132 << 20}, {1 << 30, 1<<30 + 24<<20}, {1 << 63, 1 << 51},
	} {
		got := memoryLimit(c.live)
		if got < memoryGoal || uint64(got) > c.most || c.live < 1<<50 && uint64(got) < c.live+memoryHeadroom {
			t.Errorf("of %d MB that live: %d MB", c.live>>20, got>>20)
		}
	}
}

// What was begun ends with stop, and the goal is the runtime's.
func TestTheMemoryGoalIsTheRuntimes(t *testing.T) {
	percent, was := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(was)
	defer debug.SetGCPercent(percent)
	tuneMemory()()
	if limit := debug.SetMemoryLimit(-1); limit != memoryGoal {
		t.Errorf("the goal is %d", limit)
	}
}
