//go:build unix

package mcpclient

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	dictated "belay/internal/peer"
	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
)

// usersKey is what must never reach another server.
const usersKey = "s3cret-of-the-user"

func withSecret(o *Options) {
	o.HTTP.Header = http.Header{"Authorization": {"Bearer " + usersKey}, "Cookie": {"c=" + usersKey}, "X-Api-Key": {usersKey}}
}

// Another origin gets nothing: no request, not even without what is secret.
func TestNothingGoesToAnotherOrigin(t *testing.T) {
	requirements.Rows(t, "HTM-52", "SEC-34")
	for _, code := range []int{301, 302, 303, 307, 308} {
		t.Run(http.StatusText(code), func(t *testing.T) {
			inEachEra(t, func(t *testing.T, s *scripted) {
				elsewhere := dictated.New(t)
				elsewhere.On("", func(x *dictated.Exchange) { x.Accepted() })
				c := s.connect(withSecret)
				for range 2 {
					id, x := s.call()
					x.Redirect(code, elsewhere.URL())
					wantEnd(t, c, id, session.Failed, "HTTP 30", "redirects from "+strings.TrimSuffix(s.URL(), dictated.Path), "to "+strings.TrimSuffix(elsewhere.URL(), dictated.Path), "sends nothing to another origin")
				}
				// The cancel of a call, and the end of the session.
				s.On("notifications/cancelled", func(x *dictated.Exchange) { x.Redirect(code, elsewhere.URL()) })
				s.On("DELETE", func(x *dictated.Exchange) { x.Redirect(code, elsewhere.URL()) })
				id, x := s.call()
				cancelCall(c, id)
				x.JSONResult(s.ok)
				outcome(t, c, id)
				closeIt(t, c)
				if n := len(elsewhere.Requests()); n != 0 {
					t.Errorf("the other server got %d requests: %q", n, elsewhere.Story())
				}
				for _, r := range s.Requests() {
					if r.Header.Get("Authorization") != "Bearer "+usersKey || r.Header.Get("X-Api-Key") != usersKey {
						t.Errorf("%s went with %v", r.Kind(), r.Header)
					}
				}
			})
		})
	}
}

// What is no address of HTTP is named as what it is, without what may be secret.
func TestRedirectToNoHTTP(t *testing.T) {
	inEachEra(t, func(t *testing.T, s *scripted) {
		c := s.connect()
		for to, want := range map[string]string{"file:///etc/passwd": "redirects to file:///etc/passwd,", "ftp://u:" + usersKey + "@h/x?y=" + usersKey: "redirects to ftp://h/x?…,"} {
			id, x := s.call()
			x.Redirect(307, to)
			wantEnd(t, c, id, session.Failed, "HTTP 307", want, "not an address of HTTP")
		}
		s.works()
	})
}

// A port, a scheme or a name in another spelling is another origin; a server that
// redirects the opening is told of when connecting.
func TestARedirectedOpening(t *testing.T) {
	inEachEra(t, func(t *testing.T, s *scripted) {
		elsewhere := dictated.New(t)
		for _, kind := range []string{"initialize", "server/discover"} {
			s.On(kind, func(x *dictated.Exchange) { x.Redirect(307, elsewhere.URL()) })
		}
		c := dial(t, s.URL(), s.rev, withSecret)
		if f := failure(t, c); !strings.Contains(f.Text, "sends nothing to another origin") || !strings.Contains(f.Hint, "the address it leads to") {
			t.Errorf("%+v", f)
		}
		if n := len(elsewhere.Requests()); n != 0 {
			t.Errorf("the other server got %q", elsewhere.Story())
		}
	})
}

