package session

import (
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// The periodic ping, step by step: one a time, and what is not answered is counted.
func TestThePeriodicPing(t *testing.T) {
	a := newAlone(mcp.Rev20251125, mcp.Stdio)
	a.cfg.PingEvery = 10 * time.Second
	w, out := a.alonePen()
	p := pings{writer: w, timers: &a.timers}
	p.startPings()
	var first, second *request
	for _, step := range []struct {
		what   string
		after  time.Duration
		do     func()
		sent   int
		missed int
		out    bool
		next   time.Duration // of the next ping, since the beginning
	}{
		{"the connection is ready", 0, func() {}, 0, 0, false, 10 * time.Second},
		{"the interval is over", 10 * time.Second, func() { p.onPingDue(); first = p.health.out }, 1, 0, true, 20 * time.Second},
		{"it is answered", 11 * time.Second, func() { p.onPingAnswer(first) }, 1, 0, false, 20 * time.Second},
		{"the next interval is over", 20 * time.Second, func() { p.onPingDue(); second = p.health.out }, 2, 0, true, 30 * time.Second},
		{"that one is late", 25 * time.Second, p.onPingLate, 2, 1, false, 30 * time.Second},
		{"the next one is late as well", 35 * time.Second, func() { p.onPingDue(); p.onPingLate() }, 3, 2, false, 45 * time.Second},
		{"the late one is answered after all", 36 * time.Second, func() { p.onPingAnswer(second) }, 3, 0, false, 45 * time.Second},
		{"one is out when the interval is over", 45 * time.Second, func() { p.onPingDue(); p.onPingDue() }, 4, 0, true, 55 * time.Second},
		{"the connection closes", 55 * time.Second, func() { a.conn.phase = Closing; p.onPingDue(); p.onPingLate() }, 4, 0, true, 55 * time.Second},
		{"another connection begins", 60 * time.Second, p.begin, 4, 0, false, 55 * time.Second},
	} {
		a.now = origin.Add(step.after)
		step.do()
		if got := len(out.queued(classAnswer)); got != step.sent || p.health.missed != step.missed || (p.health.out != nil) != step.out {
			t.Errorf("%s: %d pings sent, %d missed, one out %v; want %d, %d, %v", step.what, got, p.health.missed, p.health.out != nil, step.sent, step.missed, step.out)
		}
		if at := a.timers.At(once(duePing)); !at.Equal(origin.Add(step.next)) {
			t.Errorf("%s: the next one is due %v", step.what, at.Sub(origin))
		}
	}
	for _, q := range out.queued(classAnswer) {
		if q.req == nil || !q.req.health || !q.req.probe || q.req.call != nil {
			t.Errorf("a ping is a call: %+v", q.req)
		}
	}
}

// Which probe tells a cancelled row that the server has read its cancel.
func TestTheProbeForACancel(t *testing.T) {
	for name, tt := range map[string]struct {
		out    bool   // one is out already …
		order  uint64 // … handed out in this order; 0: not yet
		since  time.Duration
		shared bool
	}{
		"none is out":                {},
		"one left after the cancel":  {out: true, order: 9, shared: true},
		"one is not handed out yet":  {out: true, shared: true},
		"one left before the cancel": {out: true, order: 3},
		"one is late already":        {out: true, order: 9, since: time.Minute},
	} {
		a := newAlone(mcp.Rev20251125, mcp.Stdio)
		w, out := a.alonePen()
		p := pings{writer: w, timers: &a.timers}
		st := &stop{Attempt: cancel.New(origin, cancel.Spec{Grace: time.Second}), order: 5}
		var before *request
		if tt.out {
			before = p.ping(false, nil)
			before.order = tt.order
			p.probe = before
		}
		a.now = origin.Add(tt.since)
		got := p.probeFor(st)
		if shared := got == before; shared != tt.shared || p.probe != got || got.health {
			t.Errorf("%s: shared %v, want %v", name, shared, tt.shared)
		}
		if n := len(out.queued(classAnswer)); tt.shared && n != 1 || !tt.out && n != 1 || tt.out && !tt.shared && n != 2 {
			t.Errorf("%s: %d are queued", name, n)
		}
		since := got.since
		if p.shift(time.Hour); !got.since.Equal(since.Add(time.Hour)) {
			t.Errorf("%s: it is late because the clock jumped", name)
		}
	}
}
