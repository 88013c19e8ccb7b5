//go:build interop

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	servers "belay/internal/interop"
	"belay/internal/termtest"
	"belay/session/mcp"
)

// interop is a file of the directory in which the servers of others are.
func interop(t *testing.T, file ...string) string {
	t.Helper()
	return servers.File(t, file...)
}

func against(t *testing.T, flags []string, command ...string) *stage {
	t.Helper()
	return patiently(t, 0, flags, command...)
}

// patiently is against, with more time for what is to be seen; 0: as usual.
func patiently(t *testing.T, timeout time.Duration, flags []string, command ...string) *stage {
	t.Helper()
	argv := append([]string{belay}, flags...)
	argv = append(append(argv, "--"), command...)
	return &stage{t: t, Story: termtest.Tell(t, termtest.Options{
		Cols: 140, Rows: 40, Argv: argv, Env: []string{raceOptions}, Timeout: timeout,
	})}
}

func everything(t *testing.T, flags ...string) *stage {
	return against(t, flags, "node", interop(t, "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js"), "stdio")
}

func TestServerEverything(t *testing.T) {
	for _, rev := range mcp.Handshakes() {
		t.Run(string(rev), func(t *testing.T) {
			t.Parallel()
			s := everything(t, "--protocol", string(rev), "--grace", "6500ms") // it reports every 2 s
			s.See(string(rev))
			s.call("trigger-long-running-operation").See("duration")
			s.Press("ctrl+s").See("1 in flight")
			s.Press("x").cancelling().See("still working")
			s.Press("q").Exit(0)
		})
	}
}

func TestServerFilesystem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := against(t, nil, "node", interop(t, "node_modules", "@modelcontextprotocol", "server-filesystem", "dist", "index.js"), dir)
	s.See("secure-filesystem-server")
	s.call("list_allowed_directories").See("Allowed directories")
	s.Press("q").Exit(0)
}

func TestTypeScriptSDK(t *testing.T) {
	for _, tt := range []struct{ tool, verdict string }{{"heeds", "quiet"}, {"ignores", "quiet"}} {
		t.Run(tt.tool, func(t *testing.T) {
			t.Parallel()
			s := against(t, []string{"--grace", "4s"}, "node", interop(t, "ts-server.mjs"))
			s.See("ts-sdk").call(tt.tool).See("1 in flight")
			s.Press("x").See(tt.verdict)
			s.Press("q").Exit(0)
		})
	}
}

// A server on the TypeScript SDK takes its question back, with a reason or when
// it times out: the screen says so, and nothing was written for it.
func TestTypeScriptSDKWithdraws(t *testing.T) {
	for _, tt := range []struct{ tool, reason, method string }{
		{"elicit_takes_back", "changed my mind", "elicitation/create"},
		{"elicit_times_out", "Request timed out", "elicitation/create"},
		{"sample_takes_back", "no longer needed", "sampling/createMessage"},
	} {
		t.Run(tt.tool, func(t *testing.T) {
			t.Parallel()
			record := plays(t, filepath.Join(t.TempDir(), "session.jsonl"))
			s := against(t, []string{"--record", record}, "node", interop(t, "ts-server.mjs"))
			s.See("ts-sdk").call(tt.tool).See(tt.method)
			s.See("withdrawn by the server", tt.reason)
			s.Press("esc")       // leaves the question
			s.See("no answer: ") // what the tool says of it
			s.Press("q").Exit(0)
			written, err := os.ReadFile(record)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(written, []byte(tt.method)) {
				t.Fatal("the recording lacks the question")
			}
			for line := range bytes.Lines(written) {
				if bytes.Contains(line, []byte(`"op":"write"`)) && !bytes.Contains(line, []byte(`\"method\":`)) {
					t.Errorf("an answer was written: %s", line)
				}
			}
		})
	}
}
