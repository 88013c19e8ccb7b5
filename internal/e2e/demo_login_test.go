//go:build unix

package e2e

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"belay/internal/termtest"
)

// Whoever wants to try a login needs nothing but belay: the demo with --login lets
// no tool be called without one, in either era.
func TestALoginAtTheDemo(t *testing.T) {
	for _, modern := range []bool{false, true} {
		t.Run(protocol(modern), func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), belay, "demo", "--http", "0", "--login")
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
			line, err := bufio.NewReader(out).ReadString('\n')
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			home := t.TempDir()
			s := &stage{t: t, Story: termtest.Tell(t, termtest.Options{
				Cols: 110, Rows: 32, Argv: []string{belay, "--protocol", protocol(modern), strings.Fields(line)[2]},
				Env: []string{
					"GORACE=atexit_sleep_ms=0", "HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, "conf"),
					"BROWSER=" + os.Args[0] + " browse", "NO_PROXY=*", "no_proxy=*",
				},
			})}
			s.See(`● "belay demo`).call("fail").Press("ctrl+s").See("wants you to log in", "/authorize?", "ctrl+u open").Press("ctrl+u")
			s.See("logged in · what waited for it goes on")
			row(s, "fail", "✗ failed").Press(":").Type("logout").Press("enter")
			s.See("the token is forgotten, here and in its file, and revoked").Press("q").Exit(0)
		})
	}
}
