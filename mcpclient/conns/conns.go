// Package conns has the network connections of a client over HTTP: it closes those that are left open, and tells
// what lies unread in them. net/http closes
// those in its pool only ([net/http.Client.CloseIdleConnections]), and one on which the server has said
// GOAWAY is not there any more: it stays open until it was idle for long enough, or for good where a
// request was about to be sent on it.
package conns

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
)

// DialFunc connects to an address, as [net.Dialer.DialContext] does.
type DialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// Set is the connections that are open of those that were dialed through it. Its methods may be called
// from any goroutine.
type Set struct {
	mu     sync.Mutex
	open   map[*conn]struct{}
	closed bool
}

// Through dials as a function does, and keeps the connections until they are closed. Once the set is
// closed it gives none any more, but [net.ErrClosed].
func (s *Set) Through(dial DialFunc) DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		dialed, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: dialed, set: s}
		if !s.add(c) {
			_ = dialed.Close()
			return nil, net.ErrClosed
		}
		return c, nil
	}
}

func (s *Set) add(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	if s.open == nil {
		s.open = map[*conn]struct{}{}
	}
	s.open[c] = struct{}{}
	return true
}

func (s *Set) remove(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, c)
}

// Close closes all connections that are open, and each that is dialed from now on.
func (s *Set) Close() {
	s.mu.Lock()
	left := s.open
	s.open, s.closed = nil, true
	s.mu.Unlock()
	for c := range left {
		_ = c.Conn.Close()
	}
}

// conn is a connection that is in its set until it is closed.
type conn struct {
	net.Conn
	set *Set

	read, passed atomic.Int64 // bytes that Reads have returned, and those of them that were returned before the latest Read began
	closed       atomic.Bool  // or its other end is
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.closed.Store(true)
	err := c.Conn.Close()
	c.set.remove(c) // not before it is closed
	return err
}
