package session

import (
	"slices"

	"belay/session/mcp"
)

// Residual is what is left of a subscription of a handshake revision whose row has
// been cancelled: the server may still bring its updates, which is no fault of the
// server's then.
type Residual uint8

// What may be left.
const (
	LeftNothing Residual = iota
	LeftMaybe            // nobody knows: the server did not answer
	LeftStands           // it stands: its end was refused, or it began after all
)

// maxLeft bounds how many of them are kept, the latest.
const maxLeft = 256

// residualOf is what is left of the subscription of a row.
func (n *connection) residualOf(c *call) Residual {
	switch {
	case c.state != Cancelled || !slices.Contains(n.residuals, c):
		return LeftNothing
	case c.sub.outlived || c.stop.HasAnswer():
		return LeftStands
	}
	return LeftMaybe
}

// noteResidual notes what a cancelled row leaves, by what was answered so far. One that
// began after all is ended, as the user wanted: belay asks for that once.
func (s *Session) noteResidual(c *call) {
	if c.sub == nil || c.sub.listen || c.stop.IsNothing() || s.conn.rev.Modern() || s.conn.phase == Disconnected || c.epoch != s.conn.epoch {
		return
	}
	st := c.stop
	refused := st.HasError()
	if st.HasAnswer() && refused != st.Ends { // it is ended, or never began
		s.dropResidual(c.sub.uri)
		return
	}
	if s.activeSubscriptionFor(CallSpec{Method: methodSubscribe, Params: uriParams(c.sub.uri)}) != nil {
		return // the server knows of one subscription, and it is that row's
	}
	if !slices.Contains(s.conn.residuals, c) {
		s.conn.residuals = append(s.conn.residuals, c)
		s.conn.residuals = s.conn.residuals[max(0, len(s.conn.residuals)-maxLeft):]
	}
	switch {
	case st.HasAnswer() && st.Ends:
		s.note(c, "the server refused to end the subscription: it stands")
	case st.HasAnswer():
		s.unsubscribeResidual(c, FromBelay)
	}
}

// dropResidual forgets what was left of subscriptions to a resource.
func (s *Session) dropResidual(uri string) {
	s.conn.residuals = slices.DeleteFunc(s.conn.residuals, func(c *call) bool {
		if c.sub.uri == uri {
			s.rows.touch(c)
		}
		return c.sub.uri == uri
	})
}

// unsubscribeResidual asks the server to end what is left, by a call of its own.
func (s *Session) unsubscribeResidual(c *call, by Origin) {
	if s.conn.phase != Ready || by == FromBelay && c.sub.endAsked {
		return
	}
	c.sub.endAsked = true
	end := s.newCall(CallSpec{Method: methodUnsubscribe, Params: uriParams(c.sub.uri), Origin: by})
	if by == FromBelay {
		s.note(c, "the server subscribed after all: "+end.name()+" is to end that")
		return
	}
	s.note(c, end.name()+" is to end what is left of it")
}

// checkUnsubscribeResidual says why what is left of a subscription is not ended now.
func (s *Session) checkUnsubscribeResidual(c *call) error {
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

// onResidualUnsubscribed takes what became of a call that unsubscribes.
func (s *Session) onResidualUnsubscribed(end *call) {
	if end.Method != methodUnsubscribe || s.conn.rev.Modern() {
		return
	}
	for _, c := range s.conn.residuals {
		switch {
		case c.sub.uri != end.target:
		case end.state == Done:
			s.note(c, end.name()+" has ended it")
		default:
			s.note(c, end.name()+" was refused: the subscription stands")
		}
	}
	if end.state == Done {
		s.dropResidual(end.target)
	}
}

// isResidualUpdate takes an update for a subscription whose row has ended, and says
// false when none is left that it could be for.
func (s *Session) isResidualUpdate(f *mcp.Frame) bool {
	for _, c := range slices.Backward(s.conn.residuals) {
		if !mcp.Within(f.Subscription().URI, c.sub.uri) {
			continue
		}
		s.hist.belongs(c.id)
		s.onSubscriptionUpdate(c, f)
		if c.sub.outlived = true; !c.stop.Ends {
			s.unsubscribeResidual(c, FromBelay)
		}
		return true
	}
	return false
}

// ResidualOf is the latest row that has ended and whose subscription to a resource may
// stand; false: there is none.
func (s *Session) ResidualOf(uri string) (CallID, bool) {
	for _, c := range slices.Backward(s.conn.residuals) {
		if c.sub.uri == uri && s.conn.residualOf(c) != LeftNothing {
			return c.id, true
		}
	}
	return 0, false
}
