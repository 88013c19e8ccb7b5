//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The ID of a task that is not kept, as others may write to the settings, is said by a call
// without a screen, too: nothing offers that task the next time.
func TestACallSaysThatATaskIsNotKept(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	conf := filepath.Join(home, "conf")
	if err := os.Mkdir(conf, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(conf, 0o777); err != nil { //nolint:gosec // that is the test
		t.Fatal(err)
	}
	cmd := exec.Command(belay, "call", "task_stuck", "--keep-tasks", "--cancel-after", "5s", "--grace", "5s")
	cmd.Env = append(os.Environ(), raceOptions, "HOME="+home, "XDG_CONFIG_HOME="+conf)
	out, _ := cmd.CombinedOutput() // a cancelled call is a failure
	if !strings.Contains(string(out), "the IDs of tasks are not kept: ") || !strings.Contains(string(out), "chmod go-w") {
		t.Errorf("it says nothing of that: %s", out)
	}
	if left, _ := filepath.Glob(filepath.Join(conf, "belay", "tasks", "tasks-*")); len(left) > 0 {
		t.Errorf("kept: %v", left)
	}
}

// A call of which the server wants to know who makes it says how to log in.
func TestACallSaysHowToLogIn(t *testing.T) {
	t.Parallel()
	_, url := serveDemo(t, "--login")
	home := t.TempDir()
	cmd := exec.Command(belay, "call", url, "echo", "--arg", "text=hello")
	cmd.Env = append(os.Environ(), raceOptions, "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, "conf"), "NO_PROXY=*", "no_proxy=*")
	out, _ := cmd.CombinedOutput()
	if !strings.Contains(string(out), "log in once on the screen: belay "+url) || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("%d: %s", cmd.ProcessState.ExitCode(), out)
	}
}
