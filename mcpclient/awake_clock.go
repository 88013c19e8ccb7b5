package mcpclient

import (
	"sync"
	"time"
)

// awakeClock is a clock that stands still while belay does not run: suspended by ctrl+z,
// or stopped by a signal that nobody hears of (SIGSTOP). What a server did meanwhile is
// read when belay runs again, and how long it waited for that says nothing of the server.
//
// Somebody looks at it often, so a long time between two looks is one in which belay
// did not run. Whoever looks first sees it, also a reader that was stopped too: no time
// is ever stamped on a message that holds such a pause.
type awakeClock struct {
	real func() time.Time

	mu     sync.Mutex
	looked time.Time     // when somebody looked last; zero: nobody looks often enough
	lost   time.Duration // in which belay did not run
	untold time.Duration // of that, what was not taken
	since  time.Time     // by this clock, when the first of that was found

	quit, ended chan struct{}
	found       chan struct{} // one slot: there is something to take
}

const (
	lookEvery = 250 * time.Millisecond
	// leastStop is far more than a busy machine keeps a goroutine waiting.
	leastStop = time.Second
)

// now is the time of the real clock without the time in which belay did not run.
func (r *awakeClock) now() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.looked.IsZero() {
		at := time.Now()
		if d := at.Sub(r.looked); d > leastStop {
			r.lost += d
			if r.untold == 0 {
				r.since = r.real().Add(-r.lost)
			}
			r.untold += d
			select {
			case r.found <- struct{}{}:
			default:
			}
		}
		r.looked = at
	}
	return r.real().Add(-r.lost)
}

// take returns the time in which belay did not run, as far as it was not taken before, and
// when that was found: nothing that was read since has a time before that.
func (r *awakeClock) take() (at time.Time, d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	d = r.untold
	r.untold = 0
	return r.since, d
}

// start begins to look, until end is called. Found is called, from a goroutine of its own,
// when there is something to take: perhaps nobody else looks.
func (r *awakeClock) start(found func()) {
	r.quit, r.ended, r.found = make(chan struct{}), make(chan struct{}), make(chan struct{}, 1)
	r.mu.Lock()
	r.looked = time.Now()
	r.mu.Unlock()
	go func() {
		defer close(r.ended)
		looks := time.NewTicker(lookEvery)
		defer looks.Stop()
		for {
			select {
			case <-r.quit:
				return
			case <-r.found:
			case <-looks.C:
				r.now()
			}
			r.mu.Lock()
			is := r.untold > 0
			r.mu.Unlock()
			if is {
				found()
			}
		}
	}()
}

func (r *awakeClock) end() {
	close(r.quit)
	<-r.ended
	r.mu.Lock()
	defer r.mu.Unlock()
	r.looked = time.Time{}
}
