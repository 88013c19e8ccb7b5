//go:build unix

package mcpclient

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	dictated "belay/internal/peer"
	"belay/session"
	"belay/session/mcp"
)

// slow is a tool of every scripted server over HTTP.
const slow = `{"name":"slow","inputSchema":{"type":"object"}}`

// The two eras, each with its revision and how a scripted server behaves in it.
var eras = []struct {
	rev   mcp.Revision
	begin func(p *dictated.Peer)
	ok    string // a result of a tool
}{
	{mcp.Rev20251125, func(p *dictated.Peer) { p.Handshake("2025-11-25", slow) }, `{"content":[]}`},
	{mcp.Rev20260728, func(p *dictated.Peer) { p.Modern(slow) }, `{"resultType":"complete","content":[]}`},
}

// inEachEra runs a test against a scripted server in either era.
func inEachEra(t *testing.T, f func(t *testing.T, s *scripted)) {
	for _, era := range eras {
		t.Run(string(era.rev), func(t *testing.T) {
			s := newScripted(t, era.rev)
			s.ok = era.ok
			era.begin(s.Peer)
			f(t, s)
		})
	}
}

// scripted is a server over HTTP whose bytes the test dictates, and the client
// that talks to it.
type scripted struct {
	*dictated.Peer
	t   testing.TB
	rev mcp.Revision
	ok  string
	c   *Client
}

func newScripted(t testing.TB, rev mcp.Revision) *scripted {
	return &scripted{Peer: dictated.New(t), t: t, rev: rev, ok: `{"content":[]}`}
}

// connect connects a client in the revision of the server.
func (s *scripted) connect(change ...func(*Options)) *Client {
	s.t.Helper()
	s.c = dial(s.t, s.URL(), s.rev, change...)
	awaitReady(s.t, s.c)
	await(s.t, s.c, "the tools", func(v *session.Session) bool { return v.Catalog().Lists[mcp.Tools].Complete })
	return s.c
}

// call makes a call that has arrived at the server.
func (s *scripted) call() (session.CallID, *dictated.Exchange) {
	s.t.Helper()
	id := callTool(s.t, s.c, "slow", "{}")
	return id, s.Await("tools/call")
}

// works shows that the connection is as good as ever.
func (s *scripted) works() {
	s.t.Helper()
	id, x := s.call()
	x.JSONResult(s.ok)
	wantState(s.t, s.c, id, session.Done)
	if st := status(s.c); st.Phase != session.Ready {
		s.t.Errorf("the connection is %v", st.Phase)
	}
}

// dial starts a client of a server over HTTP, which is killed when the test
// ends.
func dial(t testing.TB, endpoint string, pin mcp.Revision, change ...func(*Options)) *Client {
	t.Helper()
	o := Options{
		HTTP:     HTTPOptions{Endpoint: endpoint, NoLogin: true},
		Session:  session.Config{ClientName: "belay", ClientVersion: "test", Pin: pin},
		Shutdown: patient,
	}
	for _, f := range change {
		f(&o)
	}
	c := New(o)
	t.Cleanup(func() {
		c.Kill()
		closeIt(t, c)
	})
	if err := c.Start(); err != nil {
		t.Fatalf("Start: %v", err)
	}
	return c
}

// standing is a clock that can be stopped for as long as a test needs.
type standing struct{ at atomic.Pointer[time.Time] }

func (s *standing) now() time.Time {
	if at := s.at.Load(); at != nil {
		return *at
	}
	return time.Now()
}

func (s *standing) stop() {
	at := time.Now()
	s.at.Store(&at)
}

func (s *standing) goOn() { s.at.Store(nil) }

func status(c *Client) (st session.Status) {
	c.View(func(s *session.Session) { st = s.Status() })
	return st
}

// failure waits until a connection has failed, and says how.
func failure(t testing.TB, c *Client) session.Failure {
	t.Helper()
	await(t, c, "a failure", func(s *session.Session) bool {
		st := s.Status()
		return st.Failure != nil && st.Phase == session.Disconnected
	})
	return *status(c).Failure
}

// wantEnd waits for the end of a call and for words in what is said of it.
func wantEnd(t testing.TB, c *Client, id session.CallID, want session.State, words ...string) {
	t.Helper()
	d := wantState(t, c, id, want)
	for _, w := range words {
		if !strings.Contains(d.Note, w) {
			t.Errorf("%q lacks %q", d.Note, w)
		}
	}
}

// kinds are the kinds of all requests that have arrived, in order.
func kinds(p *dictated.Peer, of ...string) (all []string) {
	for _, r := range p.Requests(of...) {
		all = append(all, r.Kind())
	}
	return all
}

func count(p *dictated.Peer, kind string) int { return len(p.Requests(kind)) }
