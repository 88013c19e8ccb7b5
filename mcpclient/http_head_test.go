//go:build unix

package mcpclient

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	dictated "belay/internal/peer"
	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
)

// Every POST says that both kinds of answers are understood, and carries one
// message, whatever the user's own header fields are.
func TestWhatEveryPOSTHas(t *testing.T) {
	requirements.Rows(t, "HTL-06", "HTL-07", "HTM-02", "HTM-04")
	for _, rev := range []mcp.Revision{mcp.Rev20250326, mcp.Rev20250618, mcp.Rev20251125, mcp.Rev20260728} {
		t.Run(string(rev), func(t *testing.T) {
			s := newScripted(t, rev)
			s.Handshake(string(rev), slow)
			if rev.IsModern() {
				s.Modern(slow)
				s.ok = `{"resultType":"complete","content":[]}`
			}
			c := s.connect(func(o *Options) {
				o.HTTP.Header = http.Header{"Accept": {"text/plain"}, "Content-Type": {"text/plain"}, "X-Own": {"kept"}}
			})
			for range 5 {
				id, x := s.call()
				x.JSONResult(s.ok)
				wantState(t, c, id, session.Done)
			}
			id, x := s.call()
			cancelCall(c, id)
			if !rev.IsModern() {
				s.Await("notifications/cancelled").Accepted()
				x.JSONResult(s.ok)
			}
			outcome(t, c, id)
			s.works()
			posts := 0
			for _, r := range s.Requests() {
				if r.Method != http.MethodPost {
					continue
				}
				posts++
				if got := r.Header.Values("Accept"); len(got) != 1 || got[0] != "application/json, text/event-stream" {
					t.Errorf("%s: Accept %q", r.Kind(), got)
				}
				if got := r.Header.Values("Content-Type"); len(got) != 1 || got[0] != "application/json" || r.Header.Get("X-Own") != "kept" {
					t.Errorf("%s: Content-Type %q, X-Own %q", r.Kind(), got, r.Header.Get("X-Own"))
				}
				var message struct {
					JSONRPC string `json:"jsonrpc"`
					Method  string `json:"method"`
				}
				if err := json.Unmarshal(r.Body, &message); err != nil || message.JSONRPC != "2.0" || message.Method == "" {
					t.Errorf("not one request or notification: %v in %s", err, r.Body)
				}
			}
			if n := count(s.Peer, "tools/call"); n != 7 || posts < n+2 {
				t.Errorf("%d POSTs for 7 calls, %d in all", n, posts)
			}
		})
	}
}

// The User-Agent names belay, unless it is to be anonymous or the user has
// another one. Anonymous, no request has the field, nor any other word for who
// belay is.
func TestWhoEveryRequestSaysItIs(t *testing.T) {
	requirements.Rows(t, "VER-22")
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		for _, tt := range []struct {
			anonymous bool
			own       http.Header
			want      []string
		}{
			{want: []string{"belay/0.1"}},
			{own: http.Header{"User-Agent": {"other/2"}}, want: []string{"other/2"}},
			{anonymous: true},
			{anonymous: true, own: http.Header{"User-Agent": {"other/2"}}, want: []string{"other/2"}},
		} {
			s := newScripted(t, rev)
			s.Handshake(string(rev), slow)
			if rev.IsModern() {
				s.Modern(slow)
				s.ok = `{"resultType":"complete","content":[]}`
			}
			s.connect(func(o *Options) {
				o.Session.ClientVersion, o.Session.Anonymous, o.HTTP.Header = "0.1", tt.anonymous, tt.own
			})
			s.works()
			for _, r := range s.Requests() {
				if got := r.Header.Values("User-Agent"); !slices.Equal(got, tt.want) {
					t.Errorf("%s, %s, anonymous %v: User-Agent %q, want %q", rev, r.Kind(), tt.anonymous, got, tt.want)
				}
				if tt.anonymous && r.Kind() != "initialize" && bytes.Contains(r.Body, []byte("belay")) {
					t.Errorf("%s: %s says belay: %s", rev, r.Kind(), r.Body)
				}
			}
		}
	}
}

