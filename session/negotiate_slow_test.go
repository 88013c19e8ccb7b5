package session

import (
	"testing"
	"time"

	"belay/session/mcp"
	"belay/session/negotiate"
)

// A timeout of a few seconds is for requests to a server that has started: with it, too, a server
// is spoken to in the same revision however long it takes to start.
func TestAShortTimeoutDoesNotDecideTheRevision(t *testing.T) {
	short := func(c *Config) { c.Idle = 10 * time.Second }
	for _, started := range []time.Duration{0, 2 * time.Second, 4 * time.Second, 14 * time.Second, 60 * time.Second} {
		t.Run(started.String(), func(t *testing.T) {
			for name, answers := range map[string]func(r *rig){
				"modern": func(r *rig) {
					r.discovers()
					if r.sent(`"initialize"`) > 0 {
						r.refusesInitialize()
					}
					r.wantReady(mcp.Rev20260728, negotiate.Discovered)
				},
				"with a handshake": func(r *rig) {
					r.recv(noSuchMethod, mcp.IntID(1), -32601)
					r.greeted()
					r.wantReady(mcp.Rev20251125, negotiate.Fallback)
				},
				"ends on server/discover": func(r *rig) {
					r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 1"}})
					r.connect()
					r.wait(started)
					r.greeted()
					r.wantReady(mcp.Rev20251125, negotiate.Fallback)
				},
			} {
				t.Run(name, func(t *testing.T) {
					r := probing(t, short)
					r.wait(started)
					answers(r)
				})
			}
		})
	}
	t.Run("never", func(t *testing.T) {
		r := probing(t, short)
		r.wait(3*time.Second + 2*time.Minute - 1)
		r.wantAwaits(negotiate.ForEither, 1)
		r.wait(1)
		r.closed()
		r.connect()
		r.wait(2*time.Minute - 1)
		r.wantAwaits(negotiate.ForInitialize, 0)
		r.wait(1)
		r.wantFailure(FailTimeout, "no answer to initialize within 2m0s")
	})
	t.Run("of one that has started", func(t *testing.T) {
		r := probing(t, short)
		r.recv(noSuchMethod, mcp.IntID(1), -32601)
		r.wait(10 * time.Second)
		r.wantFailure(FailTimeout, "no answer to initialize within 10s")
	})
}
