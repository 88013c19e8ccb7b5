package session

import (
	"fmt"
	"time"

	"belay/session/mcp"
	"belay/session/timer"
)

// role is what an exchange is for.
type role uint8

const (
	roleRequest      role = iota + 1 // the POST of a request
	roleCancel                       // the POST of notifications/cancelled
	roleAnswer                       // the POST of an answer to the server's request
	roleNotice                       // the POST of another notification
	roleResume                       // the GET that takes up the stream of a request
	roleServerStream                 // the GET for what belongs to no request
	roleEvents                       // the GET on which everything comes (2024-11-05)
)

// exchange is one exchange that has not ended.
//
//shape:value 3 of exchanges
type exchange struct {
	x           ExchangeID
	role        role
	p           *pending // what a POST carries
	req         *request // whose answer it is to bring; nil when none
	session     bool     // the session ID went with it
	unknown     bool     // the server said that it does not know the session
	saidAtEnd   string   // the error by which it answered the request as it ended the session; may hold foreign text
	started     bool     // the first byte of its body may have been written
	opened      bool
	head        Head
	headAt      time.Time
	announced   bool      // … it is that of a body of JSON, which is to be an answer
	unrouted    bool      // a GET that was not found, and may have no route at the server
	closing     bool      // OpAbort was queued for it
	answered    bool      // it brought the answer
	events      int       // since it was opened
	messages    int       // that came on it, of any quality
	news        bool      // one of them was a notification or a request
	first       time.Time // when the first of them did
	part        messagePart
	malformed   string    // the beginning of the last of them that was none
	unprocessed Resending // why it would have been sent once more, had its cancel not been wanted
	batch       bool      // one of them was a batch that the revision does not have
	lastID      string    // of the latest event that had an ID
	retry       time.Duration
}

// owner is the call that an exchange belongs to: the call whose answer it is to bring, or
// whose cancel it carries; nil: there is none, or everything comes on it.
func (e *exchange) owner() *call {
	switch {
	case e == nil:
	case e.req != nil:
		return e.req.call
	case e.p != nil:
		return e.p.cancels
	}
	return nil
}

// isUnowned reports whether what comes on an exchange is for no call in particular, or
// for a call that is answered elsewhere.
func (e *exchange) isUnowned() bool { return e.req == nil || e.req.call == nil }

// callOf is the call whose answer an exchange is to bring; 0 when none.
func callOf(e *exchange) CallID {
	if e == nil || e.req == nil || e.req.call == nil {
		return 0
	}
	return e.req.call.id
}

// due is the owner of the deadline of an exchange: when belay closes it by itself.
func (e *exchange) due() timer.Owner { return timer.Owner{Kind: dueExchange, ID: e.x.N} }

// touch has the row shown anew that says something of an exchange.
func (e *exchange) touch() {
	if e.req != nil && e.req.call != nil {
		e.req.call.touch()
	}
}

// mayStart decides whether the body of an exchange may be written: once, and once more
// where mayResend allows it. Again says that it would be once more.
func (e *exchange) mayStart(because Resending) (may, again bool) {
	if again = e.started; again && !e.mayResend() {
		e.unprocessed = because
		return false, false
	}
	return true, again
}

// onResendDeferred takes the word of the transport that the body is written once more
// later, if a call waits for that.
func (e *exchange) onResendDeferred(because Resending) {
	if e.started && !e.opened && callOf(e) != 0 {
		e.unprocessed = because
		e.touch()
	}
}

// onHead takes the head of the answer. Unrouted says that it may be that of any GET.
func (e *exchange) onHead(head Head, now time.Time, unrouted bool) {
	e.opened, e.head, e.headAt, e.unprocessed, e.unrouted = true, head.clipped(), now, 0, unrouted
	e.announced = e.role == roleRequest && head.isSuccess() && head.Media == mediaJSON
	e.touch()
}

// onEvent takes what an event on the stream says besides its message. Not every revision
// has the IDs of events.
func (e *exchange) onEvent(ev Event, hasIDs bool) {
	e.events++
	if hasIDs && ev.ID != nil && len(*ev.ID) <= maxEventID {
		e.lastID = *ev.ID
	}
	if ev.Retry >= 0 {
		e.retry = min(ev.Retry, longestRetry)
	}
}

// StreamMark is what has come on a stream that stays open, for a [Rest].
type StreamMark struct {
	Events    int           `json:"events,omitempty"`
	Messages  int           `json:"messages,omitempty"`
	First     time.Duration `json:"first,omitempty"` // how long ago the first message came
	News      bool          `json:"news,omitempty"`  // one was a notification or a request
	Batch     bool          `json:"batch,omitempty"` // one was a batch that the revision does not have
	Malformed string        `json:"malformed,omitempty"`
	LastID    string        `json:"lastID,omitempty"` // of the latest event that had an ID
	Retry     time.Duration `json:"retry"`            // before the stream is taken up again; negative: the server named none
}

