//go:build unix

package mcpclient

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	dictated "belay/internal/peer"
	"belay/internal/requirements"
	"belay/session"
)

// What is no answer ends its call with the reason, and nothing else.
func TestAnswersThatAreNone(t *testing.T) {
	const page = "<h1>It works!</h1>"
	for _, tt := range []struct {
		name  string
		do    func(x *dictated.Exchange)
		state session.State
		words []string
	}{
		{"401", func(x *dictated.Exchange) { x.With("WWW-Authenticate", "Bearer").Answer(401, "", "") }, session.Failed, []string{"HTTP 401 Unauthorized"}},
		{"403", func(x *dictated.Exchange) { x.Answer(403, "text/plain", "go away") }, session.Failed, []string{"HTTP 403 Forbidden", `"go away"`}},
		{"405", func(x *dictated.Exchange) { x.Answer(405, "", "") }, session.Failed, []string{"HTTP 405 Method Not Allowed"}},
		{"413", func(x *dictated.Exchange) { x.Answer(413, "", "") }, session.Failed, []string{"HTTP 413 Content Too Large", "the body had"}},
		{"429", func(x *dictated.Exchange) { x.With("Retry-After", "3").Answer(429, "text/plain", "later") }, session.Failed, []string{"HTTP 429 Too Many Requests", `"later"`}},
		{"431", func(x *dictated.Exchange) { x.Answer(431, "", "") }, session.Failed, []string{"HTTP 431", "header fields of belay's own", "the largest"}},
		{"500", func(x *dictated.Exchange) { x.Answer(500, "text/html", page) }, session.Failed, []string{"HTTP 500 Internal Server Error", page}},
		{"502", func(x *dictated.Exchange) { x.Answer(502, "", "") }, session.Failed, []string{"HTTP 502 Bad Gateway"}},
		{"503", func(x *dictated.Exchange) { x.Head(503).Chunk("busy").End() }, session.Failed, []string{"HTTP 503 Service Unavailable", `"busy"`}},
		{"a body that is cut", func(x *dictated.Exchange) { x.Head(500).Chunk("oh").Cut() }, session.Failed, []string{"HTTP 500", "closed the connection in the middle"}},
		{"202", (*dictated.Exchange).Accepted, session.Failed, []string{"HTTP 202"}},
		{"204", func(x *dictated.Exchange) { x.Answer(204, "", "") }, session.Failed, []string{"HTTP 204 No Content instead of a response"}},
		{"204 with a type", func(x *dictated.Exchange) { x.Answer(204, "application/json", "") }, session.Failed, []string{"HTTP 204 No Content instead of a response"}},
		{"html", func(x *dictated.Exchange) { x.Answer(200, "text/html; charset=utf-8", page) }, session.Failed, []string{"text/html instead of JSON", page}},
		{"no type", func(x *dictated.Exchange) { x.Answer(200, "", page) }, session.Failed, []string{"without a content type"}},
		{"an odd type", func(x *dictated.Exchange) { x.Answer(200, "application/json;;=", "{}") }, session.Failed, []string{"instead of JSON"}},
		{"no JSON", func(x *dictated.Exchange) { x.Answer(200, "application/json", "{oops") }, session.Failed, []string{`no JSON-RPC message: "{oops"`}},
		{"gzip", func(x *dictated.Exchange) {
			x.With("Content-Encoding", "GZip").Answer(200, "application/json", "\x1f\x8b\x08\x00")
		}, session.Failed, []string{`compressed with "gzip"`, "Accept-Encoding: identity"}},
		{"a page in brotli", func(x *dictated.Exchange) {
			x.With("Content-Encoding", "br").Answer(500, "text/html", "\x1b\x03")
		}, session.Failed, []string{`HTTP 500 Internal Server Error; its body is compressed with "br"`}},
		{"a stream in gzip", func(x *dictated.Exchange) {
			x.With("Content-Encoding", "gzip").SSE().Chunk("\x1f\x8b").End()
		}, session.Failed, []string{`compressed with "gzip"`}},
		{"a batch", func(x *dictated.Exchange) {
			x.Answer(200, "application/json", "["+string(x.Request.Body)+","+string(x.Request.Body)+"]")
		}, session.Failed, []string{"a batch, which 20", "does not know"}},
		{"nothing", func(x *dictated.Exchange) { x.Answer(200, "application/json", "") }, session.Failed, []string{"the answer is empty"}},
		{"another ID", func(x *dictated.Exchange) {
			x.Answer(200, "application/json", `{"jsonrpc":"2.0","id":4711,"result":{"content":[]}}`)
		}, session.Failed, []string{"no response to this request"}},
		{"no head", (*dictated.Exchange).Cut, session.Lost, []string{"closed the connection"}},
		{"a reset", (*dictated.Exchange).Reset, session.Lost, []string{"the server broke the connection off"}},
		{"no HTTP", func(x *dictated.Exchange) { x.Raw("220 smtp.example ESMTP\r\n").Cut() }, session.Lost, []string{"malformed HTTP"}},
		{"half a head", func(x *dictated.Exchange) { x.Raw("HTTP/1.1 200 OK\r\nContent-Ty").Cut() }, session.Lost, []string{"is no HTTP: malformed"}},
		{"a TLS alert", func(x *dictated.Exchange) { x.Raw("\x15\x03\x01\x00\x02\x02\x46").Cut() }, session.Lost, []string{"speaks TLS there"}},
		{"half a body", func(x *dictated.Exchange) {
			x.Raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"jsonrpc\"").Cut()
		}, session.Lost, []string{"closed the connection in the middle"}},
		{"a control byte in the head", func(x *dictated.Exchange) {
			x.Raw("HTTP/1.1 200 OK\r\nX-Odd\x01: 1\r\nContent-Length: 0\r\n\r\n").Cut()
		}, session.Lost, []string{"malformed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inEachEra(t, func(t *testing.T, s *scripted) {
				c := s.connect()
				sibling, other := s.call()
				id, x := s.call()
				tt.do(x)
				wantEnd(t, c, id, tt.state, tt.words...)
				other.JSONResult(s.ok)
				wantState(t, c, sibling, session.Done)
				s.works()
				if n := count(s.Peer, "tools/call"); n != 3 {
					t.Errorf("%d POSTs of three calls", n)
				}
			})
		})
	}
}

