package session

import (
	"slices"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
	"belay/session/timer"
)

// Over HTTP every message of ours is an exchange of its own: a POST with an
// answer that is one JSON message or a stream of events. A GET opens a stream
// that belongs to no request, or takes up one that broke. The transport carries
// exchanges out and tells their heads, events and ends; what those mean is
// decided here.

// Header is one header field of a request.
type Header struct{ Name, Value string }

// Head is the head of an HTTP answer, as far as it matters here.
type Head struct {
	Status      int
	Media       string   `json:",omitempty"` // the media type in lower case, without parameters
	Session     string   `json:",omitempty"` // Mcp-Session-Id: a secret, masked wherever it is shown
	Sessions    int      `json:",omitempty"` // how many different ones it has, where there are more
	Challenge   []string `json:",omitempty"` // the values of WWW-Authenticate
	Retry       string   `json:",omitempty"` // Retry-After as it was sent, cut when it is long; foreign text
	Credentials bool     `json:",omitempty"` // the request carried some, or fields of the user's that may be some
	Unbuffered  bool     `json:",omitempty"` // X-Accel-Buffering: no, which has those in between pass everything on at once
	Packed      string   `json:",omitempty"` // how the body is compressed, which belay does not read; foreign text
	At          string   `json:",omitempty"` // the address that answered, when a redirection led there
}

// ok reports whether the status is one of success.
func (h Head) ok() bool { return h.Status/100 == 2 }

// streams reports whether the body is a stream of events.
func (h Head) streams() bool { return h.Media == mediaStream }

// The two media types that a body may have (HTL-11, HTM-06).
const (
	mediaJSON   = "application/json"
	mediaStream = "text/event-stream"
)

// Event is what an event of a stream says besides its message. The message
// itself, if it holds one, follows with Receive.
type Event struct {
	Name  string        `json:",omitempty"` // empty for the ordinary "message"
	ID    *string       `json:",omitempty"` // nil when it has none
	Retry time.Duration `json:",omitempty"` // how long to wait before taking the stream up again; negative: none given
	Data  string        `json:",omitempty"` // only of an event whose name is not "message"; cut when it is long
}

// End is how an exchange ended. Every exchange that was handed out ends once, also
// after an abort and when it could not begin.
type End struct {
	Err  string `json:",omitempty"` // what broke it, in words; empty when it ended in order
	Hint string `json:",omitempty"` // what to do about it
	Body string `json:",omitempty"` // the beginning of a body that was no message; foreign text
}

// role is what an exchange is for.
type role uint8

const (
	roleRequest role = iota + 1 // the POST of a request
	roleCancel                  // the POST of notifications/cancelled
	roleAnswer                  // the POST of an answer to the server's request
	roleNotice                  // the POST of another notification
	roleResume                  // the GET that takes up the stream of a request
	roleListen                  // the GET for what belongs to no request
	roleEvents                  // the GET on which everything comes (2024-11-05)
)

// exchange is one exchange that has not ended.
type exchange struct {
	x        ExchangeID
	role     role
	p        *pending // what a POST carries
	req      *request // whose answer it is to bring; nil when none
	session  bool     // the session ID went with it
	unknown  bool     // the server said that it does not know the session
	started  bool     // the first byte of its body may have been written
	opened   bool
	head     Head
	headAt   time.Time
	closing  bool      // OpAbort was queued for it
	answered bool      // it brought the answer
	events   int       // since it was opened
	messages int       // that came on it, of any quality
	first    time.Time // when the first of them did
	part     partialMessage
	garbled  string    // the beginning of the last of them that was none
	untaken  Resending // why it would have been sent once more, had its cancel not been wanted
	batch    bool      // one of them was a batch that the revision does not have
	lastID   string    // of the latest event that had an ID
	retry    time.Duration
}

// status is that of the answer on an exchange; 0 on stdio, and before there is
// one.
func (e *exchange) status() int {
	if e == nil {
		return 0
	}
	return e.head.Status
}

// isErrorStatus reports whether the answer on an exchange has a status of failure.
func (e *exchange) isErrorStatus() bool { return e != nil && e.opened && !e.head.ok() }

