//go:build unix

package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// Whoever waits for the end of a pipe of variables before anything else happens is told so by
// each command.
func TestAPipeOfVariablesThatIsSlow(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"", "call tool", "ls", "audit --tool x"} {
		t.Run("belay "+command, func(t *testing.T) {
			t.Parallel()
			vars, end, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _, _ = vars.Close(), end.Close() }()
			said, errs, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = said.Close() }()
			name := fmt.Sprintf("/dev/fd/%d", vars.Fd())
			root := newRoot(std{err: errs})
			root.SetArgs(append(strings.Fields(command), "-c", t.TempDir()+"/none", "--env-file", name))
			root.SetOut(io.Discard)
			root.SetErr(io.Discard)
			done := make(chan error, 1)
			go func() {
				err := root.Execute()
				_ = errs.Close()
				done <- err
			}()
			line := make([]byte, 200)
			_ = said.SetReadDeadline(time.Now().Add(50 * time.Second))
			n, err := said.Read(line)
			if want := "belay: waiting for the end of the pipe --env-file \"" + name + "\", 1m00s at most; ctrl+c gives up\n"; string(line[:n]) != want {
				t.Errorf("%q, %v, want %q", line[:n], err, want)
			}
			_ = end.Close()
			if err := <-done; err == nil || !strings.Contains(err.Error(), "none") {
				t.Errorf("it ends with %v", err)
			}
		})
	}
}
