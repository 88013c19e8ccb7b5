package task

import (
	"time"

	"belay/session/mcp"
)

// serverClock is by how much the server's clock is ahead of belay's, as far as the dates of messages
// bound it.
type serverClock struct {
	least, most       time.Duration
	hasLeast, hasMost bool
	goneOn            time.Time // by belay's clock, when a message told last that the task goes on
}

// precisionOf is how far a date may be from the time that it names: servers cut or round it, many to
// whole seconds.
func precisionOf(date time.Time) time.Duration {
	switch n := date.Nanosecond(); {
	case n == 0:
		return time.Second
	case n%int(time.Millisecond) == 0:
		return time.Millisecond
	default:
		return time.Microsecond
	}
}

// reads takes a date in a message that has come by now: the server's clock had reached it.
func (c *serverClock) reads(now, date time.Time) {
	if date.IsZero() {
		return
	}
	if d := date.Add(-precisionOf(date)).Sub(now); !c.hasLeast || d > c.least {
		c.least, c.hasLeast = d, true
	}
}

// Written notes when the request that made the task was written: the server's clock had not reached
// the date of the task's creation before that.
func (l *Life) Written(at time.Time) {
	if !at.IsZero() && !l.created.IsZero() {
		l.clock.most, l.clock.hasMost = l.created.Add(precisionOf(l.created)).Sub(at), true
	}
}

// GoneOn is when a message told last that the task goes on; zero: none did.
func (l *Life) GoneOn() time.Time { return l.clock.goneOn }

// EndedBetween is between which two times of belay's clock a task had ended, by lastUpdatedAt in the
// message that tells the end, and by what other dates tell of the server's clock
// (basic/utilities/tasks, Task). A bound that they do not tell is zero; both are where the dates
// contradict each other, or what was told before.
func (l *Life) EndedBetween(told mcp.Task) (earliest, latest time.Time) {
	c, end := &l.clock, told.Updated
	isOdd := end.Before(l.created) || c.hasLeast && c.hasMost && c.least > c.most
	if end.IsZero() || isOdd || !ParseStatus(told.Status).IsTerminal() {
		return earliest, latest
	}
	if c.hasMost {
		earliest = end.Add(-precisionOf(end) - c.most)
	}
	if c.hasLeast {
		latest = end.Add(precisionOf(end) - c.least)
	}
	if !latest.IsZero() && latest.Before(c.goneOn) || earliest.After(l.seen) {
		return time.Time{}, time.Time{}
	}
	return earliest, latest
}
