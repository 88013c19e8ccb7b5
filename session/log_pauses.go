package session

import (
	"slices"
	"time"
)

// pauses are the times in which belay did not run, in their order.
//
//shape:part of log
type pauses []pause

// pause is one of them.
//
//shape:part of log
type pause struct {
	at  time.Duration // when it began, since the session did
	all time.Duration // how long it was, with all before it
}

// pausesMost bounds them. What is too much makes the last one longer.
const pausesMost = 1000

func (l *pauses) add(at, d time.Duration) {
	if n := len(*l); n > 0 {
		d += (*l)[n-1].all
		if n == pausesMost {
			(*l)[n-1].all = d
			return
		}
	}
	*l = append(*l, pause{at, d})
}

// between is how long belay did not run from one time to another.
func (l pauses) between(from, to time.Duration) time.Duration { return l.before(to) - l.before(from) }

// before is how long belay did not run before a time.
func (l pauses) before(at time.Duration) time.Duration {
	i, _ := slices.BinarySearchFunc(l, at, func(s pause, at time.Duration) int {
		if s.at <= at {
			return -1
		}
		return 1
	})
	if i == 0 {
		return 0
	}
	return l[i-1].all
}
