package session

import "belay/session/cancel"

// ending says what the end of an exchange means. The exchanges return it, and the conductor
// acts on it.
type ending struct {
	what  endingKind
	words string // … of what is told with it
	read  uint64 // the order of a request whose status is an answer: the server has read all that was written before; 0: none
	over  bool   // the server does not know the session any more
}

// endingKind is what the end of an exchange means for what it was for.
type endingKind uint8

const (
	endsNothing          endingKind = iota // nobody awaits anything of it any more
	endsServerStream                       // the server's own stream, which is opened again
	endsEvents                             // the one stream of 2024-11-05: nothing can be heard any more
	endsUnacknowledged                     // nobody knows whether a notification or an answer was accepted
	endsCancelRejected                     // the server did not accept a cancel
	endsProbeAnswered                      // a status answers the probe
	endsProbeUnheard                       // the probe cannot be answered on it any more
	endsUnprocessed                        // a call that is being cancelled: the server had not begun with it
	endsClosed                             // its closing was the cancel
	endsResumed                            // its stream is taken up again
	endsUnsubscribed                       // of a subscription that is being ended: nothing was answered
	endsStatusAnswer                       // a call that is being cancelled is answered by a status
	endsUnheard                            // a call that is being cancelled is heard no more
	endsForLogin                           // its call is to be made again after a login
	endsForLoginToResume                   // … runs on, and its stream is to be taken up again then
	endsHandshake                          // the handshake broke
	endsSession                            // its call is lost with the session
	endsBroken                             // its call ends without an answer
	endsCutOff                             // a message of a call that was cancelled, and has ended, has no end
)

// meaningOf says what the end of an exchange means. It changes nothing.
func (xs *exchanges) meaningOf(e *exchange, end End) ending {
	switch e.role {
	case roleRequest, roleResume:
		m := xs.meaningForRequest(e, end)
		if e.role == roleRequest && e.isErrorStatus() && !e.isSessionOver() {
			m.read = e.req.order // that is an answer as well
		}
		return m
	case roleCancel: // nothing is posted twice
		if !e.opened && e.p == e.p.cancels.stop.out {
			return ending{what: endsCancelRejected, words: end.words()}
		}
	case roleServerStream:
		return ending{what: endsServerStream}
	case roleEvents:
		return ending{what: endsEvents}
	case roleAnswer, roleNotice:
		if !e.opened && !e.closing {
			return ending{what: endsUnacknowledged, words: end.words()}
		}
	}
	return ending{}
}

// meaningForRequest says what the end of an exchange means that was to bring an answer. What
// was answered, or given up, has ended already.
func (xs *exchanges) meaningForRequest(e *exchange, end End) ending {
	r := e.req
	switch c := r.call; {
	case xs.outgoing.open[r.id] != r && (e.part.size > 0 || e.isHeadOnly()) && !e.closing && c != nil && c.state == Cancelled && c.req == r:
		return ending{what: endsCutOff, words: xs.unansweredOutcome(e, end).says.text}
	case xs.outgoing.open[r.id] != r:
		return ending{}
	case c == nil:
		return xs.meaningForProbe(e, end)
	case xs.isCarriedElsewhere(e):
		return ending{}
	case c.state == Cancelling:
		return xs.meaningForCancelled(e, end)
	case xs.conn.mayResume(e):
		return ending{what: endsResumed}
	case xs.awaitsLogin(e) && e.role == roleResume:
		return ending{what: endsForLoginToResume}
	case xs.awaitsLogin(e):
		return ending{what: endsForLogin}
	case c.Origin == FromHandshake:
		return ending{what: endsHandshake}
	case e.isSessionOver():
		return ending{what: endsSession, words: "the server has " + e.sessionWords(), over: true}
	}
	return ending{what: endsBroken}
}

// meaningForProbe says what the end of the exchange of a ping means that no message has
// answered. A status alone is an answer, too; what broke is none, and a time limit tells of
// it.
func (xs *exchanges) meaningForProbe(e *exchange, end End) ending {
	m := ending{over: e.isSessionOver()}
	switch {
	case xs.isCarriedElsewhere(e), e.req.health:
	case e.isErrorStatus(), e.opened && end.Err == "":
		m.what, m.words = endsProbeAnswered, statusWords(e.head, end)
	default:
		m.what, m.words = endsProbeUnheard, end.words()
	}
	return m
}

// meaningForCancelled says what the end of the exchange of a call means that is being
// cancelled and was not answered.
func (xs *exchanges) meaningForCancelled(e *exchange, end End) ending {
	st := e.req.call.stop
	switch {
	case e.unprocessed != 0: // nothing runs that could be stopped
		return ending{what: endsUnprocessed, words: e.unprocessed.String()}
	case st.Signal == cancel.Abort:
		return ending{what: endsClosed}
	case xs.conn.mayResume(e):
		return ending{what: endsResumed}
	case st.Signal == cancel.Unsubscribe && !e.opened:
		return ending{what: endsCancelRejected, words: end.words()}
	case st.Signal == cancel.Unsubscribe && !e.head.isSuccess():
		return ending{what: endsCancelRejected, words: statusWords(e.head, end)}
	case st.Signal == cancel.Unsubscribe && (st.IsGraceOver() || st.WrittenAt().IsZero()):
		return ending{}
	case st.Signal == cancel.Unsubscribe:
		return ending{what: endsUnsubscribed, words: "the server closed the exchange without an answer"}
	case e.role == roleRequest && e.isErrorStatus():
		return ending{what: endsStatusAnswer, words: e.statusAnswer(xs.unansweredOutcome(e, end).says.text), over: e.isSessionOver()}
	case end.Err != "" && xs.conn.closeSent: // belay closes it, with the connection, whose end tells what that means
		return ending{}
	}
	return ending{what: endsUnheard, words: xs.unansweredOutcome(e, end).says.text, over: e.isSessionOver()}
}
