package cli

import (
	"bytes"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"belay/internal/termtest"
)

// A terminal that reads nothing while belay ends gets the last words when it reads again, and little of what was
// drawn before: the kernel has room for them.
func TestATerminalThatReadsNothingFindsTheLastWords(t *testing.T) {
	for name, pause := range map[string]time.Duration{"for a moment": 0, "for so long that it has stopped": stoppedAfter} {
		t.Run(name, func(t *testing.T) { findsTheLastWords(t, pause) })
	}
}

func findsTheLastWords(t *testing.T, pause time.Duration) {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = tty.Close(), master.Close() }()
	if _, err := term.MakeRaw(tty.Fd()); err != nil {
		t.Fatal(err)
	}
	s := newScreen(tty, func() {})
	_, _ = s.Write([]byte(strings.Repeat("x", 1<<20)))
	for end := time.Now().Add(10 * time.Second); !s.isSlow(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a write to a terminal that reads nothing does not end")
		}
	}
	time.Sleep(pause)
	if !s.drainOrSkip(100*time.Millisecond, "<undone>") {
		t.Fatal("it counts as one that will not read")
	}
	s.say("bye")
	if !s.drain(time.Minute) {
		t.Fatal("the last words are not written")
	}
	s.end()
	want := []byte(cutOff + "<undone>bye")
	var got []byte
	for buf := make([]byte, 4<<10); !bytes.HasSuffix(got, want); {
		n, err := master.Read(buf)
		if got = append(got, buf[:n]...); err != nil || len(got) > 64<<10 {
			t.Fatalf("it got %d bytes, which end in %.60q: %v", len(got), got[max(0, len(got)-60):], err)
		}
	}
}

func init() { children["drawing"] = drawOnAndOn }

// drawOnAndOn draws more than a terminal takes, until it is told to end. Once it was stopped and goes on, it draws for a
// while more, and says by a file that it has.
func drawOnAndOn() int {
	ends, goesOn := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(ends, syscall.SIGTERM)
	signal.Notify(goesOn, syscall.SIGCONT)
	s := newScreen(os.Stdout, func() {})
	for more := 0; ; {
		select {
		case <-ends:
			s.mute()
			s.undoScreen()
			withoutStop(func() { _, _ = os.Stdout.WriteString("a write that had begun\n") })
			return 0
		case <-goesOn:
			more = 20
		case <-time.After(time.Millisecond):
			_, _ = s.Write(bytes.Repeat([]byte("drawn\r"), 10<<10))
			if more--; more == 0 {
				_ = os.WriteFile(os.Getenv("DONE"), nil, 0o600)
			}
		}
	}
}

// shellWithTostop runs a screen as a job. Once that was stopped, it goes on in the background, and is ended there. The
// terminal stops whoever writes in the background by then.
const shellWithTostop = `set -m; "$0"; stty sane tostop; printf '\030\n\n'; echo the shell has it; kill -CONT %1
until test -e "$DONE"; do sleep 0.1; done; kill -TERM %1; while kill -0 %1 2>/dev/null; do sleep 0.1; done; echo all is over`

// A screen of which much waits for the terminal is not stopped in the background, and writes nothing there but what it had
// begun to write.
func TestAScreenIsEndedWhereNobodyMayWrite(t *testing.T) {
	s := termtest.Tell(t, termtest.Options{
		Argv: []string{"/bin/sh", "-c", shellWithTostop, os.Args[0]},
		Env:  []string{childVar + "=drawing", "DONE=" + filepath.Join(t.TempDir(), "done")},
	})
	s.See("drawn")
	jobs, err := termtest.ChildrenOf(s.PID())
	if err != nil || len(jobs) != 1 {
		t.Fatalf("%v: %v", jobs, err)
	}
	if err := syscall.Kill(-jobs[0].PID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	s.See("the shell has it", "a write that had begun", "all is over").Exit(0)
	_, after, _ := bytes.Cut(s.RawOutput(), []byte("the shell has it"))
	if len(after) > 2*atOnce {
		t.Errorf("it wrote on in the background, with the shell's %d bytes", len(after))
	}
}
