//go:build unix

package mcpclient

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	dictated "belay/internal/peer"
	"belay/internal/requirements"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
)

// Bodies of any size take bounded memory, and end their call at most. What is
// measured is what is left after a collection, while the body is still coming.
func TestBodiesWithoutEnd(t *testing.T) {
	requirements.Rows(t, "HTM-53")
	const (
		limit = 1 << 20
		sent  = 24 // MiB
		most  = 10 << 20
	)
	mega := strings.Repeat("x", 1<<20)
	flood := func(x *dictated.Exchange) {
		for range sent {
			x.Chunk(mega)
		}
	}
	for _, tt := range []struct {
		name  string
		begin func(x *dictated.Exchange)
		end   func(x *dictated.Exchange)
		words string
	}{
		{
			"an event", func(x *dictated.Exchange) {
				x.SSE().Chunk(fmt.Sprintf(`data: {"jsonrpc":"2.0","id":%s,"result":{"text":"`, x.ID()))
			},
			func(x *dictated.Exchange) { x.Chunk("\"}}\n\n").End() }, "MB",
		},
		{"a comment", func(x *dictated.Exchange) { x.SSE().Chunk(":") }, func(x *dictated.Exchange) { x.Chunk("\n\n").End() }, "ended without a response"},
		{"a field without a name", func(x *dictated.Exchange) { x.SSE() }, func(x *dictated.Exchange) { x.Chunk("\n\n").End() }, "ended without a response"},
		{"an ID", func(x *dictated.Exchange) { x.SSE().Chunk("id: ") }, func(x *dictated.Exchange) { x.Chunk("\n\n").End() }, "ended without a response"},
		{"the name of an event", func(x *dictated.Exchange) { x.SSE().Chunk("event: ") }, func(x *dictated.Exchange) { x.Chunk("\ndata: 1\n\n").End() }, "ended without a response"},
		{"an event of another name", func(x *dictated.Exchange) { x.SSE().Chunk("event: foo\ndata: ") }, func(x *dictated.Exchange) { x.Chunk("\n\n").End() }, "ended without a response"},
		{"JSON", func(x *dictated.Exchange) {
			x.With("Content-Type", "application/json").Head(200).Chunk(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"text":"`, x.ID()))
		}, func(x *dictated.Exchange) { x.Chunk("\"}}").End() }, "MB"},
		{"an error", func(x *dictated.Exchange) { x.With("Content-Type", "application/json").Head(500).Chunk("{") }, (*dictated.Exchange).End, "HTTP 500"},
		{"a page", func(x *dictated.Exchange) { x.With("Content-Type", "text/html").Head(200) }, (*dictated.Exchange).End, "text/html"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScripted(t, mcp.Rev20260728)
			s.Modern(slow)
			s.ok = `{"resultType":"complete","content":[]}`
			c := s.connect(func(o *Options) { o.MaxLine = limit })
			before := heap()
			id, x := s.call()
			tt.begin(x)
			flood(x)
			if after := heap(); after > before+most {
				t.Errorf("%d MiB are held while %d are coming", (after-before)>>20, sent)
			}
			tt.end(x)
			d := outcome(t, c, id)
			if d.State != session.Failed && d.State != session.Lost || !strings.Contains(d.Note, tt.words) {
				t.Errorf("%v: %q", d.State, d.Note)
			}
			s.works()
		})
	}
}

func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// A head without end is given up.
func TestAHeadWithoutEnd(t *testing.T) {
	inEachEra(t, func(t *testing.T, s *scripted) {
		c := s.connect()
		id, x := s.call()
		x.Raw("HTTP/1.1 200 OK\r\n")
		for range 4 << 10 {
			x.Raw("X-More: " + strings.Repeat("x", 1000) + "\r\n")
		}
		wantEnd(t, c, id, session.Lost, "exceeded")
		s.works()
	})
}

// However a server floods a stream, its call can be cancelled, and nothing else
// suffers.
func TestEventsWithoutEnd(t *testing.T) {
	for name, event := range map[string]string{
		"messages":  "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"x\"}}\n\n",
		"IDs":       "id: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n",
		"IDs alone": "id: 1\n\n",
		"times":     "retry: 1\n\n",
		"names":     "event: foo\ndata: x\n\n",
		"no JSON":   "data: {\n\n",
		"requests":  "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\n",
		"comments":  ":\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			inEachEra(t, func(t *testing.T, s *scripted) {
				c := s.connect(func(o *Options) { o.Session.Grace = time.Millisecond; o.Session.NoProbe = true })
				s.On("notifications/cancelled", (*dictated.Exchange).Accepted)
				s.On("answer", (*dictated.Exchange).Accepted)
				id, x := s.call()
				done := make(chan struct{})
				go func() {
					defer close(done)
					x.SSE().Endless(strings.Repeat(event, 100))
				}()
				sibling, other := s.call()
				other.JSONResult(s.ok)
				wantState(t, c, sibling, session.Done)
				cancelCall(c, id)
				wantState(t, c, id, session.Cancelled)
				x.AwaitAbort()
				<-done
				s.works()
			})
		})
	}
}

