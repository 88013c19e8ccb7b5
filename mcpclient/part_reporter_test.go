//go:build unix

package mcpclient

import (
	"bufio"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"belay/mcpclient/lines"
	"belay/session"
	"belay/session/journal"
	"belay/session/mcp"
)

// A message that does not end is told of while its bytes come, and no more when
// it has come or was none.
func TestAMessageThatGrows(t *testing.T) {
	for _, tt := range []struct {
		name, media, first, more, last string
		end                            session.State
	}{
		{"an event", "text/event-stream", "data: {", " ", "}\n\n", session.Running},
		{"over the limit", "text/event-stream", "data: {", strings.Repeat(" ", 2<<10), "}\n\n", session.Running},
		{"a line of nothing", "text/event-stream", "x", "xx", "\n\n", session.Running},
		{"an ID", "text/event-stream", "id: ", strings.Repeat("1", 9<<10), "\n\n", session.Running},
		{"JSON", "application/json", "{", " ", "}", session.Failed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScripted(t, mcp.Rev20260728)
			s.Modern(slow)
			s.ok = `{"resultType":"complete","content":[]}`
			c := s.connect(func(o *Options) { o.MaxLine, o.Session.Idle, o.Session.Max = 4<<10, -1, -1 })
			id, x := s.call()
			x.With("Content-Type", tt.media).Head(200).Chunk(tt.first)
			x.Chunk(tt.more)
			awaitNote(t, c, id, "end")
			x.Chunk(tt.last)
			if tt.end.IsTerminal() {
				x.End()
				wantState(t, c, id, tt.end)
				return
			}
			await(t, c, "the note to go", func(v *session.Session) bool {
				r, _ := v.Row(id)
				return r.Note == ""
			})
			x.End()
			outcome(t, c, id)
			s.works()
		})
	}
}

// A stream that ends in the middle of an event says so at once, however short it
// was.
func TestAStreamThatEndsInTheMiddle(t *testing.T) {
	inEachEra(t, func(t *testing.T, s *scripted) {
		c := s.connect()
		id, x := s.call()
		x.SSE().Chunk("data: {\"jsonrpc\"").End()
		if d := outcome(t, c, id); !strings.Contains(d.Note, "in the middle of a message, after") {
			t.Errorf("%v: %q", d.State, d.Note)
		}
		s.works()
	})
}

// A body that is too long and does end is told of as that, and not as cut off.
func TestALongBodyThatEnds(t *testing.T) {
	s := newScripted(t, mcp.Rev20260728)
	s.Modern(slow)
	s.ok = `{"resultType":"complete","content":[]}`
	c := s.connect(func(o *Options) { o.MaxLine, o.Session.Idle, o.Session.Max = 4<<10, -1, -1 })
	id, x := s.call()
	x.With("Content-Type", "application/json").Head(200).Chunk("{")
	x.Chunk(strings.Repeat(" ", 8<<10))
	awaitNote(t, c, id, "keeps none of it")
	x.Chunk("}").End()
	outcome(t, c, id)
	s.works()
	if got := details(c, mcp.DiagOversize); !strings.Contains(got, "over the limit") || strings.Contains(got, "without the end") {
		t.Errorf("told of as %q", got)
	}
}

// awaitNote waits until the row of a call says something.
func awaitNote(t *testing.T, c *Client, id session.CallID, want string) {
	await(t, c, "a note with "+want, func(v *session.Session) bool {
		r, _ := v.Row(id)
		return strings.Contains(r.Note, want)
	})
}

