//go:build interop

package e2e

import (
	"fmt"
	"os"
	"testing"
	"time"

	servers "belay/internal/interop"
)

// delays are how long a server takes until it begins to start.
var delays = []time.Duration{0, 2 * time.Second, 4 * time.Second, 8 * time.Second, 20 * time.Second}

// slowest is how long a server may take that starts late, is started again, and
// has others beside it.
const slowest = 3 * time.Minute

// late are belays whose servers do nothing for a while before they are what they
// are, one for each of the delays. They run at the same time: what they wait for is
// waited for once.
func late(t *testing.T, delays []time.Duration, command ...string) []*stage {
	t.Helper()
	var all []*stage
	for _, delay := range delays {
		shell := []string{"sh", "-c", fmt.Sprintf(`sleep %v; exec "$@"`, delay.Seconds()), "late"}
		all = append(all, patiently(t, slowest, nil, append(shell, command...)...))
	}
	return all
}

// A server of both eras is spoken to in the same revision whenever it starts, and
// what it answers then is what that revision demands.
func TestTheRevisionOfAServerThatStartsLate(t *testing.T) {
	for name, command := range map[string][]string{
		"TypeScript SDK": {"node", interop(t, "ts-both.mjs")},
		"Go SDK":         {os.Args[0], "gosdk"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, s := range late(t, delays, command...) {
				s.See("2026-07-28 discovered", "requests by belay itself")
				s.Press("i").See("capabilities").Gone("diagnostics")
				s.Press("esc", "q").Exit(0)
			}
		})
	}
}

// A server that knows the handshake only is not started again.
func TestTheHandshakeOfAServerThatStartsLate(t *testing.T) {
	t.Parallel()
	for _, s := range late(t, delays, "node", interop(t, "ts-server.mjs")) {
		s.See("2025-11-25 fallback", "requests by belay itself").Gone("again")
		s.Press("q").Exit(0)
	}
}

// A bridge that server/discover breaks is begun with initialize.
func TestABridgeThatTheProbeBreaks(t *testing.T) {
	bridge := interop(t, "node_modules", "supergateway", "dist", "index.js")
	for mode, flag := range map[string]string{"streamableHttp": "--streamableHttp", "sse": "--sse"} {
		server := servers.Everything(t, mode)
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			for _, s := range late(t, []time.Duration{0, 4 * time.Second}, "node", bridge, flag, server.URL) {
				s.See("Everything Reference Server", "2025-11-25 fallback")
				s.call("get-sum").See("a*")
				s.Type("1").Press("tab").Type("2").Press("ctrl+s").See("sum of 1 and 2 is 3")
				s.Press("q").Exit(0)
			}
		})
	}
}

// server-everything over HTTP says with 400 that it does not know a session, when
// it was started again: belay begins another one by itself, and what is called then
// works.
func TestAServerIsStartedAgainOverHTTP(t *testing.T) {
	server := servers.Everything(t, "streamableHttp")
	s := reached(t, server.URL, "--protocol", "2025-11-25")
	s.See("Everything Reference Server", "the server's own stream is open", "+ 5 requests by belay itself")
	server.Restart(t)
	s.See("the server has ended the session (HTTP 400): a new one began")
	s.See("+ 10 requests by belay itself") // until the lists of the new session have come there is nothing to choose
	s.call("get-sum").See("a*")
	s.Type("1").Press("tab").Type("2").Press("ctrl+s").See("sum of 1 and 2 is 3")
	s.Press("q").Exit(0)
}
