package session

import "belay/session/cancel"

// unaddressed are the messages that answer nothing, name no call and came on the exchange of none:
// evidence of every call that is being cancelled. A server can send any number of them while
// thousands of calls are cancelled, so each call has the first ones by itself, and is told of no
// more: the others are counted once for all.
//
//shape:part of rows
type unaddressed struct {
	all   cancel.Unaddressed
	told  []*call // being cancelled, which have the next one by themselves
	stale bool    // these are to be looked for
}

// outdate has the calls be looked for anew: one is being cancelled, or is no longer; its cancel was
// written; or it has another cancellation, or the one before.
func (u *unaddressed) outdate() { u.told, u.stale = nil, true }
