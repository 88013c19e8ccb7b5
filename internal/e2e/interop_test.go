//go:build interop

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"belay/internal/termtest"
	"belay/session"
)

// interop is the directory in which the servers of others are installed: npm
// install in internal/interop, or wherever BELAY_INTEROP says.
func interop(t *testing.T, file ...string) string {
	t.Helper()
	dir := os.Getenv("BELAY_INTEROP")
	if dir == "" {
		dir = filepath.Join("..", "interop")
	}
	abs, err := filepath.Abs(filepath.Join(append([]string{dir}, file...)...))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(abs); err != nil {
		t.Fatalf("the peer is missing, and this test is not skipped for it: %v", err)
	}
	return abs
}

func against(t *testing.T, flags []string, command ...string) *stage {
	t.Helper()
	argv := append([]string{belay}, flags...)
	argv = append(append(argv, "--"), command...)
	return &stage{t: t, Story: termtest.Tell(t, termtest.Options{
		Cols: 140, Rows: 40, Argv: argv, Env: []string{"GORACE=atexit_sleep_ms=0"},
	})}
}

func everything(t *testing.T, flags ...string) *stage {
	return against(t, flags, "node", interop(t, "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js"), "stdio")
}

func TestServerEverything(t *testing.T) {
	for _, rev := range session.Supported() {
		t.Run(string(rev), func(t *testing.T) {
			s := everything(t, "--protocol", string(rev), "--grace", "2s")
			s.See(string(rev))
			s.Press("n").See("New call", "echo")
			s.Type("trigger-long").See("trigger-long-running-operation")
			s.Press("enter").See("duration")
			s.Press("ctrl+s").See("running")
			s.Press("x").See("cancelling", "still working")
			s.Press("q").Exit(0)
		})
	}
}

func TestServerFilesystem(t *testing.T) {
	dir := t.TempDir()
	s := against(t, nil, "node", interop(t, "node_modules", "@modelcontextprotocol", "server-filesystem", "dist", "index.js"), dir)
	s.See("secure-filesystem-server")
	s.call("list_allowed_directories").See("Allowed directories")
	s.Press("q").Exit(0)
}

func TestTypeScriptSDK(t *testing.T) {
	for _, tt := range []struct{ tool, verdict string }{{"heeds", "quiet"}, {"ignores", "quiet"}} {
		t.Run(tt.tool, func(t *testing.T) {
			s := against(t, []string{"--grace", "1s"}, "node", interop(t, "ts-server.mjs"))
			s.See("ts-sdk").call(tt.tool).See("running")
			s.Press("x").See(tt.verdict)
			s.Press("q").Exit(0)
		})
	}
}
