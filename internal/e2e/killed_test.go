//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"belay/internal/termtest"
)

// stubborn is a server that ends neither with its stdin nor of SIGTERM, and whose
// child does not either. Both write their IDs to files.
const stubborn = `trap '' TERM
read line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"scripted","version":"1"}}}'
(trap '' TERM; while :; do sleep 0.05; done) &
echo $! > "$OWN/child.new"; mv "$OWN/child.new" "$OWN/child"
echo $$ > "$OWN/server.new"; mv "$OWN/server.new" "$OWN/server"
while :; do sleep 0.05; done
`

// Whatever ends belay, the terminal is the shell's again, and nothing that belay
// has started is left: neither its servers and their children, nor what sees to
// that.
func TestNothingIsLeftHoweverBelayEnds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		sig  syscall.Signal
		code int
		says string
	}{
		"kill -9": {syscall.SIGKILL, 128 + int(syscall.SIGKILL), ""},
		"SIGSEGV": {syscall.SIGSEGV, 2, "SIGSEGV: segmentation violation"},
		"SIGQUIT": {syscall.SIGQUIT, 2, "SIGQUIT: quit"},
		"SIGABRT": {syscall.SIGABRT, 2, "SIGABRT: abort"},
		"SIGBUS":  {syscall.SIGBUS, 2, "SIGBUS: bus error"},
		"SIGILL":  {syscall.SIGILL, 2, "SIGILL: illegal instruction"}, // of which no handler hears
		"SIGTERM": {syscall.SIGTERM, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			own := t.TempDir()
			s := termtest.Tell(t, termtest.Options{
				Cols: 140, Rows: 32, Env: []string{"OWN=" + own, raceOptions},
				Argv: []string{belay, "--protocol", "2025-11-25", "--env", "OWN", "--", "sh", "-c", stubborn},
			})
			s.See("scripted")
			st := &stage{Story: s, t: t}
			guard := st.guard()
			left := []int{guard, written(t, filepath.Join(own, "server")), written(t, filepath.Join(own, "child"))}
			if err := syscall.Kill(s.PID(), tt.sig); err != nil {
				t.Fatal(err)
			}
			s.Exit(tt.code, faults(tt.sig)...)
			s.Until("the shell's screen", func(screen termtest.Screen) bool { return !screen.AltScreen && screen.Cursor.Visible })
			for _, pid := range left {
				if err := termtest.WaitProcessGone(pid, hang); err != nil {
					t.Error(err)
				}
			}
			if cooked, err := s.IsCooked(); err != nil || !cooked {
				t.Errorf("the terminal is left raw: %v", err)
			}
			modes := []int{1, 1000, 1002, 1003, 1004, 1006, 2004, 2026, 2027}
			s.Until("no mode and no flag of the keyboard protocol to be on", func(screen termtest.Screen) bool {
				return !slices.ContainsFunc(modes, screen.HasMode) && screen.Kitty == 0
			})
			if tt.says != "" && !strings.Contains(string(s.RawOutput()), tt.says) {
				t.Errorf("the runtime did not say %q:\n%s", tt.says, s.Screen().Framed())
			}
		})
	}
}

// faults are the other exit codes of a program that the runtime ends for a signal: its report of all
// goroutines does not wait until they stand still, and on a busy machine may fault at one of them.
func faults(sig syscall.Signal) (codes []int) {
	if sig == syscall.SIGQUIT {
		codes = []int{128 + int(syscall.SIGSEGV)}
	}
	return codes
}

