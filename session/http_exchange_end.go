package session

import (
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
	s.http.onUnownedEnded(e)
	s.http.onUnreached(e, end)
	if end.Body != "" {
		s.http.diagnoseBody(e, sentence.Quoted(end.Body))
	}
	if s.http.barrier.lift(e, &s.rows) {
		s.http.openServerStream()
	}
	m := s.http.meaningOf(e, end)
	if m.read != 0 {
		s.unconfirmed.onServerRead(m.read, e.req.method)
	}
	s.onEnding(e, end, m)
	if m.over {
		s.onSessionEnded(e)
	}
	return Reply{}
}

func (in Ended) masked(m masker) Input {
	in.End.Err, in.End.Hint, in.End.Body = m.text(in.End.Err), m.text(in.End.Hint), m.text(in.End.Body)
	return in
}

// onEnding carries out what the end of an exchange means.
func (s *Session) onEnding(e *exchange, end End, m ending) {
	c := e.owner()
	switch m.what {
	case endsNothing:
	case endsServerStream:
		s.http.onServerStreamEnded(e, end)
	case endsEvents:
		s.onEventsEnded(e, end)
	case endsUnacknowledged:
		s.onUnacknowledged(e, m.words)
	case endsCancelRejected:
		s.onCancelRejected(c, m.words, false)
	case endsProbeAnswered:
		s.onStatusOfProbe(e, m)
	case endsProbeUnheard:
		s.http.onProbeUnheard(e, end)
		s.pings.askAgain(e.req, &s.rows)
	case endsUnprocessed:
		s.writer.takeBack(c)
		c.touchStop().NotProcessed(s.now, m.words)
		s.moment(c, MomentView{Dir: Local, Kind: MomHTTP, Text: m.words + "; it is not sent once more"})
		s.end(c)
	case endsClosed:
		s.writer.withdrawCancel(c, false) // the server was first
		c.touchStop().Closed(s.now)
		s.end(c)
	case endsResumed:
		s.http.scheduleResume(e, end)
	case endsUnsubscribed:
		s.onUnsubscribeUnanswered(c, end, m.words)
	case endsStatusAnswer:
		s.onStatusAnswer(c, e.head.Status, m.words)
	case endsUnheard:
		s.onOwnStreamEnded(c, e, end, m)
	case endsForLogin:
		s.waitForLogin(c, e)
	case endsForLoginToResume:
		s.awaitLoginToResume(c, e)
	case endsHandshake:
		s.outgoing.retire(c.req, s.now)
		s.handshakeBroke(c, e, end)
	case endsSession:
		s.outgoing.retire(c.req, s.now)
		c.say(saying(m.words))
	case endsCutOff:
		c.touchStop().StreamEnded(s.now, m.words)
		s.moment(c, MomentView{Dir: In, Kind: MomNote, Text: m.words})
	case endsBroken:
		s.outgoing.retire(c.req, s.now)
		s.onStreamBroken(c, e, end)
	}
	if s.handles.losesName(c) {
		c.touchStop().TaskNeverNamed(s.now, end.words())
	}
}

// onStreamBroken ends a call whose exchange has ended without its answer.
func (s *Session) onStreamBroken(c *call, e *exchange, end End) {
	if s.resubscribe(c, e, end) || s.onListenBroken(c, e, end) {
		return
	}
	o, r := s.handles.unnamedBy(c, e, s.http.unansweredOutcome(e, end)), c.req
	s.eventWith(c.name()+": "+o.says.text, o.says.remedy().Kind)
	s.move(c, o)
	if r.isList {
		s.onListStep(r.list, s.catalog.onBroken(r, o.says.text, o.says.remedy()))
	}
}

// handshakeBroke is the end of the exchange of the handshake without an answer.
func (s *Session) handshakeBroke(c *call, e *exchange, end End) {
	if s.conn.phase != Connecting {
		return
	}
	if s.conn.era.discover == c && s.conn.mayInitialize(e, end) {
		_, words := s.http.brokenWords(e, end)
		s.move(c, outcome{to: Failed, says: saying(words)})
		if e.hasHungUp(end) {
			s.onHangUp(c, end)
		} else {
			s.onDiscover(c, nil, e.head.Status)
		}
		return
	}
	unanswered := unansweredInitialize{c, e, end}
	if c.Method != methodInitialize {
		s.onInitializeUnanswered(unanswered)
		return
	}
	s.conn.era.onUnanswered(&unanswered)
	s.http.tellBoth()
	step := s.conn.era.OnInitialize(s.now, negotiate.Greeting{Broke: true, Unserved: e.opened && isUnserved(e.head.Status)})
	s.follow(c, step, "")
	if step.Do == negotiate.Wait || step.Do == negotiate.AskDiscover { // this request is over
		_, words := s.http.brokenWords(e, end)
		s.move(c, outcome{to: Failed, says: saying(words), told: true})
	}
}

// hintEndpoint is for an address where there is something else.
const hintEndpoint = "is this the server's MCP endpoint? many have /mcp, older ones /sse"
