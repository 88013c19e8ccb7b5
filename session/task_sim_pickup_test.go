package session

import (
	"fmt"
)

// simPick is a task of the simulated server that is followed from its ID on, and what of that has crossed the
// wire.
type simPick struct {
	call     CallID
	promised bool // its cancel was accepted
	over     bool // … and the answer to tasks/get told the end of the task, or nothing of it, before that was sent
}

// isLookedFor reports whether a task is followed so, and the server has not told of it.
func (k *simTask) isLookedFor() bool { return k != nil && k.pick != nil && k.toldAt.IsZero() }

// isCancelledUntold reports whether such a task is cancelled by its ID alone.
func (k *simTask) isCancelledUntold() bool { return k.isLookedFor() && k.pick.promised }

// userPicksUp follows a task that another client has made, perhaps to cancel it.
func (w *taskSimulation) userPicksUp() {
	w.serial++
	k := &simTask{
		id: fmt.Sprintf("elsewhere-%08d-%d", w.rnd.IntN(1e8), w.serial), status: "working", ignore: w.rnd.IntN(3) == 0, deaf: w.rnd.IntN(6) == 0,
		epoch: w.r.epoch, pick: &simPick{},
	}
	w.tasks[k.id] = k
	spec := watchSpec(k.id)
	if spec.Stop = w.rnd.IntN(3) == 0 && !w.uncancellable; spec.Stop {
		k.stopped, k.pick.promised = true, true
	}
	reply, err := w.r.s.Handle(w.r.now, StartCall{Spec: spec})
	if err != nil {
		w.fail("%v", err)
		return
	}
	w.note("the user picks %s up by call %d, to cancel it: %t", k.id, reply.Call, spec.Stop)
	w.seen["task picked up"]++
	k.pick.call, w.calls[reply.Call] = reply.Call, k
	w.pump()
}

// look notes what the server is about to tell in answer to tasks/get.
func (w *taskSimulation) look(k *simTask) {
	if k.isLookedFor() && k.cancels == 0 {
		row, _ := w.r.s.Row(k.pick.call)
		k.pick.over = row.IsInFlight()
	}
}

// pickTold notes that the server has told of a task.
func (w *taskSimulation) pickTold(k *simTask) {
	if k.isLookedFor() {
		k.toldAt = w.r.now
		k.pick.over = k.pick.over && isTerminal(k.status)
	}
}

// picksCancel notes that the user has cancelled a row in flight.
func (w *taskSimulation) picksCancel(row Row, err error) {
	if k := w.calls[row.ID]; err == nil && k != nil && k.pick != nil {
		k.pick.promised = true
	}
}

// leavesPick stops waiting for a task of which the server has not told.
func (w *taskSimulation) leavesPick(row Row) {
	w.note("the user stops waiting for call %d", row.ID)
	k := w.calls[row.ID]
	k.left = true
	if _, err := w.r.s.Handle(w.r.now, StopWaiting{Call: row.ID}); err != nil {
		w.fail("%v", err)
	}
	w.pump()
	now, _ := w.r.s.Row(row.ID)
	switch {
	case now.State == Lost && now.Left && !k.pick.promised:
		w.seen["picked up and left"]++
	case k.pick.promised && k.cancels == 1 && (now.State == Cancelled || now.State == Cancelling):
		w.seen["cancelled and left, untold"]++
	default:
		w.fail("call %d is %v after it was left, cancelled %d times", row.ID, now.State, k.cancels)
	}
}

// checkPick holds that a task which was picked up is cancelled once, if that was promised.
func (w *taskSimulation) checkPick(k *simTask) {
	if k == nil || k.pick == nil || k.epoch != w.r.epoch || !k.pick.promised || k.pick.over {
		return
	}
	if k.cancels != 1+k.again {
		w.fail("%s was picked up and is to be cancelled, and is cancelled %d times", k.id, k.cancels)
	}
	w.seen["picked up and cancelled"]++
}
