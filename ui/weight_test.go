package ui

import (
	"math"
	"runtime"
	"testing"
)

// spent is what a step costs: memory, how often it was allocated, and how many rows
// the calls pane looked at.
type spent struct{ bytes, allocs, rows int }

// spend is what a step costs at least, of several like ones: the age of a call may
// change in any of them, and the frame with it. The rows are the most of all steps.
func spend(m *Model, step func()) spent {
	step() // what is kept from frame to frame grows in the first one
	least := spent{bytes: math.MaxInt, allocs: math.MaxInt}
	for range 10 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		step()
		runtime.ReadMemStats(&after)
		least.bytes = min(least.bytes, int(after.TotalAlloc-before.TotalAlloc))
		least.allocs = min(least.allocs, int(after.Mallocs-before.Mallocs))
		least.rows = max(least.rows, m.calls.Copied())
	}
	return least
}

// What a key costs, and the frame that shows what it did, is what is seen, and not
// how many calls there are: with 10,000 in flight it is what it is with 200.
func TestAKeyCostsTheSameWithManyCalls(t *testing.T) {
	steps := map[string]func(m *Model, back *memory){
		"a key that moves":     func(m *Model, _ *memory) { m.Update(keyPress("j")) },
		"a key that calls":     func(m *Model, back *memory) { m.Update(keyPress("r")); back.pump() },
		"a key that cancels":   func(m *Model, back *memory) { m.Update(keyPress("x")); back.pump(); m.Update(keyPress("j")) },
		"a frame of the clock": func(m *Model, _ *memory) { m.Update(clockMsg{}) },
		"a frame of news":      func(m *Model, _ *memory) { m.Update(newsMsg{}) },
	}
	for name, step := range steps {
		t.Run(name, func(t *testing.T) {
			cost := func(calls int) spent {
				m, back := floodedBy(t, calls)
				return spend(m, func() { step(m, back) })
			}
			few, many := cost(200), cost(10_000) // numbers below 100 are made without memory
			if many.rows > few.rows || many.bytes > few.bytes+few.bytes/4+4096 || many.allocs > few.allocs+few.allocs/4+32 {
				t.Errorf("%+v with 10,000 calls in flight, %+v with 200", many, few)
			}
		})
	}
}
