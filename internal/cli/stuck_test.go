//go:build unix

package cli

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/pflag"

	"belay/internal/termtest"
	"belay/session"
)

// stuckVar names a file, and stuckIn where the loop of the screen is stuck when S
// is pressed; the file then is there.
const stuckVar, stuckIn = "BELAY_CLI_TEST_STUCK", "BELAY_CLI_TEST_STUCK_IN"

func init() {
	children["stuck"] = showing(func(b *backend, m tea.Model) tea.Model { return &stuckModel{Model: m, b: b} })
	children["failing"] = showing(func(_ *backend, m tea.Model) tea.Model { return failingModel{Model: m} })
}

// showing runs the server of the command line, with another model in the place of the screen's.
func showing(instead func(*backend, tea.Model) tea.Model) func() int {
	return func() int {
		var f flags
		var look looks
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		f.add(set)
		look.add(set)
		if err := set.Parse([]string{"--protocol", "2025-11-25"}); err != nil {
			return ExitUsage
		}
		look.instead = instead
		server := target{argv: os.Args[1:], shown: os.Args[1:], env: []string{"LOG"}}
		err := runTUI(std{os.Stdin, os.Stdout, os.Stderr}, server, &f, look)
		if err == nil {
			return ExitOK
		}
		showError(os.Stderr, newRoot(std{}), err)
		if exit, ok := errors.AsType[*exitError](err); ok {
			return exit.code
		}
		return ExitUsage
	}
}

// stuckModel is a model of which the loop never comes back from the key S.
type stuckModel struct {
	tea.Model
	b *backend
}

func (m *stuckModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok && k.Text == "S" {
		switch file := os.Getenv(stuckVar); os.Getenv(stuckIn) {
		case "a loop":
			_ = os.WriteFile(file, nil, 0o600)
			for n := 0; ; n++ { //nolint:revive // that is what it is for
			}
		case "nothing, and fails":
			go func() { panic("this failed") }() // where nobody recovers
			select {}
		case "the lock":
			m.b.View(func(*session.Session) {
				_ = os.WriteFile(file, nil, 0o600)
				select {}
			})
		default:
			_ = os.WriteFile(file, nil, 0o600)
			select {}
		}
	}
	_, cmd := m.Model.Update(msg)
	return m, cmd
}

// The servers of these tests answer initialize, and log what they read.
const answersOnce = `read line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"scripted","version":"1"}}}'
cat >> "$LOG"
echo EOF >> "$LOG"
`

// Whatever the loop of the screen is stuck in, belay ends when it is told to: the
// work is cancelled, the server is closed, and the terminal is the shell's again.
func TestALoopThatIsStuck(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		server   string
		sig      syscall.Signal
		keys     []string
	}{
		{"SIGTERM", "a channel", "", syscall.SIGTERM, nil},
		{"SIGHUP", "a channel", "", syscall.SIGHUP, nil},
		{"SIGTERM", "a loop", "", syscall.SIGTERM, nil},
		{"ctrl+c twice", "a loop", "", 0, []string{"\x03", "\x03"}},
		{"ctrl+c twice, kitty", "a channel", "", 0, []string{"\x1b[99;5u", "\x1b[99;5u"}},
		{"ctrl+c twice, after other keys", "a channel", "", 0, []string{"j", "j", "q", "y", "\x1b[200~\x03\x03\x1b[201~", "\x03", "\x03"}},
		{"and a server that does not end", "a channel", "trap '' TERM; while :; do sleep 0.1; done", syscall.SIGTERM, nil},
		{"SIGTERM", "the lock", "", syscall.SIGTERM, nil},
	} {
		t.Run(tt.name+" in "+tt.in, func(t *testing.T) {
			t.Parallel() // each waits for seconds
			dir := t.TempDir()
			stuck, log := filepath.Join(dir, "stuck"), filepath.Join(dir, "log")
			s := termtest.Tell(t, termtest.Options{
				Argv: []string{os.Args[0], "sh", "-c", answersOnce + tt.server},
				Env:  []string{childVar + "=stuck", stuckVar + "=" + stuck, stuckIn + "=" + tt.in, "LOG=" + log},
			})
			logged := func(words string) bool {
				text, _ := os.ReadFile(log)
				return strings.Contains(string(text), words)
			}
			s.See("scripted").Type("S")
			waitUntil(t, "the loop is not stuck", func() bool { _, err := os.Stat(stuck); return err == nil })
			for _, k := range tt.keys {
				s.Type(k)
			}
			if tt.sig != 0 {
				if err := syscall.Kill(s.PID(), tt.sig); err != nil {
					t.Fatal(err)
				}
			}
			s.Until("the shell's screen", func(screen termtest.Screen) bool {
				return !screen.AltScreen && screen.Cursor.Visible
			})
			if tt.server != "" {
				s.See("waiting for the server to end; ctrl+c ends it at once")
			}
			s.Exit(0)
			if cooked, err := s.IsCooked(); err != nil || !cooked {
				t.Errorf("the terminal is left raw: %v", err)
			}
			modes := []int{1, 1000, 1002, 1003, 1004, 1006, 2004, 2026, 2027}
			s.Until("no mode to be on", func(screen termtest.Screen) bool { return !slices.ContainsFunc(modes, screen.HasMode) })
			if !logged("EOF") {
				t.Error("the server was not closed")
			}
			if cancelled := logged(`"notifications/cancelled"`); cancelled != (tt.in != "the lock") {
				t.Errorf("the work was cancelled: %v", cancelled)
			}
		})
	}
}

// What fails where nobody recovers ends belay at once: no handler runs. The terminal
// is given back by the guard, which shows what failed: the runtime says it to the
// screen that is gone.
func TestAFailureThatNothingRecovers(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	s := termtest.Tell(t, termtest.Options{
		Argv: []string{os.Args[0], "sh", "-c", answersOnce}, Cols: 100, Rows: 200,
		Env: []string{childVar + "=stuck", stuckIn + "=nothing, and fails", "LOG=" + log},
	})
	s.See("scripted")
	waitUntil(t, "there is no guard", func() bool {
		children, err := termtest.ChildrenOf(s.PID())
		return err == nil && slices.ContainsFunc(children, isGuard)
	})
	s.Type("S").Until("the shell's screen with what failed", func(screen termtest.Screen) bool {
		return !screen.AltScreen && screen.Cursor.Visible && screen.Contains("panic: this failed")
	})
	s.Exit(2)
	if cooked, err := s.IsCooked(); err != nil || !cooked {
		t.Errorf("the terminal is left raw: %v", err)
	}
}

// isGuard knows a guard by its name, or where the system has none of it, by that of its program.
// On Linux a child that has that one does not guard yet: a hangup of the terminal ends it.
func isGuard(p termtest.Process) bool {
	return p.Command == "terminal-guard" || runtime.GOOS != "linux" && filepath.Base(p.Command) == filepath.Base(os.Args[0])
}

func waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what)
		}
	}
}
