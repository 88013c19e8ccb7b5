//go:build unix

package mcpclient

import (
	"context"
	"net"
	"syscall"
	"testing"

	"belay/internal/conduct"
)

// PlayedBy has a client talk to the server of a conduct, for tests outside of this package:
// what they test stands on it.
func PlayedBy(t *testing.T, c conduct.Conduct, st conduct.Stage, o *Options) {
	withServer(t, c, st, o, 0)
}

// Dies has the server of a client over HTTP be gone when the function says so: connections to
// it break, and new ones are refused.
func Dies(o *Options, gone func() bool) {
	dial := o.HTTP.dial
	o.HTTP.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		if gone() {
			return nil, syscall.ECONNREFUSED
		}
		conn, err := dial(ctx, network, address)
		return mortal{conn, gone}, err
	}
}

// mortal is a connection that breaks when its server is gone.
type mortal struct {
	net.Conn
	gone func() bool
}

func (m mortal) Write(b []byte) (int, error) {
	if m.gone() {
		return 0, syscall.ECONNRESET
	}
	return m.Conn.Write(b)
}

// CalledFrom reports whether a function of this package is on the stack of its caller.
func CalledFrom(function string) bool { return calledFrom(function) }
