//go:build unix

package mcpclient

import (
	"strings"
	"testing"
	"time"

	"belay/mcpclient/process"
	"belay/session"
	"belay/session/mcp"
)

// A writer that comes to run late finds what was handed over meanwhile, and writes that
// before what the core has besides: a server that is asked to initialize first is of
// another era.
func TestWhatWasHandedOverIsWrittenFirst(t *testing.T) {
	c, x := connected(Options{Session: session.Config{DiscoverLimit: 20 * time.Millisecond}})
	p := newStdio(c, &child{Child: &process.Child{}})
	p.x = x
	c.locked(func(*session.Session, time.Time) { c.link = p }) // the probe is handed over
	c.locked(func(s *session.Session, now time.Time) { s.Tell(now.Add(time.Second), session.Tick{}) })
	for _, want := range []string{"server/discover", "initialize"} {
		batch := p.gather(nil)
		if len(batch) != 1 || mcp.Decode(batch[0].Data).Method != want {
			t.Fatalf("%+v is written, want %s", batch, want)
		}
	}
	if batch := p.gather(nil); len(batch) != 0 || !p.idle {
		t.Errorf("%+v is left, idle %v", batch, p.idle)
	}
}

// After what is urgent more is written at once, up to a block; anything else is written by itself.
func TestWhatMayFollowInOneWrite(t *testing.T) {
	out := func(size int, urgent bool) session.Output {
		return session.Output{Data: make([]byte, size), Urgent: urgent}
	}
	for _, tt := range []struct {
		name  string
		batch []session.Output
		want  bool
	}{
		{"nothing", nil, true},
		{"a request", []session.Output{out(1, false)}, false},
		{"a cancel", []session.Output{out(1, true)}, true},
		{"a request behind a cancel", []session.Output{out(1, true), out(1, false)}, false},
		{"cancels below a block", []session.Output{out(60, true), out(39, true)}, true},
		{"cancels of a block", []session.Output{out(60, true), out(40, true)}, false},
	} {
		if got := mayFollow(tt.batch, sizeOf(tt.batch), 100); got != tt.want {
			t.Errorf("after %s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// An idle writer is handed two cancels at once. If it ends before it takes them, neither counts as
// written.
func TestAWriterThatEndsRefusesAllThatItWasHanded(t *testing.T) {
	c, x := connected(Options{Session: session.Config{DiscoverLimit: -1}})
	p := newStdio(c, &child{Child: &process.Child{}})
	write := func(method string) {
		t.Helper()
		for {
			batch := p.gather(nil)
			if len(batch) != 1 {
				t.Fatalf("%d messages are written, want one of %s", len(batch), method)
			}
			c.tell(session.Sent{Seq: batch[0].Seq})
			if mcp.Decode(batch[0].Data).Method == method {
				return
			}
		}
	}
	write("initialize")
	c.locked(func(s *session.Session, now time.Time) {
		s.Receive(now, x, mcp.Decode([]byte(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"p","version":"1"}}}`)))
	})
	write("notifications/initialized")
	var calls []session.CallID
	for range 2 {
		reply, err := c.Do(session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"a"}`)}})
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, reply.Call)
		write("tools/call")
	}
	for _, id := range calls {
		if _, err := c.Do(session.Cancel{Call: id}); err != nil {
			t.Fatal(err)
		}
	}
	p.idle = true
	c.locked(func(*session.Session, time.Time) { c.link = p })
	batch := <-p.handed
	if len(batch) != 2 || p.idle {
		t.Errorf("%d cancels were handed over at once, idle %v", len(batch), p.idle)
	}
	p.handed <- batch
	p.refuseHanded()
	c.View(func(s *session.Session) {
		for _, id := range calls {
			if r, _ := s.Row(id); !strings.Contains(r.Note, "cancel not delivered") {
				t.Errorf("call %d says %q", id, r.Note)
			}
		}
	})
}