// The names of header fields are compared without case, their values with it.
func TestTheCaseOfHeaderFields(t *testing.T) {
	requirements.Rows(t, "HTM-43")
	for _, names := range [][2]string{{"mcp-session-id", "content-type"}, {"MCP-SESSION-ID", "CONTENT-TYPE"}, {"Mcp-Session-Id", "Content-Type"}} {
		s := newScripted(t, mcp.Rev20251125)
		s.Handshake("2025-11-25", slow)
		s.On("initialize", func(x *dictated.Exchange) {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}}`, x.ID())
			x.Raw(fmt.Sprintf("HTTP/1.1 200 OK\r\n%s: CaSe\r\n%s: application/json\r\nContent-Length: %d\r\n\r\n%s", names[0], names[1], len(body), body)).Cut()
		})
		s.connect()
		s.works()
		for _, r := range s.Requests("tools/call") {
			if got := r.Header.Get("Mcp-Session-Id"); got != "CaSe" {
				t.Errorf("%s: the session is %q", names[0], got)
			}
		}
	}
	for ids, want := range map[string]int{"one": 0, "two": 1} {
		s := newScripted(t, mcp.Rev20251125)
		s.Handshake("2025-11-25", slow)
		s.On("initialize", func(x *dictated.Exchange) {
			x.With("Mcp-Session-Id", "one").With("mcp-session-id", ids).JSONResult(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}`)
		})
		c := s.connect()
		s.works()
		n := 0
		c.locked(func(s *session.Session, _ time.Time) {
			for _, d := range s.Diagnostics() {
				if d.Code == mcp.DiagSessions {
					n++
				}
			}
		})
		if n != want {
			t.Errorf("one and %s: %d diagnostics", ids, n)
		}
	}
	s := newScripted(t, mcp.Rev20260728)
	s.Modern(slow)
	c := s.connect()
	for _, method := range []string{"vendor/CamelCase", "vendor/camelcase"} {
		s.On(method, func(x *dictated.Exchange) { x.JSONResult(`{"resultType":"complete"}`) })
		var id session.CallID
		id, _ = callOf(c.Do(session.StartCall{Spec: session.CallSpec{Method: method}}))
		wantState(t, c, id, session.Done)
		for _, r := range s.Requests(method) {
			if got := r.Header.Get("Mcp-Method"); got != method {
				t.Errorf("%s went with %q", method, got)
			}
		}
	}
}

// In the transport of 2024-11-05 leaving closes both connections: that of the
// stream, and that of a POST which is not answered yet.
func TestLeavingTheOldTransport(t *testing.T) {
	requirements.Rows(t, "HTL-04")
	for name, leave := range map[string]func(t *testing.T, c *Client){
		"close":   func(t *testing.T, c *Client) { closeIt(t, c) },
		"kill":    func(_ *testing.T, c *Client) { c.Kill() },
		"restart": func(_ *testing.T, c *Client) { _ = c.Restart() },
	} {
		t.Run(name, func(t *testing.T) {
			p := dictated.New(t).HTTPSSE(slow)
			p.On("notifications/cancelled", (*dictated.Exchange).Accepted)
			p.On("initialize", func(x *dictated.Exchange) {
				if x.Path == "/sse" {
					x.Answer(http.StatusMethodNotAllowed, "", "")
					return
				}
				x.Accepted()
				x.Result(`{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}`)
			})
			c := dial(t, p.At("/sse"), mcp.Rev20241105)
			awaitReady(t, c)
			stream := p.Stream()
			callTool(t, c, "slow", "{}")
			post := p.Await("tools/call")
			leave(t, c)
			post.AwaitAbort()
			stream.AwaitAbort()
		})
	}
}

