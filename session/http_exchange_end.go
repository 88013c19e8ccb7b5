package session

import (
	"fmt"

	"belay/session/cancel"
	"belay/session/mcp"
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
	e, end := s.exchange(in.ExchangeID), in.End
	if e == nil {
		return Reply{}
	}
	s.http.forget(e)
	s.out.onNeverSent(e)
	s.tellCutOff(e)
	s.onUnreached(e, end)
	if end.Body != "" {
		s.bodyOfNotice(e, sentence.Quoted(end.Body))
	}
	if s.http.barrier == e {
		s.http.barrier = nil
		s.openServerStream()
	}
	switch e.role {
	case roleRequest, roleResume:
		s.onRequestEnded(e, end)
	case roleCancel:
		s.onCancelPostEnded(e, end)
	case roleListen:
		s.onServerStreamEnded(e, end)
	case roleEvents:
		s.onEventsEnded(e, end)
	case roleAnswer, roleNotice:
		if !e.opened && !e.closing {
			s.onUnacknowledged(e, end.words())
		}
	}
	return Reply{}
}

// onNeverSent forgets an output that was handed out and whose last byte was not
// reported.
func (o *outbox) onNeverSent(e *exchange) {
	if e.p == nil || o.waiting[e.p.Seq] == nil {
		return
	}
	delete(o.waiting, e.p.Seq)
	if e.p.cancels != nil {
		o.cancels--
	}
}

func (e End) words() string {
	if e.Err == "" {
		return "the server closed the exchange"
	}
	return e.Err
}

