package session

import (
	"time"

	"belay/session/cancel"
	"belay/session/timer"
)

// clocks are the limits of a running call, and its rules of time: the deadlines dueRule,
// dueMax and dueIdle. They stand still while a human answers a question that may
// belong to the call (TMO-13).
//
//shape:part of call
type clocks struct {
	stillSince time.Time            // zero: they run
	paused     [numClocks]time.Time // of each, the deadline that there would be if they ran
}

// The places of the clocks in clocks.paused.
const (
	ruleClock = iota
	maxClock
	idleClock
	numClocks
)

// clockKinds are the deadlines that a call's clocks set.
var clockKinds = [numClocks]timer.Kind{ruleClock: dueRule, maxClock: dueMax, idleClock: dueIdle}

// isStill reports whether the clocks stand still.
func (k *clocks) isStill() bool { return !k.stillSince.IsZero() }

// once is the owner of a deadline of which there is one in a session.
func once(k timer.Kind) timer.Owner { return timer.Owner{Kind: k} }

// due is the owner of a deadline of a call.
func (c *call) due(k timer.Kind) timer.Owner { return timer.Owner{Kind: k, ID: uint64(c.id)} }

// setClock has one of a call's clocks be over in d from now; zero and less: never.
func (c *call) setClock(t *timer.List, now time.Time, k timer.Kind, d time.Duration) {
	c.touch()
	from := now
	if c.clocks.isStill() {
		from = c.clocks.stillSince
	}
	var at time.Time
	if d > 0 {
		at = from.Add(d)
	}
	if !c.clocks.isStill() {
		t.Set(c.due(k), at)
		return
	}
	for i, other := range clockKinds {
		if k == other {
			c.clocks.paused[i] = at
		}
	}
}

// lookedWithin is how long a server may take to tell of a task that is to be cancelled.
const lookedWithin = cancel.UndeliveredAfter

// within is for how long nothing may be heard of such a task, or of any other for as long as is given.
func (k *pickUp) within(idle time.Duration) time.Duration {
	if k != nil && k.stops && (idle <= 0 || idle > lookedWithin) {
		return lookedWithin
	}
	return idle
}

// startClocks begins both clocks, and the time after which a rule of the call stops it:
// they run from when the bytes were handed out, so that a server that does not read
// cannot hold a call for ever.
func (c *call) startClocks(t *timer.List, now time.Time, rule time.Duration) {
	c.setClock(t, now, dueRule, rule)
	c.renewClocks(t, now)
}

// renewClocks begins both clocks of a call anew. Its rule stays as it was.
func (c *call) renewClocks(t *timer.List, now time.Time) {
	c.setClock(t, now, dueMax, c.Max)
	c.setClock(t, now, dueIdle, c.pickUp.within(c.Idle))
}

// resetIdle resets the idle clock: there was progress (TMO-07; basic/lifecycle), or the limit is another one. Of a call that
// goes on after its answer the clock has ended with the request, and progress begins no other
// (TMO-16).
func (c *call) resetIdle(t *timer.List, now time.Time) {
	if idle := c.pickUp.within(c.Idle); idle > 0 && c.state == Running && c.goesOn == nil {
		c.setClock(t, now, dueIdle, idle)
	}
}

// stopClocks takes both clocks away. The rule stays.
func (c *call) stopClocks(t *timer.List) {
	c.clocks.paused[maxClock], c.clocks.paused[idleClock] = time.Time{}, time.Time{}
	t.Stop(c.due(dueMax))
	t.Stop(c.due(dueIdle))
	c.touch()
}

// dropLimits takes both limits of a call away for good.
func (c *call) dropLimits(t *timer.List) {
	c.Idle, c.Max = -1, -1
	c.stopClocks(t)
}

// nextLimit is the nearest of the times at which a clock of a running call is over;
// zero: there is none, or they stand still.
func (c *call) nextLimit(t *timer.List) (at time.Time) {
	for _, k := range clockKinds {
		at = earlier(at, t.At(c.due(k)))
	}
	return at
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// pauseClocks has the clocks of a call stand still, and resumeClocks has them go on where
// they stood.
func (c *call) pauseClocks(t *timer.List, now time.Time) {
	c.touch()
	c.clocks.stillSince = now
	for i, k := range clockKinds {
		c.clocks.paused[i] = t.At(c.due(k))
		t.Stop(c.due(k))
	}
}

func (c *call) resumeClocks(t *timer.List, now time.Time) {
	c.touch()
	stood := now.Sub(c.clocks.stillSince)
	for i, k := range clockKinds {
		if at := c.clocks.paused[i]; !at.IsZero() {
			t.Set(c.due(k), at.Add(stood))
		}
	}
	c.clocks.stillSince, c.clocks.paused = time.Time{}, [numClocks]time.Time{}
}

// watchStop has a call that is being cancelled, or whose task is once more, be looked at when the
// attempt is due.
func (c *call) watchStop(t *timer.List) {
	if c.state == Cancelling || c.repeat().IsOpen() {
		t.Set(c.due(dueStop), c.stop.Due())
	}
}

// unwatch takes away what was due of a call as long as it was in a state.
func (c *call) unwatch(t *timer.List, was State) {
	switch was {
	case Running:
		for _, k := range []timer.Kind{dueAck, dueRule, dueMax, dueIdle, dueWait} {
			t.Stop(c.due(k))
		}
		c.clocks.paused = [numClocks]time.Time{}
	case Cancelling:
		t.Stop(c.due(dueStop))
	case Queued, Done, Failed, Cancelled, Dropped, Lost: // nothing is due
	}
}
