//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	web "belay/internal/peer"
	"belay/internal/termtest"
)

// A call whose result nobody reads ends of SIGTERM and SIGHUP all the same, with the code for a result that was not
// written to its end, and leaves no server behind.
func TestOutputThatIsNotRead(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = r.Close() }()
			cmd := exec.CommandContext(t.Context(), belay, "call", "big", "--arg", "megabytes=2")
			cmd.Env = append(os.Environ(), raceOptions)
			cmd.Stdout = w
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_ = w.Close()
			if n, err := r.Read(make([]byte, 10)); n == 0 || err != nil { // the rest does not fit into the pipe
				t.Fatal(err)
			}
			started, err := termtest.ChildrenOf(cmd.Process.Pid)
			if err != nil || len(started) == 0 {
				t.Fatalf("%v: %v", started, err)
			}
			signalled(t, cmd, sig)
			endsWith(t, cmd, 7)
			for _, p := range started {
				if err := termtest.WaitProcessGone(p.PID, hang); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A terminal that stopped, to which the progress of a call is told, keeps no signal from belay: ctrl+c cancels the
// call, and ends belay when it comes once more, as SIGTERM does at once.
func TestProgressThatIsNotRead(t *testing.T) {
	t.Parallel()
	for what, signals := range map[string][]syscall.Signal{"ctrl+c twice": {syscall.SIGINT, syscall.SIGINT}, "SIGTERM": {syscall.SIGTERM}} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			master, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = master.Close() }()
			termtest.Fill(t, tty)
			p := web.New(t)
			p.Handshake("2025-11-25", `{"name":"slow","inputSchema":{"type":"object"}}`)
			p.On("ping", func(x *web.Exchange) { x.SSE().Result(`{}`).End() })
			cmd := exec.CommandContext(t.Context(), belay, "call", p.URL(), "slow", "--grace", "1h", "--protocol", "2025-11-25")
			cmd.Env = append(os.Environ(), raceOptions, "TERM=xterm-256color")
			cmd.Stderr = tty
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_ = tty.Close()
			p.Await("tools/call")
			signalled(t, cmd, signals[0])
			p.Await("notifications/cancelled").Accepted()
			for _, again := range signals[1:] {
				time.Sleep(150 * time.Millisecond) // sooner it would be the same signal
				signalled(t, cmd, again)
			}
			endsWith(t, cmd, 4)
		})
	}
}

func signalled(t *testing.T, cmd *exec.Cmd, sig syscall.Signal) {
	t.Helper()
	if err := cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
}

// endsWith waits until a belay has ended, which must be with this code.
func endsWith(t *testing.T, cmd *exec.Cmd, code int) {
	t.Helper()
	giveUp := time.AfterFunc(hang, func() { _ = cmd.Process.Kill() })
	defer giveUp.Stop()
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("it ended with %d, want %d: %v", got, code, cmd.ProcessState)
	}
}
