package conns

import (
	"context"
	"errors"
	"net"
	"slices"
	"testing"
)

// What is open is closed with the set, once, and what is dialed later at once.
func TestSet(t *testing.T) {
	closed := map[string]int{}
	var s Set
	dial := s.Through(func(_ context.Context, _, address string) (net.Conn, error) {
		if address == "nowhere" {
			return nil, errors.New("no route")
		}
		near, far := net.Pipe()
		t.Cleanup(func() { _ = far.Close() })
		return told{near, func() { closed[address]++ }}, nil
	})
	if c, err := dial(t.Context(), "tcp", "nowhere"); err == nil || c != nil {
		t.Errorf("what cannot be dialed: %v, %v", c, err)
	}
	var all []net.Conn
	for _, address := range []string{"one", "two", "three"} {
		c, err := dial(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	_ = all[1].Close()
	if closed["one"] != 0 || closed["two"] != 1 || closed["three"] != 0 {
		t.Errorf("after the second is closed: %v", closed)
	}
	s.Close()
	s.Close()
	if closed["one"] != 1 || closed["two"] != 1 || closed["three"] != 1 {
		t.Errorf("after the set is closed: %v", closed)
	}
	for _, c := range slices.Backward(all) {
		_ = c.Close() // as net/http may
	}
	if c, err := dial(t.Context(), "tcp", "late"); !errors.Is(err, net.ErrClosed) || c != nil || closed["late"] != 1 {
		t.Errorf("dialed afterwards: %v, %v, closed %d times", c, err, closed["late"])
	}
}

type told struct {
	net.Conn
	closed func()
}

func (c told) Close() error {
	c.closed()
	return c.Conn.Close()
}
