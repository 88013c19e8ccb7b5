package session

import (
	"bytes"
	"strings"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

// request is one wire ID of ours. A call owns one or more of them; the probe
// belongs to no call.
//
//shape:value 4 of outgoing
type request struct {
	id       mcp.ID
	method   string
	token    mcp.ID // its progress token; zero when it has none
	ownToken bool   // the user gave the token
	call     *call
	list     mcp.ListKind // of a list that belay fetches by itself
	isList   bool
	logs     string   // modern: the level of log messages that it asks for; empty: it asks for none
	declared declared // what it was made under: in the modern era each request says so anew
	probe    bool     // belay asks whether the server still answers
	health   bool     // a probe that is sent periodically
	instead  *request // the probe before, of which nothing was heard; nil: there was none

	since        time.Time     // when it was wanted; of a probe only
	limit        time.Duration // how long its answer may take; of a probe only
	order        uint64        // in which it was handed out; 0: not yet
	handed       time.Time     // zero: still inside the core
	written      time.Time     // its last byte
	begun        bool          // the first byte of its body may have left: an answer to it is possible
	warm         bool          // the server had answered something when it was handed out
	progressPace cancel.Pace

	params []byte    // as they were when it was made, before _meta was added
	out    *pending  // its output
	x      *exchange // over HTTP: the one that is to bring its answer; nil between two

	brokenStream
	retryAfter time.Duration // over HTTP: how long the server wants no other one; 0: it has not said so

	retired time.Time // when it left the table of those that await an answer
	ignored *ignored  // an answer to it that came elsewhere; nil: none did
	answer  requestAnswer
}

// requestAnswer is the message by which a request was answered; zero: it was not.
//
//shape:part of request
type requestAnswer struct {
	kind       mcp.FrameKind // FrameResult, FrameError or FrameMalformed
	unusableID bool          // it is the handle of a task that goes on, as far as it tells, and whose ID cannot be used
	message    Seq
}

// brokenStream is a stream that broke, and is to be taken up again.
//
//shape:part of request
type brokenStream struct {
	lastID string
	retry  time.Duration
	downAt time.Time     // nothing could be heard on it from then on
	away   time.Time     // since then it was not there for as long as a message may be on its way
	tries  int           // without anything new
	idle   int           // how often in a row it broke before a message came
	pause  time.Duration // before it is taken up again
	broke  string        // how it broke, in words
	same   bool          // so it did before, and no message came between
}

// pastLimit bounds how many requests that ended are remembered, to tell a late
// answer from an unknown one. IDs are never reused, so forgetting one costs
// only the label (CXL-34, SD0-11).
const pastLimit = 1 << 16

// outgoing is the table of our own requests. Theirs is another one: the same ID may live in both,
// and they never meet (CXS-01, SD3-34; basic/utilities/cancellation).
//
//shape:machine 1
type outgoing struct {
	nextID int64
	open   map[mcp.ID]*request // await an answer
	asking map[mcp.ID]*request // of open, those that ask for log messages
	tokens map[mcp.ID]*request // progress tokens of those, and of what waits to be sent
	heard  *request            // of tokens, whose progress came last: floods of it come for one request
	none   stranger            // that was looked for last: floods of its progress come as well
	past   map[mcp.ID]*request // answered or given up in this epoch
	own    map[mcp.ID]*request // of past, by tokens that the user gave
	ring   []mcp.ID            // of past, oldest first, from head on
	head   int
	gone   int64  // the highest ID that past has forgotten
	limit  int    // pastLimit
	prefix string // of the progress tokens
}

// stranger is a token that no request was sent with.
//
//shape:part of outgoing
type stranger struct {
	token  mcp.ID
	sought bool     // what follows is known
	name   string   // by which it is told of
	bearer *request // see [outgoing.bearerOf]
}

func (o *outgoing) init(first int64, anonymous bool) {
	o.nextID = first
	if o.prefix = tokenPrefix; anonymous {
		o.prefix = tokenPrefixAnon
	}
	o.open = map[mcp.ID]*request{}
	o.asking = map[mcp.ID]*request{}
	o.tokens = map[mcp.ID]*request{}
	o.past = map[mcp.ID]*request{}
	o.own = map[mcp.ID]*request{}
	o.gone, o.limit = first-1, pastLimit
}

// issue gives out the next ID. It counts on across epochs (BASE-04; basic).
func (o *outgoing) issue() mcp.ID {
	id := mcp.IntID(o.nextID)
	o.nextID++
	return id
}

// Progress tokens of belay's are strings, made from the ID of their request, so they are as unique
// (PRG-01, PRG-02; basic/utilities/progress). Anonymous, they do not name belay either (VER-22;
// basic).
const (
	tokenPrefix     = "belay-"
	tokenPrefixAnon = "request-"
)

func (o *outgoing) tokenFor(id mcp.ID) mcp.ID { return mcp.StringID(o.prefix + id.String()) }

// numberOf is the ID of the request that a token of belay's is made from.
func (o *outgoing) numberOf(token mcp.ID) (mcp.ID, bool) {
	text, _ := token.Text()
	digits, ok := strings.CutPrefix(text, o.prefix)
	if !ok {
		return mcp.ID{}, false
	}
	id, ok := mcp.ParseID([]byte(digits))
	_, small := id.Int()
	return id, ok && small
}

// hasToken reports whether a token of the user's is in use, or will be given to one of the next
// requests: among the active requests every token is unique (PRG-02; basic/utilities/progress).
func (o *outgoing) hasToken(token mcp.ID) bool {
	if o.tokens[token] != nil {
		return true
	}
	id, ok := o.numberOf(token)
	n, _ := id.Int()
	return ok && n >= o.nextID
}

// begin has a request await its answer. Over HTTP that is possible only when the
// transport begins with its body; on stdio the bytes may be on the way.
func (o *outgoing) begin(r *request, begun bool) {
	o.outdate()
	o.open[r.id] = r
	r.begun = r.begun || begun
	if r.logs != "" {
		o.asking[r.id] = r
	}
}

// handOver has the answer to an open request be that to another call.
func (o *outgoing) handOver(id mcp.ID, to *call) {
	if r := o.open[id]; r != nil {
		r.call = to
	}
}

// named is the request that an ID names and that awaits its answer, or did so in this
// epoch; nil: there is none.
func (o *outgoing) named(id mcp.ID) *request {
	if r := o.open[id]; r != nil {
		return r
	}
	return o.past[id]
}

// isUnsent reports whether an ID is that of a request of which no byte has left. A server
// that guesses IDs answers nothing: what it guessed may still be written, or dropped.
func (o *outgoing) isUnsent(id mcp.ID) bool {
	if r := o.named(id); r != nil {
		return !r.begun
	}
	n, isNumber := id.Int()
	return isNumber && n > o.gone && n < o.nextID
}

// onBodyBegun notes that the first byte of the body of a request may have left; nil: the exchange is of none.
func (o *outgoing) onBodyBegun(r *request) {
	if r != nil {
		o.outdate()
		r.begun = true
	}
}

// outdate forgets what was found last: the table is to be changed.
func (o *outgoing) outdate() { o.heard, o.none = nil, stranger{} }

// requestOf finds the request behind a token that was sent, also when the request has
// ended. A request of which no byte left gave its token to nobody.
func (o *outgoing) requestOf(token mcp.ID) (r *request, ended bool) {
	switch {
	case o.heard != nil && o.heard.token == token:
		return o.heard, false
	case token.IsZero(), o.none.token == token:
		return nil, false
	}
	if r := o.tokens[token]; r != nil && r.begun {
		o.heard = r
		return r, false
	}
	if r := o.own[token]; r != nil {
		return r, true
	}
	if id, ok := o.numberOf(token); ok {
		if r := o.past[id]; r != nil && r.begun && r.token == token {
			return r, true
		}
	}
	o.none = stranger{token: token}
	return nil, false
}

// strangerOf is a token of which requestOf finds nothing.
func (o *outgoing) strangerOf(token mcp.ID) stranger {
	if o.none.token != token || !o.none.sought {
		bearer := o.bearerOf(token) // looks for other tokens
		o.none = stranger{token: token, sought: true, name: sentence.Clip(token.String()), bearer: bearer}
	}
	return o.none
}

// bearerOf is the request that a token may be meant for which no request was sent with: the
// other type of JSON has the token, or the ID; nil: there is none.
func (o *outgoing) bearerOf(token mcp.ID) *request {
	var id, alike mcp.ID
	if token.IsString() {
		text, _ := token.Text()
		id, _ = mcp.ParseID([]byte(text))
		alike = id
	} else {
		id, alike = token, mcp.StringID(token.String())
	}
	if id.IsZero() {
		return nil
	}
	if r, _ := o.requestOf(alike); r != nil {
		return r
	}
	if r := o.named(id); r != nil && r.begun {
		return r
	}
	return nil
}

// reserve takes the token of a request that is not sent yet; release gives it
// back.
func (o *outgoing) reserve(r *request) {
	o.outdate()
	if !r.token.IsZero() {
		o.tokens[r.token] = r
	}
}

func (o *outgoing) release(r *request) {
	o.outdate()
	if o.tokens[r.token] == r {
		delete(o.tokens, r.token)
	}
}

// forget empties the table at the end of an epoch: what comes for these
// requests later comes from another connection, and cannot be meant for them.
func (o *outgoing) forget() {
	clear(o.open)
	clear(o.asking)
	clear(o.tokens)
	clear(o.past)
	clear(o.own)
	o.outdate()
	o.ring, o.head, o.gone = nil, 0, o.nextID-1
}

// retire moves a request to those that are only remembered.
func (o *outgoing) retire(r *request, now time.Time) {
	if o.open[r.id] != r {
		return
	}
	delete(o.open, r.id)
	delete(o.asking, r.id)
	o.release(r)
	r.retired, r.params = now, nil
	o.past[r.id] = r
	if r.ownToken && r.begun {
		o.own[r.token] = r
	}
	o.ring = append(o.ring, r.id)
	if len(o.ring)-o.head > o.limit {
		o.evict(o.ring[o.head])
		o.head++
	}
	if o.head > o.limit {
		o.ring = append([]mcp.ID(nil), o.ring[o.head:]...)
		o.head = 0
	}
}

// onAnswer notes by what a request is answered. One that was given up before stays so.
func (o *outgoing) onAnswer(r *request, by requestAnswer, now time.Time) {
	r.answer = by
	o.retire(r, now)
}

func (o *outgoing) evict(id mcp.ID) {
	r := o.past[id]
	delete(o.past, id)
	if o.own[r.token] == r {
		delete(o.own, r.token)
	}
	if n, ok := id.Int(); ok {
		o.gone = max(o.gone, n)
	}
}

// ignored is an answer that came elsewhere than on the exchange of its request, before
// the call was cancelled.
//
//shape:part of request
type ignored struct {
	at, began time.Time
	answer    cancel.Answer
}

// ignore remembers such an answer to an open request, without its large parts.
func (o *outgoing) ignore(f *mcp.Frame, now, began time.Time) {
	r := o.named(f.ID)
	if r == nil || !r.begun || r.ignored != nil || r.answer.kind != 0 {
		return
	}
	if o.open[f.ID] != r && !r.call.isStopped() {
		return // nothing will be asked of it any more
	}
	r.ignored = &ignored{at: now, began: began}
	switch f.Kind {
	case mcp.FrameResult:
		r.ignored.answer.Failed = f.Shape.IsError
	case mcp.FrameError:
		err := f.Error
		err.CodeRaw = bytes.Clone(err.CodeRaw[:min(len(err.CodeRaw), sentence.Limit)])
		r.ignored.answer.Err = err.Forget(new(int))
	default:
		r.ignored.answer = oddAnswer(f)
	}
}

// isForCancelled reports whether a message is an answer to a cancelled call, or
// progress of one.
func (o *outgoing) isForCancelled(f *mcp.Frame) bool {
	var r *request
	switch {
	case f.Kind == mcp.FrameResult || f.Kind == mcp.FrameError || f.Kind == mcp.FrameMalformed:
		r = o.named(f.ID)
	case f.Kind == mcp.FrameNotification && f.Method == "notifications/progress" && f.Progress.Valid:
		r, _ = o.requestOf(f.Progress.Token)
	}
	return r != nil && r.call.isCancelHandedOut()
}
