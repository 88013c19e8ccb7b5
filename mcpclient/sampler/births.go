package sampler

import (
	"slices"
	"sync"
	"time"
)

// Births tell when a process began more closely than Linux does, whose times of processes are hundredths of a
// second, rounded down. Of each moment that is noted they keep which number the system had given last: a
// process with a higher one began later. Several goroutines may use them, and none needs to be made.
type Births struct {
	mu    sync.Mutex
	notes []birth // in their order
}

// birth is which process or thread was begun last, at a moment.
type birth struct {
	at     time.Time
	number int
}

const (
	// grain is by how much a process may seem to have begun too early.
	grain = 10 * time.Millisecond
	// mostBirths is how many moments are kept: processes are looked for at least every few seconds.
	mostBirths = 256
)

// Note notes a moment, which is now. It costs some microseconds.
func (b *Births) Note(at time.Time) {
	if number, ok := lastNumber(); ok {
		b.note(birth{at, number})
	}
}

func (b *Births) note(n birth) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.notes) == mostBirths {
		b.notes = slices.Delete(b.notes, 0, mostBirths/2)
	}
	b.notes = append(b.notes, n)
}

// since is the last moment that was noted before a process began, if it seems to have begun no more than the
// grain earlier; else the time at which it seems to have begun.
func (b *Births) since(pid int, began time.Time) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range slices.Backward(b.notes) {
		if !n.at.After(began) {
			break
		}
		if n.number < pid && n.at.Sub(began) <= grain {
			return n.at
		}
	}
	return began
}