// The ID of a session goes back to its server in a header field, and nowhere
// else: not in an address, a recording, or a text that is shown.
func TestTheSessionIDIsKeptSecret(t *testing.T) {
	requirements.Rows(t, "HTL-38")
	const sessionID = "Xq7-a-secret-of-the-session"
	path := filepath.Join(t.TempDir(), "recording")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	s := newScripted(t, mcp.Rev20251125)
	s.Handshake("2025-11-25", slow)
	s.On("initialize", func(x *dictated.Exchange) {
		x.With("Mcp-Session-Id", sessionID).JSONResult(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}`)
	})
	c := s.connect(func(o *Options) { o.Record = f })
	s.works()
	id, x := s.call()
	x.Answer(http.StatusNotFound, "text/plain", "no such session")
	wantState(t, c, id, session.Lost)
	await(t, c, "a new session", func(v *session.Session) bool { st := v.Status(); return st.Epoch == 2 && st.Phase == session.Ready })
	var shown []string
	c.View(func(v *session.Session) {
		shown = append(shown, fmt.Sprintf("%+v %+v %+v", v.Status(), v.Diagnostics(), v.Catalog()))
		for first, last := v.HistorySpan(); first <= last; first++ {
			e, _ := v.Entry(first)
			shown = append(shown, fmt.Sprintf("%+v %s", e, e.Raw))
		}
		for n := session.CallID(1); ; n++ {
			d, ok := v.Detail(n)
			if !ok {
				break
			}
			shown = append(shown, fmt.Sprintf("%+v", d))
		}
	})
	closeIt(t, c)
	recorded, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(recorded, []byte(sessionID)) || !bytes.Contains(recorded, []byte("tools/call")) {
		t.Error("the recording holds it, or nothing")
	}
	if all := strings.Join(shown, "\n"); strings.Contains(all, sessionID) || !strings.Contains(all, "ended the session") {
		t.Error("a text holds it, or there is none")
	}
	for _, r := range s.Requests() {
		if strings.Contains(r.Path, sessionID) || bytes.Contains(r.Body, []byte(sessionID)) {
			t.Errorf("%s: in the address or the body", r.Kind())
		}
		if got := r.Header.Get("Mcp-Session-Id"); r.Kind() != "initialize" && got != sessionID {
			t.Errorf("%s went with the session %q", r.Kind(), got)
		}
	}
}

// What of a head stands in sentences is cut where it is taken over: a field may have a megabyte, and a row
// keeps what is said of it.
func TestALongHeadIsCut(t *testing.T) {
	long := strings.Repeat("x", 1<<19)
	req := httptest.NewRequest(http.MethodPost, "http://peer.test/mcp", nil)
	resp := &http.Response{
		StatusCode: 200, ContentLength: 1, Request: httptest.NewRequest(http.MethodPost, "http://peer.test/"+long, nil),
		Header: http.Header{"Content-Type": {long}, "Retry-After": {long}, "Content-Encoding": {long}},
	}
	h := headOf(resp, req)
	for name, text := range map[string]string{"the address": h.At, "the media type": h.Media, "the time": h.Retry, "the compression": h.Packed} {
		if text == "" || len(text) > 1000 {
			t.Errorf("%s: %d bytes", name, len(text))
		}
	}
}

// The core is told whether those in between may hold the answer back.
func TestTheHeadSaysWhetherItIsHeldBack(t *testing.T) {
	requirements.Rows(t, "HTM-11")
	req := httptest.NewRequest(http.MethodPost, "http://peer.test/mcp", nil)
	for value, want := range map[string]bool{"": false, "yes": false, "no": true, " NO ": true} {
		resp := &http.Response{StatusCode: 200, Header: http.Header{"X-Accel-Buffering": {value}}}
		if got := headOf(resp, req).Unbuffered; got != want {
			t.Errorf("%q: %v", value, got)
		}
	}
}