// exchanges is what the core knows of the HTTP side, of all connections and of
// the one that there is.
type exchanges struct {
	last         uint64   // the number of the latest one
	ops          []Output // aborts, streams to open, and the end: they wait for nothing
	logins       int      // how often there was another token, or none any more
	expired      []time.Time
	renewed      int // sessions that were followed by another one
	renewedFor   int // the status by which the latest of these was seen to have ended
	resubscribed int // subscriptions that went with the last of these, and are begun again
	timers       *timer.List

	httpConnection
}

// httpConnection is what a new connection begins without.
type httpConnection struct {
	open    map[uint64]*exchange
	via     *exchange // on which the message that is being handled came; nil on stdio
	session string
	postTo  string      // the endpoint of 2024-11-05; empty before it is known, and otherwise
	carrier httpVariant // the shape of the transport
	refusal string      // of the streamable one, when it is the older one; may hold foreign text
	barrier *exchange   // notifications/initialized: no request may overtake it
	listen  serverStream
	reach   reach
	ids     eventIDs
	noLogin bool       // it was told that the server wants none
	login   uint64     // the login that is under way; 0: none
	waits   []*request // whose stream is to be taken up again
}

// httpVariant is the shape of the HTTP transport.
type httpVariant uint8

const (
	streamable httpVariant = iota // one endpoint; answers come on the exchange of their request
	httpSSE                       // HTTP+SSE of 2024-11-05: one stream for everything
)

// maxPosts is how many requests are out at once. Cancels and answers are not
// counted: they leave in any case.
const maxPosts = 256

// Times that are the transport's and no options.
const (
	lingerLimit = 5 * time.Second  // a stream may stay open that long after its answer (HTL-21, HTM-10)
	takeLimit   = 30 * time.Second // a notification or an answer may take that long to be accepted
)

// reset begins a connection.
func (w *exchanges) reset() { w.httpConnection = httpConnection{open: map[uint64]*exchange{}} }

// exchange finds an exchange of the connection of now.
func (s *Session) exchange(x ExchangeID) *exchange {
	if !s.conn.live(x) {
		return nil
	}
	return s.http.open[x.N]
}

// begin makes an exchange.
func (s *Session) begin(r role) *exchange {
	s.http.last++
	e := &exchange{x: ExchangeID{Epoch: s.conn.epoch, N: s.http.last}, role: r, retry: -1}
	s.http.open[e.x.N] = e
	return e
}

// carry gives an output that is about to be handed out its exchange.
func (s *Session) carry(p *pending) {
	if s.cfg.Transport != mcp.HTTP || p.Op != OpWrite {
		return
	}
	e := s.begin(roleNotice)
	switch {
	case p.req != nil:
		e.role, e.req, p.req.x = roleRequest, p.req, e
	case p.cancels != nil:
		e.role = roleCancel
	case p.answers != nil:
		e.role = roleAnswer
	}
	if e.role != roleRequest || p.req.call != nil && p.req.call.state.Terminal() { // an unsubscribe whose row did not wait for it
		s.timers.Set(e.due(), s.now.Add(takeLimit))
	}
	if p.method == notifyInitialized {
		s.http.barrier = e
		s.rows.touchQueued()
	}
	e.p, e.session = p, s.http.session != ""
	p.X, p.URL, p.Header, p.Awaits = e.x, s.http.postTo, s.postHeaders(p), e.role == roleRequest
}

// notifyInitialized ends the handshake.
const notifyInitialized = "notifications/initialized"

// touchQueued has the rows shown anew that have not been sent: why they wait is
// another reason now.
func (r *rows) touchQueued() {
	for c := r.oldest; c != nil; c = c.next {
		if c.state == Queued {
			r.touch(c)
		}
	}
}

// mayPost reports whether HTTP lets an output of a class leave.
func (s *Session) mayPost(c class) bool {
	switch w := &s.http; {
	case s.cfg.Transport != mcp.HTTP:
		return true
	case w.carrier == httpSSE && w.postTo == "":
		return false
	case c == classRequest:
		return w.barrier == nil && len(w.open) < maxPosts
	}
	return true
}

// abort has an exchange closed, and nothing else. A GET that was not handed out
// is not begun.
func (w *exchanges) abort(e *exchange) {
	if e == nil || e.closing {
		return
	}
	e.closing = true
	if i := slices.IndexFunc(w.ops, func(out Output) bool { return out.Op == OpOpen && out.X == e.x }); i >= 0 {
		w.ops = slices.Delete(w.ops, i, i+1)
		w.forget(e)
		return
	}
	w.ops = append(w.ops, Output{Op: OpAbort, X: e.x})
}

