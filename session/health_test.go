package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

func pingEvery(d time.Duration) func(*Config) { return func(c *Config) { c.PingEvery = d } }

func TestPingsAreOffUnlessAskedFor(t *testing.T) {
	requirements.Rows(t, "PNG-03", "PNG-04")
	for _, tt := range []struct {
		every time.Duration
		want  int
	}{{0, 0}, {-1, 0}, {5 * time.Second, 6}, {30 * time.Second, 1}} {
		r := ready(t, mcp.Rev20251125, pingEvery(tt.every))
		r.pings = true
		r.wait(30 * time.Second)
		if got := r.sent(`"method":"ping"`); got != tt.want {
			t.Errorf("every %v: %d pings in 30 s, want %d", tt.every, got, tt.want)
		}
		if n := r.s.Status().Missed; n != 0 || r.s.Status().InFlight != 0 {
			t.Errorf("%d missed, %d rows", n, r.s.Status().InFlight)
		}
	}
}

// In the modern era there is no ping in either direction: belay asks by an
// ordinary request whether the server is alive, and answers none.
func TestThereIsNoPingInTheModernEra(t *testing.T) {
	requirements.Rows(t, "PNG-10")
	r := ready(t, mcp.Rev20260728, pingEvery(5*time.Second))
	r.pings, r.lines = true, nil
	r.recv(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
	r.wait(30 * time.Second)
	if r.sent(`"method":"ping"`) != 0 || r.sent(`"id":"p"`) != 0 || r.sent(`"method":"server/discover"`) != 6 {
		t.Errorf("written: %v", r.lines)
	}
	r.wantDiag(mcp.DiagServerRequest, 1)
	if n := r.s.Status().Missed; n != 0 {
		t.Errorf("%d missed", n)
	}
}

func TestShortIntervalsAreRaised(t *testing.T) {
	requirements.Rows(t, "PNG-06")
	r := ready(t, mcp.Rev20251125, pingEvery(time.Second))
	r.pings = true
	r.wait(30 * time.Second)
	if got := r.sent(`"method":"ping"`); got != 6 {
		t.Errorf("%d pings in 30 s", got)
	}
	if got := r.events("a ping every"); len(got) != 1 || !strings.Contains(got[0], "5s") {
		t.Errorf("noted: %q", got)
	}
}

func TestMissedPings(t *testing.T) {
	requirements.Rows(t, "PNG-02", "PNG-05", "PNG-07", "PNG-09")
	for _, tt := range []struct {
		name  string
		cfg   Config
		limit time.Duration
	}{
		{"stdio", Config{}, 5 * time.Second},
		{"http", Config{Transport: mcp.HTTP}, 15 * time.Second},
		{"own", Config{PingTimeout: 2 * time.Second}, 2 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125, func(c *Config) { *c, c.PingEvery = tt.cfg, 20*time.Second })
			r.wait(20*time.Second + tt.limit - 1)
			if n := r.s.Status().Missed; n != 0 {
				t.Fatalf("%d missed, too early", n)
			}
			r.wait(1)
			if n := r.s.Status().Missed; n != 1 {
				t.Fatalf("%d missed, want 1", n)
			}
			r.wait(20 * time.Second)
			st := r.s.Status()
			if st.Missed != 2 || st.Phase != Ready {
				t.Errorf("%d missed, %v", st.Missed, st.Phase)
			}
			log := r.events("has not answered a ping")
			if len(log) != 2 || !strings.Contains(log[1], "peer") || !strings.Contains(log[1], "2 missed") ||
				!strings.Contains(log[1], (40*time.Second+tt.limit).String()) {
				t.Errorf("logged: %q", log)
			}
			r.recv(`{"jsonrpc":"2.0","id":2,"result":{}}`) // the first ping, late
			if n := r.s.Status().Missed; n != 0 {
				t.Errorf("it answers again, and %d are missed", n)
			}
			r.closed()
			r.reconnect(mcp.Rev20251125)
			if n := r.s.Status().Missed; n != 0 {
				t.Errorf("a new connection begins with %d missed", n)
			}
		})
	}
}

func TestAPingIsNoProbe(t *testing.T) {
	r := ready(t, mcp.Rev20251125, pingEvery(5*time.Second))
	id, _ := r.call("t")
	r.wait(4 * time.Second)
	r.cancel(id, "")
	r.wait(6 * time.Second) // a ping at 5 s, the probe at 9 s
	r.want(id, Cancelling, cancel.NoVerdict)
	r.wait(time.Second)
	r.want(id, Cancelled, cancel.ServerUnresponsive)
	r.recv(`{"jsonrpc":"2.0","id":3,"result":{}}`) // the ping was written after the cancel too
	r.want(id, Cancelled, cancel.Quiet)
}
