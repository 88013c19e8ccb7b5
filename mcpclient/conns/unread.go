package conns

import (
	"net"
	"syscall"
	"time"
)

// WaitRead waits until what lies unread in the connections of the set, and has come before the call of WaitRead, was
// read and passed on, but for no longer than a while. Except is a connection that it does not wait for; nil: there is
// none. It waits for nothing where the system does not tell what lies unread, or where the set is nil.
//
// What a server said may lie in a connection whose reader gets no processor. Whoever concludes something from a silence
// has it read first.
//
// Over HTTP/2 one connection carries all requests to a server, and net/http reads the connection for them. What was read
// counts as passed on when net/http has it: whether the reader of a single answer has taken its part, nobody can see.
func (s *Set) WaitRead(most time.Duration, except net.Conn) {
	if s != nil {
		waitPassed(s.behind(except), most)
	}
}

// behind are the connections with something unread, and how much of each has to be passed on by its reader.
func (s *Set) behind(except net.Conn) map[*conn]int64 {
	all := map[*conn]int64{}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.open {
		if upTo, some := c.comes(); some && net.Conn(c) != except {
			all[c] = upTo
		}
	}
	return all
}

// comes reports how many bytes have come in all, and whether some of them lie unread. What a reader takes meanwhile
// is neither unread nor counted as read yet, so the count is taken again until no Read has ended in it.
func (c *conn) comes() (upTo int64, some bool) {
	for {
		read := c.read.Load()
		n := c.unread()
		if c.read.Load() == read {
			return read + int64(n), n > 0
		}
	}
}

func waitPassed(behind map[*conn]int64, most time.Duration) {
	for pause, since := 100*time.Microsecond, time.Now(); len(behind) > 0 && time.Since(since) < most; pause = min(2*pause, 5*time.Millisecond) {
		time.Sleep(pause)
		for c, n := range behind {
			if c.passed.Load() >= n || c.closed.Load() {
				delete(behind, c)
			}
		}
	}
}

// Read implements net.Conn. What the Reads before have returned is passed on: net/http comes back for more.
func (c *conn) Read(b []byte) (int, error) {
	c.passed.Store(c.read.Load())
	n, err := c.Conn.Read(b)
	c.read.Add(int64(n))
	if err != nil {
		c.closed.Store(true)
	}
	return n, err
}

// unread is how many bytes have come and were not read; 0 where the system does not tell.
func (c *conn) unread() (n int) {
	if s, ok := c.Conn.(syscall.Conn); ok {
		if raw, err := s.SyscallConn(); err == nil {
			_ = raw.Control(func(fd uintptr) { n = unreadOf(fd) })
		}
	}
	return n
}