// Every request says that its answer is to come as it is: without that a server
// may compress it as it likes. What is called identity is not compressed.
func TestNothingCompressedIsAskedFor(t *testing.T) {
	inEachEra(t, func(t *testing.T, s *scripted) {
		c := s.connect(func(o *Options) { o.HTTP.Header = http.Header{"Accept-Encoding": {"gzip, br"}} })
		id, x := s.call()
		x.With("Content-Encoding", "identity").JSONResult(s.ok)
		wantState(t, c, id, session.Done)
		closeIt(t, c)
		for _, r := range s.Requests() {
			if got := r.Header.Values("Accept-Encoding"); len(got) != 1 || got[0] != "identity" {
				t.Errorf("%s went with Accept-Encoding %q", r.Kind(), got)
			}
		}
	})
}

// A 404 of a server without sessions is a status like any other, with one it is
// the end of the session: a new one begins, and no call is repeated.
func TestNotFound(t *testing.T) {
	requirements.Rows(t, "HTL-41", "HTL-42")
	inEachEra(t, func(t *testing.T, s *scripted) {
		c := s.connect()
		id, x := s.call()
		x.Answer(404, "text/plain", "no such thing")
		if s.rev.IsModern() {
			wantEnd(t, c, id, session.Failed, "HTTP 404 Not Found")
			s.works()
			return
		}
		wantEnd(t, c, id, session.Lost, "ended the session (HTTP 404)")
		await(t, c, "a new session", func(v *session.Session) bool {
			st := v.Status()
			return st.Epoch == 2 && st.Phase == session.Ready
		})
		inits := s.Requests("initialize")
		if len(inits) != 2 || len(inits[1].Header["Mcp-Session-Id"]) != 0 || count(s.Peer, "tools/call") != 1 {
			t.Errorf("%d times initialize, %v; %d calls", len(inits), inits[len(inits)-1].Header, count(s.Peer, "tools/call"))
		}
		s.works()
	})
}

