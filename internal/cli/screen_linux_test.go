package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
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
