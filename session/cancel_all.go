package session

import "belay/session/cancel"

// CancelAll cancels everything in flight that can be cancelled; the reply says how
// many calls that were. Subscriptions are left alone: they are no work (SUB-21),
// and end one by one, or with the connection.
type CancelAll struct {
	never
	Reason string `json:"reason,omitempty"`
}

func (in CancelAll) apply(s *Session) Reply {
	return Reply{Cancelled: s.stopAll(cancel.ByUser, validText(in.Reason))}
}

func (in CancelAll) masked(m masker) Input {
	in.Reason = m.reason(in.Reason)
	return in
}

// stopAll cancels what can be cancelled, and returns how many calls that is.
func (s *Session) stopAll(by cancel.Initiator, reason string) int {
	n := 0
	for c := s.rows.oldest; c != nil; {
		next := c.next
		if s.writer.checkCancel(c) == nil && !c.sub.isStanding() && c.about == nil && !c.isLeft() {
			s.stopCall(c, by, reason)
			s.settle()
			n++
		}
		c = next
	}
	return n
}