// abandonRequest closes what still waits for the answer of a request.
func (w *exchanges) abandonRequest(r *request) {
	w.abandonResume(r)
	w.abort(r.x)
}

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
}

func (in Started) apply(s *Session) Reply {
	e := s.exchange(in.ExchangeID)
	if e == nil || e.closing {
		return Reply{}
	}
	if e.started {
		if !e.mayResend() {
			e.untaken = in.Because
			return Reply{}
		}
		s.tellResent(e, in.Because.String()+"; it is sent once more")
	}
	e.started = true
	if e.req != nil {
		e.req.begun = true
	}
	return Reply{Wanted: true}
}

// Opened tells the head of the answer on an exchange.
type Opened struct {
	never
	ExchangeID
	Head Head `json:"head"`
}

func (in Opened) apply(s *Session) Reply {
	e := s.exchange(in.ExchangeID)
	if e == nil {
		return Reply{}
	}
	e.opened, e.head, e.headAt = true, in.Head, s.now
	s.onReached()
	s.tellHead(e)
	switch e.role {
	case roleRequest:
		s.onSessionID(e)
		s.tellOpenToAll(e)
	case roleCancel:
		s.onCancelResponse(e)
	case roleListen:
		s.onServerStreamOpened(e)
	case roleNotice, roleAnswer:
		s.diagnoseAcceptStatus(e)
	case roleResume:
		s.diagnoseResumeStatus(e)
		if c := e.req.call; c.isStopped() && e.head.ok() {
			c.stop.TakenUp(s.now, e.req.away, s.conn.trips.Bound())
		}
	case roleEvents:
	}
	if e.role != roleRequest && e.role != roleResume && e.p != nil && !in.Head.ok() {
		s.onRejected(e)
	}
	if s.http.barrier == e {
		s.http.barrier = nil
		s.openServerStream()
	}
	return Reply{}
}

// EventReceived tells what an event on a stream says besides its message.
type EventReceived struct {
	never
	ExchangeID
	Event Event `json:"event"`
}

func (in EventReceived) apply(s *Session) Reply {
	e, ev := s.exchange(in.ExchangeID), in.Event
	if e == nil {
		return Reply{}
	}
	e.events++
	if ev.ID != nil {
		s.eventID(e, *ev.ID)
	}
	if ev.Retry >= 0 {
		e.retry = min(ev.Retry, longestRetry)
	}
	switch {
	case ev.Name == "", ev.Data == "": // without data it is no message, as the priming event of 2025-11-25
	case ev.Name == "endpoint" && e.role == roleEvents:
		s.onEndpoint(ev.Data)
	default:
		s.diagnose(mcp.DiagEventName, callOf(e), ev.Name, sentence.Quoted(sentence.Clip(ev.Name)))
	}
	return Reply{}
}

// eventID keeps the ID of an event, where the revision has them.
func (s *Session) eventID(e *exchange, id string) {
	if s.conn.rev.Modern() {
		s.diagnose(mcp.DiagEventID, callOf(e), "", sentence.Quoted(sentence.Clip(id)))
		return
	}
	if id != "" && s.http.carrier == streamable && s.http.ids.again(id) {
		s.diagnose(mcp.DiagEventRepeat, callOf(e), "", sentence.Quoted(sentence.Clip(id)))
	}
	if len(id) <= maxEventID {
		e.lastID = id
	}
}

// maxEventID bounds what is sent back in a header.
const maxEventID = 4096

// callOf is the call whose answer an exchange is to bring; 0 when none.
func callOf(e *exchange) CallID {
	if e == nil || e.req == nil || e.req.call == nil {
		return 0
	}
	return e.req.call.id
}

// closeExchanges ends what is left of a connection that is gone. What waits to be
// handed out for it is not begun.
func (w *exchanges) closeExchanges() {
	w.ops = slices.DeleteFunc(w.ops, func(out Output) bool { return out.Op == OpLogin })
	for _, n := range w.numbers() {
		w.abort(w.open[n])
	}
	clear(w.open)
	w.waits, w.barrier, w.listen, w.session, w.login = nil, nil, serverStream{}, "", 0
}
