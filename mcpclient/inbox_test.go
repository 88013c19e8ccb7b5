//go:build unix

package mcpclient

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"belay/session"
)

// connected is a client with a connection that only the core knows of.
func connected(o Options) (*Client, session.ExchangeID) {
	c := New(o)
	var x session.ExchangeID
	x.Epoch = c.tell(session.Connect{}).Epoch
	return c, x
}

func received(c *Client) (n uint64) {
	c.View(func(s *session.Session) { n = s.Status().Received })
	return n
}

// Whoever must not wait gets the lock after the message of now, not after the
// batch.
func TestReaderGivesWay(t *testing.T) {
	c, x := connected(Options{})
	in := newInbox(c, x, nil)
	for i := range 10 {
		in.add(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/n%d"}`, i), false, time.Time{})
	}
	c.mu.waiting.Add(1)
	if next := in.receive(0); next != 1 {
		t.Errorf("with somebody waiting, %d messages were received in one hold", next)
	}
	c.mu.waiting.Add(-1)
	if next := in.receive(1); next != 10 {
		t.Errorf("with nobody waiting, a hold ended before message %d", next)
	}
	if n := received(c); n != 10 {
		t.Errorf("%d messages were received", n)
	}
}

// Messages in a batch are decoded before any is received: each must keep what
// it is until then.
func TestBatchKeepsItsMessages(t *testing.T) {
	c, x := connected(Options{})
	in := newInbox(c, x, nil)
	const count = 3*batchSize + 5
	for i := range count {
		in.add(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/n%d"}`, i), false, time.Time{})
	}
	in.flush()
	c.View(func(s *session.Session) {
		i := 0
		first, last := s.HistorySpan()
		for _, e := range s.Entries(nil, first, int(last-first)+1) {
			if e.Dir != session.In {
				continue
			}
			if want := fmt.Sprintf("notifications/n%d", i); e.Method != want {
				t.Fatalf("message %d is %q", i, e.Method)
			}
			i++
		}
		if i != count {
			t.Errorf("%d messages of %d", i, count)
		}
	})
}

// While the disk takes nothing, the reader waits at the bound; keys go on, and
// a stream that must end is let go.
func TestReaderWaitsForTheDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{let: make(chan struct{})}
		c, x := connected(Options{Record: d})
		forced := make(chan struct{})
		line := []byte(`{"jsonrpc":"2.0","method":"notifications/any"}`)
		c.tell(session.Stderr{Line: make([]byte, 1)}) // the disk hangs with this
		synctest.Wait()
		c.tell(session.Stderr{Line: make([]byte, 8<<20)})
		if !isHeldUp(c) {
			t.Fatal("the bound is not reached")
		}

		take := func(forced <-chan struct{}) (done chan struct{}) {
			done = make(chan struct{})
			in := newInbox(c, x, forced)
			in.add(line, false, time.Time{})
			go func() {
				defer close(done)
				in.flush()
			}()
			synctest.Wait()
			return done
		}
		waiting, letGo := take(nil), take(forced)
		if n := received(c); n != 0 {
			t.Fatalf("%d messages were received over the bound", n)
		}
		c.tell(session.Tick{}) // would hang here
		close(forced)
		<-letGo
		if n := received(c); n != 1 {
			t.Errorf("the stream that was let go gave %d messages", n)
		}
		close(d.let)
		<-waiting
		if n := received(c); n != 2 {
			t.Errorf("%d messages were received in the end", n)
		}
		closeIt(t, c)
	})
}
