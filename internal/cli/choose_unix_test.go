//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"belay/internal/termtest"
)

// A list on a terminal that stopped reading ends of a signal all the same, by that signal, and the terminal has its
// modes again.
func TestAListOnATerminalThatStopped(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			if err := os.WriteFile(filepath.Join(home, "mcp.json"), []byte(`{"servers": {"one": {"command": "cat"}, "other": {"command": "cat"}}}`), 0o600); err != nil {
				t.Fatal(err)
			}
			master, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _, _ = tty.Close(), master.Close() }()
			if err := pty.Setsize(master, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
				t.Fatal(err)
			}
			before, err := term.GetState(tty.Fd())
			if err != nil {
				t.Fatal(err)
			}
			c := exec.CommandContext(t.Context(), os.Args[0], "-s")
			c.Dir, c.Stdin, c.Stdout, c.Stderr = home, tty, tty, tty
			c.Env = append(os.Environ(), childVar+"=belay", "HOME="+home, "XDG_CONFIG_HOME="+home, "TERM=xterm-256color", "TERM_PROGRAM=", "LANG=C.UTF-8")
			c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			defer time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() }).Stop()
			var shown strings.Builder
			for buf := make([]byte, 4<<10); !strings.Contains(shown.String(), "Which server?"); {
				n, err := master.Read(buf)
				if shown.Write(buf[:n]); err != nil {
					t.Fatalf("%v: %q", err, shown.String())
				}
			}
			termtest.Fill(t, tty)
			if err := c.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait()
			status, _ := c.ProcessState.Sys().(syscall.WaitStatus)
			if ended := status.Signal() == sig || sig == syscall.SIGQUIT && status.ExitStatus() == 2; !ended {
				t.Errorf("it ended with %v", c.ProcessState)
			}
			if after, err := term.GetState(tty.Fd()); err != nil || *after != *before {
				t.Errorf("the terminal has other modes: %v", err)
			}
		})
	}
}
