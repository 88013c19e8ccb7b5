package conns

import (
	"context"
	"net"
	"testing"
	"time"
)

// What has come is waited for until its reader comes back for more, and what its reader does not take for a while only.
func TestWhatLiesUnreadIsReadFirst(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	var s Set
	defer s.Close()
	dial := s.Through(new(net.Dialer).DialContext)
	near, err := dial(context.Background(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	far, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = far.Close() }()
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

	for near.(*conn).passed.Load() != 5 {
		time.Sleep(time.Millisecond) // the goroutine is in its Read
	}
	behind = map[*conn]int64{near.(*conn): 6} // as if the reader had run while it was counted
	waitPassed(behind, hang)
	if len(behind) != 0 {
		t.Error("what nobody wrote is waited for")
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
