//go:build unix

package mcpclient

import (
	"context"
	"fmt"
	"net"
	"time"

	"belay/internal/conduct"
	"belay/mcpclient/process"
	"belay/session"
)

// imagined is a connection to a server that is no process: the client's own
// reader and writer, and a life of its own.
type imagined struct {
	*stdio
	server *conduct.StdioServer
}

// imaginedInput is the stdin of such a server.
type imaginedInput struct {
	*conduct.End
	late time.Duration // that a write returns after it has written: a busy machine
}

func (e imaginedInput) WriteTimed(b []byte, now func() time.Time) ([]process.Piece, error) {
	at := now()
	n, err := e.Write(b)
	time.Sleep(e.late)
	return []process.Piece{{N: n, At: at}}, err
}
func (e imaginedInput) Close() error       { return e.CloseWrite() }
func (imaginedInput) ClosedByReader() bool { return false }

// imaginedOutput is its stdout.
type imaginedOutput struct{ *conduct.End }

func (imaginedOutput) Close() error                 { return nil }
func (imaginedOutput) Come(bool) (n int64, ok bool) { return 0, false }

func newImagined(c *Client, s *conduct.StdioServer, end *conduct.End, late time.Duration) *imagined {
	p := newStdio(c, &child{Child: &process.Child{Stdin: imaginedInput{end, late}, Stdout: imaginedOutput{end}}})
	return &imagined{stdio: p, server: s}
}

// run implements connection.
func (p *imagined) run(e session.Epoch) {
	p.x = session.ExchangeID{Epoch: e}
	go p.read()
	go p.write()
	go p.live()
}

// live waits for the end, as the shutdown does for a process.
func (p *imagined) live() {
	defer close(p.over)
	why := session.Close{ByUs: true}
	select {
	case <-p.wantClose:
	case <-p.wantKill:
	case <-p.outEnded:
		why = session.Close{Status: closedOutput, Alive: true}
		if how := p.server.Left(); how.Gone {
			why = session.Close{Status: fmt.Sprintf("exit status %d", how.Code)}
		}
	}
	p.closeStdin()
	<-p.writeEnded
	if why.ByUs {
		p.server.End() // which may not read that its input has ended
		<-p.outEnded
	}
	p.c.locked(func(s *session.Session, now time.Time) {
		if p.c.link == link(p) {
			p.c.link = nil
		}
		s.Tell(now, session.Closed{Epoch: p.x.Epoch, Why: why})
	})
}

// info implements connection.
func (p *imagined) info() Process { return Process{Started: p.steps.started} }

// dialing makes the connections of a client to a server over HTTP.
func dialing(w *conduct.Web, late time.Duration) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		conn, err := w.Dial()
		return lateConn{conn, late}, err
	}
}

// lateConn is a connection whose writes return late.
type lateConn struct {
	net.Conn
	late time.Duration
}

func (c lateConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	time.Sleep(c.late)
	return n, err
}
