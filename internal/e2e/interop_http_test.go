//go:build interop

package e2e

import (
	"strings"
	"testing"

	servers "belay/internal/interop"
	"belay/internal/termtest"
	"belay/session/mcp"
)

// streamables are the revisions that have Streamable HTTP and a handshake.
func streamables() (revs []mcp.Revision) {
	for _, rev := range mcp.Handshakes() {
		if rev > mcp.Rev20241105 {
			revs = append(revs, rev)
		}
	}
	return revs
}

// It reports progress every 2 s, whatever was cancelled. A server that was slow to begin is
// believed only by what comes later than that: the grace has three reports.
func TestServerEverythingOverHTTP(t *testing.T) {
	server := servers.Everything(t, "streamableHttp")
	for _, rev := range streamables() {
		t.Run(string(rev), func(t *testing.T) {
			t.Parallel()
			s := reached(t, server.URL, "--protocol", string(rev), "--grace", "6500ms")
			s.See("http · " + string(rev))
			s.call("trigger-long-running-operation").See("duration")
			s.Press("ctrl+s").See("1 in flight").untilSaid("a report", `progress [1-4]/5`)
			s.Press("x").See("after the cancel", "⊘ cancelled · still working")
			s.Press("q").Exit(0)
		})
	}
}

// The server knows nothing of server/discover, so belay finds the handshake.
func TestServerEverythingIsFoundOverHTTP(t *testing.T) {
	t.Parallel()
	s := reached(t, servers.Everything(t, "streamableHttp").URL)
	s.See("2025-11-25 fallback")
	s.call("get-sum").See("a*")
	s.Type("1").Press("tab").Type("2").Press("ctrl+s").See("sum of 1 and 2 is 3")
	s.Press("q").Exit(0)
}

// The transport of 2024-11-05 is found where a POST is refused.
func TestServerEverythingOverSSE(t *testing.T) {
	t.Parallel()
	s := reached(t, servers.Everything(t, "sse").URL, "--grace", "6500ms")
	s.See("Everything Reference Server")
	s.call("trigger-long-running-operation").See("duration")
	s.Press("ctrl+s").See("1 in flight").untilSaid("a report", `progress [1-4]/5`)
	s.Press("x").See("after the cancel", "⊘ cancelled · still working")
	s.Press("q").Exit(0)
}

// What a server does about a cancel, in each era, on the TypeScript SDK and on
// the Go SDK; and what it has noticed of it.
func TestServersAreCancelledOverHTTP(t *testing.T) {
	t.Parallel() // but not its parts: they count what one server says
	ts, goSDK := servers.TypeScript(t), servers.GoSDK(t)
	noticed := func() string { return strings.Join(goSDK.Noticed(), "\n") }
	for _, tt := range []struct {
		server, url, tool, revision, verdict, notices string
		out                                           func() string
	}{
		{"ts", ts.URL, "heeds", "2026-07-28", "stream closed", "heeds: told to stop", ts.Output},
		{"ts", ts.URL, "heeds", "2025-11-25", "quiet", "heeds: told to stop", ts.Output},
		{"ts", ts.URL, "ignores", "2026-07-28", "stream closed", "ignores: went on to the end", ts.Output},
		{"ts", ts.URL, "ignores", "2025-06-18", "quiet", "ignores: went on to the end", ts.Output},
		{"go", goSDK.URL, "heeds", "2026-07-28", "stream closed", "heeds stopped", noticed},
		{"go", goSDK.URL, "heeds", "2025-11-25", "cancelled ·", "heeds stopped", noticed},
		{"go", goSDK.URL, "ignores", "2026-07-28", "stream closed", "ignores went on, told to stop: true", noticed},
		{"go", goSDK.URL, "ignores", "2025-03-26", "answered late", "ignores went on, told to stop: true", noticed},
	} {
		t.Run(tt.server+" "+tt.tool+" "+tt.revision, func(t *testing.T) {
			said := func(text string, times int) func(termtest.Screen) bool {
				return func(termtest.Screen) bool { return strings.Count(tt.out(), text) > times }
			}
			before, begun := strings.Count(tt.out(), tt.notices), strings.Count(tt.out(), tt.tool+": started")
			s := reached(t, tt.url, "--protocol", tt.revision, "--grace", "10s")
			s.See("http · " + tt.revision).call(tt.tool)
			s.Until("the tool to start", said(tt.tool+": started", begun))
			s.Press("x").See(tt.verdict)
			s.Until("the server to notice", said(tt.notices, before))
			s.Press("q").Exit(0)
		})
	}
}

// What a server asks is answered in each era: as a request of its own, and as a
// round.
func TestServersAskOverHTTP(t *testing.T) {
	for name, url := range map[string]string{"ts": servers.TypeScript(t).URL, "go": servers.GoSDK(t).URL} {
		for _, rev := range []string{"2026-07-28", "2025-11-25"} {
			t.Run(name+" "+rev, func(t *testing.T) {
				t.Parallel()
				s := reached(t, url, "--protocol", rev)
				s.See("http · " + rev)
				if !mcp.Revision(rev).IsModern() {
					s.See("the server's own stream is open") // before, what the server asks on it is lost
				}
				s.call("elicit").See("Which color?")
				s.See("ctrl+s send").Type("teal").See("teal").Press("ctrl+s").See("answered: ")
				s.Press("q").Exit(0)
			})
		}
	}
}
