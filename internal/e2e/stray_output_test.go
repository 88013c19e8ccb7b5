package e2e

import (
	"testing"

	"belay/internal/termtest"
)

// What is no server, and prints something, is told so where it can still be read.
func TestACommandThatPrintsABanner(t *testing.T) {
	t.Parallel()
	s := termtest.Tell(t, termtest.Options{Cols: 100, Rows: 30, Argv: []string{belay, "--", "sh", "-c", `printf 'Welcome\033[2J here\n'; exec sleep 60`}})
	s.See("no answer yet, but what is no JSON-RPC", `it wrote "Welcome⟨ESC⟩[2J here"`, "logs belong on stderr")
	s.Press("q").Exit(0)
	s = termtest.Tell(t, termtest.Options{Cols: 100, Rows: 30, Argv: []string{belay, "--", "sh", "-c", `echo Welcome; exit 3`}})
	s.See("cannot connect: the server ended before it answered", "stdout │ Welcome", `its stdout is not JSON-RPC: it wrote "Welcome". A server must write only JSON-RPC on stdout;`)
	s.Exit(3)
}
