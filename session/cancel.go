package session

import (
	"fmt"
	"strings"
	"time"

	"belay/session/mcp"
)

// signal is what stops a thing that is in flight.
type signal uint8

const (
	never       signal = iota // it must not be cancelled; leaving is :disconnect
	notify                    // notifications/cancelled with the reason
	abort                     // closing its exchange; no reason travels, nothing is posted
	taskCancel                // tasks/cancel
	unsubscribe               // resources/unsubscribe
)

// rowKind is what kind of thing a row is, as far as cancelling it goes.
type rowKind uint8

const (
	kindRequest rowKind = iota
	kindTask
	kindSubscription
	kindHandshake // initialize, and server/discover while connecting
	numKinds
)

// cancelTable is the whole of the rule which signal stops what (design: Which
// signal stops it; CXL-06, CXL-07, CXL-12 … CXL-16). Every path goes through
// it: key, cancel-all, timeout, quit, rule.
var cancelTable = [numKinds]struct{ legacyStdio, legacyHTTP, modernStdio, modernHTTP signal }{
	kindRequest:      {notify, notify, notify, abort},
	kindTask:         {taskCancel, taskCancel, taskCancel, taskCancel},
	kindSubscription: {unsubscribe, unsubscribe, notify, abort},
	kindHandshake:    {never, never, never, never},
}

// signalFor looks the table up.
func signalFor(kind rowKind, r mcp.Revision, t mcp.Transport) signal {
	row := cancelTable[kind]
	switch {
	case r.Modern() && t == mcp.HTTP:
		return row.modernHTTP
	case r.Modern():
		return row.modernStdio
	case t == mcp.HTTP:
		return row.legacyHTTP
	}
	return row.legacyStdio
}

func kindOf(c *call) rowKind {
	if c.Origin == FromHandshake {
		return kindHandshake
	}
	if c.sub != nil && c.sub.active {
		return kindSubscription
	}
	return kindRequest
}

// stop is the cancellation of a call: who wanted it, why, how far the signal
// came, and what the server did since.
type stop struct {
	initiator Initiator
	reason    string
	nothing   bool // no request was in flight: nothing was sent
	standing  bool // it ends a subscription: an answer says that it did
	wanted    time.Time
	signal    signal
	repeats   *stop    // the one before, which was not accepted; nil: none
	out       *pending // the signal, while it may still be in the core
	order     uint64   // in which it was handed out; 0: not yet
	handed    time.Time
	written   time.Time // its last byte
	due       time.Time // when the next thing happens by itself; moved by a jump of time
	evidence
}

// Cancel wants a call stopped. An empty reason takes the session's default.
// The row reads cancelling… as soon as Cancel returns, before any I/O. What
// must not or need not be cancelled is refused with a *Refusal, and then
// nothing is sent: the handshake, a call that has ended, one whose cancel is
// already on the way (CXL-05, CXL-06, CXL-26, CXL-31). One that the server did
// not accept is posted once more. A subscription whose row has ended, and which
// may stand for all that, is ended once more, by a call of its own: see [Left].
func (s *Session) Cancel(now time.Time, id CallID, reason string) error {
	c := s.rows.get(id)
	if c == nil {
		return refuse(RefuseUnknown, "there is no call %d", id)
	}
	again, left := c.state == Cancelling && c.stop.refused != "", s.left(c) != LeftNothing
	check := s.checkCancel
	if left {
		check = s.checkEndLeft
	}
	if err := check(c); err != nil && !again {
		return err
	}
	s.at(now)
	reason = proper(reason)
	s.journal.cancel(s.now, id, reason)
	switch {
	case left:
		s.endLeft(c, FromUser)
	case again:
		s.cancelAgain(c, reason)
	default:
		s.stopCall(c, ByUser, reason)
	}
	return nil
}

// CancelAll cancels everything in flight that can be cancelled and says how
// many calls that were. Subscriptions are left alone: they are no work (SUB-21),
// and end one by one, or with the connection.
func (s *Session) CancelAll(now time.Time, reason string) int {
	s.at(now)
	reason = proper(reason)
	s.journal.cancelAll(s.now, reason)
	return s.stopAll(ByUser, reason)
}

func (s *Session) stopAll(by Initiator, reason string) int {
	n := 0
	for c := s.rows.oldest; c != nil; {
		next := c.next
		if s.checkCancel(c) == nil && !c.sub.standing() {
			s.stopCall(c, by, reason)
			n++
		}
		c = next
	}
	return n
}

func (s *Session) checkCancel(c *call) error {
	switch {
	case c.state.Terminal():
		return refuse(RefuseFinished, "%s has ended (%v): nothing was sent", c.name(), c.state)
	case c.state == Cancelling:
		return refuse(RefuseCancelling, "%s is being cancelled already", c.name())
	case signalFor(kindOf(c), s.conn.rev, s.cfg.Transport) == never:
		return &Refusal{Code: RefuseInitialize, Text: c.Method + " must not be cancelled (lifecycle rules)", Remedy: Remedy{Kind: RemedyLeave}}
	}
	return nil
}

// stopCall carries out a cancel that was checked.
func (s *Session) stopCall(c *call, by Initiator, reason string) {
	reason = s.reasonOr(reason)
	if c.waits() {
		s.moment(c, Moment{Dir: Local, Kind: MomCancelWanted, Text: reason})
		s.stopWait(c, by, reason, stoppedWords(by))
		return
	}
	c.stop = &stop{initiator: by, reason: reason, wanted: s.now, due: s.now.Add(undeliveredAfter)}
	s.moment(c, Moment{Dir: Local, Kind: MomCancelWanted, Text: reason})
	if c.state == Queued {
		if !s.withdraw(c.req.out) {
			s.broken("call %d is queued, but its bytes are out", c.id)
		}
		s.ours.release(c.req)
		c.note = "dropped before it was sent: nothing went out"
		s.logCancel(c, CancelDropped)
		s.move(c, Dropped)
		return
	}
	if s.unbegun(c) {
		s.dropUnbegun(c)
		return
	}
	c.stop.signal = signalFor(kindOf(c), s.conn.rev, s.cfg.Transport)
	c.stop.standing = c.sub.standing()
	switch c.stop.signal {
	case notify:
		s.cancelByNote(c, reason)
	case abort:
		s.cancelByClosing(c)
	case unsubscribe:
		s.unsubscribe(c)
	default:
		s.broken("call %d: no row can need signal %d yet", c.id, c.stop.signal)
	}
	s.logCancel(c, CancelWanted)
	s.move(c, Cancelling)
	s.arm(c)
}

// cancelByNote sends notifications/cancelled.
func (s *Session) cancelByNote(c *call, reason string) {
	p := &pending{class: classCancel, cancels: c, method: "notifications/cancelled", kind: EntNotification}
	p.Call = c.id
	p.Data = mcp.AppendCancelled(nil, c.req.id, reason)
	s.cancelByPost(c, p)
}

// maxReason bounds a reason in bytes: it is for logs and screens (CXL-11).
const maxReason = 1000

// proper is text of the user's as it can be written, and read again from the
// journal.
func proper(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// reasonOr is a reason as it is sent; an empty one takes the session's default.
func (s *Session) reasonOr(reason string) string {
	if reason == "" {
		reason = s.cfg.Reason
	}
	return capReason(reason)
}

func capReason(r string) string {
	if len(r) <= maxReason {
		return r
	}
	cut := maxReason
	for cut > 0 && r[cut]&0xC0 == 0x80 {
		cut--
	}
	return r[:cut]
}

func timeoutReason(what string, d time.Duration) string {
	return fmt.Sprintf("timeout: %s %v", what, d)
}
