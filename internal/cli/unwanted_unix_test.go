//go:build unix

package cli

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/creack/pty"
	"github.com/spf13/cobra"
)

// Who does not want an entry to run ends a command that makes calls without success, also by the end
// of the input; on the screen that is no failure.
func TestACommandThatIsNotWantedHasNoSuccess(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	file := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(file, []byte(`{"mcpServers":{"files":{"command":"/bin/false"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, typed := range []string{"n\n", "\x04"} {
		for what, ask := range map[string]func(f *serverFlags, s std) error{
			"call": func(f *serverFlags, s std) error { _, err := f.target(s, nil, -1); return err },
			"screen": func(f *serverFlags, s std) error {
				_, err := f.entry.target(s, &f.flags, &f.look)
				return err
			},
		} {
			master, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			go func() { _, _ = io.Copy(io.Discard, master) }()
			if _, err := master.WriteString(typed); err != nil {
				t.Fatal(err)
			}
			var f serverFlags
			cmd := &cobra.Command{}
			f.add(cmd)
			if err := cmd.ParseFlags([]string{"-c", file, "-s", "files"}); err != nil {
				t.Fatal(err)
			}
			err = ask(&f, std{in: tty, out: tty, err: tty})
			want := ExitCancelled
			if what == "screen" {
				want = ExitOK
			}
			if err == nil || codeOf(err) != want || err.Error() != "nothing was run" {
				t.Errorf("%s, %q: exit %d, want %d: %v", what, typed, codeOf(err), want, err)
			}
			_, _ = tty.Close(), master.Close()
		}
	}
}