// A guard that is killed itself is missed by nobody who leaves in order.
func TestBelayWithoutItsGuard(t *testing.T) {
	t.Parallel()
	s := play(t, "silent-cancel")
	s.See("scripted")
	if err := syscall.Kill(s.guard(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s.call("slow").See("running").Press("q", "y").Exit(0)
}

// A guard that is killed is replaced. When they are killed again and again, a
// handler still ends the server.
func TestAGuardThatIsKilledIsReplaced(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		guards int
		sig    syscall.Signal
		code   int
	}{
		"and belay is killed":                 {1, syscall.SIGKILL, 128 + int(syscall.SIGKILL)},
		"all of them, and belay is SIGQUITed": {4, syscall.SIGQUIT, 2},
	} {
		t.Run(name, func(t *testing.T) {
			own := t.TempDir()
			st := &stage{t: t, Story: termtest.Tell(t, termtest.Options{
				Cols: 140, Rows: 32, Env: []string{"OWN=" + own, raceOptions},
				Argv: []string{belay, "--protocol", "2025-11-25", "--env", "OWN", "--", "sh", "-c", stubborn},
			})}
			st.See("scripted")
			left := []int{written(t, filepath.Join(own, "server")), written(t, filepath.Join(own, "child"))}
			for range tt.guards {
				guard := st.guard()
				if err := syscall.Kill(guard, syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
				if err := termtest.WaitProcessGone(guard, hang); err != nil {
					t.Fatal(err)
				}
			}
			if tt.guards == 1 {
				left = append(left, st.guard())
			} else {
				st.See("terminal-guard ended 4 times", "the terminal stays raw", "the server may go on")
			}
			if err := syscall.Kill(st.PID(), tt.sig); err != nil {
				t.Fatal(err)
			}
			st.Story.Exit(tt.code, faults(tt.sig)...) // what the guard writes is read to its end
			st.Until("the shell's screen", func(screen termtest.Screen) bool { return !screen.AltScreen && screen.Cursor.Visible })
			for _, pid := range left {
				if err := termtest.WaitProcessGone(pid, hang); err != nil {
					t.Error(err)
				}
			}
			if cooked, err := st.IsCooked(); err != nil || !cooked {
				t.Errorf("the terminal is left raw: %v", err)
			}
		})
	}
}

// A terminal that does not read the first frame does not keep the guard from
// being there.
func TestAGuardOfATerminalThatNeverReads(t *testing.T) {
	t.Parallel()
	own := t.TempDir()
	st := &stage{t: t, Story: termtest.Tell(t, termtest.Options{
		Cols: 300, Rows: 120, Env: []string{"OWN=" + own, raceOptions},
		Argv: []string{"sh", "-c", `echo ready; read line; exec "$@"`, "sh", belay, "--protocol", "2025-11-25", "--env", "OWN", "--", "sh", "-c", stubborn},
	})}
	st.See("ready")
	st.StopReading()
	st.Type("\r")
	server := written(t, filepath.Join(own, "server"))
	left := []int{server, written(t, filepath.Join(own, "child")), st.guard()}
	if err := syscall.Kill(st.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for _, pid := range left {
		if err := termtest.WaitProcessGone(pid, hang); err != nil {
			t.Error(err)
		}
	}
	if cooked, err := st.IsCooked(); err != nil || !cooked {
		t.Errorf("the terminal is left raw: %v", err)
	}
	st.StartReading()
}

// written waits for a file, and returns the number that it holds.
func written(t *testing.T, name string) (n int) {
	t.Helper()
	for deadline := time.Now().Add(hang); n == 0; time.Sleep(5 * time.Millisecond) {
		text, _ := os.ReadFile(name)
		n, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		if n == 0 && time.Now().After(deadline) {
			t.Fatalf("%s was not written", name)
		}
	}
	return n
}

// A screen is ended by any signal in the moment in which its server has begun, by the server itself:
// nothing of the server is left, and the terminal is the shell's.
func TestNothingIsLeftOfAScreenThatIsEndedEarly(t *testing.T) {
	t.Parallel()
	const ends = `trap '' TERM
(trap '' TERM; while :; do sleep 0.05; done) &
kill -s "$SIG" "$PPID"
echo $! > "$OWN/child.new"; mv "$OWN/child.new" "$OWN/child"
echo $$ > "$OWN/server.new"; mv "$OWN/server.new" "$OWN/server"
while :; do sleep 0.05; done
`
	for _, sig := range []string{"KILL", "SEGV", "QUIT", "ABRT", "TERM", "HUP"} {
		t.Run(sig, func(t *testing.T) {
			t.Parallel()
			own := t.TempDir()
			s := termtest.Tell(t, termtest.Options{
				Cols: 80, Rows: 24, Env: []string{"OWN=" + own, "SIG=" + sig, raceOptions},
				Argv: []string{"sh", "-c", `"$@"; read line`, "sh", belay, "--env", "OWN", "--env", "SIG", "--", "sh", "-c", ends},
			})
			for _, pid := range []int{written(t, filepath.Join(own, "server")), written(t, filepath.Join(own, "child"))} {
				if err := termtest.WaitProcessGone(pid, hang); err != nil {
					t.Error(err)
				}
			}
			s.Until("the shell's screen", func(screen termtest.Screen) bool { return !screen.AltScreen && screen.Cursor.Visible })
			if cooked, err := s.IsCooked(); err != nil || !cooked {
				t.Errorf("the terminal is left raw: %v", err)
			}
		})
	}
}

// A command without a screen is killed while the server has not answered yet, or while an
// audit only looks at the tool: nothing of the server is left.
func TestNothingIsLeftOfACommandThatIsKilledEarly(t *testing.T) {
	t.Parallel()
	const mute = `trap '' TERM
(trap '' TERM; while :; do sleep 0.05; done) &
echo $! > "$OWN/child.new"; mv "$OWN/child.new" "$OWN/child"
echo $$ > "$OWN/server.new"; mv "$OWN/server.new" "$OWN/server"
while :; do sleep 0.05; done
`
	for _, args := range [][]string{{"call", "slow"}, {"ls"}, {"audit", "--tool", "slow"}} {
		for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGQUIT} {
			t.Run(args[0]+" "+sig.String(), func(t *testing.T) {
				t.Parallel()
				own := t.TempDir()
				cmd := exec.Command(belay, slices.Concat(args, []string{"--env", "OWN", "--", "sh", "-c", mute})...)
				cmd.Env = append(os.Environ(), "OWN="+own, raceOptions)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				left := []int{written(t, filepath.Join(own, "server")), written(t, filepath.Join(own, "child"))}
				if err := cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
				_ = cmd.Wait()
				for _, pid := range left {
					if err := termtest.WaitProcessGone(pid, hang); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
}

// What belay asks before its screen begins, a list or a line that is not shown, has a guard
// as well. The shell that runs belay is a script's, which leaves the modes as they are.
func TestTheTerminalIsGivenBackFromWhatIsAskedFirst(t *testing.T) {
	t.Parallel()
	for asked, args := range map[string]string{"(not shown)": "-s mirror --yes", "enter run": "-s"} {
		for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGSEGV, syscall.SIGQUIT, syscall.SIGILL} {
			t.Run(sig.String()+" at "+asked, func(t *testing.T) {
				p := newProject(t)
				p.write("mcp.json", `{"inputs": [{"id": "k", "type": "promptString", "password": true}],
"servers": {"mirror": {PEER, "env": {"MIRROR": "${input:k}"}}, "other": {PEER}}}`)
				s := p.run("sh", "-c", `"$0" `+args+`; read line`, belay)
				s.See(asked)
				running, err := termtest.ChildrenOf(s.PID())
				if err != nil || len(running) != 1 {
					t.Fatalf("%v: %v", running, err)
				}
				ends := []int{running[0].PID, s.guardOf(running[0].PID)}
				if cooked, err := s.IsCooked(); err != nil || cooked {
					t.Fatalf("nothing is hidden while belay asks: %v", err)
				}
				if err := syscall.Kill(ends[0], sig); err != nil {
					t.Fatal(err)
				}
				for _, pid := range ends {
					if err := termtest.WaitProcessGone(pid, hang); err != nil {
						t.Error(err)
					}
				}
				if cooked, err := s.IsCooked(); err != nil || !cooked {
					t.Errorf("the terminal is not the shell's: %v", err)
				}
				s.Until("the shell's screen", func(screen termtest.Screen) bool { return !screen.AltScreen && screen.Cursor.Visible })
				s.Type("\n").Exit(0)
				if n := strings.Count(string(s.RawOutput()), "illegal instruction"); sig == syscall.SIGILL && asked == "(not shown)" && n != 1 {
					t.Errorf("the runtime's words are written %d times", n)
				}
				if p.ran() {
					t.Error("the server ran without an answer")
				}
			})
		}
	}
}

// Where nobody will give the terminal back any more, that is said while belay asks.
func TestALineThatIsNotShownWithoutAGuard(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("mcp.json", `{"inputs": [{"id": "k", "type": "promptString", "password": true}], "servers": {"mirror": {PEER, "env": {"MIRROR": "${input:k}"}}}}`)
	s := p.run(belay, "-s", "mirror", "--yes")
	s.See("(not shown)")
	for range 4 {
		guard := s.guard()
		if err := syscall.Kill(guard, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if err := termtest.WaitProcessGone(guard, hang); err != nil {
			t.Fatal(err)
		}
	}
	s.See("terminal-guard ended 4 times", "reset mends").Type("hunter2\n").See("scripted")
	s.serverReads(1, "MIRROR=hunter2").Press("q").Exit(0)
}
