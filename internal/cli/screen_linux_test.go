package cli

import (
	"bytes"
	"os"
	"os/signal"
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

// drawOnAndOn draws more than a terminal takes, until it is told to end.
func drawOnAndOn() int {
	ends := make(chan os.Signal, 1)
	signal.Notify(ends, syscall.SIGTERM)
	s := newScreen(os.Stdout, func() {})
	for {
		select {
		case <-ends:
			s.mute()
			s.undoScreen()
			return 0
		case <-time.After(time.Millisecond):
			_, _ = s.Write(bytes.Repeat([]byte("drawn\r"), 10<<10))
		}
	}
}

// shellWithTostop runs a screen as a job, and ends the job when it was stopped and the user says so. The terminal stops
// whoever writes in the background by then.
const shellWithTostop = `set -m; "$0"; stty sane tostop; printf '\030\n\n'; echo the shell has it; read line; kill -TERM %1; kill -CONT %1
while kill -0 %1 2>/dev/null; do sleep 0.1; done; echo all is over`

// A screen of which much waits for the terminal ends in the background, and writes none of that.
func TestAScreenIsEndedWhereNobodyMayWrite(t *testing.T) {
	s := termtest.Tell(t, termtest.Options{Argv: []string{"/bin/sh", "-c", shellWithTostop, os.Args[0]}, Env: []string{childVar + "=drawing"}})
	s.See("drawn")
	jobs, err := termtest.ChildrenOf(s.PID())
	if err != nil || len(jobs) != 1 {
		t.Fatalf("%v: %v", jobs, err)
	}
	if err := syscall.Kill(-jobs[0].PID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	s.See("the shell has it").Type("\n").See("all is over").Exit(0)
}
