package conduct

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"syscall"
	"time"
)

// Lag is how long bytes take one way: Base, and up to Spread more or less.
type Lag struct {
	Base, Spread time.Duration
	Dice         *Dice // nil: there is no spread
}

// Dice are thrown from several goroutines.
type Dice struct {
	mu   sync.Mutex
	rand *rand.Rand
}

// NewDice makes dice that fall the same way for the same seed.
func NewDice(seed uint64) *Dice { return &Dice{rand: rand.New(rand.NewPCG(seed, 10))} }

// Throw is a number from zero on and below n.
func (d *Dice) Throw(n int64) int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rand.Int64N(n)
}

func (l Lag) next() time.Duration {
	if l.Dice == nil || l.Spread == 0 {
		return l.Base
	}
	return max(0, l.Base+time.Duration(l.Dice.Throw(int64(2*l.Spread)))-l.Spread)
}

// Bridge is what lies between a client and a server.
type Bridge struct {
	Up, Down Lag
	Room     int // of the way up: bytes that the server has not read and that keep the client from writing; 0: any number

	// seen, if not nil, gives for a connection who is told of what goes up on it.
	seen func() func(b []byte, due time.Time)
}

// End is one end of a connection over a bridge.
type End struct {
	in, out *line
	mu      sync.Mutex
	reset   bool
}

// Connect makes a connection over the bridge.
func (b Bridge) Connect() (client, server *End) {
	up, down := newLine(b.Up, b.Room), newLine(b.Down, 0)
	if b.seen != nil {
		up.seen = b.seen()
	}
	return &End{in: down, out: up}, &End{in: up, out: down}
}

// Read implements net.Conn.
func (e *End) Read(b []byte) (int, error) { return e.in.Read(b) }

// Write implements net.Conn.
func (e *End) Write(b []byte) (int, error) { return e.out.Write(b) }

// CloseWrite ends what goes out, after what is on its way.
func (e *End) CloseWrite() error {
	e.out.close(io.EOF)
	return nil
}

// Close implements net.Conn.
func (e *End) Close() error {
	e.mu.Lock()
	end := io.EOF
	if e.reset {
		end = syscall.ECONNRESET
	}
	e.mu.Unlock()
	e.out.close(end)
	e.in.abandon()
	return nil
}

// SetLinger has Close reset the connection, as that of net.TCPConn does for 0.
func (e *End) SetLinger(int) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reset = true
	return nil
}

// WaitWritable returns when there is room, or the connection has ended.
func (e *End) WaitWritable() { e.out.waitWritable() }

// LocalAddr implements net.Conn.
func (e *End) LocalAddr() net.Addr { return somewhere{} }

// RemoteAddr implements net.Conn.
func (e *End) RemoteAddr() net.Addr { return somewhere{} }

// SetDeadline implements net.Conn. There are no deadlines here.
func (e *End) SetDeadline(time.Time) error { return nil }

// SetReadDeadline implements net.Conn, see SetDeadline.
func (e *End) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline implements net.Conn, see SetDeadline.
func (e *End) SetWriteDeadline(time.Time) error { return nil }

type somewhere struct{}

func (somewhere) Network() string { return "bridge" }
func (somewhere) String() string  { return "127.0.0.1:1" }

// listener takes the connections that are made over a bridge, or those of
// another listener, which then go over it.
type listener struct {
	bridge Bridge
	behind net.Listener // nil: connections are made with dial
	taken  chan *End
	once   sync.Once
	closed chan struct{}

	mu   sync.Mutex
	open []*End // of the server
}

func newListener(b Bridge, behind net.Listener) *listener {
	l := &listener{bridge: b, behind: behind, taken: make(chan *End), closed: make(chan struct{})}
	if behind != nil {
		go l.forward()
	}
	return l
}

// dial makes a connection; that takes a way there and back.
func (l *listener) dial() (net.Conn, error) {
	time.Sleep(l.bridge.Up.next() + l.bridge.Down.next())
	client, server := l.connect()
	select {
	case l.taken <- server:
		return client, nil
	case <-l.closed:
		return nil, syscall.ECONNREFUSED
	}
}

func (l *listener) connect() (client, server *End) {
	client, server = l.bridge.Connect()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = append(l.open, server)
	return client, server
}

// refuse closes the door and every connection.
func (l *listener) refuse() {
	_ = l.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.open {
		_ = e.Close()
	}
}

func (l *listener) forward() {
	for {
		conn, err := l.behind.Accept()
		if err != nil {
			return
		}
		client, server := l.connect()
		go carry(conn, client)
		select {
		case l.taken <- server:
		case <-l.closed:
			_ = server.Close()
		}
	}
}

// carry takes the bytes of a connection over a bridge, both ways.
func carry(conn net.Conn, client *End) {
	go func() {
		_, _ = io.Copy(client, conn)
		_ = client.CloseWrite()
	}()
	_, err := io.Copy(conn, client)
	if c, ok := conn.(*net.TCPConn); ok && errors.Is(err, syscall.ECONNRESET) {
		_ = c.SetLinger(0)
	}
	_ = conn.Close()
	_ = client.Close()
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.taken:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (l *listener) Close() error {
	l.once.Do(func() {
		close(l.closed)
		if l.behind != nil {
			_ = l.behind.Close()
		}
	})
	return nil
}

// Addr implements net.Listener.
func (l *listener) Addr() net.Addr {
	if l.behind != nil {
		return l.behind.Addr()
	}
	return somewhere{}
}
