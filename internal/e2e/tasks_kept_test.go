//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"belay/internal/requirements"
	"belay/internal/termtest"
)

// A task outlives a belay that is killed: the next one offers its ID, waits for it again, and
// cancels it. What has ended is not offered to the one after that.
func TestATaskOutlivesBelay(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TEX-16")
	for _, modern := range []bool{false, true} {
		t.Run(protocol(modern), func(t *testing.T) {
			_, url := serveDemo(t)
			home := t.TempDir()
			start := func() *stage {
				s := &stage{t: t, Story: termtest.Tell(t, termtest.Options{
					Cols: 110, Rows: 32, Argv: []string{belay, "--keep-tasks", "--protocol", protocol(modern), url},
					Env: []string{raceOptions, "HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, "conf"), "NO_PROXY=*", "no_proxy=*"},
				})}
				s.See(`● "belay demo`)
				return s
			}
			first := start()
			if modern {
				first.call("task_countdown").See("ctrl+s send").Press("ctrl+u").Type("600").Press("ctrl+s").See("d stop waiting")
			} else {
				first.asTask("task_countdown", "600")
			}
			first.UntilFile(filepath.Join(home, "conf", "belay", "tasks"))
			if err := syscall.Kill(first.PID(), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			first.Exit(128 + int(syscall.SIGKILL))

			second := start()
			second.See("1 task of an earlier run may still go on")
			second.Press(":").Type("tasks").Press("enter").See("kept from before", "task_countdown")
			second.Press("enter").See("d stop waiting  / filter").Press("x").See("task cancelled")
			second.Press("q").Exit(0)

			third := start()
			below := "listed by the server"
			if modern {
				below = "this revision lists no tasks"
			}
			third.Press(":").Type("tasks").Press("enter").See(below)
			if screen := third.Screen().Framed(); strings.Contains(screen, "kept from before") {
				t.Errorf("a task that has ended is offered:\n%s", screen)
			}
			third.Press("esc", "q").Exit(0)
			if left, _ := filepath.Glob(filepath.Join(home, "conf", "belay", "tasks", "tasks-*")); len(left) != 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// UntilFile waits for the list of tasks that is kept in a directory.
func (s *stage) UntilFile(dir string) {
	s.t.Helper()
	s.Until("the ID is kept", func(termtest.Screen) bool {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), "tasks-") && strings.HasSuffix(e.Name(), ".json") {
				return true
			}
		}
		return false
	})
}
