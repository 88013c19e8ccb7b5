package session

import "belay/session/timer"

// What happens by itself. Where two things are due at once, the order of this list is
// that in which they happen.
const (
	dueAck          timer.Kind = iota + 1 // a subscription of a call is not acknowledged
	dueRule                               // a call's rule stops it
	dueMax                                // a call has taken as long as it may
	dueIdle                               // nothing was heard of a call for as long as may be
	dueWait                               // a call that waits between two requests goes on
	dueStop                               // the next thing in a call's cancellation
	dueNegotiation                        // an answer has waited for the other one
	dueRefresh                            // lists that changed are fetched again
	duePage                               // the next page of a list is fetched
	dueShow                               // the pages of a list that came are shown without the rest
	duePingLate                           // the periodic ping that is out counts as missed
	duePing                               // the next one is sent
	dueRoots                              // the roots are looked at
	dueExchange                           // an exchange should have ended by itself
	dueResume                             // the stream of a request is taken up again
	dueHold                               // the user's calls wait no longer for the server's own stream
	dueServerStream                       // that stream is opened again
	dueClose                              // the cancels of a connection that closes have had their time
)

// ofConnection are the kinds of which nothing is left when a connection has ended.
var ofConnection = []timer.Kind{
	dueNegotiation, dueRefresh, duePage, dueShow, duePingLate, duePing, dueRoots, dueExchange, dueResume, dueHold, dueServerStream, dueClose,
}

// once is the owner of a deadline of which there is one in a session.
func once(k timer.Kind) timer.Owner { return timer.Owner{Kind: k} }
