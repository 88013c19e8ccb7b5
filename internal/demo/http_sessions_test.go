package demo

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestASessionHasABeginningAndAnEnd(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		const ping = `{"jsonrpc":"2.0","id":7,"method":"ping"}`
		status := func(x *exchange, want int) {
			t.Helper()
			if got := x.answered(); got != want {
				t.Errorf("status %d, want %d: %s", got, want, x.text())
			}
		}
		h := s.shakeHands("2025-11-25", `{}`)
		other := s.shakeHands("2025-06-18", `{}`)
		if h.id == "" || h.id == other.id {
			t.Errorf("sessions %q and %q", h.id, other.id)
		}
		status(h.post(ping), http.StatusOK)
		quiet, _ := h.call("restless", `{}`)
		stream := h.do("GET", pathMCP, "", h.headers()...)
		status(stream, http.StatusOK)
		status(h.do("DELETE", pathMCP, "", h.headers()...), http.StatusNoContent)
		if !quiet.ended() || !stream.ended() || len(quiet.got()) != 0 {
			t.Error("its end left something open, or answered what was abandoned")
		}
		status(h.post(ping), http.StatusNotFound)
		status(h.do("GET", pathMCP, "", h.headers()...), http.StatusNotFound)
		status(h.do("DELETE", pathMCP, "", h.headers()...), http.StatusNotFound)
		status(other.post(ping), http.StatusOK)

		// A client that is heard of keeps its session; one that is not loses it.
		waits := other.do("GET", pathMCP, "", other.headers()...)
		pass(2 * sessionIdle)
		status(other.post(ping), http.StatusOK)
		waits.cancel()
		pass(sessionIdle + time.Second)
		status(other.post(ping), http.StatusNotFound)

		for _, tt := range []struct {
			method, path, body string
			headers            []string
			want               int
		}{
			{"POST", "/mcp", ping, []string{headerSession + ": nobody's"}, http.StatusNotFound},
			{"POST", "/mcp", ping, []string{headerRevision + ": 2025-06-31"}, http.StatusBadRequest},
			{"POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, []string{headerRevision + ": 2099-01-01"}, http.StatusBadRequest},
			{"POST", "/mcp", ping, []string{"Content-Type: text/plain"}, http.StatusUnsupportedMediaType},
			{"POST", "/mcp", ping, []string{"Accept: application/json"}, http.StatusNotAcceptable},
			{"POST", "/mcp", strings.Repeat(" ", maxBody+1), nil, http.StatusRequestEntityTooLarge},
			{"POST", "/mcp", `no JSON`, nil, http.StatusBadRequest},
			{"GET", "/mcp", "", nil, http.StatusBadRequest},
			{"GET", "/mcp", "", []string{headerRevision + ": 2026-07-28"}, http.StatusMethodNotAllowed},
			{"PUT", "/mcp", "", nil, http.StatusMethodNotAllowed},
			{"PUT", "/sse", "", nil, http.StatusMethodNotAllowed},
			{"POST", "/sse?session=nobody", ping, nil, http.StatusNotFound},
			{"GET", "/elsewhere", "", nil, http.StatusNotFound},
			{"POST", "/", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, nil, http.StatusOK},
		} {
			if x := s.do(tt.method, tt.path, tt.body, tt.headers...); x.answered() != tt.want {
				t.Errorf("%s %s %.40s %q: status %d, want %d: %s", tt.method, tt.path, tt.body, tt.headers, x.status, tt.want, x.text())
			}
		}
	})
}

// A handshake that asks for a revision without one gets the newest that has one.
func TestAHandshakeForTheModernRevision(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		h := s.shakeHands("2026-07-28", asksAll)
		x, _ := h.call("needs_login", `{}`)
		if m := x.result(); m.Error == nil || m.Error.Code != -32042 {
			t.Errorf("%s", m.line)
		}
	})
}

// What the tools send outside any call comes on the stream of the session.
func TestTheStreamOfASessionBringsWhatBelongsToNoCall(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		h := s.shakeHands("2025-11-25", asksAll)
		stream := h.do("GET", pathMCP, "", h.headers()...)
		x, _ := h.call("needs_login", `{}`)
		if m := x.result(); m.Error == nil || m.Error.Code != -32042 {
			t.Errorf("%s", m.line)
		}
		pass(3 * time.Second)
		if got := stream.got(); len(got) != 1 || got[0].Method != "notifications/elicitation/complete" {
			t.Errorf("%+v", got)
		}
	})
}

// A stream that broke is picked up where it was, and the call has gone on.
func TestABrokenStreamIsPickedUp(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		h := s.shakeHands("2025-11-25", `{}`)
		x, _ := h.call("countdown", `{"from":5}`)
		pass(2100 * time.Millisecond)
		if n := len(x.got()); n != 2 {
			t.Fatalf("%d messages after 2 s", n)
		}
		var last string
		for line := range strings.Lines(x.text()) {
			if id, ok := strings.CutPrefix(strings.TrimSpace(line), "id: "); ok {
				last = id
			}
		}
		x.cancel()
		pass(time.Second)
		again := h.do("GET", pathMCP, "", append(h.headers(), "Last-Event-ID: "+last)...)
		pass(3 * time.Second)
		if got := again.got(); len(got) != 4 || again.result().tool(t).IsError {
			t.Errorf("%d messages, want three steps and the result: %s", len(got), again.text())
		}
	})
}

func TestCancelsOverHTTPWithSSE(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		stream := s.do("GET", pathSSE, "")
		stream.answered()
		_, path, _ := strings.Cut(stream.text(), "data: ")
		path = strings.TrimSpace(path)
		for _, body := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"countdown","arguments":{},"_meta":{"progressToken":1}}}`,
			`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"stubborn","arguments":{}}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"stop"}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"stop"}}`,
		} {
			if status := s.do("POST", path, body).answered(); status != http.StatusAccepted {
				t.Errorf("status %d to %s", status, body)
			}
		}
		pass(time.Minute)
		if got := stream.got(); len(got) != 2 || string(got[1].ID) != "3" || !strings.Contains(got[1].line, "although") {
			t.Errorf("want the answers to 1 and 3 alone: %s", stream.text())
		}
		stream.cancel()
		pass(0)
		if status := s.do("POST", path, `{"jsonrpc":"2.0","id":4,"method":"ping"}`).answered(); status != http.StatusNotFound {
			t.Errorf("status %d after the stream ended", status)
		}
	})
}
