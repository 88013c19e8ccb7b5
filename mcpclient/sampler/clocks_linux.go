package sampler

import "time"

const (
	// apart is how long after each other two clocks may be read to tell one moment.
	apart = 100 * time.Microsecond
	// mostReads is how often they are read at most.
	mostReads = 8
)

// together reads two clocks at one moment: a busy machine may stop a program between one and
// the other, for longer than a server needs to begin a process. What is told is the moment at
// which they were read the shortest time after each other.
func together(one func() time.Duration, other func() time.Time) (a time.Duration, b time.Time) {
	best := time.Duration(-1)
	for range mostReads {
		before := other()
		now := one()
		if took := other().Sub(before); best < 0 || took < best {
			a, b, best = now, before, took
		}
		if best <= apart {
			break
		}
	}
	return a, b
}
