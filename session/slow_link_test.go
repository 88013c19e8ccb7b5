package session

import (
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// The handshake of a server may have taken so long because the link is slow, or
// because the server was starting. What was answered since tells which; until then
// a long handshake is a slow link of up to six seconds.
func TestSlowLinksAndSlowStarts(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct {
		name  string
		first time.Duration   // the handshake
		calls []time.Duration // what was answered since
		lag   time.Duration   // of the answer to the cancelled call
		want  cancel.Verdict
	}{
		{"a slow link", 3000 * ms, nil, 3000 * ms, cancel.Crossed},
		{"a slower one", 6000 * ms, nil, 6000 * ms, cancel.Crossed},
		{"a slow start", 20_000 * ms, nil, 6000*ms + 1, cancel.AnsweredLate},
		{"a slow start, and a call that was answered at once", 20_000 * ms, []time.Duration{ms}, 2000*ms + 1, cancel.AnsweredLate},
		{"a slow link, and calls that are slower", 3000 * ms, []time.Duration{7000 * ms, 3100 * ms}, 3100 * ms, cancel.Crossed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := opened(t, Config{Grace: 10 * time.Second})
			r.wait(tt.first)
			r.agree(mcp.Rev20251125, logging)
			for _, d := range tt.calls {
				_, wire := r.call("quick")
				r.wait(d)
				r.recv(okAnswer, wire)
			}
			id, wire := r.call("slow")
			r.wait(time.Second)
			r.cancel(id, "")
			r.wait(tt.lag)
			r.recv(okAnswer, wire)
			r.want(id, Cancelled, tt.want)
		})
	}
}

// A probe has two of the shortest round trips, as it was when the probe was wanted.
func TestTheProbeHasTheTimeOfTheLink(t *testing.T) {
	r := opened(t, Config{Grace: time.Second})
	r.wait(6 * time.Second)
	r.agree(mcp.Rev20251125, logging)
	for range 2 { // the answer to the first says how long the link is
		id, _ := r.call("slow")
		r.cancel(id, "")
		r.wait(6999 * time.Millisecond)
		r.want(id, Cancelling, cancel.NoVerdict)
		probe := read(t, r.lines[len(r.lines)-1])
		if probe.Method != "ping" {
			t.Fatalf("%s is written last", r.lines[len(r.lines)-1])
		}
		r.recv(`{"jsonrpc":"2.0","id":%s,"result":{}}`, probe.ID)
		r.want(id, Cancelled, cancel.Quiet)
	}
	id, _ := r.call("slow")
	r.cancel(id, "")
	r.wait(12_998 * time.Millisecond)
	r.want(id, Cancelled, cancel.ServerUnresponsive)
}
