package session

import (
	"slices"

	"belay/session/mcp"
)

// Left is what is left of a subscription of a handshake revision whose row has
// been cancelled: the server may still bring its updates, which is no fault of the
// server's then.
type Left uint8

// What may be left.
const (
	LeftNothing Left = iota
	LeftMaybe        // nobody knows: the server did not answer
	LeftStands       // it stands: its end was refused, or it began after all
)

// maxLeft bounds how many of them are kept, the latest.
const maxLeft = 256

// left is what is left of the subscription of a row.
func (s *Session) left(c *call) Left {
	switch {
	case c.state != Cancelled || !slices.Contains(s.conn.left, c):
		return LeftNothing
	case c.sub.outlived || c.stop.HasAnswer():
		return LeftStands
	}
	return LeftMaybe
}

// leaves notes what a cancelled row leaves, by what was answered so far. One that
// began after all is ended, as the user wanted: belay asks for that once.
func (s *Session) leaves(c *call) {
	if c.sub == nil || c.sub.listen || c.stop.IsNothing() || s.conn.rev.Modern() || s.conn.phase == Disconnected || c.epoch != s.conn.epoch {
		return
	}
	st := c.stop
	refused := st.HasError()
	if st.HasAnswer() && refused != st.Ends { // it is ended, or never began
		s.leftNothing(c.sub.uri)
		return
	}
	if s.subscribed(Call{Method: methodSubscribe, Params: uriParams(c.sub.uri)}) != nil {
		return // the server knows of one subscription, and it is that row's
	}
	if !slices.Contains(s.conn.left, c) {
		s.conn.left = append(s.conn.left, c)
		s.conn.left = s.conn.left[max(0, len(s.conn.left)-maxLeft):]
	}
	switch {
	case st.HasAnswer() && st.Ends:
		s.note(c, "the server refused to end the subscription: it stands")
	case st.HasAnswer():
		s.endLeft(c, FromBelay)
	}
}

// leftNothing forgets what was left of subscriptions to a resource.
func (s *Session) leftNothing(uri string) {
	s.conn.left = slices.DeleteFunc(s.conn.left, func(c *call) bool {
		if c.sub.uri == uri {
			s.rows.touch(c)
		}
		return c.sub.uri == uri
	})
}

// endLeft asks the server to end what is left, by a call of its own.
func (s *Session) endLeft(c *call, by Origin) {
	if s.conn.phase != Ready || by == FromBelay && c.sub.endAsked {
		return
	}
	c.sub.endAsked = true
	end := s.newCall(Call{Method: methodUnsubscribe, Params: uriParams(c.sub.uri), Origin: by})
	if by == FromBelay {
		s.note(c, "the server subscribed after all: "+end.name()+" is to end that")
		return
	}
	s.note(c, end.name()+" is to end what is left of it")
}

// checkEndLeft says why what is left of a subscription is not ended now.
func (s *Session) checkEndLeft(c *call) error {
	if s.conn.phase != Ready {
		return refuse(RefuseNotReady, "not connected; nothing is left of it")
	}
	for end := s.rows.oldest; end != nil; end = end.next {
		if end.Method == methodUnsubscribe && end.target == c.sub.uri {
			return refuse(RefuseCancelling, "%s is to end it already", end.name())
		}
	}
	return nil
}

// leftEnded takes what became of a call that unsubscribes.
func (s *Session) leftEnded(end *call) {
	if end.Method != methodUnsubscribe || s.conn.rev.Modern() {
		return
	}
	for _, c := range s.conn.left {
		switch {
		case c.sub.uri != end.target:
		case end.state == Done:
			s.note(c, end.name()+" has ended it")
		default:
			s.note(c, end.name()+" was refused: the subscription stands")
		}
	}
	if end.state == Done {
		s.leftNothing(end.target)
	}
}

// leftUpdate takes an update for a subscription whose row has ended, and says
// false when none is left that it could be for.
func (s *Session) leftUpdate(f *mcp.Frame) bool {
	for _, c := range slices.Backward(s.conn.left) {
		if !mcp.Within(f.Subscription().URI, c.sub.uri) {
			continue
		}
		s.hist.belongs(c.id)
		s.update(c, f)
		if c.sub.outlived = true; !c.stop.Ends {
			s.endLeft(c, FromBelay)
		}
		return true
	}
	return false
}

// LeftOf is the latest row that has ended and whose subscription to a resource may
// stand; false: there is none.
func (s *Session) LeftOf(uri string) (CallID, bool) {
	for _, c := range slices.Backward(s.conn.left) {
		if c.sub.uri == uri && s.left(c) != LeftNothing {
			return c.id, true
		}
	}
	return 0, false
}
