//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"belay/internal/termtest"
)

// Whoever wants to try a login needs nothing but belay: the demo with --login lets
// no tool be called without one, in either era.
func TestALoginAtTheDemo(t *testing.T) {
	t.Parallel()
	for _, modern := range []bool{false, true} {
		t.Run(protocol(modern), func(t *testing.T) {
			_, url := serveDemo(t, "--login")
			home := t.TempDir()
			s := &stage{t: t, Story: termtest.Tell(t, termtest.Options{
				Cols: 110, Rows: 32, Argv: []string{belay, "--protocol", protocol(modern), url},
				Env: []string{
					raceOptions, "HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, "conf"),
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
