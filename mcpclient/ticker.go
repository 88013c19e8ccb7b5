package mcpclient

import (
	"time"

	"belay/mcpclient/conns"
	"belay/session"
)

// ticker calls Tick when the core's deadline has come. One goroutine serves the
// life of a client.
type ticker struct {
	c     *Client
	quit  chan struct{}
	ended chan struct{}
}

// A deadline that stays in the past after a tick, or a tick that panics, must
// not turn the ticker into a busy loop.
const (
	shortestWait = time.Millisecond
	afterPanic   = time.Second
)

func startTicker(c *Client) *ticker {
	k := &ticker{c: c, quit: make(chan struct{}), ended: make(chan struct{})}
	go k.run()
	return k
}

// stop ends the ticker and waits until it has ended.
func (k *ticker) stop() {
	close(k.quit)
	<-k.ended
}

func (k *ticker) run() {
	defer close(k.ended)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		least := shortestWait
		select {
		case <-k.quit:
			return
		case <-k.c.rearm:
		case <-timer.C:
			if !k.tick() {
				least = afterPanic
			}
		}
		timer.Reset(max(least, k.wait()))
	}
}

// wait is how long it is until the alarm; an hour when there is none.
func (k *ticker) wait() time.Duration {
	k.c.mu.lock()
	defer k.c.mu.unlock()
	if k.c.alarm.IsZero() {
		return time.Hour
	}
	return k.c.alarm.Sub(k.c.opt.Now())
}

// tick is what happens when the alarm goes off. It says false after a panic.
func (k *ticker) tick() (ok bool) {
	defer func() {
		if v := recover(); v != nil {
			k.c.onCrash("the clock", v)
			ok = false
		}
	}()
	if k.due() {
		k.c.signal()
	}
	return true
}

func (k *ticker) due() (ticked bool) {
	c := k.c
	var reads *conns.Set // nil: nothing is due
	c.View(func(s *session.Session) {
		if at, ok := s.Deadline(); ok && !c.opt.Now().Before(at) {
			reads = c.reads
		}
	})
	reads.WaitRead(c.opt.HTTP.waitsUnread(), nil)
	c.mu.lock()
	defer c.mu.unlock()
	now := c.inputTime()
	c.alarm = time.Time{}
	// Deadlines move away all the time (every progress notification does it), and
	// the alarm is not moved with them; so it may go off early.
	if at, ok := c.s.Deadline(); ok && !now.Before(at) {
		tellParts(c.parts, c.s, now)
		c.s.Tell(now, session.Tick{})
		ticked = true
		// The core closes when its cancels are written, or their time is up. A
		// writer that is stuck cannot ask it for that, so it is asked for here.
		if c.link != nil && !c.link.ready(nil) && c.s.Status().Phase == session.Closing {
			c.link.closeSoon()
		}
	}
	c.settle(now)
	return ticked
}
