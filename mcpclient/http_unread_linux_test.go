package mcpclient

import (
	"bytes"
	"context"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	dictated "belay/internal/peer"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
)

// starvedConn is a connection that carries a call, and whose reader gets no processor from some time on until somebody
// has looked at what lies unread in it.
type starvedConn struct {
	*net.TCPConn
	starves *atomic.Bool
	carries atomic.Bool
	once    sync.Once
	looked  chan struct{}
}

func (c *starvedConn) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(`"tools/call"`)) {
		c.carries.Store(true)
	}
	return c.TCPConn.Write(b)
}

func (c *starvedConn) Read(b []byte) (int, error) {
	raw, err := c.TCPConn.SyscallConn()
	if err != nil {
		return 0, err
	}
	_ = raw.Read(func(fd uintptr) bool {
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, _ := unix.Poll(fds, 0)
		return n > 0
	})
	if c.starves.Load() && c.carries.Load() {
		<-c.looked
	}
	return c.TCPConn.Read(b)
}

func (c *starvedConn) SyscallConn() (syscall.RawConn, error) {
	raw, err := c.TCPConn.SyscallConn()
	return lookedAt{raw, c}, err
}

func (c *starvedConn) Close() error {
	c.feed()
	return c.TCPConn.Close()
}

func (c *starvedConn) feed() { c.once.Do(func() { close(c.looked) }) }

// lookedAt is what looks at such a connection.
type lookedAt struct {
	syscall.RawConn
	c *starvedConn
}

func (r lookedAt) Control(f func(fd uintptr)) error {
	err := r.RawConn.Control(f)
	if r.c.starves.Load() {
		r.c.feed()
	}
	return err
}

// What the server has said of a cancelled call, and lies unread as its reader gets no processor, is no silence: it is
// read before the end of the grace is judged, and before the answer to the probe is.
func TestWhatLiesUnreadOverHTTPIsNoSilence(t *testing.T) {
	for name, when := range map[string]string{"in the grace": "in the grace", "in the grace, and nobody asks": "in the grace", "after the grace": "after it"} {
		t.Run(name, func(t *testing.T) {
			s := newScripted(t, mcp.Rev20251125)
			s.Handshake("2025-11-25", slow)
			var starves atomic.Bool
			var x *dictated.Exchange
			speak := func(now string) {
				if now == when {
					starves.Store(true)
					x.Chunk(`data: {"jsonrpc":"2.0",`)
				}
			}
			s.On("notifications/cancelled", func(note *dictated.Exchange) { // which the grace waits for
				speak("in the grace")
				note.Accepted()
			})
			s.On("ping", func(probe *dictated.Exchange) {
				speak("after it")
				probe.JSONResult(`{}`)
			})
			s.connect(func(o *Options) {
				o.Session.Grace, o.Session.NoProbe = time.Second, strings.HasSuffix(name, "nobody asks")
				o.HTTP.unread = time.Minute // a machine that is busy may take its time to run the reader
				o.HTTP.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
					conn, err := new(net.Dialer).DialContext(ctx, network, address)
					if err != nil {
						return nil, err
					}
					return &starvedConn{TCPConn: conn.(*net.TCPConn), starves: &starves, looked: make(chan struct{})}, nil
				}
			})
			var id session.CallID
			id, x = s.call()
			x.SSE()
			await(t, s.c, "the head of the answer", func(v *session.Session) bool {
				d, _ := v.Detail(id)
				return d.Timeline[len(d.Timeline)-1].Kind == session.MomHTTP
			})
			s.c.locked(func(v *session.Session, now time.Time) {
				if _, err := v.Handle(now, session.Cancel{Call: id}); err != nil {
					t.Error(err)
				}
			})
			await(t, s.c, "the end of the call", func(v *session.Session) bool {
				row, _ := v.Row(id)
				return row.State == session.Cancelled
			})
			s.c.View(func(v *session.Session) {
				if d, _ := v.Detail(id); d.Verdict != cancel.NothingHeard || !d.Partial {
					t.Errorf("%v, cut off: %v, %v", d.Verdict, d.Partial, d.Evidence)
				}
			})
		})
	}
}
