package session

import (
	"belay/session/cancel"
	"belay/session/negotiate"
	"belay/session/sentence"
)

// Ended tells that an exchange is over. It is the last that is heard of it.
type Ended struct {
	never
	ExchangeID
	End End `json:"end"`
}

func (in Ended) apply(s *Session) Reply {
	e, end := s.http.exchange(in.ExchangeID), in.End
	if e == nil {
		return Reply{}
	}
	s.http.forget(e)
	s.out.onNeverSent(e)
	s.tellCutOff(e)
	s.http.onLooseCut(e)
	s.http.onUnreached(e, end)
	if end.Body != "" {
		s.http.bodyOfNotice(e, sentence.Quoted(end.Body))
	}
	if s.http.barrier == e {
		s.http.barrier = nil
		s.http.openServerStream()
	}
	switch e.role {
	case roleRequest, roleResume:
		s.onRequestEnded(e, end)
	case roleCancel:
		s.onCancelPostEnded(e, end)
	case roleListen:
		s.http.onServerStreamEnded(e, end)
	case roleEvents:
		s.onEventsEnded(e, end)
	case roleAnswer, roleNotice:
		if !e.opened && !e.closing {
			s.onUnacknowledged(e, end.words())
		}
	}
	return Reply{}
}

// onRequestEnded is the end of the exchange that was to bring an answer. What was
// answered, or given up, has ended already.
func (s *Session) onRequestEnded(e *exchange, end End) {
	r := e.req
	if e.role == roleRequest && e.isErrorStatus() && !e.isSessionOver() {
		s.unsure.onServerRead(r.order) // that is an answer as well
	}
	if s.outgoing.open[r.id] != r {
		return
	}
	c := r.call
	if c == nil {
		s.onPingEnded(e, end)
		return
	}
	switch {
	case s.http.isCarriedElsewhere(e):
	case c.state == Cancelling && e.untaken != 0: // nothing runs that could be stopped
		s.writer.takeBack(c)
		c.stop.NotTaken(s.now, e.untaken.String())
		s.moment(c, MomentView{Dir: Local, Kind: MomHTTP, Text: e.untaken.String() + "; it is not sent once more"})
		s.end(c)
	case c.state == Cancelling && c.stop.Signal == cancel.Abort:
		if s.out.withdraw(c.stop.out) { // the server was first
			s.logCancel(c, CancelTakenBack)
		}
		c.stop.Closed(s.now)
		s.end(c)
	case s.conn.mayResume(e):
		s.http.scheduleResume(e, end)
	case c.state == Cancelling && c.stop.Signal == cancel.Unsubscribe:
		s.onUnsubscribeEnded(c, e, end)
	case c.state == Cancelling && e.role == roleRequest && e.isErrorStatus():
		s.onStatusAnswer(c, e, end)
	case c.state == Cancelling:
		s.onOwnStreamEnded(c, e, end)
	default:
		s.onStreamBroken(c, e, end)
	}
}

// onStreamBroken ends a call whose exchange has ended without its answer.
func (s *Session) onStreamBroken(c *call, e *exchange, end End) {
	switch {
	case s.http.awaitsLogin(e) && e.role == roleResume:
		s.awaitLoginToResume(c, e)
		return
	case s.http.awaitsLogin(e):
		s.waitForLogin(c, e)
		return
	}
	s.outgoing.retire(c.req, s.now)
	if c.Origin == FromHandshake {
		s.handshakeBroke(c, e, end)
		return
	}
	if e.isSessionOver() {
		s.rows.say(c, saying("the server has "+e.sessionWords()))
		s.onSessionEnded(e)
		return
	}
	if s.resubscribe(c, e, end) || s.onListenBroken(c, e, end) {
		return
	}
	o, r := s.http.brokenOff(e, end), c.req
	s.eventWith(c.name()+": "+o.says.text, o.says.remedy().Kind)
	s.move(c, o)
	if r.isList {
		s.onListBroken(r, o.says.text, o.says.remedy())
	}
}

// handshakeBroke is the end of the exchange of the handshake without an answer.
func (s *Session) handshakeBroke(c *call, e *exchange, end End) {
	if s.conn.phase != Connecting {
		return
	}
	if s.conn.era.probe == c && s.conn.mayInitialize(e) {
		_, words := s.http.brokenWords(e, end)
		s.move(c, outcome{to: Failed, says: saying(words)})
		if e.opened {
			s.onDiscover(c, nil, e.head.Status)
		} else {
			s.onHangUp(c, end)
		}
		return
	}
	broke := brokenOff{c, e, end}
	if c.Method != methodInitialize {
		s.onCutOff(broke)
		return
	}
	s.conn.era.broke = &broke
	s.follow(c, s.conn.era.OnInitialize(s.now, negotiate.Greeting{Broke: true}), "")
}

// hintEndpoint is for an address where there is something else.
const hintEndpoint = "is this the server's MCP endpoint? many have /mcp, older ones /sse"
