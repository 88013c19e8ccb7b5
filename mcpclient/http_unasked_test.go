//go:build unix

package mcpclient

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	dictated "belay/internal/peer"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
)

// What stands in the answer to a cancel reaches the wire pane, and is evidence of
// the call that it is about, however it is sent.
func TestTheBodyOfTheAnswerToACancel(t *testing.T) {
	result := `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}`
	large := strings.Repeat("x", 3*maxErrorBody)
	for _, tt := range []struct {
		name   string
		answer func(x *dictated.Exchange, id string)
		late   bool
	}{
		{"JSON", func(x *dictated.Exchange, id string) {
			x.Answer(200, "application/json", fmt.Sprintf(result, id, "done"))
		}, true},
		{"JSON without a type", func(x *dictated.Exchange, id string) { x.Answer(200, "", fmt.Sprintf(result, id, "done")) }, true},
		{"JSON with 202", func(x *dictated.Exchange, id string) {
			x.Answer(202, "application/json", " \r\n"+fmt.Sprintf(result, id, "done"))
		}, true},
		{"large JSON", func(x *dictated.Exchange, id string) {
			x.Answer(200, "application/json", fmt.Sprintf(result, id, large))
		}, true},
		{"JSON over the limit", func(x *dictated.Exchange, id string) {
			x.Answer(200, "application/json", fmt.Sprintf(result, id, strings.Repeat(large, 10)))
		}, true},
		{"an event", func(x *dictated.Exchange, id string) { x.SSE().Message(fmt.Sprintf(result, id, "done")).End() }, true},
		{"a word", func(x *dictated.Exchange, _ string) { x.Answer(202, "text/plain", "Accepted") }, false},
		{"an object", func(x *dictated.Exchange, _ string) { x.Answer(200, "application/json", "{}") }, false},
		{"half a message", func(x *dictated.Exchange, id string) {
			x.Answer(200, "application/json", fmt.Sprintf(result, id, "done")[:30])
		}, false},
		{"a page", func(x *dictated.Exchange, _ string) { x.Answer(200, "text/html", "<p>"+strings.Repeat(large, 10)) }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScripted(t, mcp.Rev20251125)
			s.Handshake("2025-11-25", slow)
			s.On("ping", func(x *dictated.Exchange) { x.JSONResult("{}") })
			c := s.connect(func(o *Options) {
				o.MaxLine = 1 << 20
				if tt.late {
					o.Session.Grace = patience
				}
			})
			id, call := s.call()
			call.SSE()
			cancelCall(c, id)
			tt.answer(s.Await("notifications/cancelled"), string(call.ID()))
			if !tt.late {
				await(t, c, "the diagnostic", func(v *session.Session) bool {
					for _, d := range v.Diagnostics() {
						if d.Code == mcp.DiagAcceptBody && d.Call == id {
							return true
						}
					}
					return false
				})
				if got := entries(c, session.EntInvalid); len(got) != 0 {
					t.Errorf("the wire shows %+v", got)
				}
				call.End()
				if d := outcome(t, c, id); d.Late != nil || d.Verdict != cancel.Quiet {
					t.Errorf("%v: %+v", d.Verdict, d.Late)
				}
				return
			}
			d := outcome(t, c, id)
			if d.Late == nil || d.State != session.Cancelled {
				t.Fatalf("%v, the late answer is %+v", d.State, d.Late)
			}
			var on []session.Entry
			c.View(func(v *session.Session) { on = v.CallEntries(nil, id, 100) })
			if last := on[len(on)-1]; last.Dir != session.In || last.Kind == session.EntInvalid {
				t.Errorf("the wire of the call ends with %+v", last)
			}
			s.works()
		})
	}
}

// Of the bodies that may be large only so many are read at once; one more waits for
// a place, or for the end of its exchange, and small ones need none.
func TestLargeBodiesWaitForAPlace(t *testing.T) {
	const note = `{"jsonrpc":"2.0","method":"notifications/x"}`
	stream := session.Head{Status: 200, Media: mediaStream}
	for name, tt := range map[string]struct {
		head  session.Head
		body  string
		waits bool
	}{
		"a stream":   {stream, "data: " + note + "\n\n", true},
		"large JSON": {session.Head{Status: 200}, note + strings.Repeat(" ", maxErrorBody), true},
		"small JSON": {session.Head{Status: 200}, note, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, x := connected(Options{})
				w := &httpTransport{c: c, unasked: make(chan struct{}, 1)}
				read := func(ctx context.Context) <-chan struct{} {
					done := make(chan struct{})
					go func() {
						defer close(done)
						w.readUnasked(ctx, strings.NewReader(tt.body), tt.head, newInbox(c, x, ctx.Done()))
					}()
					synctest.Wait()
					return done
				}
				w.unasked <- struct{}{} // somebody reads one
				ctx, stop := context.WithCancel(t.Context())
				first, second := read(ctx), read(t.Context())
				if n := received(c); (n == 0) != tt.waits {
					t.Errorf("%d messages were taken without a place", n)
				}
				stop()
				<-first
				before := received(c)
				<-w.unasked
				<-second
				if n := received(c) - before; (n == 1) != tt.waits {
					t.Errorf("%d messages were taken when there was a place", n)
				}
				if len(w.unasked) != 0 {
					t.Error("a place is still taken")
				}
				closeIt(t, c)
			})
		})
	}
}

// A stream that is taken up again and answered with JSON brought what it brought:
// it is not called empty, and the answer in it counts.
func TestAStreamTakenUpAgainIsAnsweredWithJSON(t *testing.T) {
	for name, tt := range map[string]struct {
		body string
		want session.State
		note string
	}{
		"the answer":      {`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, session.Done, ""},
		"something else":  {`{"jsonrpc":"2.0","method":"notifications/x"}`, session.Failed, "the answer held no response to this request"},
		"no message":      {`{"ok":true}`, session.Failed, `the answer is no JSON-RPC message: "{\"ok\":true}"`},
		"nothing, indeed": {``, session.Failed, "the answer is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScripted(t, mcp.Rev20251125)
			s.Handshake("2025-11-25", slow)
			c := s.connect()
			id, call := s.call() // it waits for the server's own stream, so that is refused by now
			s.On("GET", nil)
			call.SSE().Event(dictated.Event{ID: "e1", Retry: "10"}).End()
			get := s.Await("GET")
			if strings.Contains(tt.body, "%s") {
				tt.body = fmt.Sprintf(tt.body, call.ID())
			}
			get.Answer(200, "application/json", tt.body)
			wantEnd(t, c, id, tt.want, tt.note)
		})
	}
}
