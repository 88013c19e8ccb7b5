package session

import (
	"slices"
	"time"
)

// followedTasks are the tasks of this connection that belay follows.
//
//shape:part of tasks
type followedTasks struct {
	byID map[string]*runningTask // of two with one ID the first
	all  []*runningTask          // oldest first

	changes uint64 // of which tasks there are
}

// startFollowing adds a task.
func (f *followedTasks) startFollowing(k *runningTask) {
	f.all, k.followed = append(f.all, k), true
	f.changes++
	if f.byID == nil {
		f.byID = map[string]*runningTask{}
	}
	if f.byID[k.ID] == nil {
		f.byID[k.ID] = k
	}
}

// stopFollowing takes a task away.
func (f *followedTasks) stopFollowing(k *runningTask) {
	f.all = slices.DeleteFunc(f.all, func(other *runningTask) bool { return other == k })
	k.followed = false
	f.changes++
	if f.byID[k.ID] == k {
		delete(f.byID, k.ID)
	}
}

// stopFollowingAll takes all of them away.
func (f *followedTasks) stopFollowingAll() {
	for _, k := range f.all {
		k.followed = false
	}
	*f = followedTasks{changes: f.changes + 1}
}

// markUntold notes the tasks that the server does not tell of, by their IDs.
func (f *followedTasks) markUntold(ids []string) {
	for _, id := range ids {
		if k := f.byID[id]; k != nil {
			k.untold = true
		}
	}
}

// forgetUntold forgets which tasks the server does not tell of: it is asked anew.
func (f *followedTasks) forgetUntold() {
	for _, k := range f.all {
		k.untold = false
	}
}

// shift moves what is due after a jump of the clock.
func (f *followedTasks) shift(d time.Duration) {
	for _, k := range f.all {
		k.Shift(d)
		if !k.leaveHeldAt.IsZero() {
			k.leaveHeldAt = k.leaveHeldAt.Add(d)
		}
	}
}

// live counts the tasks that go on, as far as is known.
func (f *followedTasks) live() (n int) {
	for _, k := range f.all {
		if k.IsAlive() {
			n++
		}
	}
	return n
}

// polledOn counts those of them whose rows have ended: one with several rows once, and not where another row of it is
// in flight.
func (f *followedTasks) polledOn() (n int) {
	var counted map[string]bool // by the IDs of those that have several rows
	for _, ended := range []bool{false, true} {
		for _, k := range f.all {
			if !k.IsAlive() || k.row.state.IsTerminal() != ended || counted[k.ID] {
				continue
			}
			if ended {
				n++
			}
			if k.isShared {
				if counted == nil {
					counted = map[string]bool{}
				}
				counted[k.ID] = true
			}
		}
	}
	return n
}
