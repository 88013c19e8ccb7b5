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
	s.finds(`tools/call "slow"`)
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
	s.finds(`tools/call "slow"`)
}

// finds holds that belay ends while its terminal does not read, and that the terminal is the shell's when it
// does again, with belay's last words.
func (s *stage) finds(words string) {
	s.t.Helper()
	s.Exit(0)
	s.StartReading()
	s.Until("the last words on the shell's screen", func(screen termtest.Screen) bool {
		return !screen.AltScreen && screen.Cursor.Visible && strings.Contains(screen.String(), words)
	})
}

// A terminal on a line of less than 4 KB a second is given back, and gets the last words, whatever
// ends belay. Two frames of its size take it longer than belay waits for any.
func TestASlowTerminalIsGivenBack(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		ends func(s *stage)
		code int
		says string
	}{
		"q":       {func(s *stage) { s.Press("q", "y") }, 0, `tools/call "slow"`},
		"SIGTERM": {func(s *stage) { s.kill(syscall.SIGTERM) }, 0, `tools/call "slow"`},
		"SIGQUIT": {func(s *stage) { s.kill(syscall.SIGQUIT) }, 2, "SIGQUIT: quit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := playAt(t, 200, 60, "silent-cancel")
			s.ReadSlowly(300, 80*time.Millisecond)
			s.See("scripted").call("slow").See("running")
			s.drawMuch()
			tt.ends(s)
			s.Story.Exit(tt.code, faults(syscall.SIGQUIT)...)
			s.Until("the shell's screen, and "+tt.says, func(screen termtest.Screen) bool {
				return !screen.AltScreen && screen.Cursor.Visible && strings.Contains(string(s.RawOutput()), tt.says)
			})
		})
	}
}

// drawMuch has belay draw frames that are new in most places, and ends where it began.
func (s *stage) drawMuch() {
	s.t.Helper()
	for range 2 {
		for _, key := range []string{"?", "esc", "3", "1"} {
			s.Press(key)
			time.Sleep(50 * time.Millisecond) // for a frame of its own
		}
	}
}

// kill sends a signal to belay.
func (s *stage) kill(sig syscall.Signal) {
	s.t.Helper()
	if err := syscall.Kill(s.PID(), sig); err != nil {
		s.t.Fatal(err)
	}
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
