//go:build unix

package mcpclient

import (
	"net"
	"net/http/httptrace"
	"testing"
	"time"
)

// Over HTTP, too, when a request was written is noted before the system has it.
func TestWhenARequestWasWritten(t *testing.T) {
	var c *timedConn
	c = &timedConn{now: func() time.Time { return time.Unix(7, 0) }, Conn: connFunc(func([]byte) {
		if at := c.last.Load(); at == nil || *at != time.Unix(7, 0) {
			t.Error("it is not noted before it is written")
		}
	})}
	var tr attempt
	if at := tr.written(time.Unix(9, 0)); at != time.Unix(9, 0) {
		t.Errorf("without a connection: %v", at)
	}
	tr.trace(httptrace.GotConnInfo{Conn: c})
	if _, err := c.Write([]byte("POST")); err != nil {
		t.Fatal(err)
	}
	if at := tr.written(time.Unix(9, 0)); at != time.Unix(7, 0) {
		t.Errorf("written at %v", at)
	}
}

// connFunc is a connection of which only Write is called.
type connFunc func([]byte)

func (f connFunc) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
}
func (connFunc) Read([]byte) (int, error)         { panic("read") }
func (connFunc) Close() error                     { return nil }
func (connFunc) LocalAddr() net.Addr              { return nil }
func (connFunc) RemoteAddr() net.Addr             { return nil }
func (connFunc) SetDeadline(time.Time) error      { return nil }
func (connFunc) SetReadDeadline(time.Time) error  { return nil }
func (connFunc) SetWriteDeadline(time.Time) error { return nil }
