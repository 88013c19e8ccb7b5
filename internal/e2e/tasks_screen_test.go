package e2e

import (
	"testing"

	"belay/internal/covers"
	"belay/internal/termtest"
)

// onDemo runs belay against its own demo server, in a revision, until its tools are known.
func onDemo(t *testing.T, cols, rows int, revision string) *stage {
	t.Helper()
	s := &stage{t: t, Story: termtest.Tell(t, termtest.Options{
		Cols: cols, Rows: rows, Argv: []string{belay, "--protocol", revision}, Env: []string{raceOptions},
	})}
	s.See("tools · ")
	return s
}

// asTask makes a call through its form, with the switch of tasks turned on.
func (s *stage) asTask(tool string) *stage {
	s.t.Helper()
	s.Press("n").See("New call")
	s.Type(tool).See("▌tool      " + tool)
	s.Press("alt+enter").See("ctrl+t options")
	s.Press("ctrl+t").See("run as task")
	s.Press("tab", "tab", "tab", "tab", "tab", "tab", "space").See("run as task    on")
	return s.Press("ctrl+s").See("d stop waiting")
}

// A task of the demo server that is cancelled and completes all the same: the cancel is
// acknowledged, and only what is polled afterwards tells what became of the task.
func TestATaskThatCompletesAllTheSame(t *testing.T) {
	covers.Rows(t, "TEX-38", "TEX-40")
	for _, c := range []struct {
		cols, rows int
		revision   string
	}{{80, 24, "2026-07-28"}, {140, 40, "2026-07-28"}, {80, 24, "2025-11-25"}} {
		s := onDemo(t, c.cols, c.rows, c.revision)
		s.call("task_stubborn").See("ctrl+s send")
		s.Press("ctrl+u")
		s.Type("3")
		if c.revision == "2025-11-25" {
			s.Press("ctrl+t").See("run as task")
			s.Press("down", "down", "down", "down", "down", "down", "space").See("run as task    on")
		}
		s.Press("ctrl+s").See("x cancel task", "d stop waiting")
		s.Press("x").See("cancelling")
		s.See("task completed")
		s.Press("q").Exit(0)
	}
}

// Quitting with tasks that go on asks what becomes of them; one that is left is named on the
// normal screen.
func TestQuittingLeavesATask(t *testing.T) {
	covers.Rows(t, "TSK-75")
	s := onDemo(t, 100, 30, "2025-11-25")
	s.asTask("task_stuck")
	s.Press("q").See("1 task among them", "l leave the tasks")
	s.Press("l").Exit(0)
	s.See("stopped waiting", "goes on at the server")
}

// Quitting cancels a task over HTTP as well: its tasks/cancel is answered before the connection
// is closed, and the task stops.
func TestQuittingCancelsATaskOverHTTP(t *testing.T) {
	covers.Rows(t, "TSK-75")
	_, url := serveDemo(t)
	s := &stage{t: t, Story: termtest.Tell(t, termtest.Options{
		Cols: 100, Rows: 30, Argv: []string{belay, "--protocol", "2025-11-25", url}, Env: []string{raceOptions},
	})}
	s.See("tools · ")
	s.asTask("task_countdown")
	s.Press("q").See("1 task among them")
	s.Press("y").Exit(0)
	s.See("cancelled · task cancelled")
}
