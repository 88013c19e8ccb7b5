package session

import (
	"fmt"
	"strings"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

// Over HTTP every message of ours is an exchange of its own: a POST with an
// answer that is one JSON message or a stream of events. A GET opens a stream
// that belongs to no request, or takes up one that broke. The transport carries
// exchanges out and tells their heads, events and ends; what those mean is
// decided here.

// maxPosts is how many requests are out at once. Cancels and answers are not
// counted: they leave in any case.
const maxPosts = 256

// Times that are the transport's and no options.
const (
	// lingerLimit is how long a stream may stay open after its answer (HTL-21, HTM-10;
	// basic/transports, basic/transports/streamable-http).
	lingerLimit = 5 * time.Second
	takeLimit   = 30 * time.Second // a notification or an answer may take that long to be accepted
)

// carry gives an output that is about to be handed out its exchange.
func (s *Session) carry(p *pending) {
	if s.cfg.Transport != mcp.HTTP || p.Op != OpWrite {
		return
	}
	e := s.http.post(p)
	if e.role != roleRequest || p.req.call != nil && p.req.call.state.IsTerminal() { // an unsubscribe whose row did not wait for it
		s.timers.Set(e.due(), s.now.Add(takeLimit))
	}
	if p.method == notifyInitialized {
		s.http.barrier.set(e, &s.rows)
	}
	p.X, p.URL, p.Header, p.Awaits = e.x, s.http.postTo, s.postHeaders(p), e.role == roleRequest
}

// notifyInitialized ends the handshake.
const notifyInitialized = "notifications/initialized"

// nextOp hands out what waits for nothing.
func (s *Session) nextOp(now time.Time) (Output, bool) {
	w := &s.http
	if len(w.ops) == 0 {
		return Output{}, false
	}
	s.at(now)
	out := w.ops[0]
	w.ops = w.ops[1:]
	if len(w.ops) == 0 {
		w.ops = nil
	}
	s.journal.output(s.now, out)
	return out, true
}

// Started tells that the transport is about to write the first byte of the body of an
// exchange; [Reply] has in Wanted the decision of the session to write that body or not. From then on the
// server may have read the body. The body of an aborted exchange is not written.
//
// A body is written once more for the reasons that [Resending] has, unless the cancel of
// its call is wanted.
type Started struct {
	never
	ExchangeID
	Because Resending `json:"because,omitempty"`
	Later   bool      `json:"later,omitempty"` // not yet: the transport waits before it writes the body once more, and no exchange is open
}

func (in Started) apply(s *Session) Reply {
	e := s.http.exchange(in.ExchangeID)
	if e == nil || e.closing {
		return Reply{}
	}
	if in.Later {
		e.onResendDeferred(in.Because)
		return Reply{}
	}
	may, again := e.mayStart(in.Because)
	if again {
		s.tellResent(e, in.Because.String()+"; it is sent once more")
	}
	if may {
		e.start()
		s.outgoing.onBodyBegun(e.req)
	}
	return Reply{Wanted: may}
}

// Opened tells the head of the answer on an exchange.
type Opened struct {
	never
	ExchangeID
	Head Head `json:"head"`
}

func (in Opened) apply(s *Session) Reply {
	e := s.http.exchange(in.ExchangeID)
	if e == nil {
		return Reply{}
	}
	e.onHead(in.Head, s.now, e.isGet() && s.http.serverStream.isUnrouted(in.Head))
	if e.isGet() {
		s.http.serverStream.onGetHead(in.Head)
	}
	s.http.onReached()
	s.tellHead(e)
	switch e.role {
	case roleRequest:
		s.onSessionID(e)
		s.http.tellOpenToAll(e)
		if c := e.owner(); e.streamsPoll(s.conn.taskProtocol()) {
			s.diagnose(mcp.DiagTaskStream, c.shownAs(), "", "")
		}
	case roleCancel:
		s.onCancelResponse(e)
	case roleServerStream:
		s.onServerStreamOpened(e)
	case roleNotice, roleAnswer:
		s.http.diagnoseAcceptStatus(e)
		s.wrongs.onStatus(e)
	case roleResume:
		s.diagnoseResumeStatus(e)
		if c := e.req.call; c.isStopped() && e.head.isSuccess() {
			c.touchStop().StreamResumed(s.now, e.req.away, s.conn.trips.Bound())
		}
	case roleEvents:
	}
	if e.role != roleRequest && e.role != roleResume && e.p != nil && !in.Head.isSuccess() {
		s.onRejected(e)
	}
	if s.http.barrier.lift(e, &s.rows) {
		s.http.openServerStream()
	}
	return Reply{}
}

// Memory is about how many bytes the texts of the head take, which may be many.
func (in Opened) Memory() int {
	n := len(in.Head.Media) + len(in.Head.Session) + len(in.Head.Retry) + len(in.Head.Packed) + len(in.Head.At)
	for _, c := range in.Head.Challenge {
		n += len(c)
	}
	return n
}

func (in Opened) masked(m masker) Input {
	in.Head = m.head(in.Head)
	return in
}

// EventReceived tells what an event on a stream says besides its message.
type EventReceived struct {
	never
	ExchangeID
	Event Event `json:"event"`
}

// Memory is about how many bytes the texts of the event take.
func (in EventReceived) Memory() int {
	n := len(in.Event.Name) + len(in.Event.Data) + len(in.Event.Odd)
	if in.Event.ID != nil {
		n += len(*in.Event.ID)
	}
	return n
}

func (in EventReceived) apply(s *Session) Reply {
	e, ev := s.http.exchange(in.ExchangeID), in.Event
	if e == nil {
		return Reply{}
	}
	if ev.Odd != "" {
		s.diagnose(mcp.DiagEventName, callOf(e), "", "a line that is no field of an event: "+excerpt([]byte(ev.Odd)))
		s.http.strayOn(e, s.now, cancel.Stray{What: "a line that is no part of an event", Detail: excerpt([]byte(ev.Odd))}, 0)
		return Reply{}
	}
	e.onEvent(ev, !s.conn.rev.IsModern())
	if ev.ID != nil {
		s.http.checkEventID(e, *ev.ID)
	}
	switch {
	case ev.Name == "", ev.Data == "": // without data it is no message, as the priming event of 2025-11-25
	case ev.Name == "endpoint" && e.role == roleEvents:
		s.onEndpoint(ev.Data)
	default:
		s.diagnose(mcp.DiagEventName, callOf(e), ev.Name, sentence.Quoted(sentence.Clip(ev.Name)))
		if strings.HasPrefix(strings.TrimSpace(ev.Data), "{") { // else it keeps the stream alive
			s.http.strayOn(e, s.now, cancel.Stray{What: "an event that is no message", Detail: excerpt([]byte(ev.Data[:min(len(ev.Data), sentence.Limit)]))}, 0)
		}
	}
	return Reply{}
}

func (in EventReceived) masked(m masker) Input {
	in.Event.Name, in.Event.Data, in.Event.Odd = m.field("event", in.Event.Name), m.text(in.Event.Data), m.text(in.Event.Odd)
	if in.Event.ID != nil {
		id := m.field("id", *in.Event.ID)
		in.Event.ID = &id
	}
	return in
}

// checkEventID tells of an ID that an event must not have: where the revision has none,
// and where it came before.
func (xs *exchanges) checkEventID(e *exchange, id string) {
	if xs.conn.rev.IsModern() {
		xs.diagnose(mcp.DiagEventID, callOf(e), "", sentence.Quoted(sentence.Clip(id)))
		return
	}
	if id != "" && xs.variant == streamable && xs.ids.remember(id) {
		xs.diagnose(mcp.DiagEventRepeat, callOf(e), "", sentence.Quoted(sentence.Clip(id)))
	}
}

// maxEventID bounds what is sent back in a header.
const maxEventID = 4096

// onAbortHandedOut enters the closing of an exchange that is a cancel.
func (xs *exchanges) onAbortHandedOut(p *pending) {
	xs.event(fmt.Sprintf("%s: belay closes its exchange, which cancels it; no reason travels", p.cancels.name()))
	xs.hist.about(xs.hist.last())
	xs.hist.setCall(p.cancels.id)
	xs.exchange(p.X).onClosing()
}

// sayUnknownSession takes an error that came on an exchange, and reports whether it
// says that the server does not know the session. What the end of the exchange
// decides is left to that; the end of any other one decides nothing.
func (s *Session) sayUnknownSession(e *exchange, f *mcp.Frame) bool {
	if !e.onError(f) {
		return false
	}
	switch e.role {
	case roleRequest, roleResume:
	case roleCancel:
		s.onCancelResponse(e)
	default:
		s.onSessionEnded(e)
	}
	return true
}

func (s *Session) onServerStreamOpened(e *exchange) {
	l := &s.http.serverStream
	l.stopAwaiting(&s.timers, &s.rows)
	switch h := e.head; {
	case h.isSuccess() && h.streams():
		s.event("the server's own stream is open")
	case h.Status == statusNoMethod:
		l.refuse(false)
		s.event("the server has no stream of its own (HTTP 405)")
	case e.isSessionOver():
		s.onSessionEnded(e)
	case h.wantsLogin():
		l.refuse(true)
		s.event(fmt.Sprintf("the server's own stream wants a login (HTTP %d): it is opened after the next one", h.Status))
		s.http.abort(e)
	case h.Status == statusBadRequest && e.session:
		// Its body may say that the server does not know the session.
	case h.isSuccess() && h.Media == mediaJSON: // a message in it may be evidence
		s.http.giveUpServerStream(e)
		s.timers.Set(e.due(), s.now.Add(takeLimit))
	default:
		s.http.giveUpServerStream(e)
		s.http.abort(e)
	}
}
