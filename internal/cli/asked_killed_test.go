//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"belay/internal/termtest"
)

func init() {
	children["belay"] = func() int { return Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr) }
}

// A belay that is killed while it asks, by a list or by a line that is not shown, leaves the
// terminal as it was. The shell around it is a script's, which leaves the modes as they are.
func TestWhoIsKilledWhileItAsksGivesTheTerminalBack(t *testing.T) {
	for asked, args := range map[string]string{"(not shown)": "-s one --yes", "enter run": "-s"} {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, "mcp.json"), []byte(`{"inputs": [{"id": "k", "type": "promptString", "password": true}],
			"servers": {"one": {"command": "cat", "args": ["${input:k}"]}, "other": {"command": "cat"}}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		s := termtest.Tell(t, termtest.Options{
			Argv: []string{"sh", "-c", `"$0" ` + args + `; read line`, os.Args[0]}, Dir: home,
			Env: []string{childVar + "=belay", "HOME=" + home, "XDG_CONFIG_HOME=" + home},
		})
		s.See(asked)
		var asking, guards []termtest.Process
		waitUntil(t, asked+": there is no guard", func() bool {
			asking, _ = termtest.ChildrenOf(s.PID())
			if len(asking) == 1 {
				guards, _ = termtest.ChildrenOf(asking[0].PID)
			}
			return len(guards) == 1 && isGuard(guards[0])
		})
		if cooked, err := s.IsCooked(); err != nil || cooked {
			t.Fatalf("%s: nothing is hidden: %v", asked, err)
		}
		if err := syscall.Kill(asking[0].PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if err := termtest.WaitProcessGone(guards[0].PID, time.Minute); err != nil {
			t.Error(err)
		}
		if cooked, err := s.IsCooked(); err != nil || !cooked {
			t.Errorf("%s: the terminal is not the shell's: %v", asked, err)
		}
		s.Type("\n").Exit(0)
	}
}
