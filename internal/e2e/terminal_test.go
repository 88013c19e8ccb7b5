//go:build unix

package e2e

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"belay/internal/termtest"
)

// full is long enough for a flooding server to have filled every buffer between
// belay and a terminal that does not read.
const full = 3 * time.Second

func TestTerminalThatStopsReadingStopsNothing(t *testing.T) {
	t.Parallel()
	s := play(t, "flood")
	s.See("scripted").call("slow").See("running")
	s.StopReading()
	time.Sleep(full)
	s.Press("x").serverReads(1, "notifications/cancelled")
	s.StartReading()
	s.See("cancel")
	s.Press("q", "y").Exit(0)
}

func TestQuitOnATerminalThatStoppedReading(t *testing.T) {
	t.Parallel()
	s := play(t, "flood")
	s.See("scripted").call("slow").See("running")
	s.StopReading()
	time.Sleep(full)
	s.Press("q", "y").serverReads(1, "notifications/cancelled").serverReads(1, "EOF")
	s.Exit(0)
}

func TestSIGTERMOnATerminalThatStoppedReading(t *testing.T) {
	t.Parallel()
	s := play(t, "flood")
	s.See("scripted").call("slow").See("running")
	s.StopReading()
	time.Sleep(full)
	if err := syscall.Kill(s.PID(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.serverReads(1, "notifications/cancelled").serverReads(1, "EOF")
	s.Exit(0)
}

// A terminal that answers late does not write its answers to the shell's prompt, neither
// where the server exits at once nor where the user does.
func TestLateAnswersAreNoTextOfTheShells(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		command, press string
	}{
		"the server exits at once": {belay + " -- sh -c 'exit 3'", ""},
		"the user quits at once":   {belay + " --no-motion", "q"},
	} {
		t.Run(name, func(t *testing.T) {
			s := termtest.Tell(t, termtest.Options{
				Cols: 100, Rows: 24, Late: 30 * time.Millisecond, Env: []string{raceOptions},
				Argv: []string{"/bin/sh", "-c", tt.command + "; echo the shell; IFS= read -r line; echo \"[$line]\""},
			})
			if tt.press != "" {
				s.See("1 Calls").Press(tt.press)
			}
			s.See("the shell").Type("typed").Press("enter").See("[typed]")
			for _, line := range s.Screen().Lines() {
				for _, answer := range []string{"rgb:", "2026;", "2027;", "^["} {
					if strings.Contains(line, answer) {
						t.Errorf("an answer is on the shell's screen: %q", line)
					}
				}
			}
			s.Exit(0)
		})
	}
}
