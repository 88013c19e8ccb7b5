//go:build !linux

package sampler

import "time"

// showsEnvironments reports whether the system shows those of other processes.
const showsEnvironments = false

// newSource is what a server is watched by here.
func newSource() source { return &library{} }

const readsQuickly = false

// lastNumber is not told here, and needs not be: processes have times that are close enough.
func lastNumber() (number int, ok bool) { return 0, false }

// wallCost is the time that passes, which is never less than what is used.
type wallCost struct{}

func newCost() cost { return wallCost{} }

func (wallCost) begin() func() time.Duration {
	from := time.Now()
	return func() time.Duration { return time.Since(from) }
}
