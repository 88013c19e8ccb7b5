package peer

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// An Exchange is a request and its answer, which is written step by step: a
// head, then chunks, then an end. Each step is on the wire when its method
// returns, unless the client has gone; that is no fault of the test, see
// [Exchange.WasAborted].
type Exchange struct {
	Request

	peer *Peer
	conn net.Conn
	over chan struct{} // closed at the end, by the peer
	gone chan struct{} // closed when the client has closed the connection

	out    sync.Mutex // held while writing, which lasts as long as the client likes
	header []string   // lines of the head, until it is written
	headed bool
	framed bool // in chunks

	mu      sync.Mutex
	ended   bool
	closes  bool // the connection is not to be used again
	aborted bool
	last    bool // its last bytes are being written: a client that has them may close the connection
}

func newExchange(p *Peer, conn net.Conn, r *http.Request) (*Exchange, error) {
	req, err := readRequest(r)
	if err != nil {
		return nil, err
	}
	return &Exchange{Request: req, peer: p, conn: conn, over: make(chan struct{}), gone: make(chan struct{})}, nil
}

// With adds a line to the head that is still to be written. The value goes
// out as it is, whatever bytes it has.
func (x *Exchange) With(name, value string) *Exchange {
	x.out.Lock()
	defer x.out.Unlock()
	x.header = append(x.header, name+": "+value)
	return x
}

// Head writes the head of an answer whose body comes in chunks.
func (x *Exchange) Head(status int) *Exchange {
	x.out.Lock()
	defer x.out.Unlock()
	x.framed = true
	x.writeHead(status, "Transfer-Encoding: chunked")
	return x
}

// SSE writes the head of a stream of events.
func (x *Exchange) SSE() *Exchange {
	return x.With("Content-Type", "text/event-stream").Head(http.StatusOK)
}

// Chunk writes bytes of the body as one chunk of HTTP, which may end anywhere:
// in the middle of an event, a line or a character.
func (x *Exchange) Chunk(b string) *Exchange {
	x.out.Lock()
	defer x.out.Unlock()
	x.writeChunk(b)
	return x
}

// Bytes writes the body a byte a chunk.
func (x *Exchange) Bytes(b string) *Exchange {
	for i := range len(b) {
		x.Chunk(b[i : i+1])
	}
	return x
}

// Endless writes a chunk again and again, as fast as the client reads, until the
// client has gone.
func (x *Exchange) Endless(chunk string) *Exchange {
	for {
		select {
		case <-x.gone:
			return x
		default:
			x.Chunk(chunk)
		}
	}
}

// Raw writes bytes past all framing; the connection ends with the exchange.
func (x *Exchange) Raw(b string) *Exchange {
	x.closing()
	x.out.Lock()
	defer x.out.Unlock()
	x.headed = true
	x.write([]byte(b))
	return x
}

// End ends the body and the exchange. The client may use the connection again.
func (x *Exchange) End() {
	x.out.Lock()
	x.finishing()
	if x.framed {
		x.write([]byte("0\r\n\r\n"))
	}
	x.out.Unlock()
	x.end("answered")
}

// Cut breaks the exchange off, wherever it is, by closing the connection.
func (x *Exchange) Cut() {
	x.closing()
	x.end("cut")
}

// Reset is Cut with a reset, as of a server that died.
func (x *Exchange) Reset() {
	conn := x.conn
	if c, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = c.NetConn()
	}
	if c, ok := conn.(interface{ SetLinger(seconds int) error }); ok {
		_ = c.SetLinger(0)
	}
	x.Cut()
}

// Answer writes a whole answer with a body of its length and ends the exchange;
// contentType may be empty.
func (x *Exchange) Answer(status int, contentType, body string) {
	x.out.Lock()
	if contentType != "" {
		x.header = append(x.header, "Content-Type: "+contentType)
	}
	x.finishing()
	x.writeHead(status, "Content-Length: "+strconv.Itoa(len(body)))
	x.write([]byte(body))
	x.out.Unlock()
	x.end("answered")
}

// Accepted answers 202, as to a notification.
func (x *Exchange) Accepted() { x.Answer(http.StatusAccepted, "", "") }

// Redirect answers with a redirect to another URL.
func (x *Exchange) Redirect(status int, location string) {
	x.With("Location", location).Answer(status, "text/plain", "moved\n")
}

// Gone is closed when the client has closed the connection of an exchange that
// was not over.
func (x *Exchange) Gone() <-chan struct{} { return x.gone }

// AwaitAbort waits until the client has given the exchange up.
func (x *Exchange) AwaitAbort() *Exchange {
	x.peer.t.Helper()
	x.peer.until(fmt.Sprintf("the client to give up request %d", x.Order), x.WasAborted)
	return x
}

// WasAborted reports whether the client closed the connection before the end.
func (x *Exchange) WasAborted() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.aborted
}

// giveUp notes that the client has closed the connection.
func (x *Exchange) giveUp() {
	x.mu.Lock()
	open := !x.ended && !x.last
	x.aborted = x.aborted || open
	x.ended = x.ended || open
	x.mu.Unlock()
	if open {
		x.peer.mu.Lock()
		defer x.peer.mu.Unlock()
		x.peer.tell("%d aborted", x.Order)
		close(x.gone)
	}
}

func (x *Exchange) end(how string) {
	x.mu.Lock()
	open := !x.ended
	x.ended = true
	x.mu.Unlock()
	if open {
		x.peer.mu.Lock()
		defer x.peer.mu.Unlock()
		x.peer.tell("%d %s", x.Order, how)
		close(x.over)
	}
}

// isReusable reports whether another request may follow on the connection.
func (x *Exchange) isReusable() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return !x.closes && !x.aborted
}

// closing notes that the connection ends with the exchange.
func (x *Exchange) closing() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.closes = true
}

// finishing notes that the last bytes are about to be written.
func (x *Exchange) finishing() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.last = true
}

// isOver reports whether nothing more can be written.
func (x *Exchange) isOver() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.ended
}

// The rest is called with x.out held.

func (x *Exchange) writeHead(status int, framing string) {
	if x.headed {
		x.peer.t.Errorf("request %d has a head already", x.Order)
		return
	}
	x.headed = true
	lines := append([]string{fmt.Sprintf("HTTP/1.1 %d %s", status, http.StatusText(status))}, x.header...)
	if status != http.StatusNoContent { // which has no body to frame
		lines = append(lines, framing)
	}
	x.write([]byte(strings.Join(lines, "\r\n") + "\r\n\r\n"))
}

func (x *Exchange) writeChunk(b string) {
	if !x.framed {
		x.peer.t.Errorf("request %d has no body in chunks: call Head or SSE first", x.Order)
		return
	}
	if b == "" {
		return // an empty chunk would be the end
	}
	var all bytes.Buffer
	fmt.Fprintf(&all, "%x\r\n%s\r\n", len(b), b)
	x.write(all.Bytes())
}

// write writes to the client. An error means that it has gone, which the reader
// of the connection notices too.
func (x *Exchange) write(b []byte) {
	if !x.isOver() {
		_, _ = x.conn.Write(b)
	}
}
