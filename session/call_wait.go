package session

import (
	"slices"

	"belay/session/task"
	"belay/session/timer"
)

// A call may take more than one request: the first one was refused for want of a
// login, the exchange of a subscription broke, or the server was lacking
// something. Between two of them it waits. Nothing is in flight for it then, its
// clocks stand still, and to cancel it sends nothing.

// waitKind is what has to come before the next request of a call.
type waitKind uint8

const (
	loginWait waitKind = iota + 1 // a login: the request was refused for want of one
	pauseWait                     // the time: a subscription that broke off is begun again
	roundWait                     // what its round wants: input, the time, the user, or the tools
)

// wait is what a call is in between two of its requests.
//
//shape:part of call
type wait struct {
	kind   waitKind
	params []byte   // of the next request; of a round once that is made
	next   *pending // that request, while it is in the core
	round  *round   // of a roundWait; else nil
}

// waits has the reasons for which belay itself delays a call, now and before.
//
//shape:part of call
type waits struct {
	wait    *wait   // between two requests of it; nil: one is in flight, or waits to be
	pickUp  *pickUp // of a call that follows a task from its ID on; else nil
	sampled int32   // sampling requests that may have been its own
	asked   uint16  // waiting questions that may be its own
	logins  uint8   // how often it waited for a login
	lacks   lack    // an answer, why

	goesOn continuation // what it goes on as at the server after its answer; nil: nothing
}

// beginWait has a call wait whose request has ended. Its clocks stand still.
func (qs *incoming) beginWait(c *call, w wait) {
	c.wait = &w
	if w.kind == loginWait {
		c.logins++
	}
	qs.pause(qs.timers, c)
	c.touch()
}

// awaitLogin has a call wait for a login whose stream alone was refused: it runs on, and
// its clocks stand still as well.
func (l *log) awaitLogin(t *timer.List, c *call) {
	c.logins++
	l.pause(t, c)
	c.touch()
}

// onTask has a call go on as a task that has begun its life, and returns that task. It has a
// time to live of its own: the clocks of the call's request have ended with that.
func (c *call) onTask(t *timer.List, life task.Life) *runningTask {
	k := &runningTask{Life: life, row: c}
	c.goesOn = k
	c.stopClocks(t)
	return k
}

// onQuestion has a call wait for the answer to a question that may be its own.
func (l *log) onQuestion(t *timer.List, c *call) {
	c.asked++
	l.pause(t, c)
	c.touch()
}

// onQuestionOver notes that a question which might be a call's own has ended, or is so no more.
func (c *call) onQuestionOver() {
	c.asked--
	c.touch()
}

// onSampling counts a request to a model that may be a call's own, and returns how many
// there were.
func (c *call) onSampling() int {
	c.sampled++
	c.touch()
	return int(c.sampled)
}

// endWait forgets what a call waits for. A look at the roots that a round of it waits
// for may take long, and keeps nothing of the round.
func (qs *incoming) endWait(c *call) {
	if ro := c.round(); ro != nil {
		qs.roots.asks = slices.DeleteFunc(qs.roots.asks, func(in *serverRequest) bool { return in.round == ro })
	}
	c.wait = nil
	qs.timers.Stop(c.due(dueWait))
	c.touch()
}

// isWaiting reports whether a call is between two of its requests.
func (c *call) isWaiting() bool { return c.wait != nil }

// isWaitingFor reports whether that is so, and for something of this kind.
func (c *call) isWaitingFor(kind waitKind) bool { return c.wait != nil && c.wait.kind == kind }

// round is the one that a call is in; nil: it is in none.
func (c *call) round() *round {
	if c.wait == nil {
		return nil
	}
	return c.wait.round
}
