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
	ResidualNone     Residual = iota
	ResidualPossible          // nobody knows: the server did not answer
	ResidualStands            // it stands: its end was refused, or it began after all
)

// maxResiduals bounds how many of them are kept, the latest.
const maxResiduals = 256

// residualOf is what is left of the subscription of a row.
func (sb *subscriptions) residualOf(c *call) Residual {
	switch {
	case c.state != Cancelled || !slices.Contains(sb.residuals, c):
		return ResidualNone
	case c.sub.outlived || c.stop.HasAnswer():
		return ResidualStands
	}
	return ResidualPossible
}

// noteResidual notes what a cancelled row leaves, by what was answered so far, and
// reports whether its subscription began after all: that one is ended, as the user
// wanted. Belay asks for that once.
func (sb *subscriptions) noteResidual(c *call) (end bool) {
	if c.sub == nil || c.sub.listen || c.stop.HasNoRequest() || sb.conn.rev.IsModern() || sb.conn.phase == Disconnected || c.epoch != sb.conn.epoch {
		return false
	}
	st := c.stop
	hasError := st.HasError()
	if st.HasAnswer() && hasError != st.Ends { // it is ended, or never began
		sb.dropResidual(c.sub.uri)
		return false
	}
	if sb.activeSubscriptionFor(CallSpec{Method: methodSubscribe, Params: uriParams(c.sub.uri)}) != nil {
		return false // the server knows of one subscription, and it is that row's
	}
	if !slices.Contains(sb.residuals, c) {
		sb.residuals = append(sb.residuals, c)
		c.touch()
		for over := len(sb.residuals) - maxResiduals; over > 0; over-- {
			sb.residuals[0].touch()
			sb.residuals = sb.residuals[1:]
		}
	}
	if st.HasAnswer() && st.Ends {
		sb.note(c, "the server refused to end the subscription: it stands")
	}
	return st.HasAnswer() && !st.Ends
}

// dropResidual forgets what was left of subscriptions to a resource.
func (sb *subscriptions) dropResidual(uri string) {
	sb.residuals = slices.DeleteFunc(sb.residuals, func(c *call) bool {
		if c.sub.uri == uri {
			c.touch()
		}
		return c.sub.uri == uri
	})
}

// checkUnsubscribeResidual says why what is left of a subscription is not ended now.
func (sb *subscriptions) checkUnsubscribeResidual(c *call) error {
	if sb.conn.phase != Ready {
		return refuse(RefuseNotReady, "not connected; nothing is left of it")
	}
	for end := sb.rows.oldest; end != nil; end = end.next {
		if end.Method == methodUnsubscribe && end.target == c.sub.uri {
			return refuse(RefuseCancelling, "%s is to end it already", end.name())
		}
	}
	return nil
}

// onResidualUnsubscribed takes what became of a call that unsubscribes.
func (sb *subscriptions) onResidualUnsubscribed(end *call) {
	if end.Method != methodUnsubscribe || sb.conn.rev.IsModern() {
		return
	}
	for _, c := range sb.residuals {
		switch {
		case c.sub.uri != end.target:
		case end.state == Done:
			sb.note(c, end.name()+" has ended it")
		default:
			sb.note(c, end.name()+" was refused: the subscription stands")
		}
	}
	if end.state == Done {
		sb.dropResidual(end.target)
	}
}

// onResidualUpdate takes an update for a subscription whose row has ended. It returns
// that row; nil: none is left that the update could be for. End says that belay is to
// end the subscription, which nobody has asked for yet.
func (sb *subscriptions) onResidualUpdate(f *mcp.Frame) (c *call, end bool) {
	for _, c := range slices.Backward(sb.residuals) {
		if !mcp.IsWithin(f.Subscription().URI, c.sub.uri) {
			continue
		}
		sb.hist.setCall(c.id)
		sb.onSubscriptionUpdate(c, f)
		return c, !c.stop.Ends
	}
	return nil, false
}

// ResidualOf is the latest row that has ended and whose subscription to a resource may
// stand; false: there is none.
func (s *Session) ResidualOf(uri string) (CallID, bool) {
	for _, c := range slices.Backward(s.subs.residuals) {
		if c.sub.uri == uri && s.subs.residualOf(c) != ResidualNone {
			return c.id, true
		}
	}
	return 0, false
}

// unsubscribeResidual asks the server to end what is left, by a call of its own.
func (s *Session) unsubscribeResidual(c *call, by Origin) {
	if s.conn.phase != Ready || !c.sub.onResidualWanted(by) {
		return
	}
	end := s.newCall(CallSpec{Method: methodUnsubscribe, Params: uriParams(c.sub.uri), Origin: by}, nil)
	if by == FromBelay {
		s.note(c, "the server subscribed after all: "+end.name()+" is to end that")
		return
	}
	s.note(c, end.name()+" is to end what is left of it")
}