// An answer is taken whenever and however it comes.
func TestAnswersThatAreOdd(t *testing.T) {
	requirements.Rows(t, "HTM-12")
	for name, do := range map[string]func(x *dictated.Exchange, result string){
		"a head that comes late": func(x *dictated.Exchange, result string) { x.SSE().Result(result).End() },
		"a byte at a time": func(x *dictated.Exchange, result string) {
			x.SSE().Bytes(fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", x.ID(), result)).End()
		},
		"comments between the fields": func(x *dictated.Exchange, result string) {
			x.SSE().Comment("one").Chunk(":\n\n:\n").Chunk("event: message\n: two\ndata: {\"jsonrpc\":\"2.0\",\n: three\n").
				Chunk(fmt.Sprintf("data: \"id\":%s,\"result\":%s}\n\n", x.ID(), result)).Comment("four").End()
		},
		"carriage returns": func(x *dictated.Exchange, result string) {
			x.SSE().Chunk(dictated.Event{Data: fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, x.ID(), result)}.Ends("\r")).Chunk("\r").End()
		},
		"a byte order mark, unknown fields and lines without a colon": func(x *dictated.Exchange, result string) {
			x.SSE().Chunk("\xEF\xBB\xBFfoo: bar\nbaz\nretry: soon\nretry\nid: \x00\n\n").Result(result).End()
		},
		"two answers": func(x *dictated.Exchange, result string) { x.SSE().Result(result).Result(result).End() },
		"broken messages before it": func(x *dictated.Exchange, result string) {
			x.SSE().Message("{").Message("7").Message("").Message(`{"jsonrpc":"2.0"}`).Result(result).End()
		},
		"another charset": func(x *dictated.Exchange, result string) {
			x.Answer(200, "Application/JSON; charset=UTF-8", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, x.ID(), result))
		},
		"a pretty body": func(x *dictated.Exchange, result string) {
			x.Answer(200, "application/json", fmt.Sprintf("\r\n{\r\n \"jsonrpc\": \"2.0\",\r\n \"id\": %s,\r\n \"result\": %s\r\n}\r\n", x.ID(), result))
		},
		"a status of success": func(x *dictated.Exchange, result string) {
			x.Answer(206, "application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, x.ID(), result))
		},
		"a body up to the end of the connection": func(x *dictated.Exchange, result string) {
			x.Raw(fmt.Sprintf("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", x.ID(), result)).Cut()
		},
		"informational heads": func(x *dictated.Exchange, result string) {
			x.Raw("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + fmt.Sprintf("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", x.ID(), result)).Cut()
		},
	} {
		t.Run(name, func(t *testing.T) {
			inEachEra(t, func(t *testing.T, s *scripted) {
				c := s.connect()
				id, x := s.call()
				do(x, s.ok)
				wantState(t, c, id, session.Done)
				s.works()
			})
		})
	}
}

// A stream that ends before the answer is taken up again where that is possible,
// after the time that the server wants, and otherwise ends its call.
func TestStreamsThatBreak(t *testing.T) {
	requirements.Rows(t, "HTM-14")
	type step = func(x *dictated.Exchange) *dictated.Exchange
	in := func(x *dictated.Exchange) *dictated.Exchange { return x.Chunk("data: {\"jsonrpc\"") }
	id := func(x *dictated.Exchange) *dictated.Exchange { return x.Event(dictated.Event{ID: "7", Retry: "20"}) }
	none := func(x *dictated.Exchange) *dictated.Exchange { return x }
	for name, tt := range map[string]struct {
		before  step
		end     func(x *dictated.Exchange)
		resumes bool
	}{
		"ended":                {none, (*dictated.Exchange).End, false},
		"cut":                  {none, (*dictated.Exchange).Cut, false},
		"reset":                {none, (*dictated.Exchange).Reset, false},
		"cut in an event":      {in, (*dictated.Exchange).Cut, false},
		"ended in an event":    {in, (*dictated.Exchange).End, false},
		"ended after an ID":    {id, (*dictated.Exchange).End, true},
		"cut after an ID":      {id, (*dictated.Exchange).Cut, true},
		"cut in an event + ID": {func(x *dictated.Exchange) *dictated.Exchange { return in(id(x)) }, (*dictated.Exchange).Cut, true},
	} {
		t.Run(name, func(t *testing.T) {
			inEachEra(t, func(t *testing.T, s *scripted) {
				c := s.connect()
				s.pastListening()
				call, x := s.call()
				tt.end(tt.before(x.SSE()))
				if !tt.resumes || s.rev.IsModern() {
					want := session.Lost
					if !s.rev.IsModern() && strings.HasPrefix(name, "ended") {
						want = session.Failed
					}
					wantEnd(t, c, call, want)
					s.works()
					if n := count(s.Peer, "tools/call"); n != 2 {
						t.Errorf("%d POSTs of two calls", n)
					}
					return
				}
				again := s.Await("GET")
				if got := again.Header["Last-Event-Id"]; len(got) != 1 || got[0] != "7" || again.Header.Get("Mcp-Session-Id") != dictated.SessionID {
					t.Errorf("taken up with %v", again.Header)
				}
				again.SSE().Message(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, x.ID(), s.ok)).End()
				wantState(t, c, call, session.Done)
				if n := count(s.Peer, "tools/call"); n != 1 {
					t.Errorf("%d POSTs of one call", n)
				}
			})
		})
	}
}

// pastListening answers the GET for what belongs to no request, and leaves those
// after it to the test.
func (s *scripted) pastListening() {
	if s.rev.IsModern() {
		return
	}
	await(s.t, s.c, "the answer to GET", func(*session.Session) bool { return count(s.Peer, "GET") > 0 })
	s.On("GET", nil)
}

// A server that says nothing for long is waited for as long as the call may
// take, whatever keeps its stream alive: bytes that make no message are silence.
func TestAStreamThatIsKeptAlive(t *testing.T) {
	requirements.Rows(t, "HTM-53")
	for name, bytes := range map[string]string{"comments": ": still here\n\n", "a line, a byte at a time": "x"} {
		t.Run(name, func(t *testing.T) { keptAlive(t, bytes) })
	}
}

func keptAlive(t *testing.T, bytes string) {
	inEachEra(t, func(t *testing.T, s *scripted) {
		var clock standing // the time of silence begins when the stream has
		c := s.connect(func(o *Options) { o.Now = clock.now })
		clock.stop()
		var id session.CallID
		id, _ = callOf(c.Do(session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"slow"}`), Idle: 300 * time.Millisecond}}))
		s.On("notifications/cancelled", (*dictated.Exchange).Accepted)
		x := s.Await("tools/call").SSE().Chunk("data: \n")
		clock.goOn()
		done := make(chan struct{})
		go func() {
			defer close(done)
			x.Endless(bytes)
		}()
		await(t, c, "the end of the call", func(v *session.Session) bool {
			r, _ := v.Row(id)
			return r.State >= session.Cancelling
		})
		c.Kill()
		<-done
	})
}
