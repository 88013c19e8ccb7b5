package cli

import (
	"os"
	"strings"
	"testing"
)

// What cannot be written to stdout has a code of its own: the server did nothing wrong.
func TestStdoutThatIsFullHasItsCode(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = full.Close() }()
	for _, args := range [][]string{{"completion", "bash"}, {"--version"}, {"--help"}, {"call", "--help"}, {"man"}} {
		if got := Main(args, os.Stdin, full, os.Stderr); got != ExitScreen {
			t.Errorf("%v: %d", args, got)
		}
	}
	if err := (std{out: full}).write([]byte("x")); codeOf(err) != ExitScreen || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("%d: %v", codeOf(err), err)
	}
}
