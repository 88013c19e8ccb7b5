package e2e

import (
	"strings"
	"testing"

	"belay/internal/requirements"
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

// asTask makes a call through its form, with a value of its first field, or with those that it
// has, and with the switch of tasks turned on.
func (s *stage) asTask(tool string, value ...string) *stage {
	s.t.Helper()
	s.Press("n").See("New call")
	s.Type(tool).See("▌tool      " + tool)
	s.Press("alt+enter").See("ctrl+t options")
	for _, v := range value {
		s.Press("ctrl+u").Type(v).See(v)
	}
	s.Press("ctrl+t").See("run as task")
	s.Press("tab", "tab", "tab", "tab", "tab", "tab", "space").See("run as task    on")
	return s.Press("ctrl+s").See("d stop waiting")
}

// A task of the demo server that is cancelled and completes all the same: the cancel is
// acknowledged, and only what is polled afterwards tells what became of the task.
func TestATaskThatCompletesAllTheSame(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TEX-38", "TEX-40")
	for _, c := range []struct {
		cols, rows int
		revision   string
	}{{80, 24, "2026-07-28"}, {140, 40, "2026-07-28"}, {80, 24, "2025-11-25"}} {
		s := onDemo(t, c.cols, c.rows, c.revision)
		s.call("task_stubborn").See("ctrl+s send")
		s.Press("ctrl+u")
		s.Type("20") // of which some pass until the key is pressed
		if c.revision == "2025-11-25" {
			s.Press("ctrl+t").See("run as task")
			s.Press("down", "down", "down", "down", "down", "down", "space").See("run as task    on")
		}
		s.Press("ctrl+s").See("x cancel task", "d stop waiting")
		s.Press("x").cancelling().See("task completed")
		s.Press("q").Exit(0)
	}
}

// Quitting with tasks that go on asks what becomes of them; one that is left is named on the
// normal screen.
func TestQuittingLeavesATask(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TSK-75")
	s := onDemo(t, 100, 30, "2025-11-25")
	s.asTask("task_stuck")
	s.Press("q").See("It runs as a task", "l leave the tasks")
	s.Press("l").Exit(0)
	s.See("stopped waiting", "may go on, if it outlives the server")
}

// Quitting cancels a task over HTTP as well: its tasks/cancel is answered before the connection
// is closed, and the task stops.
func TestQuittingCancelsATaskOverHTTP(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TSK-75")
	_, url := serveDemo(t)
	s := &stage{t: t, Story: termtest.Tell(t, termtest.Options{
		Cols: 100, Rows: 30, Argv: []string{belay, "--protocol", "2025-11-25", url}, Env: []string{raceOptions},
	})}
	s.See("tools · ")
	s.asTask("task_countdown")
	s.Press("q").See("It runs as a task")
	s.Press("y").Exit(0)
	s.See("cancelled · task cancelled")
}

// Quitting before the server has told the ID of a task that was asked for: belay waits for it, a
// second at most, and cancels the task. Of one that still has no ID it is told.
func TestQuittingBeforeATaskHasItsID(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TSK-73", "TSK-75")
	for script, want := range map[string]struct {
		cancels int
		told    string
	}{
		"a create answer within a quit":      {1, `"slow": cancelled · task`},
		"a create answer after another call": {0, "a task may go on, if it outlives the server"},
		"a status before the create answer":  {1, `"slow": cancelled · task`},
	} {
		const untold = "a task may go on, if it outlives the server"
		var s *stage
		for tries := 5; tries > 0; tries-- { // on a busy machine the answer may take longer than belay waits
			s = play(t, tasksAs(script, "2025-11-25"), "--protocol", "2025-11-25")
			s.See("2 tools")
			callTool(s.Story, "slow")
			s.serverReads(1, `"method":"tools/call"`)
			s.Press("q").See("Quit").Press("y").Exit(0)
			s.Until("what became of the task", func(now termtest.Screen) bool {
				return strings.Contains(now.String(), want.told) || strings.Contains(now.String(), untold)
			})
			if strings.Contains(s.Screen().String(), want.told) {
				break
			}
		}
		s.See(want.told)
		if n := s.count(`"method":"tasks/cancel"`); n != want.cancels {
			t.Errorf("%s: %d tasks/cancel, want %d", script, n, want.cancels)
		}
		if n := s.count(`"method":"notifications/cancelled"`); n != 0 {
			t.Errorf("%s: %d notifications/cancelled", script, n)
		}
	}
}

// A server that ends takes its tasks along, or keeps them: belay offers to ask the next one, and
// tells what that says.
func TestATaskOfAServerThatEnded(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TSK-72", "TEX-48")
	for _, modern := range []bool{false, true} {
		s := onDemo(t, 100, 30, protocol(modern))
		if modern {
			s.call("task_stuck").See("d stop waiting")
		} else {
			s.asTask("task_stuck")
		}
		s.call("crash").See("ctrl+s send").Press("ctrl+s").See("destructive").Press("y").See("the server is gone", "lost")
		s.Press(":").Type("restart").Press("enter").See("1 task of an earlier connection may still go on")
		s.Press(":").Type("tasks").Press("enter").See("working, lost").Press("enter").See("task not found")
		s.Press("q").Exit(0)
	}
}
