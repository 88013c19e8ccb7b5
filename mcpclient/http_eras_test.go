//go:build unix

package mcpclient

import (
	"slices"
	"testing"
	"time"

	dictated "belay/internal/peer"
	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
	"belay/session/negotiate"
)

// A server that speaks both eras at one address has a connection in each, side
// by side, and neither sees anything of the other.
func TestBothErasSideBySide(t *testing.T) {
	requirements.Rows(t, "VER-54")
	both := newScripted(t, mcp.Rev20260728)
	both.Modern(slow).Handshake("2025-11-25", slow)
	both.On("tools/list", func(x *dictated.Exchange) {
		x.JSONResult(`{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[` + slow + `]}`)
	})
	modern := both.connect()
	both.rev = mcp.Rev20251125
	legacy := both.connect()
	for range 2 {
		for _, c := range []*Client{modern, legacy} {
			rev := status(c).Revision
			id := callTool(t, c, "slow", "{}")
			x := both.Await("tools/call")
			if got := x.Header.Get("Mcp-Protocol-Version"); got != string(rev) {
				t.Errorf("a call of %s went with %q", rev, got)
			}
			wantSession := ""
			if c == legacy {
				wantSession = dictated.SessionID
			}
			if got := x.Header.Get("Mcp-Session-Id"); got != wantSession {
				t.Errorf("a call of %s went with the session %q", rev, got)
			}
			x.JSONResult(`{"resultType":"complete","content":[]}`)
			wantState(t, c, id, session.Done)
		}
	}
	if m, l := status(modern).Revision, status(legacy).Revision; m != mcp.Rev20260728 || l != mcp.Rev20251125 {
		t.Errorf("%s and %s", m, l)
	}
	closeIt(t, legacy)
	if st := status(modern); st.Phase != session.Ready {
		t.Errorf("the other one has ended: %v", st.Phase)
	}
}

// A server that takes its time answers both requests of the opening. It is
// connected to once more, in the modern era; the session that initialize began is
// ended, and is used for nothing.
func TestAnAddressThatAnswersBothRequests(t *testing.T) {
	p := dictated.New(t)
	p.On("DELETE", func(x *dictated.Exchange) { x.Answer(204, "", "") }).On("tools/list", func(x *dictated.Exchange) {
		x.JSONResult(`{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[]}`)
	})
	var clock standing // a slow machine must not take the time for the other answer away
	c := dial(t, p.URL(), "", func(o *Options) { o.Session.DiscoverLimit, o.Now = 20*time.Millisecond, clock.now })
	probe := p.Await("server/discover")
	init := p.Await("initialize")
	clock.stop()
	init.With("Mcp-Session-Id", dictated.SessionID).JSONResult(`{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"peer","version":"1"}}`)
	await(t, c, "the answer to initialize", func(s *session.Session) bool { return s.Status().Awaits == negotiate.ForDiscoverToo })
	const modern = `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
	probe.JSONResult(modern)
	p.Await("server/discover").JSONResult(modern)
	awaitReady(t, c)
	if st := status(c); st.Revision != mcp.Rev20260728 || st.Epoch != 2 || !st.StartedAgain {
		t.Errorf("connection %d, %s", st.Epoch, st.Revision)
	}
	for _, r := range p.Requests() {
		if named := r.Header.Get("Mcp-Session-Id") != ""; named != (r.Kind() == "DELETE") {
			t.Errorf("%s names the session: %v", r.Kind(), named)
		}
	}
	got := kinds(p, "server/discover", "initialize", "notifications/initialized", "DELETE")
	slices.Sort(got[:min(2, len(got))]) // they go over connections of their own, and which one a server reads first is the machine's
	if !slices.Equal(got, []string{"initialize", "server/discover", "DELETE", "server/discover"}) {
		t.Errorf("it got %v", got)
	}
}

// A server of the modern era that turns initialize away, and takes its time for
// server/discover: nothing is closed meanwhile, and the connection goes on in the modern
// era.
func TestAnAddressThatTurnsInitializeAway(t *testing.T) {
	for name, refuse := range map[string]func(x *dictated.Exchange){
		"an error": func(x *dictated.Exchange) { x.JSONError(200, `{"code":-32601,"message":"Method not found"}`) },
		"404":      func(x *dictated.Exchange) { x.Answer(404, "text/plain", "not found") },
		"400":      func(x *dictated.Exchange) { x.Answer(400, "text/plain", "no") },
	} {
		t.Run(name, func(t *testing.T) {
			p := dictated.New(t)
			p.On("tools/list", func(x *dictated.Exchange) {
				x.JSONResult(`{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[]}`)
			})
			c := dial(t, p.URL(), "", func(o *Options) { o.Session.DiscoverLimit = 20 * time.Millisecond })
			probe := p.Await("server/discover")
			refuse(p.Await("initialize"))
			await(t, c, "the refusal", func(s *session.Session) bool { return s.Status().Awaits == negotiate.ForDiscoverAlone })
			if st := status(c); st.InVain == "" || st.AwaitsUntil.Sub(st.Started) < 2*time.Minute {
				t.Errorf("%q, until %v after %v", st.InVain, st.AwaitsUntil, st.Started)
			}
			probe.JSONResult(`{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
			awaitReady(t, c)
			if st := status(c); st.Revision != mcp.Rev20260728 || st.Epoch != 1 {
				t.Errorf("connection %d, %s", st.Epoch, st.Revision)
			}
			got := kinds(p, "server/discover", "initialize", "GET")
			if slices.Sort(got); !slices.Equal(got, []string{"initialize", "server/discover"}) {
				t.Errorf("it got %v", got)
			}
		})
	}
}
