package e2e

import (
	"bufio"
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The built program serves the demo over HTTP until a signal ends it, also while
// somebody is connected; a port that is taken is said in plain words.
func TestTheDemoIsServedOverHTTP(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			cmd, url := serveDemo(t)
			c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
				Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, MaxRetries: -1}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close() }()
			if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"text": "ahoy"}}); err != nil {
				t.Error(err)
			}

			port := strings.TrimSuffix(url[strings.LastIndexByte(url, ':')+1:], "/mcp")
			taken, err := exec.CommandContext(t.Context(), belay, "demo", "--http", port).CombinedOutput()
			if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 3 || !strings.Contains(string(taken), "is taken by another program") {
				t.Errorf("%v: %s", err, taken)
			}

			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("it ended with %v", err)
			}
		})
	}
}

// serveDemo runs the demo server over HTTP, with flags of its own, and returns its address.
func serveDemo(t *testing.T, flags ...string) (cmd *exec.Cmd, url string) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), belay, append([]string{"demo", "--http", "0"}, flags...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return cmd, strings.Fields(line)[2]
}
