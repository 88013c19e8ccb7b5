//go:build unix

package mcpclient

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
)

// framed is a server over HTTP/2, frame by frame: what net/http does by itself about
// frames that refuse a request shows only there.
type framed struct {
	t      *testing.T
	refuse func(p *framed, c *framedConn, stream uint32, times int) bool // a call for the so-manieth time; true: it was refused

	mu        sync.Mutex
	came      map[string]int // messages by method, as bodies that were read to their end
	cancelled chan struct{}
	pinged    chan struct{} // the client has read all that came before a ping
	conns     sync.WaitGroup
}

// framedConn is one of its connections.
type framedConn struct {
	*http2.Framer
	mu    sync.Mutex
	block bytes.Buffer
	enc   *hpack.Encoder
}

// startFramed starts one, and returns its address.
func startFramed(t *testing.T, refuse func(p *framed, c *framedConn, stream uint32, times int) bool) (*framed, string, *x509.CertPool) {
	t.Helper()
	cert, pool := certificate(t, func(*x509.Certificate) {})
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"h2"}, MinVersion: tls.VersionTLS12})
	if err != nil {
		t.Fatal(err)
	}
	p := &framed{t: t, refuse: refuse, came: map[string]int{}, cancelled: make(chan struct{}), pinged: make(chan struct{}, 1)}
	p.conns.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			p.conns.Go(func() { p.serve(conn) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); p.conns.Wait() }) // the client is closed before
	return p, "https://" + l.Addr().String() + "/mcp", pool
}

func (p *framed) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := conn.Read(preface); err != nil {
		return
	}
	c := &framedConn{Framer: http2.NewFramer(conn, conn)}
	c.enc = hpack.NewEncoder(&c.block)
	c.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	c.send(func() error { return c.WriteSettings() })
	methods, bodies := map[uint32]string{}, map[uint32][]byte{}
	for {
		frame, err := c.ReadFrame()
		if err != nil {
			return
		}
		switch f := frame.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				c.send(c.WriteSettingsAck)
			}
		case *http2.PingFrame:
			if f.IsAck() {
				p.pinged <- struct{}{}
			} else {
				c.send(func() error { return c.WritePing(true, f.Data) })
			}
		case *http2.MetaHeadersFrame:
			methods[f.StreamID] = f.PseudoValue("method")
			if f.StreamEnded() {
				c.answer(f.StreamID, 405, "", "")
			}
		case *http2.DataFrame:
			bodies[f.StreamID] = append(bodies[f.StreamID], f.Data()...)
			if f.StreamEnded() {
				p.arrived(c, f.StreamID, bodies[f.StreamID])
			}
		}
	}
}

