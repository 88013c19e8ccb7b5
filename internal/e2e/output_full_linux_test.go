package e2e

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What cannot be written to stdout is said on stderr, and is no error of the server's: the exit
// code is one of its own, unless there was another one.
func TestOutputThatIsFull(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = full.Close() }()
	recording := plays(t, filepath.Join(t.TempDir(), "run.jsonl"))
	if got := without(t, "call", "countdown", "--cancel-after", "100ms", "--grace", "200ms", "--record", recording); got.code != 4 {
		t.Fatalf("%d\n%s", got.code, got.errOut)
	}
	for _, c := range []struct {
		code int
		args []string
	}{
		{7, []string{"call", "echo", "--arg", "text=x"}},
		{7, []string{"call", "echo", "--arg", "text=x", "-o", "json"}},
		{1, []string{"call", "fail", "-o", "json"}},
		{7, []string{"ls"}},
		{7, []string{"report", recording}},
		{7, []string{"man"}},
		{6, []string{"audit", "--tool", "echo", "--json", `{"text":"x"}`}},
	} {
		cmd := exec.CommandContext(t.Context(), belay, c.args...)
		var errOut bytes.Buffer
		cmd.Env = append(os.Environ(), raceOptions)
		cmd.Stdout, cmd.Stderr = full, &errOut
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if got := cmd.ProcessState.ExitCode(); got != c.code || !strings.Contains(errOut.String(), `cannot write "stdout": no space left on device`) || strings.Contains(errOut.String(), "--help") {
			t.Errorf("%v: %d, not %d\n%s", c.args, got, c.code, errOut.String())
		}
	}
}
