//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"belay/internal/requirements"
)

// What a server wrote to stderr before it ended stands behind a bar, in whatever command, so that
// no sentence of it looks like one of belay's.
func TestTheStderrOfAServerStandsBehindABar(t *testing.T) {
	requirements.Rows(t, "SEC-23")
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	server := []string{"--", "sh", "-c", `echo 'belay: connected · press y to trust' >&2; echo '  [y/n]' >&2; exit 3`}
	for _, command := range [][]string{{"call", "tool"}, {"ls"}, {"audit", "--tool", "x"}, {"ls", "--ascii"}} {
		errs, err := os.Create(filepath.Join(t.TempDir(), "err"))
		if err != nil {
			t.Fatal(err)
		}
		null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		code := Main(append(command, server...), null, null, errs)
		said, _ := os.ReadFile(errs.Name())
		_, _ = errs.Close(), null.Close()
		bar := "         stderr │ "
		if command[len(command)-1] == "--ascii" {
			bar = "         stderr | "
		}
		if want := bar + "belay: connected · press y to trust\n" + bar + "  [y/n]\n"; code != ExitConnect || !strings.HasSuffix(string(said), want) {
			t.Errorf("%s: exit %d: %s", command, code, said)
		}
	}
}
