package session

import (
	"fmt"
	"time"

	"belay/session/mcp"
	"belay/session/timer"
)

// longestRetry bounds how long a server may make belay wait before a stream is
// taken up again.
const longestRetry = 10 * time.Minute

const (
	firstRetry = time.Second      // when the server names no time
	maxBackoff = 30 * time.Second // of what grows with each failure
	maxTries   = 5                // at taking up one stream without anything new

	resumePause = 250 * time.Millisecond // before a call's stream is taken up, whatever the server says
	maxResume   = 2 * time.Second        // of what grows while no message comes
)

// serverStream is the GET stream for what belongs to no request (HTL-25 … HTL-30;
// basic/transports).
//
//shape:part of exchanges
type serverStream struct {
	x         *exchange
	off       bool      // the server has none, or wants a login for it
	login     bool      // it wants one
	failed    bool      // it is off by a status of a server that may do better soon
	begun     bool      // it was asked for on this connection
	since     time.Time // … the last time then
	lastID    string
	tries     int
	pauses    bool // it has ended, and is opened again after a pause
	isAwaited bool // the user's calls wait for its head
	taken     bool // the server has answered a GET of this connection well
}

// isUnrouted reports whether a GET that is answered so may have no route at the server, which answers each
// with HTTP 404 in the place of 405 (HTL-27; basic/transports): whether it knows the session, a POST has to tell. Where a GET was
// answered well before, HTTP 404 is the end of the session.
func (l *serverStream) isUnrouted(h Head) bool { return h.Status == statusNotFound && !l.taken }

// onGetHead takes the head of the answer to a GET, of the server's own stream or of another.
func (l *serverStream) onGetHead(h Head) {
	if h.isSuccess() {
		l.taken = true
	}
}

// refuse notes that the server has none, or wants a login for it.
func (l *serverStream) refuse(login bool) { l.off, l.login = true, login }

// endLoginWait ends the wait of the stream for a login, and reports whether there was one.
func (l *serverStream) endLoginWait() bool {
	waited := l.login
	if waited {
		l.off, l.login = false, false
	}
	return waited
}

// serverStreamWait is how long the user's calls wait for the head of the first GET.
// What a server asks on a stream that is not there yet is lost with many (the
// TypeScript SDK), and on a loaded machine the head may take a third of a second; others
// send no head before they have something to say.
const serverStreamWait = time.Second

// openServerStream opens the GET stream, where the revision has one.
func (xs *exchanges) openServerStream() {
	l := &xs.serverStream
	l.pauses = false
	xs.rows.touchSubscriptions()
	xs.timers.Stop(once(dueServerStream))
	if xs.conn.phase != Ready || xs.conn.rev.IsModern() || xs.variant != streamable || xs.cfg.NoListen || l.off || l.x != nil {
		return
	}
	l.x, l.since = xs.begin(roleServerStream, nil), xs.now
	l.x.goOnFrom(StreamMark{LastID: l.lastID, Retry: l.x.retry}, xs.now)
	xs.queueGet(l.x)
	if !l.begun {
		l.begun, l.isAwaited = true, true
		xs.timers.Set(once(dueServerStreamWait), xs.now.Add(serverStreamWait))
	}
}

// resume has the stream, and those of the open exchanges, go on from a [Rest].
func (l *serverStream) resume(open map[uint64]*exchange, r *Rest, now time.Time) {
	l.taken = l.taken || r.GetTaken // older recordings do not tell
	for i, mark := range r.Marks[:min(len(r.Marks), len(r.Streams))] {
		if e := open[r.Streams[i]]; e != nil {
			e.goOnFrom(mark, now)
		}
	}
}

// OwnStream is how belay hears the stream of the server's own (the GET of the revisions with a
// handshake), on which anything may come beside the exchanges of belay's requests.
type OwnStream struct {
	None     bool      // there is none: the revision, the transport or the server has no such stream
	Unwanted bool      // there may be one, and belay does not ask for it
	Since    time.Time // it is heard without a break since then; zero: it is not heard now
}

// ownStream is how the stream of the server's own is heard. One that was asked for once and has no
// head yet is heard: some servers send none before they have something to say.
func (l *serverStream) ownStream(v httpVariant, c Config, rev mcp.Revision) (o OwnStream) {
	switch {
	case c.Transport != mcp.HTTP, v != streamable, rev.IsModern(), l.off && !l.login && !l.failed:
		o.None = true
	case c.NoListen:
		o.Unwanted = true
	case l.off, l.x == nil, l.isAway():
	case l.tries > 0:
		o.Since = l.x.headAt
	default:
		o.Since = l.since
	}
	return o
}

// queueGet asks for a GET on an exchange.
func (xs *exchanges) queueGet(e *exchange) {
	xs.ops = append(xs.ops, Output{Op: OpOpen, X: e.x, Header: xs.getHeaders(e)})
}