// Within the origin a redirection that keeps the body is followed, and told.
func TestARedirectionWithinTheOrigin(t *testing.T) {
	requirements.Rows(t, "HTL-53", "HTM-54")
	for _, code := range []int{307, 308} {
		inEachEra(t, func(t *testing.T, s *scripted) {
			c := s.connect(withSecret)
			id, x := s.call()
			x.Redirect(code, "/elsewhere?x=1")
			moved := s.Await("tools/call")
			if moved.Path != "/elsewhere?x=1" || string(moved.Body) != string(x.Body) || moved.Header.Get("Authorization") != "Bearer "+usersKey ||
				moved.Header.Get("Mcp-Protocol-Version") != string(s.rev) || moved.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%s %s %v", moved.Path, moved.Body, moved.Header)
			}
			moved.JSONResult(s.ok)
			wantState(t, c, id, session.Done)
			for range 2 {
				id, x := s.call()
				x.Redirect(code, "/elsewhere?x=1")
				s.Await("tools/call").JSONResult(s.ok)
				wantState(t, c, id, session.Done)
			}
			var told []session.Diagnostic
			c.View(func(v *session.Session) {
				told = slices.DeleteFunc(v.Diagnostics(), func(d session.Diagnostic) bool { return d.Code != mcp.DiagRedirect })
			})
			if len(told) != 1 || told[0].Count != 3 {
				t.Errorf("three calls are told as %+v", told)
			}
			if !has(c, mcp.DiagRedirect) || !strings.Contains(details(c, mcp.DiagRedirect), "/elsewhere") {
				t.Errorf("not told: %q", details(c, mcp.DiagRedirect))
			}
			s.works()
		})
	}
}

// What would lose the body is not followed, and a loop ends.
func TestRedirectionsThatAreNotFollowed(t *testing.T) {
	for _, tt := range []struct {
		code  int
		to    string
		state session.State
		want  string
	}{
		{301, "/other", session.Failed, "lose its body, to "},
		{301, dictated.Path, session.Failed, "redirects the POST to the same address"},
		{302, "/other", session.Failed, "lose its body"},
		{303, "/other", session.Failed, "lose its body"},
		{307, dictated.Path, session.Failed, "without end"},
		{307, "ftp://example.com/", session.Failed, "not an address of HTTP"},
		{307, "http://[/", session.Lost, "Location"},
		{307, "", session.Failed, "HTTP 307"},
		{300, "/other", session.Failed, "HTTP 300"},
	} {
		inEachEra(t, func(t *testing.T, s *scripted) {
			c := s.connect()
			s.On("tools/call", func(x *dictated.Exchange) { x.Redirect(tt.code, tt.to) })
			wantEnd(t, c, callTool(t, c, "slow", "{}"), tt.state, tt.want)
			if n := count(s.Peer, "tools/call"); n > maxHops+1 {
				t.Errorf("%d POSTs", n)
			}
			s.On("tools/call", nil)
			s.works()
		})
	}
}

// Cookies are not kept.
func TestCookiesAreNotKept(t *testing.T) {
	requirements.Rows(t, "HTM-52")
	inEachEra(t, func(t *testing.T, s *scripted) {
		c := s.connect()
		for range 3 {
			id, x := s.call()
			x.With("Set-Cookie", "session=abc; Path=/").JSONResult(s.ok)
			wantState(t, c, id, session.Done)
		}
		closeIt(t, c)
		for _, r := range s.Requests() {
			if len(r.Header["Cookie"]) != 0 {
				t.Errorf("%s went with the cookie %q", r.Kind(), r.Header["Cookie"])
			}
		}
	})
}

// A session ID that cannot be sent back ends the handshake, with the reason.
func TestSessionIDsThatCannotBeSentBack(t *testing.T) {
	requirements.Rows(t, "HTL-37")
	for name, id := range map[string]string{"a control byte": "a\x01b", "not ASCII": "sä", "a space": "a b", "a tab": "a\tb", "delete": "a\x7fb"} {
		t.Run(name, func(t *testing.T) {
			s := newScripted(t, mcp.Rev20251125)
			s.Handshake("2025-11-25", slow)
			s.On("initialize", func(x *dictated.Exchange) {
				x.With("Mcp-Session-Id", id).JSONResult(`{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"peer","version":"1"}}`)
			})
			c := dial(t, s.URL(), s.rev)
			if f := failure(t, c); !strings.Contains(f.Text, "session ID") && !strings.Contains(f.Text, "is no HTTP") {
				t.Errorf("%+v", f)
			}
			if all := kinds(s.Peer); !slices.Equal(all, []string{"initialize"}) {
				t.Errorf("the server got %q", all)
			}
		})
	}
}

func cancelCall(c *Client, id session.CallID) {
	_, _ = c.Do(session.Cancel{Call: id, Reason: "enough"})
}
