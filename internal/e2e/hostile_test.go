package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/internal/termtest"
)

func TestGarbageAndHostileText(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "STD-04", "SEC-19", "SEC-20", "BASE-18")
	s := play(t, "garbage")
	s.See("scripted").call("ask").See("what to say")
	s.Type("hello").Press("ctrl+s").See("done")
	s.Press("enter").See("gnp.exe")
	s.call("slow").See("running").Press("x").cancelling()
	s.serverReads(1, "notifications/cancelled")
	raw := s.RawOutput()
	for _, attack := range []string{"\x1b]52;", "\x1b]0;title", "\x1b[31mred", "\u202e", "\x1bP$q", "\u009b"} {
		if bytes.Contains(raw, []byte(attack)) {
			t.Errorf("%q reached the terminal", attack)
		}
	}
}

func TestServerThatStopsReading(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "SD3-11", "NFR-1")
	s := play(t, "deaf")
	s.See("scripted").call("slow").See("running")
	s.Press("x").cancelling()
	s.Press("?").See("cancel")
	s.Press("esc")
}

func TestServerThatDies(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "STD-20")
	s := play(t, "dies")
	s.See("scripted").call("slow")
	s.See("lost", "exit status 3", "the disk is full")
	s.Press("q").Exit(3)
}

func TestServerThatPrintsNothingAndEnds(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "STD-29")
	s := play(t, "nothing")
	s.Exit(3)
	s.Until("the error", func(screen termtest.Screen) bool {
		// What the terminal answers to belay's first questions may stand before it,
		// as belay is gone by then, and fold it.
		text := strings.Join(screen.Lines(), "")
		return strings.Contains(text, "before it answered initialize: exit status 0") && strings.Contains(text, "peer nothing")
	})
}

func TestCommandThatDoesNotExist(t *testing.T) {
	t.Parallel()
	s := termtest.Tell(t, termtest.Options{
		Cols: 100, Rows: 24, Argv: []string{belay, "--", "no-such-program-of-anybody"},
		Env: []string{raceOptions},
	})
	s.Exit(3)
	s.See("no-such-program-of-anybody", "no such program")
}

func TestKilledServerLeavesTheTerminalSane(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "STD-30")
	s := play(t, "silent-cancel")
	s.See("scripted").call("slow").See("running")
	children := s.children()
	if len(children) != 1 {
		t.Fatalf("children %v", children)
	}
	proc, err := os.FindProcess(children[0].PID)
	if err != nil {
		t.Fatal(err)
	}
	if err := proc.Kill(); err != nil {
		t.Fatal(err)
	}
	s.See("lost", "killed")
	s.Press("q").Exit(3)
	if s.Screen().AltScreen {
		t.Error("the alternate screen was left on")
	}
}

func TestWithoutATerminal(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "out")
	s := termtest.Tell(t, termtest.Options{
		Cols: 100, Rows: 24, Argv: []string{"/bin/sh", "-c", belay + " >" + file + " 2>&1; cat " + file + "; exit 7"},
		Env: []string{raceOptions},
	})
	s.Exit(7)
	s.See("needs a terminal")
}
