package headless

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"belay/mcpclient"
	"belay/mcpclient/login"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
)

// byHand is a client whose session the test drives.
type byHand struct {
	untouched
	mu   sync.Mutex
	s    *session.Session
	wake chan struct{}
}

// untouched is what a watch does not call.
type untouched interface {
	Start() error
	Do(session.Input) (session.Reply, error)
	Done() <-chan struct{}
	AbandonLogin()
	Kill()
	Close(context.Context) error
}

func (c *byHand) View(f func(*session.Session)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(c.s)
}
func (c *byHand) Wake() <-chan struct{}  { return c.wake }
func (c *byHand) Now() time.Time         { return time.Now() }
func (c *byHand) Login() mcpclient.Login { return mcpclient.Login{State: login.State{}} }

// newByHand is such a client of a server that is ready, with a call that is in flight since a moment ago.
func newByHand(t *testing.T) (*byHand, session.CallID) {
	const rev = "2025-11-25"
	c := &byHand{s: session.New(session.Config{Pin: rev, ClientName: "belay", ClientVersion: "1", FirstID: 1, NoProbe: true}, time.Now()), wake: make(chan struct{}, 1)}
	c.s.Tell(time.Now(), session.Connect{})
	c.play(map[string]string{"initialize": `"result":{"protocolVersion":"` + rev + `","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`})
	made, err := c.s.Handle(time.Now(), session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`)}})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second)
	c.play(nil)
	return c, made.Call
}

// tells tells the session of something, and whoever waits that there is news.
func (c *byHand) tells(in session.Report) {
	c.View(func(s *session.Session) { s.Tell(time.Now(), in) })
	c.wake <- struct{}{}
}

// play hands out what the core wants written, and tells that it was.
func (c *byHand) play(answers map[string]string) {
	for {
		out, ok := c.s.Next(time.Now())
		if !ok {
			return
		}
		c.s.Tell(time.Now(), session.Sent{Seq: out.Seq})
		f := mcp.Decode(out.Data)
		if text, ok := answers[f.Method]; ok && f.Kind == mcp.FrameRequest {
			c.receive(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, f.ID, text))
		}
	}
}

func (c *byHand) receive(text string) {
	f := mcp.Decode([]byte(text))
	f.Began = time.Now()
	c.s.Receive(time.Now(), session.ExchangeID{Epoch: 1}, f)
}

// A server that reads a cancel may answer before the writer is told that it wrote. The verdict stands
// on when that was, and is not taken before it is told; where it is never told, not after five seconds.
func TestAnAnswerBeforeTheWriteOfTheCancelIsReported(t *testing.T) {
	for _, told := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			c, id := newByHand(t)
			row, _ := c.s.Row(id)
			time.Sleep(time.Second)
			if _, err := c.s.Handle(time.Now(), session.Cancel{Call: id}); err != nil {
				t.Fatal(err)
			}
			out, _ := c.s.Next(time.Now())
			written := time.Now()
			time.Sleep(time.Millisecond)
			c.receive(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"context canceled"}}`, row.Wire))

			r := New(c)
			defer close(r.leave)
			go func() {
				if told {
					time.Sleep(20 * time.Millisecond)
					c.View(func(s *session.Session) { s.Tell(time.Now(), session.Sent{Seq: out.Seq, Ago: time.Since(written)}) })
				} else {
					time.Sleep(cancel.UndeliveredAfter)
					c.View(func(s *session.Session) { s.Tell(time.Now(), session.Tick{}) })
				}
				c.wake <- struct{}{}
			}()
			d, err := r.Watch(t.Context(), id, nil)
			want := cancel.SaysCancelled
			if !told {
				want = cancel.Crossed
			}
			if took := time.Since(written); err != nil || d.Verdict != want || took > 2*cancel.UndeliveredAfter {
				t.Errorf("told %t: %v, %v after %s: %v", told, d.State, d.Verdict, took, d.Evidence)
			}
		})
	}
}