// onRequestEnded is the end of the exchange that was to bring an answer. What was
// answered, or given up, has ended already.
func (s *Session) onRequestEnded(e *exchange, end End) {
	r := e.req
	if r.x == e {
		r.x = nil
	}
	if e.role == roleRequest && e.isErrorStatus() && !e.isSessionOver() {
		s.onServerRead(r.order) // that is an answer as well
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
		s.takeBack(c)
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
		s.scheduleResume(e, end)
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

// isCarriedElsewhere reports whether the answer of this POST comes on the stream of
// 2024-11-05.
func (w *exchanges) isCarriedElsewhere(e *exchange) bool {
	return w.carrier == httpSSE && e.opened && e.head.ok()
}

// onStreamBroken ends a call whose exchange has ended without its answer.
func (s *Session) onStreamBroken(c *call, e *exchange, end End) {
	switch {
	case s.awaitsLogin(e) && e.role == roleResume:
		s.awaitLoginToResume(c, e)
		return
	case s.awaitsLogin(e):
		s.waitForLogin(c, e)
		return
	}
	s.outgoing.retire(c.req, s.now)
	if c.Origin == FromHandshake {
		s.handshakeBroke(c, e, end)
		return
	}
	if e.isSessionOver() {
		c.note = "the server has " + e.sessionWords()
		s.onSessionEnded(e)
		return
	}
	if s.resubscribe(c, e, end) || s.onListenBroken(c, e, end) {
		return
	}
	to, note := s.brokenWords(e, end)
	can := s.cfg.wantsCredentials(e)
	s.advise(c, note, can)
	s.eventWith(c.name()+": "+note, can.Kind)
	r := c.req
	s.move(c, to)
	if r.isList {
		s.onListBroken(r, note, can)
	}
}

// brokenWords says what became of a call, and why.
func (s *Session) brokenWords(e *exchange, end End) (State, string) {
	switch {
	case e.role == roleResume && e.opened && !e.head.ok():
		return Lost, "its stream could not be taken up again: " + statusWords(e.head, end)
	case e.opened && !e.head.ok():
		words := statusWords(e.head, end) + sizeWords(e)
		if given := s.cfg.givenRefused(e); given != "" && s.conn.phase == Ready { // else it is the hint
			words = given + ": " + words
		}
		return Failed, words
	case e.opened && e.head.Status == statusAccepted:
		return Failed, "the server accepted the request (HTTP 202) and closed it without a response"
	case e.head.Packed != "":
		return Failed, "the answer is " + e.head.packedWords()
	case e.opened && e.messages == 0 && e.head.Status != statusOK:
		return Failed, "the server answered " + statusWords(e.head, end) + " instead of a response"
	case e.opened && e.head.Media != mediaJSON && !e.head.streams():
		return Failed, fmt.Sprintf("the server answered %s instead of JSON or a stream of events%s", mediaWords(e.head.Media), preview(end))
	case !e.started && e.role == roleRequest:
		text := fmt.Sprintf("it could not be sent to %s: %s", s.cfg.Endpoint, end.words())
		if end.Hint != "" {
			text += " · " + end.Hint
		}
		return Failed, text
	case end.Err != "" && s.conn.rev.Modern():
		return Lost, "the exchange broke, which the server takes as a cancellation: " + end.Err
	case end.Err != "":
		return Lost, "the exchange broke before the answer: " + end.Err
	case e.head.streams() && s.conn.rev.Modern():
		return Lost, "the stream ended " + e.part.where() + "; the server takes that as a cancellation"
	case e.head.streams():
		return Failed, "the stream ended " + e.part.where()
	}
	switch {
	case e.garbled != "":
		return Failed, "the answer is no JSON-RPC message: " + sentence.Quoted(e.garbled)
	case e.messages == 0:
		return Failed, "the answer is empty" + preview(end)
	case e.batch && !s.conn.rev.Batches():
		return Failed, fmt.Sprintf("the answer is a batch, which %s does not know: its messages are not taken", s.conn.rev)
	}
	return Failed, "the answer held no response to this request" + preview(end)
}

// packedWords name the compression of a body that was to come without one.
func (h Head) packedWords() string {
	return "compressed with " + sentence.Name(h.Packed) + ", though belay asked for none (Accept-Encoding: identity)"
}

func mediaWords(media string) string {
	if media == "" {
		return "a body without a content type"
	}
	return sentence.Name(media)
}

// statusWords is an HTTP status that is no success, in words.
func statusWords(h Head, end End) string {
	text := fmt.Sprintf("HTTP %d", h.Status)
	if name := statusNames[h.Status]; name != "" {
		text += " " + name
	}
	if h.At != "" {
		text += " from " + h.At
	}
	if h.Retry != "" {
		text += "; it says to try again after " + sentence.Quoted(h.Retry)
	}
	if h.Packed != "" {
		text += "; its body is " + h.packedWords()
	}
	if end.Err != "" {
		text += "; " + end.Err
	}
	return text + preview(end)
}

// sizeWords say how large a request was that the server calls too large (HTM-44).
func sizeWords(e *exchange) string {
	if e.p == nil || e.head.Status != statusBodyTooLarge && e.head.Status != statusHeadTooLarge {
		return ""
	}
	total, largest, name := 0, 0, ""
	for _, h := range e.p.Header {
		size := len(h.Name) + len(h.Value) + len(": \r\n")
		total += size
		if size > largest {
			largest, name = size, h.Name
		}
	}
	text := "; the body had " + sentence.Size(len(e.p.Data)) + ", the header fields of belay's own " + sentence.Size(total)
	if name != "" {
		text += ", the largest " + name + " with " + sentence.Size(largest)
	}
	return text
}

// preview is the beginning of a body in quotes.
func preview(end End) string {
	if end.Body == "" {
		return ""
	}
	return ": " + sentence.Quoted(end.Body)
}

// handshakeBroke is the end of the exchange of the handshake without an answer.
func (s *Session) handshakeBroke(c *call, e *exchange, end End) {
	if s.conn.phase != Connecting {
		return
	}
	if s.conn.era.probe == c && s.conn.mayInitialize(e) {
		_, words := s.brokenWords(e, end)
		c.note = words
		s.move(c, Failed)
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

// onCutOff takes the end of an exchange that was to begin a connection: with a
// server of 2024-11-05, another transport follows.
func (s *Session) onCutOff(b brokenOff) {
	if s.mayTryOld(b.x) {
		s.tryOld(b.c, b.x, b.end)
		return
	}
	s.fail(s.endCutOff(b))
}

// endCutOff ends the row of such an exchange, and returns what it means for the
// connection.
func (s *Session) endCutOff(b brokenOff) *Failure {
	c, e, end := b.c, b.x, b.end
	fl := &Failure{Kind: FailHTTP, Hint: end.Hint}
	switch {
	case e.opened:
		_, words := s.brokenWords(e, end)
		fl.Text = fmt.Sprintf("no handshake at %s: %s", s.cfg.Endpoint, words)
	default:
		fl.Text = fmt.Sprintf("no connection to %s: %s", s.cfg.Endpoint, end.words())
	}
	if fl.Hint == "" {
		fl.Hint, fl.Remedy = s.cfg.hintFor(e)
	}
	c.note = fl.Text
	s.move(c, Failed)
	return fl
}

// hintEndpoint is for an address where there is something else.
const hintEndpoint = "is this the server's MCP endpoint? many have /mcp, older ones /sse"

// hintFor says what a status may mean, and what to do about it.
func (c Config) hintFor(e *exchange) (string, Remedy) {
	switch {
	case !e.opened:
		return "is the server running, and is the address right?", Remedy{}
	case e.head.Status == statusNotFound || e.head.Status == statusNoMethod:
		return hintEndpoint, Remedy{}
	case e.head.Status == statusUnauthorized:
		if words := c.givenRefused(e); words != "" {
			return words, Remedy{}
		}
		if can := c.wantsCredentials(e); can != (Remedy{}) {
			return "", can
		}
		return "", Remedy{Kind: RemedyHeader}
	case e.head.Status == statusForbidden:
		return "the server refuses this client: its Origin or Host rules, or a right that the token lacks", Remedy{}
	case e.head.Status == statusTooMany:
		return "", Remedy{Kind: RemedyWait}
	case e.head.Status/100 == 5:
		return "the server has failed; its log may say more", Remedy{}
	case e.head.Status/100 != 3 && (e.head.Media == mediaJSON || e.head.Media == mediaStream):
		return "", Remedy{Kind: RemedyWire}
	}
	return hintEndpoint, Remedy{} // nothing of it was a message: the wire has no more than this
}

// tellHead puts the head of an answer on the timeline of its call.
func (s *Session) tellHead(e *exchange) {
	if e.req == nil || e.req.call == nil || e.role == roleResume && e.req.same && e.head.ok() && e.head.streams() {
		return
	}
	text := fmt.Sprintf("HTTP %d", e.head.Status) + sizeWords(e)
	switch e.head.Media {
	case mediaJSON:
		text += ", JSON"
	case mediaStream:
		text += ", a stream of events"
	}
	if e.head.At != "" {
		text += ", from " + e.head.At
		s.diagnose(mcp.DiagRedirect, 0, e.head.At, sentence.Name(e.head.At)) // of the endpoint: the call's line says it for the call
	}
	s.moment(e.req.call, MomentView{Dir: Local, Kind: MomHTTP, Text: text})
}

// tellResent tells that the body of an exchange is written once more.
func (s *Session) tellResent(e *exchange, words string) {
	what := sentence.Name(e.p.method)
	if e.req != nil && e.req.call != nil {
		what = e.req.call.name()
		s.moment(e.req.call, MomentView{Dir: Local, Kind: MomHTTP, Text: words})
	}
	s.event(what + ": " + words)
}

// diagnoseAcceptStatus tells of a success that is not the one there is for what awaits no
// answer (HTL-09). HTTP+SSE has no such rule.
func (s *Session) diagnoseAcceptStatus(e *exchange) {
	if !e.head.ok() || e.head.Status == statusAccepted || s.http.carrier == httpSSE {
		return
	}
	var id CallID
	if e.p.cancels != nil {
		id = e.p.cancels.id
	}
	s.diagnose(mcp.DiagAcceptStatus, id, "", fmt.Sprintf("HTTP %d to %s", e.head.Status, sentence.Name(e.p.method)))
}

// diagnoseResumeStatus tells of a GET that takes up a stream and is answered with something
// else. Messages in it count all the same.
func (s *Session) diagnoseResumeStatus(e *exchange) {
	if e.head.ok() && !e.head.streams() {
		s.diagnose(mcp.DiagListenStatus, callOf(e), "", fmt.Sprintf("HTTP %d %s", e.head.Status, mediaWords(e.head.Media)))
	}
}