// mark returns what has come on the exchange until a time.
func (e *exchange) mark(now time.Time) StreamMark {
	m := StreamMark{Events: e.events, Messages: e.messages, News: e.news, Batch: e.batch, Malformed: e.malformed, LastID: e.lastID, Retry: e.retry}
	if e.messages > 0 {
		m.First = now.Sub(e.first)
	}
	return m
}

// goOnFrom has the exchange go on where another one has left a stream, or where a recording goes
// on, which may say anything.
func (e *exchange) goOnFrom(m StreamMark, now time.Time) {
	e.events, e.messages, e.first = max(0, m.Events), max(0, m.Messages), now.Add(-max(0, m.First))
	e.news, e.batch, e.malformed = m.News, m.Batch, m.Malformed
	e.retry = min(max(-1, m.Retry), longestRetry)
	if len(m.LastID) <= maxEventID {
		e.lastID = m.LastID
	}
}

// onClosing notes that belay closes the exchange, and reports whether that is news.
func (e *exchange) onClosing() bool {
	if e == nil || e.closing {
		return false
	}
	e.closing = true
	return true
}

// onPart takes what has come of a message whose end has not, and returns what was
// known of it before.
func (e *exchange) onPart(part messagePart) (before messagePart) {
	before, e.part = e.part, part
	e.touch()
	e.part.told = before.told && before.size > 0 && part.size > 0
	return before
}

// onMessage counts a message, of any quality.
func (e *exchange) onMessage() {
	if e != nil {
		e.messages++
	}
}

// firstMessageAt is when the first message came, which may be now.
func (e *exchange) firstMessageAt(now time.Time) time.Time {
	if e.messages == 1 {
		e.first = now
	}
	return e.first
}

// addBatch notes that a batch came which the revision does not have.
func (e *exchange) addBatch() {
	if e != nil {
		e.batch = true
	}
}

// onError takes an error that came on an exchange, and reports whether it says that the
// server does not know the session.
func (e *exchange) onError(f *mcp.Frame) bool {
	if e.isAnswered(f) && e.isSessionOver() {
		e.saidAtEnd = ", with " + f.Error.Words()
	}
	if e == nil || !e.session || !e.opened || e.head.Status != statusBadRequest || !deniesSession(f) ||
		e.p != nil && e.p.method == notifyInitialized { // the session has just begun: another one would end as it does
		return false
	}
	e.unknown = true
	return true
}

// isAnswered reports whether a message is an error that answers the request of an exchange.
func (e *exchange) isAnswered(f *mcp.Frame) bool {
	return e != nil && e.req != nil && f.Kind == mcp.FrameError && f.ID == e.req.id
}

// maxMalformed bounds what is shown of a body that is no message, in bytes.
const maxMalformed = 200

// addNews notes that a notification or a request came on an exchange.
func (e *exchange) addNews() {
	if e != nil {
		e.news = true
	}
}

// addMalformed keeps the beginning of what should have been a message.
func (e *exchange) addMalformed(f *mcp.Frame) {
	if e != nil {
		e.malformed = validText(string(f.Raw[:min(len(f.Raw), maxMalformed)]))
	}
}

// hasHeldNews reports whether a body of JSON has come to its end in good order that was to be
// an answer or the beginning of a stream, and held a notification or a request.
func (e *exchange) hasHeldNews(end End) bool {
	return e.news && e.opened && e.head.isSuccess() && !e.head.streams() && end.Err == ""
}

// isHeadOnly reports whether the server has begun with a body of JSON, of which nothing has come.
func (e *exchange) isHeadOnly() bool {
	return e.announced && e.messages == 0 && e.part.size == 0
}

// isGet reports whether the exchange asks for a stream.
func (e *exchange) isGet() bool { return e.role == roleServerStream || e.role == roleResume }

// isSessionOver reports whether the server's answer to an exchange with a session ID
// means that the server does not know the session.
func (e *exchange) isSessionOver() bool {
	return e.session && e.opened && (e.head.Status == statusNotFound && !e.unrouted || e.unknown)
}

// sessionWords say how the session ended.
func (e *exchange) sessionWords() string {
	if e.unknown {
		return fmt.Sprintf("lost the session (HTTP %d: %s)", e.head.Status, unknownSession)
	}
	return fmt.Sprintf("ended the session (HTTP %d%s)", e.head.Status, e.saidAtEnd)
}

// statusAnswer are the words for an HTTP error that answers a call, with what it means for the session.
func (e *exchange) statusAnswer(words string) string {
	switch {
	case !e.isSessionOver():
		return words
	case e.unknown:
		return words + "; the server has lost the session"
	}
	return words + "; the server has ended the session"
}

// isOver reports whether an exchange has ended, or is closed by belay.
func (e *exchange) isOver() bool { return e == nil || e.closing }