// arrived answers a message whose end was read.
func (p *framed) arrived(c *framedConn, stream uint32, body []byte) {
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		p.t.Errorf("%q: %v", body, err)
	}
	p.mu.Lock()
	p.came[m.Method]++
	times := p.came[m.Method]
	p.mu.Unlock()
	result := func(r string) {
		c.answer(stream, 200, "application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, r))
	}
	switch m.Method {
	case "initialize":
		result(greeting)
	case "server/discover":
		result(`{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
	case "tools/list":
		result(`{"tools":[{"name":"run","inputSchema":{"type":"object"}}]}`)
	case "tools/call":
		p.conns.Go(func() {
			if !p.refuse(p, c, stream, times) {
				result(`{"content":[]}`)
			}
		})
	case "notifications/cancelled":
		c.answer(stream, 202, "", "")
		if times == 1 { // a GOAWAY refuses the cancel as well, which net/http may send again although it was answered
			close(p.cancelled)
		}
	case "ping":
		result(`{}`)
	default:
		c.answer(stream, 202, "", "")
	}
}

// times is how often a message was read to its end.
func (p *framed) times(method string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.came[method]
}

// send writes one frame and what belongs to it. What cannot be written is noticed by the
// one who reads.
func (c *framedConn) send(write func() error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = write()
}

func (c *framedConn) answer(stream uint32, status int, media, body string) {
	c.send(func() error {
		c.block.Reset()
		_ = c.enc.WriteField(hpack.HeaderField{Name: ":status", Value: strconv.Itoa(status)})
		if media != "" {
			_ = c.enc.WriteField(hpack.HeaderField{Name: "content-type", Value: media})
		}
		if err := c.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: c.block.Bytes(), EndHeaders: true, EndStream: body == ""}); err != nil || body == "" {
			return err
		}
		return c.WriteData(stream, true, []byte(body))
	})
}

func refuseStream(c *framedConn, stream uint32) {
	c.send(func() error { return c.WriteRSTStream(stream, http2.ErrCodeRefusedStream) })
}

// goAway says that nothing from the stream on was begun.
func goAway(c *framedConn, stream uint32) {
	c.send(func() error { return c.WriteGoAway(stream-2, http2.ErrCodeNo, nil) })
}

// A server over HTTP/2 may say that it has not begun with a request, and net/http sends
// it again by itself. A call whose cancel was sent meanwhile is not sent again: that
// would run, and nothing would stop it.
func TestWhatIsCancelledIsNotSentAgain(t *testing.T) {
	for name, refuse := range map[string]func(c *framedConn, stream uint32){"REFUSED_STREAM": refuseStream, "GOAWAY": goAway} {
		t.Run(name, func(t *testing.T) {
			p, url, pool := startFramed(t, func(p *framed, c *framedConn, stream uint32, _ int) bool {
				<-p.cancelled
				refuse(c, stream)
				return true
			})
			c := dial(t, url, mcp.Rev20251125, func(o *Options) { o.HTTP.roots = pool })
			awaitReady(t, c)
			id := callTool(t, c, "run", "{}")
			awaitSent(t, c, id)
			cancelCall(c, id)
			d := outcome(t, c, id)
			if d.State != session.Cancelled || d.Verdict != cancel.NothingRunning || !strings.Contains(evidenceText(d), "did not begin with the request") {
				t.Errorf("%v, %v: %s", d.State, d.Verdict, evidenceText(d))
			}
			if n := p.times("tools/call"); n != 1 {
				t.Errorf("the call came %d times", n)
			}
		})
	}
}

// Between two attempts net/http waits, and no exchange is open: a cancel then sends nothing,
// and no abort is drawn.
func TestACancelBetweenTwoAttempts(t *testing.T) {
	p, url, pool := startFramed(t, func(_ *framed, c *framedConn, stream uint32, _ int) bool {
		refuseStream(c, stream)
		return true
	})
	c := dial(t, url, mcp.Rev20260728, func(o *Options) { o.HTTP.roots = pool })
	awaitReady(t, c)
	id := callTool(t, c, "run", "{}")
	// The first time it is sent again at once, and then after a second or more.
	await(t, c, "the pause before the third attempt", func(v *session.Session) bool {
		d, _ := v.Detail(id)
		again := 0
		for _, m := range d.Timeline {
			if strings.Contains(m.Text, "it is sent once more") {
				again++
			}
		}
		return again == 1 && strings.Contains(d.Note, "waits before it is sent once more")
	})
	cancelCall(c, id)
	d := outcome(t, c, id)
	if d.State != session.Cancelled || d.Verdict != cancel.NothingRunning {
		t.Errorf("%v, %v: %s", d.State, d.Verdict, evidenceText(d))
	}
	for _, m := range d.Timeline {
		if m.Kind == session.MomClosing || m.Kind == session.MomCancelSent {
			t.Errorf("the timeline has %+v", m)
		}
	}
	if n, m := p.times("tools/call"), p.times("notifications/cancelled"); n != 2 || m != 0 {
		t.Errorf("the call came %d times, a cancel %d times", n, m)
	}
}

// One that nobody cancels is sent again, and that is seen.
func TestWhatTheServerRefusedIsSentAgain(t *testing.T) {
	for name, refuse := range map[string]func(c *framedConn, stream uint32){"REFUSED_STREAM": refuseStream, "GOAWAY": goAway} {
		t.Run(name, func(t *testing.T) {
			p, url, pool := startFramed(t, func(_ *framed, c *framedConn, stream uint32, times int) bool {
				if times == 1 {
					refuse(c, stream)
				}
				return times == 1
			})
			c := dial(t, url, mcp.Rev20251125, func(o *Options) { o.HTTP.roots = pool })
			awaitReady(t, c)
			id := callTool(t, c, "run", "{}")
			d := wantState(t, c, id, session.Done)
			seen := false
			for _, m := range d.Timeline {
				seen = seen || strings.Contains(m.Text, "did not begin with it; it is sent once more")
			}
			if n := p.times("tools/call"); n != 2 || !seen {
				t.Errorf("the call came %d times; the timeline: %+v", n, d.Timeline)
			}
		})
	}
}

// A connection that net/http has given up, because the server said GOAWAY while nothing was out on
// it, is open no longer than the client.
func TestAConnectionThatIsNotInThePool(t *testing.T) {
	conn := make(chan *framedConn, 1)
	p, url, pool := startFramed(t, func(_ *framed, c *framedConn, _ uint32, _ int) bool {
		conn <- c
		return false
	})
	var open sync.Map
	c := dial(t, url, mcp.Rev20251125, func(o *Options) {
		o.HTTP.roots = pool
		o.HTTP.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			open.Store(conn, true)
			return &telling{Conn: conn, closed: func() { open.Delete(conn) }}, nil
		}
	})
	awaitReady(t, c)
	wantState(t, c, callTool(t, c, "run", "{}"), session.Done)
	ping := func() {
		t.Helper()
		framed := <-conn
		framed.send(func() error { return framed.WritePing(false, [8]byte{}) })
		conn <- framed
		select {
		case <-p.pinged:
		case <-time.After(patience):
			t.Fatal("a ping was not answered")
		}
	}
	ping()
	last := <-conn
	goAway(last, 1<<20+1)
	conn <- last
	ping()
	closeIt(t, c)
	for conn := range open.Range {
		t.Error("a connection is open when the client is closed")
		_ = conn.(net.Conn).Close()
	}
}

// telling is a connection that tells that it is closed.
type telling struct {
	net.Conn
	closed func()
}

func (c *telling) Close() error {
	c.closed()
	return c.Conn.Close()
}

// evidenceText is the evidence of a call's verdict, a line each.
func evidenceText(d session.Detail) string {
	var b strings.Builder
	for _, e := range d.Evidence {
		b.WriteString(e.Text + "\n")
	}
	return b.String()
}
