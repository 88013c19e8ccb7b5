//go:build unix

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/internal/termtest"
)

// While belay is stopped from outside, a grace, a timeout and the time of a call stand still.
// What the server sent meanwhile may have been on its way all the time: on a machine that is slow
// between the cancel and the stop, the answer is late by that time, and never by the stopped one.
func TestATimeInWhichBelayIsStoppedCountsForNothing(t *testing.T) {
	requirements.Rows(t, "TMO-17")
	s := play(t, "dictated", "--timeout", "10s")
	began := time.Now()
	s.See("scripted").call("slow").serverReads(1, `"tools/call"`)
	s.Press("x").serverReads(1, "notifications/cancelled")
	s.Press("n").See("New call").Type("slow").Press("enter").serverReads(2, `"tools/call"`)
	signal := func(sig syscall.Signal) {
		t.Helper()
		if err := syscall.Kill(s.PID(), sig); err != nil {
			t.Fatal(err)
		}
	}
	signal(syscall.SIGSTOP)
	time.Sleep(1500 * time.Millisecond)
	var call struct{ ID json.RawMessage }
	for _, l := range slices.Backward(s.received()) { // the first is found last
		if strings.Contains(l.Line, `"tools/call"`) {
			if err := json.Unmarshal([]byte(l.Line), &call); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.dictate(`{"jsonrpc":"2.0","id":` + string(call.ID) + `,"result":{"content":[]}}`)
	time.Sleep(2 * time.Second)
	signal(syscall.SIGCONT)
	row := regexp.MustCompile(`4 +tools/call +slow +⊘ (?:cancelled · )?(?:crossed|answered late) +([0-9.]+)s`)
	s.See("running").Until("the answer to be read", func(sc termtest.Screen) bool { return row.MatchString(sc.String()) })
	took, err := strconv.ParseFloat(row.FindStringSubmatch(s.Screen().String())[1], 64)
	if most := time.Since(began).Seconds() - 3.4; err != nil || took > most {
		t.Errorf("the call is said to have taken %.1f s (%v), of at most %.1f s in which belay ran", took, err, most)
	}
	s.Press("w").untilSaid("the stop", `belay did not run for (3\.[4-9]|[4-9]\.|\d\d)`)
	s.See("cancelled · ") // the other one, whose time goes on where it stood
	s.Press("q", "y").Exit(0)
}

// ctrl+z gives the terminal to the shell, and fg takes it back, with the whole screen.
func TestSuspend(t *testing.T) {
	t.Parallel()
	for name, isSlow := range map[string]bool{"a terminal": false, "a slow terminal": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := filepath.Join(t.TempDir(), "peer.jsonl")
			script := "set -m; " + strings.Join([]string{belay, "--", os.Args[0], "peer", "dictated", log}, " ") + "; echo the shell has it; read line; fg >/dev/null"
			s := &stage{t: t, log: log, Story: termtest.Tell(t, termtest.Options{
				Cols: 200, Rows: 60, Argv: []string{"/bin/sh", "-c", script}, Env: []string{raceOptions},
			})}
			if isSlow {
				s.ReadSlowly(300, 80*time.Millisecond)
			}
			s.See("scripted").call("slow").See("running")
			if isSlow {
				s.drawMuch()
			}
			s.Press("ctrl+z").Until("the shell to have its screen", func(screen termtest.Screen) bool {
				return !screen.AltScreen && strings.Contains(screen.String(), "the shell has it")
			})
			s.Type("\n").See("slow", "running")
			s.Press("x").serverReads(1, "notifications/cancelled").cancelling()
			s.Press("q", "y").Exit(0)
		})
	}
}

// Where no shell could bring belay back, it is not suspended, and says so.
func TestSuspendWithoutAShell(t *testing.T) {
	s := play(t, "dictated")
	s.See("scripted").Press("ctrl+z").See("it was not suspended")
	s.Press("q").Exit(0)
}

// A shell that ends a job which it has stopped sends it SIGTERM and has it go on, in the background: belay ends, and
// its server, though the system stops whoever sets a terminal there. A screen that the shell came into is undone.
func TestAStoppedBelayIsEnded(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(s *stage, belay int){
		"ctrl+z": func(s *stage, _ int) { s.Press("ctrl+z") },
		"SIGSTOP": func(s *stage, belay int) {
			if err := syscall.Kill(-belay, syscall.SIGSTOP); err != nil {
				s.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := filepath.Join(t.TempDir(), "peer.jsonl")
			script := "set -m; " + strings.Join([]string{belay, "--", os.Args[0], "peer", "dictated", log}, " ") +
				`; stty sane; printf '\030\n\n'; echo the shell has it; read line; kill -TERM %1; kill -CONT %1; read line; echo all is over`
			s := &stage{t: t, log: log, Story: termtest.Tell(t, termtest.Options{
				Cols: 200, Rows: 60, Argv: []string{"/bin/sh", "-c", script}, Env: []string{raceOptions},
			})}
			s.See("scripted").call("slow").See("running")
			running, err := termtest.ChildrenOf(s.PID())
			if err != nil || len(running) != 1 {
				t.Fatalf("%v: %v", running, err)
			}
			stop(s, running[0].PID)
			s.See("the shell has it").Type("\n")
			if err := termtest.WaitProcessGone(running[0].PID, hang); err != nil {
				t.Fatal(err)
			}
			s.serverReads(1, "notifications/cancelled").serverReads(1, "EOF")
			s.Type("\n").See("all is over").Exit(0)
			if screen := s.Screen(); screen.AltScreen || !screen.Cursor.Visible || screen.HasMode(1006) {
				t.Errorf("the screen is not the shell's:\n%s", screen.Framed())
			}
		})
	}
}
