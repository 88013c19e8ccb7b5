//go:build unix

package mcpclient

import (
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"testing"

	"belay/session"
)

// closing is a transport whose connections the server closes as a call takes
// them.
type closing struct {
	http.RoundTripper
	left     atomic.Int32 // how often it happens
	kept     bool         // the connection had carried something before
	reads    bool         // the body was asked for when it happens
	attempts atomic.Int32
}

// RoundTrip implements http.RoundTripper.
func (c *closing) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodPost || c.left.Add(-1) < 0 {
		return c.RoundTripper.RoundTrip(req)
	}
	c.attempts.Add(1)
	httptrace.ContextClientTrace(req.Context()).GotConn(httptrace.GotConnInfo{Reused: c.kept})
	if c.reads {
		_, _ = io.ReadAll(req.Body)
	}
	return nil, io.EOF
}

// A call whose connection turns out to be closed before its body was asked for is
// sent on another one. As soon as any of it may have left, it is not.
func TestAConnectionThatWentStale(t *testing.T) {
	for name, tt := range map[string]struct {
		times       int32
		kept, reads bool
		attempts    int32
		state       session.State
		note        string
	}{
		"once":              {times: 1, kept: true, attempts: 1, state: session.Done},
		"many times":        {times: maxAttempts - 1, kept: true, attempts: maxAttempts - 1, state: session.Done},
		"always":            {times: 1000, kept: true, attempts: maxAttempts, state: session.Failed, note: "could not be sent"},
		"a new connection":  {times: 1, attempts: 1, state: session.Failed, note: "could not be sent"},
		"the body has left": {times: 1, kept: true, reads: true, attempts: 1, state: session.Lost, note: "the exchange broke"},
	} {
		t.Run(name, func(t *testing.T) {
			inEachEra(t, func(t *testing.T, s *scripted) {
				between := &closing{kept: tt.kept, reads: tt.reads}
				c := s.connect(func(o *Options) {
					o.HTTP.over = func(t http.RoundTripper) http.RoundTripper { between.RoundTripper = t; return between }
				})
				between.left.Store(tt.times)
				came := len(s.Requests("tools/call"))
				id := callTool(t, c, "slow", "{}")
				if tt.state == session.Done {
					s.Await("tools/call").JSONResult(s.ok)
				}
				d := outcome(t, c, id)
				if d.State != tt.state || !strings.Contains(d.Note, tt.note) || between.attempts.Load() != tt.attempts {
					t.Errorf("%v (%s) after %d attempts", d.State, d.Note, between.attempts.Load())
				}
				want := 0
				if tt.state == session.Done {
					want = 1
				}
				if n := len(s.Requests("tools/call")) - came; n != want {
					t.Errorf("the server got %d calls, want %d", n, want)
				}
				between.left.Store(0)
			})
		})
	}
}
