//go:build unix

package e2e

import (
	"syscall"
	"testing"
	"time"
)

// full is long enough for a flooding server to have filled every buffer between
// belay and a terminal that does not read.
const full = 3 * time.Second

func TestTerminalThatStopsReadingStopsNothing(t *testing.T) {
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
	s := play(t, "flood")
	s.See("scripted").call("slow").See("running")
	s.StopReading()
	time.Sleep(full)
	s.Press("q", "y").serverReads(1, "notifications/cancelled").serverReads(1, "EOF")
	s.Exit(0)
}

func TestSIGTERMOnATerminalThatStoppedReading(t *testing.T) {
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
