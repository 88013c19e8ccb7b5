package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/internal/termtest"
)

// A task of the demo server asks by a form, in both protocols, and completes with the answer.
func TestATaskThatAsksIsAnswered(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TSK-26", "TEX-25", "TEX-26")
	for _, modern := range []bool{false, true} {
		s := onDemo(t, 80, 24, protocol(modern))
		if modern {
			s.call("task_ask")
		} else {
			s.asTask("task_ask")
		}
		s.See("Where does she sail to?", "ctrl+s send").Type("Lisbon").See("Lisbon").Press("ctrl+s")
		s.See("answered", "done").See("Lisbon")
		s.Press("q").Exit(0)
	}
}

// A request written by hand declares what is written: the server refuses it, and r makes it again
// with the declaration. The task that it becomes is cancelled, and works on.
func TestARequestByHandIsDeclaredAndMadeAgain(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TEX-06")
	s := onDemo(t, 100, 30, "2026-07-28")
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	s.Press(":").Type(`send tools/call {"name":"task_stuck","arguments":{},` + meta + `}`).Press("enter")
	s.See("failed", "r declares", "extensions.io.modelcontextprotocol/tasks")
	s.Press("r").See("d stop waiting").Press("x").See("task still working")
	s.Press("q").See("cancelled task may go on").Press("y").Exit(0)
}

// A server of 2026-07-28 without the extension knows no method of tasks, and is asked by no
// command.
func TestAServerWithoutTheExtension(t *testing.T) {
	t.Parallel()
	s := &stage{t: t, Story: termtest.Tell(t, termtest.Options{
		Cols: 140, Rows: 40, Argv: []string{belay, "--protocol", "2026-07-28", "--", os.Args[0], "gosdk"}, Env: []string{raceOptions},
	})}
	s.See("go-sdk").Press(":").Type(`send tasks/get {"taskId":"t"}`).Press("enter")
	s.See("failed").Press("r").rows(2, "tasks/get", "✗ failed").See("-32601")
	s.Press(":").Type("task t").Press("enter").See("the server declares no tasks")
	s.Press("q").Exit(0)
}

// keptID is the ID of a task that is named on the normal screen.
var keptID = regexp.MustCompile(`task "([^"]+)" may go on`)

// A task that was left is picked up by its ID, in another run: waited for, left by its own key,
// which cancels nothing, and cancelled.
func TestATaskIsPickedUpByItsID(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "CXL-38", "TSK-58", "TEX-37")
	for _, modern := range []bool{false, true} {
		_, url := serveDemo(t)
		start := func() *stage {
			s := &stage{t: t, Story: termtest.Tell(t, termtest.Options{
				Cols: 140, Rows: 40, Argv: []string{belay, "--protocol", protocol(modern), url}, Env: []string{raceOptions},
			})}
			s.See("tools · ")
			return s
		}
		first := start()
		if modern {
			first.call("task_stuck").See("d stop waiting")
		} else {
			first.asTask("task_stuck")
		}
		first.Press("q").See("l leave the tasks").Press("l").Exit(0)
		found := keptID.FindStringSubmatch(strings.ReplaceAll(first.Screen().String(), "\n", ""))
		if found == nil {
			t.Fatalf("no ID is told:\n%s", first.Screen().Framed())
		}
		second := start()
		pick := func() { second.Press(":").Type("task " + found[1]).Press("enter").See("d stop waiting") }
		pick()
		second.See("working") // before its first poll is answered, d leaves the asking alone
		second.Press("d").See("stopped waiting")
		pick()
		second.Press("x").See("task still working")
		second.Press("q").See("cancelled task may go on").Press("y").Exit(0)
	}
}

// The tasks of a recording are listed, and looked at.
func TestTheTasksOfARecording(t *testing.T) {
	t.Parallel()
	recording := plays(t, filepath.Join(t.TempDir(), "run.jsonl"))
	s := &stage{t: t, Story: termtest.Tell(t, termtest.Options{
		Cols: 140, Rows: 40, Argv: []string{belay, "--protocol", "2026-07-28", "--record", recording}, Env: []string{raceOptions},
	})}
	s.See("tools · ")
	s.call("task_countdown").See("ctrl+s send").Press("ctrl+u").Type("600").Press("ctrl+s").See("d stop waiting").Press("x").See("task cancelled")
	s.Press("q").Exit(0)
	r := replayed(t, 80, 24, recording)
	r.See("task cancelled").Press(":").Type("tasks").Press("enter").See("task_countdown", "cancelled", "of these tasks it tells")
	r.Press("x").See("this is a recording").Press("enter").Gone("of these tasks it tells")
	r.Press("q").Exit(0)
}

// A question that is to run as a task is an ordinary one: belay declares no tasks of its own, and
// ignores the field.
func TestAQuestionThatIsToBeATask(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TSR-01", "TSR-02")
	s := play(t, "dictated", "--protocol", "2025-11-25")
	s.See("scripted").call("slow")
	s.serverReads(1, `"tools/call"`)
	s.dictate(strings.Replace(questions["form"], `"params":{`, `"params":{"task":{"ttl":60000},`, 1)).See("asks you to fill in a form", "ctrl+s send")
	s.Type("Ann").See("Ann").Press("ctrl+s")
	s.serverReads(1, `"id":"q1","result":{"action":"accept","content":{"name":"Ann"}}}`)
	if n := s.count(`"initialize"`, `"tasks"`); n != 0 {
		t.Error("belay declares tasks of its own")
	}
	s.Press("q", "y").Exit(0)
}