// So many calls at once that not all of them are posted: each gets its answer or
// its cancel all the same, and a cancel waits for no call.
func TestManyCallsAtOnce(t *testing.T) {
	const all, posted = 300, 256
	inEachEra(t, func(t *testing.T, s *scripted) {
		c := s.connect(func(o *Options) {
			o.Session.Grace = time.Millisecond
			o.Session.NoProbe = true
			o.Session.NoListen = true
		})
		s.On("notifications/cancelled", (*dictated.Exchange).Accepted)
		var ids []session.CallID
		for range all {
			ids = append(ids, callTool(t, c, "slow", "{}"))
		}
		open := map[string]*dictated.Exchange{}
		for range posted {
			x := s.Await("tools/call")
			open[string(x.ID())] = x
		}
		if n := count(s.Peer, "tools/call"); n != posted {
			t.Fatalf("%d calls were posted at once", n)
		}
		first := 0 // a call that was posted
		cancelCall(c, ids[first])
		wantState(t, c, ids[first], session.Cancelled)
		open[wire(c, ids[first])].AwaitAbort()
		delete(open, wire(c, ids[first]))
		waits := ids[all-1] // one that was not
		cancelCall(c, waits)
		wantState(t, c, waits, session.Dropped)
		for n := all - 2; n > 0; n-- {
			var x *dictated.Exchange
			for id, one := range open {
				x = one
				delete(open, id)
				break
			}
			if x == nil {
				x = s.Await("tools/call")
			}
			x.JSONResult(s.ok)
		}
		for _, id := range ids[1 : all-1] {
			wantState(t, c, id, session.Done)
		}
		want := 1
		if s.rev.IsModern() {
			want = 0
		}
		await(t, c, "the cancel to have come", func(*session.Session) bool { return count(s.Peer, "notifications/cancelled") >= want })
		if n := count(s.Peer, "notifications/cancelled"); n != want || count(s.Peer, "tools/call") != all-1 {
			t.Errorf("%d cancels and %d calls were posted", n, count(s.Peer, "tools/call"))
		}
	})
}

func wire(c *Client, id session.CallID) (w string) {
	c.View(func(s *session.Session) {
		r, _ := s.Row(id)
		w = r.Wire.String()
	})
	return w
}

// A server that does not read the body of a call: in 2026-07-28 closing the
// exchange is the cancel all the same; before, the notification must not overtake
// what it cancels, and so it is never posted.
func TestABodyThatIsNotRead(t *testing.T) {
	t.Parallel() // it waits for the time after which a cancel counts as not delivered
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		t.Run(string(rev), func(t *testing.T) {
			t.Parallel()
			release, stuck, cancels := make(chan struct{}), make(chan struct{}, 1), make(chan string, 10)
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				start := make([]byte, 60)
				n, _ := io.ReadFull(r.Body, start)
				if strings.Contains(string(start[:n]), `"method":"tools/call"`) {
					stuck <- struct{}{}
					<-release
					return
				}
				rest, _ := io.ReadAll(r.Body)
				f := mcp.Decode(append(start[:n], rest...))
				result := `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[]}`
				switch f.Method {
				case "initialize":
					result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}`
				case "server/discover":
					result = `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
				case "notifications/cancelled":
					cancels <- f.Method
				}
				if f.ID.IsZero() {
					w.WriteHeader(http.StatusAccepted)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+f.ID.String()+`,"result":`+result+`}`)
			}))
			t.Cleanup(srv.Close)
			c := dial(t, srv.URL, rev, func(o *Options) { o.Session.NoListen, o.Session.Grace = true, 200*time.Millisecond })
			t.Cleanup(func() { close(release) })
			awaitReady(t, c)
			id := callTool(t, c, "slow", `{"text":"`+strings.Repeat("x", 32<<20)+`"}`)
			<-stuck
			cancelCall(c, id)
			d := wantState(t, c, id, session.Cancelled)
			want := cancel.NotDelivered
			if rev.IsModern() {
				want = cancel.StreamClosed
			}
			if d.Verdict != want || !d.Sent.IsZero() {
				t.Errorf("the verdict is %v; sent at %v", d.Verdict, d.Sent)
			}
			if err := c.Close(t.Context()); err != nil {
				t.Error(err)
			}
			if len(cancels) != 0 {
				t.Error("a cancel overtook its call")
			}
		})
	}
}
