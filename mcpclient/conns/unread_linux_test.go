package conns

import (
	"net"
	"syscall"
	"testing"
	"time"
)

// connected is a set with one connection, and the two ends of that.
func connected(t *testing.T) (s *Set, near, far net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	s = new(Set)
	t.Cleanup(s.Close)
	if near, err = s.Through(new(net.Dialer).DialContext)(t.Context(), "tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if far, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = far.Close() })
	return s, near, far
}

// What has come is waited for until its reader comes back for more, and what its reader does not take for a while only.
func TestWhatLiesUnreadIsReadFirst(t *testing.T) {
	s, near, far := connected(t)
	const hang = 20 * time.Second

	s.WaitRead(hang, nil) // nothing lies there
	if _, err := far.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	for near.(*conn).unread() == 0 {
		time.Sleep(time.Millisecond)
	}
	s.WaitRead(hang, near)
	s.WaitRead(time.Millisecond, nil)

	behind := s.behind(nil)
	for _, want := range []int{3, 2} {
		if n, err := near.Read(make([]byte, 3)); n != want || err != nil {
			t.Fatalf("%d, %v", n, err)
		}
	}
	waitPassed(behind, time.Millisecond)
	if len(behind) != 1 {
		t.Error("what was read last is not passed on yet")
	}
	go func() { _, _ = near.Read(make([]byte, 3)) }()
	waitPassed(behind, hang)
	if len(behind) != 0 {
		t.Error("what was passed on is waited for")
	}

	if _, err := far.Write([]byte("again")); err != nil {
		t.Fatal(err)
	}
	for near.(*conn).unread() == 0 {
		time.Sleep(time.Millisecond) // the Read takes three bytes, and nobody comes back for more
	}
	behind = s.behind(nil)
	_ = near.Close()
	if waitPassed(behind, hang); len(behind) != 0 {
		t.Error("what is closed is waited for")
	}
}

// ranFirst is a connection whose reader runs just before it is looked what lies unread.
type ranFirst struct {
	*net.TCPConn
	run func()
}

func (c *ranFirst) SyscallConn() (syscall.RawConn, error) {
	if run := c.run; run != nil {
		c.run = nil
		run()
	}
	return c.TCPConn.SyscallConn()
}

// What a reader takes while it is counted what has come belongs to that, once.
func TestAReaderThatRunsMeanwhileIsCountedOnce(t *testing.T) {
	_, near, far := connected(t)
	c := near.(*conn)
	if _, err := far.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	for c.unread() < 5 {
		time.Sleep(time.Millisecond)
	}
	c.Conn = &ranFirst{c.Conn.(*net.TCPConn), func() { _, _ = c.Read(make([]byte, 3)) }}
	if upTo, some := c.comes(); upTo != 5 || !some {
		t.Errorf("up to %d, %v, want 5", upTo, some)
	}
}
