//go:build unix

package cli

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"belay/internal/peer"
)

// A command that writes what nobody reads ends of a signal all the same.
func TestACommandWhoseOutputIsNotRead(t *testing.T) {
	p := peer.New(t)
	p.Handshake("2025-11-25", `{"name":"big","inputSchema":{"type":"object"}}`)
	p.On("tools/call", func(x *peer.Exchange) {
		x.SSE().Result(`{"content":[{"type":"text","text":"` + strings.Repeat("x", 1<<20) + `"}]}`).End()
	})
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	c := exec.CommandContext(t.Context(), os.Args[0], "call", p.URL(), "big", "--protocol", "2025-11-25")
	c.Env, c.Stdout = append(os.Environ(), childVar+"=belay"), w
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	if n, err := r.Read(make([]byte, 10)); n == 0 || err != nil { // the rest does not fit into the pipe
		t.Fatal(err)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() }).Stop()
	_ = c.Wait()
	if got := c.ProcessState.ExitCode(); got != ExitScreen {
		t.Errorf("it ended with %d: %v", got, c.ProcessState)
	}
}

// SIGTERM that comes with an interrupt is heard as SIGTERM: the call is left, and its verdict is not waited for.
func TestSIGTERMThatComesWithAnInterrupt(t *testing.T) {
	p := peer.New(t)
	p.Handshake("2025-11-25", `{"name":"slow","inputSchema":{"type":"object"}}`)
	p.On("ping", func(x *peer.Exchange) { x.SSE().Result(`{}`).End() })
	c := exec.CommandContext(t.Context(), os.Args[0], "call", p.URL(), "slow", "--grace", "1h", "--protocol", "2025-11-25")
	c.Env = append(os.Environ(), childVar+"=belay")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	p.Await("tools/call")
	_, _ = c.Process.Signal(syscall.SIGINT), c.Process.Signal(syscall.SIGTERM)
	p.Await("notifications/cancelled").Accepted()
	defer time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() }).Stop()
	_ = c.Wait()
	if got := c.ProcessState.ExitCode(); got != ExitCancelled {
		t.Errorf("it ended with %d: %v", got, c.ProcessState)
	}
}
