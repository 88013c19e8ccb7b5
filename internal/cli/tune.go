package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// memoryGoal keeps the garbage collector from letting the heap grow to twice
// the bounded history under a flood. It is a goal: nothing fails beyond it.
const memoryGoal = 112 << 20

// memoryHeadroom is how much more than what lives there may be, where that comes near the goal or
// above it. Without room for garbage the collector would never rest: a history of 107 MB made it
// collect forty times a second, and a key wait 6 ms in the place of 1.
const memoryHeadroom = 20 << 20

// memoryStep is what the goal rises and falls by, so that it is seldom set.
const memoryStep = 4 << 20

// memoryLimit is the goal for a heap in which so many bytes live.
func memoryLimit(live uint64) int64 {
	steps := (min(live, 1<<50) + memoryHeadroom + memoryStep - 1) / memoryStep
	return max(memoryGoal, int64(steps)*memoryStep)
}

// garbagePercent is how much garbage may come together before it is collected, as
// a share of what lives. A key that is pressed during a collection waits longer the
// more there is to go through: 10,000 calls in flight are 7 ms in the place of 2.
// So collections are to be rare; memoryGoal bounds what that costs.
const garbagePercent = 300

// leastProcs is how many goroutines may run at once at least. With fewer, the
// reader of a flood, the garbage collector and the screen can hold every
// processor while a key waits for one; the system's own scheduler is fairer.
const leastProcs = 8

// tune sets what the runtime does with memory and processors, for a command without a screen.
// What it begins goes on until stop.
func tune() (stop func()) {
	tuneProcs()
	return tuneMemory()
}

// tuneMemory looks every second whether the memory goal still leaves room for garbage, until stop.
func tuneMemory() (stop func()) {
	debug.SetMemoryLimit(memoryGoal)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	ticker, over := time.NewTicker(time.Second), make(chan struct{})
	go func() {
		live, limit := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}, int64(memoryGoal)
		for {
			select {
			case <-over:
				return
			case <-ticker.C:
			}
			if metrics.Read(live); live[0].Value.Kind() != metrics.KindUint64 {
				continue
			}
			if l := memoryLimit(live[0].Value.Uint64()); l != limit {
				limit = l
				debug.SetMemoryLimit(limit)
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(over)
	}
}

func tuneProcs() { runtime.GOMAXPROCS(max(leastProcs, runtime.GOMAXPROCS(0))) }
