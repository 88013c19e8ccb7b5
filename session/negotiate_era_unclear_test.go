package session

import (
	"strings"
	"testing"
	"time"

	"belay/session/mcp"
	"belay/session/negotiate"
)

// A server may fail on what it does not know, or hang up on it: it is greeted all
// the same. What it did is told where the handshake fails, too.
func TestDiscoverBreaks(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status int    // 0: it hung up before the head
		media  string // of a success, behind whose head it hung up
		end    string // how that is told; empty: it closed the exchange
		words  string
	}{
		{"500", 500, "", "", "answered with HTTP status 500"},
		{"429", 429, "", "", "answered with HTTP status 429"},
		{"hung up", 0, "", "the connection was reset", "not answered: the connection was reset"},
		{"broke a stream", 200, mediaStream, "the connection was reset", "not answered: the connection was reset"},
		{"ended a stream", 200, mediaStream, "", "not answered: the server closed the exchange"},
		{"broke an answer", 200, mediaJSON, "the connection was reset", "not answered: the connection was reset"},
	} {
		breaks := func(t *testing.T, change ...func(*Config)) *webRig {
			w := newWebRig(t, append(change, func(c *Config) { c.DiscoverLimit = 3 * time.Second })...)
			out := w.post("server/discover")
			if tt.status > 0 {
				w.opened(out.X, Head{Status: tt.status, Media: tt.media})
			}
			w.ended(out.X, End{Err: tt.end})
			return w
		}
		t.Run(tt.name, func(t *testing.T) {
			w := breaks(t)
			if row := w.row(1); row.State != Failed || !row.FellBack || !strings.Contains(row.Note, tt.words+"; falling back to initialize") {
				t.Errorf("server/discover is %v, %q", row.State, row.Note)
			}
			w.agree(mcp.Rev20251125, logging)
			w.wantReady(mcp.Rev20251125, negotiate.Fallback)
			w.s.Tell(w.now, Closed{Epoch: w.epoch, Why: Close{Status: "gone"}})
			w.epoch = w.s.Tell(w.now, Connect{}).Epoch
			w.pump()
			if w.count(OpWrite, "server/discover") != 2 {
				t.Error("what says nothing of the era was remembered")
			}
		})
		t.Run(tt.name+", and initialize fails", func(t *testing.T) {
			w := breaks(t)
			out := w.post("initialize")
			w.opened(out.X, Head{Status: 502})
			w.ended(out.X, End{})
			w.wantFailure(FailHTTP, "no handshake at "+endpoint+": HTTP 502 Bad Gateway", "server/discover was "+tt.words)
		})
		t.Run(tt.name+", and initialize is refused", func(t *testing.T) {
			w := breaks(t)
			w.recvOn(w.post("initialize").X, `{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"not today"}}`)
			w.wantFailure(FailRefused, "not today", "server/discover was "+tt.words)
		})
		t.Run(tt.name+", and it is pinned", func(t *testing.T) {
			w := breaks(t, func(c *Config) { c.Pin = mcp.Rev20260728 })
			fl := w.s.Status().Failure
			if w.count(OpWrite) != 1 || fl == nil || strings.Contains(fl.Text, "does not speak") || strings.Contains(fl.Text, "handshake") ||
				tt.status > 0 && !strings.HasPrefix(fl.Text, "no answer to server/discover at "+endpoint+": ") {
				t.Errorf("%d POSTs, %+v", w.count(OpWrite), fl)
			}
		})
	}
	t.Run("it could not be reached", func(t *testing.T) {
		w := newWebRig(t, func(c *Config) { c.DiscoverLimit = 3 * time.Second })
		w.s.Tell(w.now, Closed{Epoch: w.epoch, Why: Close{Status: "gone"}})
		w.hold = true
		w.epoch = w.s.Tell(w.now, Connect{}).Epoch
		w.pump()
		posts := w.count(OpWrite)
		w.ended(w.post("server/discover").X, End{Err: "connection refused"})
		w.wantFailure(FailHTTP, "no connection to "+endpoint+": connection refused")
		if w.count(OpWrite) != posts {
			t.Error("something was posted to nobody")
		}
	})
}
