//go:build unix

package mcpclient

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	dictated "belay/internal/peer"
	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
)

// The end of a session is told with its ID, when all else is over; what the
// server answers does not matter.
func TestTheSessionIsEnded(t *testing.T) {
	requirements.Rows(t, "HTL-43", "HTL-44")
	for name, answer := range map[string]func(x *dictated.Exchange){
		"204": func(x *dictated.Exchange) { x.Answer(204, "", "") },
		"405": func(x *dictated.Exchange) { x.Answer(405, "", "") },
		"404": func(x *dictated.Exchange) { x.Answer(404, "", "") },
		"500": func(x *dictated.Exchange) { x.Answer(500, "text/plain", "no") },
		"cut": (*dictated.Exchange).Cut,
	} {
		t.Run(name, func(t *testing.T) {
			inEachEra(t, func(t *testing.T, s *scripted) {
				c := s.connect()
				s.On("DELETE", answer)
				closeIt(t, c)
				if s.rev.IsModern() {
					if n := count(s.Peer, "DELETE"); n != 0 {
						t.Errorf("%d times DELETE without a session", n)
					}
					return
				}
				all := s.Requests("DELETE")
				if len(all) != 1 || all[0].Header.Get("Mcp-Session-Id") != dictated.SessionID || all[0].Header.Get("Mcp-Protocol-Version") != "2025-11-25" {
					t.Errorf("%d times DELETE", len(all))
				}
				if st := status(c); st.Failure.Kind != session.FailClosed {
					t.Errorf("told as a failure: %+v", st.Failure)
				}
			})
		})
	}
}

// A DELETE that is not answered holds the end up for its time only.
func TestADeleteThatHangs(t *testing.T) {
	requirements.Rows(t, "HTL-43")
	t.Parallel() // the time of the DELETE is long enough for it to be read on a slow machine
	s := newScripted(t, mcp.Rev20251125)
	s.Handshake("2025-11-25", slow).On("DELETE", nil)
	c := s.connect(func(o *Options) { o.Shutdown.Stdin = 5 * time.Second })
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = c.Close(context.Background())
	}()
	s.Await("DELETE").AwaitAbort()
	<-done
}

// Kill while it hangs ends everything at once: its own time has not come.
func TestKillWhileTheDeleteHangs(t *testing.T) {
	s := newScripted(t, mcp.Rev20251125)
	s.Handshake("2025-11-25", slow).On("DELETE", nil)
	c := s.connect(func(o *Options) { o.Shutdown.Stdin = time.Hour })
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = c.Close(context.Background())
	}()
	x := s.Await("DELETE")
	c.Kill()
	<-done
	x.AwaitAbort()
}

// Work in flight is cancelled as the era wants it before the session ends, also
// when the server does not take the cancels.
func TestCloseWithWorkInFlight(t *testing.T) {
	requirements.Rows(t, "CXL-33")
	for name, take := range map[string]func(x *dictated.Exchange){
		"taken":   (*dictated.Exchange).Accepted,
		"refused": func(x *dictated.Exchange) { x.Answer(400, "text/plain", "no") },
		"hangs":   nil,
	} {
		t.Run(name, func(t *testing.T) {
			inEachEra(t, func(t *testing.T, s *scripted) {
				c := s.connect(func(o *Options) { o.Shutdown.Quit = patience })
				s.On("notifications/cancelled", take)
				var open []*dictated.Exchange
				for i := range 3 {
					_, x := s.call()
					if i > 0 {
						x.SSE()
					}
					open = append(open, x)
				}
				closeIt(t, c)
				for _, x := range open {
					x.AwaitAbort()
				}
				want := 3
				if s.rev.IsModern() {
					want = 0
				}
				if n := count(s.Peer, "notifications/cancelled"); n != want {
					t.Errorf("%d cancels were posted, want %d", n, want)
				}
				all := kinds(s.Peer)
				if !s.rev.IsModern() && all[len(all)-1] != "DELETE" {
					t.Errorf("the session was not ended last: %q", all)
				}
			})
		})
	}
}

