package termtest

import (
	"maps"
	"slices"
	"sync"
)

// tasks are goroutines that are known by name until they end. The lock is theirs alone: a goroutine
// may have to begin while another waits for it and holds the lock of the terminal.
type tasks struct {
	all sync.WaitGroup

	mu    sync.Mutex
	names map[string]bool // of those that run
}

// begin runs f in a goroutine of that name.
func (t *tasks) begin(name string, f func()) {
	t.note(name, true)
	t.all.Go(func() {
		defer t.note(name, false)
		f()
	})
}

func (t *tasks) note(name string, runs bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.names == nil {
		t.names = map[string]bool{}
	}
	if runs {
		t.names[name] = true
	} else {
		delete(t.names, name)
	}
}

// running are the names of those that have not ended, in their order.
func (t *tasks) running() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Sorted(maps.Keys(t.names))
}
