//go:build unix

package e2e

import (
	"net/http"
	"testing"
	"time"

	web "belay/internal/peer"
	"belay/internal/requirements"
)

// A server that ends its session is told of in a sentence, and not called to
// account for the form of its HTTP error; the next call goes to the new session.
func TestASessionThatEnds(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "HTL-42")
	peer := web.New(t).Handshake("2025-11-25", `{"name":"fragile","inputSchema":{"type":"object"}}`)
	peer.On("tools/call", func(x *web.Exchange) {
		x.Answer(http.StatusNotFound, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`)
	})
	s := reached(t, peer.URL(), "--protocol", "2025-11-25")
	s.See("http · 2025-11-25").call("fragile")
	s.See("the server has ended the session (HTTP 404)", "lost")
	if s.Screen().Contains("diagnostic") {
		t.Errorf("the error without an ID is held against it:\n%s", s.Screen().Framed())
	}
	peer.On("tools/call", func(x *web.Exchange) { x.JSONResult(`{"content":[{"type":"text","text":"ahoy"}]}`) })
	// The tools of the new session take the place of those that the picker would show.
	for deadline := time.Now().Add(hang); len(peer.Requests("tools/list")) < 2 && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	s.call("fragile").See("ahoy")
	s.Press("q").Exit(0)
	if n := len(peer.Requests("initialize")); n != 2 {
		t.Errorf("%d handshakes, want 2", n)
	}
	if n := len(peer.Requests("tools/call")); n != 2 {
		t.Errorf("%d calls, want 2: none is repeated by itself", n)
	}
}

// A login is offered for what a login can mend: a server that wants a password
// of the old kind says so, and nobody is registered anywhere.
func TestAPasswordIsNoLogin(t *testing.T) {
	t.Parallel()
	peer := web.New(t)
	for _, kind := range []string{"initialize", "server/discover"} {
		peer.On(kind, func(x *web.Exchange) {
			x.With("WWW-Authenticate", `Basic realm="x"`).Answer(http.StatusUnauthorized, "text/plain", "who are you?")
		})
	}
	s := reached(t, peer.URL())
	s.See("HTTP 401 Unauthorized", "--header")
	s.Press("q").Exit(3)
	for _, r := range peer.Requests() {
		if r.Kind() != "initialize" && r.Kind() != "server/discover" {
			t.Errorf("belay asked %s", r.Kind())
		}
	}
}

// A server that speaks 2026-07-28 alone says so to whoever tries the handshake,
// and belay shows it.
func TestAHandshakeThatIsRefused(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "VER-40")
	peer := web.New(t).Modern()
	s := reached(t, peer.URL(), "--protocol", "2025-11-25")
	s.See("unsupported protocol version", "2026-07-28")
	s.Press("q").Exit(3)
	if n := len(peer.Requests("server/discover")); n != 0 {
		t.Errorf("the other era was tried %d times, though the user named a revision", n)
	}
}
