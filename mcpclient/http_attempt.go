package mcpclient

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"belay/session"
)

// A server may close a connection that was kept at the very moment at which the
// next request takes it. net/http sends such a request again by itself only when
// none of its bytes were written, and it writes the head before it asks for the
// body. As long as the body was not asked for, no server can have begun with it.

// maxAttempts bounds how often one request is sent for that reason.
const maxAttempts = 8

// attempt is one attempt to send a request.
type attempt struct {
	kept  atomic.Bool  // its connection has carried another request before
	state atomic.Int32 // of its body
	conn  atomic.Pointer[timedConn]
	led   atomic.Bool // a redirection led it elsewhere since its body was begun

	renewed bool // the server had refused the token of the one before

	later func(session.Resending) // tells that the body is to be written once more, and why; nil: there is none
}

// attemptKey is that of the attempt in the context of its request.
type attemptKey struct{}

// timedConn is a connection that notes when it was written to last: before the
// write, as the server may have answered before that returns.
type timedConn struct {
	net.Conn
	now  func() time.Time
	last atomic.Pointer[time.Time]
}

// Write implements net.Conn.
func (c *timedConn) Write(b []byte) (int, error) {
	at := c.now()
	c.last.Store(&at)
	return c.Conn.Write(b)
}

// written is when the connection of an attempt was written to last; now, where that is
// not known.
func (t *attempt) written(now time.Time) time.Time {
	if c := t.conn.Load(); c != nil {
		if at := c.last.Load(); at != nil {
			return *at
		}
	}
	return now
}

// What became of the body of an attempt.
const (
	bodyWaits int32 = iota
	bodyBegun       // bytes of it may have been written
	bodyGone        // none was, and none will be
)

// trace notes the connection of an attempt.
func (t *attempt) trace(info httptrace.GotConnInfo) {
	t.kept.Store(info.Reused)
	conn := info.Conn
	if c, ok := conn.(*tls.Conn); ok {
		conn = c.NetConn()
	}
	c, _ := conn.(*timedConn)
	t.conn.Store(c)
}

// ownConn is the network connection that carries a request; nil where it is not known.
func ownConn(req *http.Request) net.Conn {
	if t, ok := req.Context().Value(attemptKey{}).(*attempt); ok {
		if c := t.conn.Load(); c != nil {
			return c.Conn
		}
	}
	return nil
}

// isStale reports whether a request failed because its connection was one that the
// server had closed, before any of its body left. None leaves after that.
func (t *attempt) isStale(err error) bool {
	return t.kept.Load() && (hasHungUp(err) || among(err, breaks)) && t.state.CompareAndSwap(bodyWaits, bodyGone)
}

// rests tells that the body is to be written once more, if it was begun: until then
// there is no exchange.
func (t *attempt) rests(why session.Resending) {
	if t.later != nil && t.state.Load() == bodyBegun {
		t.later(why)
	}
}

// begin notes that the body leaves, and reports whether it may. A redirection sends it once more in the
// same attempt.
func (t *attempt) begin() bool {
	return t.state.CompareAndSwap(bodyWaits, bodyBegun) || t.state.Load() == bodyBegun
}

// because says why a body is written once more: again in the same attempt, or in another
// one with a new token; zero: it is not.
func (t *attempt) because(again bool) session.Resending {
	switch {
	case again && t.led.Swap(false):
		return session.Redirected
	case again:
		return session.Refused
	case t.renewed:
		return session.Renewed
	}
	return 0
}

// body is the body of a POST. It asks before its first byte leaves, as that is
// the last moment at which nothing was sent.
type body struct {
	rest    []byte
	attempt *attempt
	begin   func(again bool) bool
	asked   bool
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	if !b.asked {
		b.asked = true
		if !b.begin(b.attempt.state.Load() == bodyBegun) || !b.attempt.begin() {
			return 0, errUnwanted
		}
	}
	if len(b.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// Close implements io.Closer.
func (b *body) Close() error { return nil }