// The end of a message that was told of while it came is told in the hold of the lock in
// which the message is received: between the two it would be neither coming nor there, and
// a verdict that is given then would say that nothing came.
func TestTheEndOfAPartIsToldWithItsMessage(t *testing.T) {
	const note = `{"jsonrpc":"2.0","method":"notifications/x"}`
	read := map[string]func(*httpTransport, io.Reader, *inbox){
		"stream": func(w *httpTransport, r io.Reader, in *inbox) { w.readStream(r, in) },
		"body":   func(w *httpTransport, r io.Reader, in *inbox) { w.readMessage(r, in) },
	}
	for name, portions := range map[string][]string{
		"stream": {"data: " + note[:9], note[9:20], note[20:] + "\n\n"},
		"body":   {note[:9], note[9:20], note[20:]},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rec := new(buffer)
				var looks atomic.Int64 // each look at the clock is a moment of its own, and a hold looks once
				now := func() time.Time { return time.Now().Add(time.Duration(looks.Add(1)) * time.Microsecond) }
				c, x := connected(Options{Record: rec, Now: now})
				r, w := io.Pipe()
				done := make(chan struct{})
				go func() {
					defer close(done)
					read[name](&httpTransport{c: c}, bufio.NewReader(r), newInbox(c, x, nil))
				}()
				for _, p := range portions {
					_, _ = io.WriteString(w, p)
					synctest.Wait()
					time.Sleep(2 * time.Second)
				}
				_ = w.Close()
				<-done
				closeIt(t, c)

				var over, came time.Duration
				grew := false
				for line := range strings.Lines(rec.String()) {
					entry, err := journal.Parse([]byte(line))
					if err != nil {
						t.Fatal(err)
					}
					switch in := entry.Input.(type) {
					case session.ReceivedPart:
						grew = grew || in.Part.Size > 0
						if in.Part.Size == 0 {
							over = entry.T
						}
					case session.Received:
						came = entry.T
					}
				}
				if !grew || came == 0 || over != came {
					t.Errorf("grew: %v; its end was told at %v, and received at %v", grew, over, came)
				}
			})
		})
	}
}

// The first bytes of a message are told of at the age that the core wants: at once while a call is
// in flight that is to be cancelled as its answer comes, and otherwise after a second. A message in
// one piece is not told of as a part.
func TestTheFirstBytesOfAnAnswerAreTold(t *testing.T) {
	const note = `{"jsonrpc":"2.0","method":"notifications/x"}`
	read := map[string]func(*Client, io.Reader, *inbox){
		"stdio":  func(c *Client, r io.Reader, in *inbox) { _ = pump(lines.NewReader(r, 4<<10, c.opt.Now), in) },
		"stream": func(c *Client, r io.Reader, in *inbox) { (&httpTransport{c: c}).readStream(r, in) },
		"body":   func(c *Client, r io.Reader, in *inbox) { (&httpTransport{c: c}).readMessage(r, in) },
	}
	for name, portions := range map[string][2]string{
		"stdio": {note[:20], note[20:] + "\n"}, "stream": {"data: " + note[:20], note[20:] + "\n\n"}, "body": {note[:20], note[20:]},
	} {
		for _, tt := range []struct {
			rules session.Rules
			over  bool          // the call is, before anything comes
			pause time.Duration // between the two portions
			told  bool
		}{
			{session.Rules{AtAnswer: true}, false, 20 * time.Millisecond, true},
			{session.Rules{AtAnswer: true}, false, 0, false},
			{session.Rules{AtAnswer: true}, true, 20 * time.Millisecond, false},
			{session.Rules{OnMessage: true}, false, 500 * time.Millisecond, false},
			{session.Rules{OnMessage: true}, false, 2 * time.Second, true},
		} {
			synctest.Test(t, func(t *testing.T) {
				rec := new(buffer)
				c, x := connected(Options{Record: rec, Now: time.Now})
				made, err := c.Do(session.StartCall{Spec: session.CallSpec{Method: "tools/call", Rules: tt.rules}})
				if err == nil && tt.over {
					_, err = c.Do(session.Cancel{Call: made.Call})
				}
				if err != nil {
					t.Fatal(err)
				}
				r, w := io.Pipe()
				done := make(chan struct{})
				go func() {
					defer close(done)
					read[name](c, bufio.NewReader(r), newInbox(c, x, nil))
				}()
				for _, p := range portions {
					_, _ = io.WriteString(w, p)
					synctest.Wait()
					time.Sleep(tt.pause)
				}
				_ = w.Close()
				<-done
				closeIt(t, c)
				told := strings.Contains(rec.String(), `"op":"unfinished","epoch":1,"part":{"size":2`)
				if told != tt.told {
					t.Errorf("%s, %+v, over: %v, the rest %v later: told: %v\n%s", name, tt.rules, tt.over, tt.pause, told, rec.String())
				}
			})
		}
	}
}