// giveUpServerStream gives up the server's own stream, which it should have or deny by 405.
func (xs *exchanges) giveUpServerStream(e *exchange) {
	xs.serverStream.off, xs.serverStream.failed = true, isPassing(e.head.Status)
	xs.diagnose(mcp.DiagServerStreamStatus, 0, "", fmt.Sprintf("HTTP %d %s", e.head.Status, mediaWords(e.head.Media)))
}

// stopAwaiting has the user's calls wait no longer, and the rows shown anew whose updates
// come on the stream.
func (l *serverStream) stopAwaiting(t *timer.List, r *rows) {
	l.isAwaited = false
	t.Stop(once(dueServerStreamWait))
	r.touchSubscriptions()
}

func (xs *exchanges) onServerStreamEnded(e *exchange, end End) {
	l := &xs.serverStream
	l.stopAwaiting(xs.timers, xs.rows)
	if l.x == e {
		l.x = nil
	}
	if l.off || e.closing || xs.conn.phase != Ready {
		return
	}
	if e.opened && e.head.Status == statusBadRequest && e.session {
		xs.giveUpServerStream(e)
		return
	}
	if e.events > 0 {
		l.tries = 0
	}
	l.lastID = e.lastID
	wait := max(e.retry, backoff(l.tries))
	l.tries++
	l.pauses = true
	xs.timers.Set(once(dueServerStream), xs.now.Add(wait))
	xs.event(fmt.Sprintf("the server's own stream ended (%s); belay opens it again in %v", end.words(), wait))
}

// touchSubscriptions has the rows shown anew whose updates come on the stream.
func (r *rows) touchSubscriptions() {
	for _, c := range r.subs {
		c.touch()
	}
}

// backoff grows with each try: 1 s, 2 s, 4 s … 30 s.
func backoff(tries int) time.Duration {
	return min(firstRetry<<min(tries, 10), maxBackoff)
}

// mayResume reports whether the stream of a request may be taken up again: it is
// one of a revision that has that, the server gave an event ID, and it was not
// belay that closed it (HTL-13 … HTL-18, HTL-34, HTL-35; basic/transports). Since
// 2026-07-28 none is (HTM-13; basic/transports/streamable-http).
func (n *connection) mayResume(e *exchange) bool {
	if n.rev == "" || !n.rev.Resumes() || n.phase != Ready || e.closing || e.lastID == "" {
		return false
	}
	if e.opened && !(e.head.isSuccess() && e.head.streams()) {
		return false
	}
	if !e.opened && e.role != roleResume {
		return false
	}
	return e.req.tries < maxTries || e.events > 0
}

// scheduleResume waits as long as the server wants, then takes the stream up. A
// server that wants no pause and brings nothing gets ever longer ones.
func (xs *exchanges) scheduleResume(e *exchange, end End) {
	r := e.req
	if e.events > 0 {
		r.tries = 0
	}
	wait := e.retry
	if wait < 0 {
		wait = backoff(r.tries)
	}
	r.tries++
	if e.messages > 0 {
		r.idle = 0
	}
	wait = max(wait, min(resumePause<<min(r.idle, 10), maxResume))
	r.idle++
	r.pause = wait
	xs.timers.Set(r.resumption(), xs.now.Add(wait))
	if e.opened {
		if r.away.IsZero() || xs.now.Sub(e.headAt) > xs.conn.trips.Bound() {
			r.away = xs.now
		}
		r.downAt = xs.now
	} else {
		xs.unreachedFor(r.call, "GET for its stream", end)
	}
	xs.awaitResume(r, e)
	words := "the server closed the connection"
	if end.Err != "" {
		words = "the stream broke (" + end.Err + ")"
	}
	r.same, r.broke = r.idle > 1 && words == r.broke, words
	words = fmt.Sprintf("%s; belay takes it up again in %v", words, wait)
	if !r.same {
		xs.moment(r.call, MomentView{Dir: Local, Kind: MomHTTP, Text: words})
	}
	xs.event(r.call.name() + ": " + words)
}

// awaitResume has the stream of a request wait to be taken up again where an exchange left
// it.
func (xs *exchanges) awaitResume(r *request, e *exchange) {
	r.lastID, r.retry = e.lastID, e.retry
	xs.waits = append(xs.waits, r)
	r.call.touch()
}

// resumeNow takes the stream of a request up again, by GET, whatever had opened
// it.
func (xs *exchanges) resumeNow(r *request) {
	if xs.conn.closeSent { // the server was told that nothing more comes: the stream stays away
		xs.timers.Set(r.resumption(), xs.now.Add(maxResume))
		r.call.touch()
		return
	}
	xs.abandonResume(r)
	e := xs.begin(roleResume, r)
	e.goOnFrom(StreamMark{LastID: r.lastID, Retry: r.retry}, xs.now)
	xs.queueGet(e)
	if r.same {
		xs.moment(r.call, MomentView{Dir: Local, Kind: MomResumed, Text: r.pause.String(), Count: r.idle})
	} else {
		xs.moment(r.call, MomentView{Dir: Out, Kind: MomHTTP, Text: "GET takes the stream up again"})
	}
}
