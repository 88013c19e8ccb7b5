package cli

import (
	"bytes"
	"os"
	"testing"

	"belay/internal/termtest"
)

func init() {
	children["help"] = func() int { return Main([]string{"--help"}, os.Stdin, os.Stdout, os.Stderr) }
	children["server"] = func() int { return Main([]string{"--", "true"}, os.Stdin, os.Stdout, os.Stderr) }
}

// printed is what a command line prints on a terminal that answers nothing.
func printed(t *testing.T, child string, code int, env ...string) []byte {
	t.Helper()
	s := termtest.Tell(t, termtest.Options{Argv: os.Args[:1], Env: append(env, childVar+"="+child), Mute: true})
	s.Exit(code)
	return s.RawOutput()
}

// A terminal may not answer, and belay would wait.
func TestTheHelpAsksTheTerminalNothing(t *testing.T) {
	out := printed(t, "help", ExitOK)
	if !bytes.Contains(out, []byte("--protocol")) || bytes.Contains(out, []byte("\x1b]")) || bytes.Contains(out, []byte("\x1b[c")) {
		t.Errorf("%q", out)
	}
}

func TestADumbTerminalIsRefusedInWords(t *testing.T) {
	out := printed(t, "server", ExitUsage, "TERM=dumb", "COLORTERM")
	if !bytes.Contains(out, []byte("(TERM=dumb)")) || bytes.Contains(out, []byte("\x1b")) {
		t.Errorf("%q", out)
	}
}
