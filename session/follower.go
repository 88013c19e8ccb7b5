package session

import (
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// follower is a machine for calls that go on at the server after they were answered, as tasks do.
// It makes requests about such calls, and what follows for other machines it returns as steps.
// What holds for any kind of call that goes on, the conductor asks of the follower of that kind; what only tasks
// have, as their list and their polls, of [tasks] itself.
type follower interface {
	// follows is what the cancel table takes such a call for.
	follows() cancel.Kind
	// begin forgets what was of the connection before.
	begin()
	// onDisconnected ends the following of all calls: there is no connection any more.
	onDisconnected()
	// shift moves what is due by d, after a jump of the clock.
	shift(d time.Duration)
	// takeHandle takes an answer that says that a call goes on at the server, and reports whether
	// it says so.
	takeHandle(c *call, f *mcp.Frame) bool
	// onSent notes the last byte of the request of a follow-up.
	onSent(e followUp, p *pending)
	// onAnswer takes the answer to a follow-up.
	onAnswer(e followUp, f *mcp.Frame)
	// onRequestOver notes that a follow-up ends, with an answer or without one.
	onRequestOver(e followUp, o outcome)
	// onDue looks at what a call goes on as: a time for that has come.
	onDue(c *call)
	// wantCancel has the server be asked to cancel what a call goes on as.
	wantCancel(c *call)
	// onStopDue is told when the grace of such a cancel is over, and reports whether the row ends now.
	onStopDue(c *call) bool
	// awaitedAtClose counts what a closing connection waits for.
	awaitedAtClose() int
	// lostNote is what to say of what a call leaves at the server which ends with its connection; the
	// zero note: the call leaves nothing, as far as belay can know. Renewed: the session alone is over,
	// and belay begins another one.
	lostNote(c *call, renewed bool) rowNote
	// next returns the next step; nil: there is none, which is asked at each input.
	next() followStep
}

// continuation is what a call goes on as at the server after it was answered.
type continuation interface {
	kind() cancel.Kind
}

// followUp is a request about a continuation. It is a call of belay's own, with all that a call
// has, but for a row of its own: what comes of it is shown in the row of the call that goes on.
type followUp interface {
	kind() cancel.Kind
	// rowOf is the call that goes on.
	rowOf() *call
	// cancels reports whether the request is the cancel of that call.
	cancels() bool
	ownRequest
}

// ownRequest is a request that a machine has belay make by itself.
type ownRequest interface {
	// spec is what is sent.
	spec() CallSpec
	// onMade is told of the call that the request is.
	onMade(c *call)
}

// followers are the machines of a session that follow calls.
//
//shape:machine 6
type followers []follower

// of is the machine that follows calls of a kind; nil: those do not go on after their answers.
func (all followers) of(k cancel.Kind) follower {
	for _, m := range all {
		if m.follows() == k {
			return m
		}
	}
	return nil
}
