package ui

import (
	"testing"
	"time"

	"belay/session"
	"belay/session/mcp"
)

// losing is a server over HTTP that has just ended the session of a call. The exchange is
// that of the initialize that follows.
func losing(t *testing.T, w, h int, f func(w *harness, initialize session.ExchangeID)) {
	t.Helper()
	cfg := session.Config{Pin: mcp.Rev20251125, Transport: mcp.HTTP, Endpoint: "http://demo.test/mcp", FirstID: 1, NoListen: true}
	runWith(t, w, h, Options{}, cfg, func(x *harness) {
		init := x.posted("initialize")
		x.head(init, session.Head{Status: 200, Media: "application/json", Session: "s1"})
		x.feedOn(init, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"demo","version":"1"}}}`)
		x.head(x.posted("notifications/initialized"), session.Head{Status: 202})
		x.clearStatus()
		x.call("deploy")
		called := x.posted("tools/call")
		x.head(called, session.Head{Status: 404})
		x.b.tell(session.Ended{ExchangeID: called, End: session.End{}})
		x.wait(100 * time.Millisecond)
		f(x, x.posted("initialize"))
	})
}

// While a new session is being started nobody says that it began, and when it does not
// begin, the screen says why and what helps.
func TestASessionInThePlaceOfALostOne(t *testing.T) {
	const lost = "the server has ended the session (HTTP 404)"
	t.Run("begins", func(t *testing.T) {
		losing(t, 140, 30, func(w *harness, initialize session.ExchangeID) {
			w.sees(lost+": a new one is being started, and nothing was repeated", "http · session lost, starting a new one")
			w.seesNot("began", "● \"demo")
			w.wait(10 * time.Second) // the sentence has gone, and it is still so
			w.sees("session lost, starting a new one")
			w.seesNot("began")
			w.head(initialize, session.Head{Status: 200, Media: "application/json", Session: "s2"})
			w.feedOn(initialize, `{"jsonrpc":"2.0","id":3,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"demo","version":"1"}}}`)
			w.wait(100 * time.Millisecond)
			w.sees(lost+": a new one began, and nothing was repeated · r calls again", "http · 2025-11-25")
			w.seesNot("being started", "session lost")
		})
	})
	t.Run("does not begin", func(t *testing.T) {
		losing(t, 140, 30, func(w *harness, initialize session.ExchangeID) {
			w.head(initialize, session.Head{Status: 503})
			w.b.tell(session.Ended{ExchangeID: initialize, End: session.End{}})
			w.wait(100 * time.Millisecond)
			w.b.tell(session.Closed{Epoch: initialize.Epoch, Why: session.Close{ByUs: true}})
			w.wait(100 * time.Millisecond)
			w.sees(lost+", and no new one began: nothing was repeated · R or :restart tries again",
				"the server has ended the session, and no new one began: no handshake at http://demo.test/mcp: HTTP 503", "✗")
			w.seesNot("new one began,", "being started", "● \"demo")
		})
	})
	t.Run("in short", func(t *testing.T) {
		losing(t, 60, 24, func(w *harness, _ session.ExchangeID) {
			w.sees("http · starting a new session")
		})
	})
}
