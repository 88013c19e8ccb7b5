package peer

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for what does not come.
const patience = time.Minute

// Path is where the server is, over Streamable HTTP.
const Path = "/mcp"

// A Peer is a server on a port of 127.0.0.1 that lasts as long as its test. Its
// methods may be called from any goroutine, those that await or fail from the
// test's own.
type Peer struct {
	t        testing.TB
	listener net.Listener
	url      string
	cert     *tls.Certificate
	running  sync.WaitGroup

	mu       sync.Mutex
	changed  chan struct{} // closed, and made anew, at every change
	closed   bool
	conns    map[net.Conn]bool
	all      []*Exchange
	waiting  []*Exchange // those that nobody has taken
	standing map[string]func(*Exchange)
	story    []string
	stream   *Exchange // of HTTP+SSE, see [Peer.HTTPSSE]
}

// New starts a peer without standing answers.
func New(t testing.TB) *Peer {
	t.Helper()
	return start(t, listen(t), nil)
}

// Over starts a peer whose clients come through a listener of the caller's.
func Over(t testing.TB, l net.Listener) *Peer {
	t.Helper()
	return start(t, l, nil)
}

// NewTLS starts a peer that speaks https, with a certificate of its own for
// 127.0.0.1 that nobody trusts; [Peer.PEM] is that certificate.
func NewTLS(t testing.TB) *Peer {
	t.Helper()
	cert, err := selfSigned()
	if err != nil {
		t.Fatal(err)
	}
	return start(t, listen(t), cert)
}

func listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func start(t testing.TB, l net.Listener, cert *tls.Certificate) *Peer {
	t.Helper()
	p := &Peer{
		t: t, listener: l, url: "http://" + l.Addr().String(), cert: cert,
		changed: make(chan struct{}), conns: map[net.Conn]bool{}, standing: map[string]func(*Exchange){},
	}
	if cert != nil {
		p.url = "https://" + l.Addr().String()
		p.listener = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{*cert}, MinVersion: tls.VersionTLS12})
	}
	p.running.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

// URL is where the server is, over Streamable HTTP.
func (p *Peer) URL() string { return p.url + Path }

// At is the URL of another path, such as /sse.
func (p *Peer) At(path string) string { return p.url + path }

// On answers every request of this kind from now on by f, which has a goroutine
// of its own. The kind is that of [Request.Kind]; "" is any without an answer.
func (p *Peer) On(kind string, f func(*Exchange)) *Peer {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.standing[kind] = f
	return p
}

// Await takes the oldest request of this kind that has no standing answer and
// was not taken yet, and waits for it if there is none; "" is any kind.
func (p *Peer) Await(kind string) *Exchange {
	p.t.Helper()
	var found *Exchange
	p.until("a request "+kind, func() bool {
		for i, x := range p.waiting {
			if kind == "" || x.Kind() == kind {
				found = x
				p.waiting = slices.Delete(p.waiting, i, i+1)
				return true
			}
		}
		return false
	})
	return found
}

// Requests are all requests so far, or those of some kinds, as they arrived.
func (p *Peer) Requests(kinds ...string) []*Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	var found []*Request
	for _, x := range p.all {
		if len(kinds) == 0 || slices.Contains(kinds, x.Kind()) {
			found = append(found, &x.Request)
		}
	}
	return found
}

// Story is what has happened, in order: a line for each request that arrived
// ("3 POST tools/call"), for each that was answered to its end ("3 answered") or
// cut by the peer ("3 cut"), and for each that the client gave up ("3 aborted").
func (p *Peer) Story() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.story)
}

// until waits for a condition, which is looked at with p.mu held.
func (p *Peer) until(what string, holds func() bool) {
	p.t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		p.mu.Lock()
		ok, changed := holds(), p.changed
		p.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-late.C:
			p.t.Fatalf("the peer waits in vain for %s; so far:\n\t%s", what, strings.Join(p.Story(), "\n\t"))
		}
	}
}

// tell adds a line to the story. It is called with p.mu held.
func (p *Peer) tell(format string, args ...any) {
	p.story = append(p.story, fmt.Sprintf(format, args...))
	p.change()
}

// change wakes who waits. It is called with p.mu held.
func (p *Peer) change() {
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *Peer) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		if p.closed {
			_ = conn.Close()
		} else {
			p.conns[conn] = true
			p.running.Go(func() { p.serve(conn) })
		}
		p.mu.Unlock()
	}
}

// serve reads the requests of a connection, each when the one before it has been
// answered.
func (p *Peer) serve(conn net.Conn) {
	defer func() {
		_ = conn.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.conns, conn)
	}()
	in := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		x, err := newExchange(p, conn, req)
		if err != nil {
			p.mu.Lock()
			p.tell("a request broke off")
			p.mu.Unlock()
			return
		}
		p.arrived(x)
		heard := make(chan error, 1)
		p.running.Go(func() {
			_, err := in.Peek(1)
			if err != nil {
				x.giveUp()
			}
			heard <- err
		})
		select {
		case <-x.over:
		case <-x.gone:
		}
		if !x.isReusable() {
			_ = conn.Close()
		}
		if err := <-heard; err != nil {
			return
		}
	}
}

// arrived records an exchange and hands it to whoever answers it.
func (p *Peer) arrived(x *Exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, x)
	x.Order = len(p.all)
	answer := p.standing[x.Kind()]
	if answer == nil {
		answer = p.standing[""]
	}
	if answer == nil {
		p.waiting = append(p.waiting, x)
	} else {
		p.running.Go(func() { answer(x) })
	}
	if x.Kind() == x.Method {
		p.tell("%d %s", x.Order, x.Method)
	} else {
		p.tell("%d %s %s", x.Order, x.Method, x.Kind())
	}
}

func (p *Peer) close() {
	_ = p.listener.Close()
	p.mu.Lock()
	p.closed = true
	for conn := range p.conns {
		_ = conn.Close()
	}
	p.mu.Unlock()
	p.running.Wait()
}
