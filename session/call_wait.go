package session

import (
	"fmt"
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
type wait struct {
	kind   waitKind
	params []byte   // of the next request; of a round once that is made
	next   *pending // that request, while it is in the core
	round  *round   // of a roundWait; else nil
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

// checkWaits holds that a call which waits has no request in flight, that
// something ends the wait, and that what has ended waits for nothing.
func (s *Session) checkWaits() error {
	for _, c := range s.rows.list {
		if c == nil {
			continue
		}
		w := c.wait
		switch {
		case s.http.awaitsLoginToResume(c) && (w != nil || s.http.login == 0):
			return fmt.Errorf("the stream of call %d (%v) waits for a login that nobody was asked for", c.id, c.state)
		case w == nil:
		case c.state != Running || s.outgoing.open[c.req.id] != nil:
			return fmt.Errorf("call %d (%v) waits, and its request %v is in flight", c.id, c.state, c.req.id)
		case (w.kind == roundWait) != (w.round != nil):
			return fmt.Errorf("call %d waits for %d, and its round is %v", c.id, w.kind, w.round)
		case w.next == nil && w.kind == loginWait && s.http.login == 0:
			return fmt.Errorf("call %d waits for a login that nobody was asked for", c.id)
		case w.kind == pauseWait && w.next == nil && s.timers.At(c.due(dueWait)).IsZero():
			return fmt.Errorf("call %d is to be begun again, and no time is set for it", c.id)
		}
	}
	return nil
}