// Close and Kill end everything, at whatever moment they come. That nothing is
// left running is seen at the end of all tests (goleak).
func TestCloseAtEachMoment(t *testing.T) {
	moments := map[string]func(s *scripted){
		"before the head of the opening": func(s *scripted) { s.Await("") },
		"within the opening":             func(s *scripted) { s.Await("").SSE().Chunk("data: {") },
	}
	ready := map[string]func(s *scripted){
		"idle":            func(*scripted) {},
		"before the head": func(s *scripted) { s.call() },
		"a stream":        func(s *scripted) { _, x := s.call(); x.SSE() },
		"within an event": func(s *scripted) { _, x := s.call(); x.SSE().Chunk("data: {\"json") },
		"within a head":   func(s *scripted) { _, x := s.call(); x.Raw("HTTP/1.1 200 OK\r\nContent-") },
		"within a body": func(s *scripted) {
			_, x := s.call()
			x.Raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
		},
		"while a stream is to be taken up": func(s *scripted) {
			_, x := s.call()
			x.SSE().Event(dictated.Event{ID: "1", Retry: "600000"}).End()
		},
		"while a cancel hangs": func(s *scripted) {
			s.On("notifications/cancelled", nil)
			id, _ := s.call()
			cancelCall(s.c, id)
			if !s.rev.IsModern() {
				s.Await("notifications/cancelled")
			}
		},
	}
	for _, how := range []string{"close", "kill", "close, then kill", "context"} {
		end := func(c *Client) {
			ctx, stop := context.WithTimeout(context.Background(), patience)
			defer stop()
			switch how {
			case "kill":
				c.Kill()
			case "close, then kill":
				var both sync.WaitGroup
				both.Go(func() { _ = c.Close(ctx) })
				both.Go(c.Kill)
				both.Wait()
			case "context":
				stop()
			}
			if err := c.Close(ctx); err != nil {
				t.Error(err)
			}
			if how != "context" && ctx.Err() != nil {
				t.Error("it took until the context ended")
			}
			select {
			case <-c.Done():
			default:
				t.Error("closed, but not done")
			}
		}
		for name, reach := range moments {
			t.Run(how+"/"+name, func(t *testing.T) {
				for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
					s := newScripted(t, rev)
					s.c = dial(t, s.URL(), rev)
					reach(s)
					end(s.c)
				}
			})
		}
		for name, reach := range ready {
			t.Run(how+"/"+name, func(t *testing.T) {
				inEachEra(t, func(_ *testing.T, s *scripted) {
					s.connect(func(o *Options) { o.Shutdown.Quit = quick.Quit })
					reach(s)
					end(s.c)
				})
			})
		}
	}
}

// A restart while exchanges are open ends them and begins anew, with another
// session.
func TestRestartWithExchangesOpen(t *testing.T) {
	inEachEra(t, func(t *testing.T, s *scripted) {
		c := s.connect()
		s.On("notifications/cancelled", (*dictated.Exchange).Accepted)
		_, silent := s.call()
		_, stream := s.call()
		stream.SSE()
		if err := c.Restart(); err != nil {
			t.Fatal(err)
		}
		silent.AwaitAbort()
		stream.AwaitAbort()
		awaitReady(t, c)
		if st := status(c); st.Epoch != 2 || st.InFlight > 2 {
			t.Errorf("%+v", st)
		}
		if !s.rev.IsModern() {
			inits := s.Requests("initialize")
			if len(inits) != 2 || inits[1].Header.Get("Mcp-Session-Id") != "" || count(s.Peer, "DELETE") != 1 {
				t.Errorf("%q", s.Story())
			}
		}
		s.works()
	})
}

// A server that closes each connection after its answer does not have a POST
// twice: a call that was on its way then is lost, and said to be.
func TestConnectionsThatAreClosedBetweenRequests(t *testing.T) {
	inEachEra(t, func(t *testing.T, s *scripted) {
		c := s.connect()
		s.On("tools/call", func(x *dictated.Exchange) {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, x.ID(), s.ok)
			x.Raw(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)).Cut()
		})
		done := 0
		for range 50 {
			switch d := outcome(t, c, callTool(t, c, "slow", "{}")); d.State {
			case session.Done:
				done++
			case session.Lost:
			default:
				t.Fatalf("a call is %v: %s", d.State, d.Note)
			}
		}
		seen := map[string]bool{}
		for _, r := range s.Requests("tools/call") {
			if seen[string(r.ID())] {
				t.Errorf("request %s came twice", r.ID())
			}
			seen[string(r.ID())] = true
		}
		if len(seen) < done || done == 0 {
			t.Errorf("%d calls came, and %d are done", len(seen), done)
		}
		s.On("tools/call", nil)
	})
}
