package termtest

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A process that has left the session, and whose parent is gone, is known by
// its environment alone.
func TestCloseFindsWhatHasLeftTheSession(t *testing.T) {
	t.Parallel()
	story, near, far := family(t)
	term := story.Terminal
	if err := term.Press("q"); err != nil {
		t.Fatal(err)
	}
	if code, err := term.WaitExit(); code != 0 || err != nil {
		t.Fatal(code, err)
	}
	// The end of the session hangs up on the child that stayed in it.
	if err := WaitProcessGone(near, time.Minute); err != nil {
		t.Error(err)
	}
	if !IsProcessAlive(far) {
		t.Fatal("the process that left the session ended by itself")
	}
	left, err := term.Close()
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, p := range left.Processes {
		found = found || p.PID == far
	}
	if left.Running || !found {
		t.Errorf("left over were %+v, want process %d", left, far)
	}
	if IsProcessAlive(far) {
		t.Error("it is still alive")
	}
}

func TestParseStat(t *testing.T) {
	p, ok := parseStat(7, "7 (a) (b c) S 1 2 3 0 -1")
	if want := (Process{PID: 7, Parent: 1, Group: 2, Session: 3, Command: "a) (b c"}); !ok || p != want {
		t.Errorf("got %+v, %v", p, ok)
	}
	for _, stat := range []string{"7 (dead) Z 1 2 3 0", "7 (short) S 1", "nothing", "7 (odd) S x 2 3"} {
		if p, ok := parseStat(7, stat); ok {
			t.Errorf("%q is %+v", stat, p)
		}
	}
}

// Whoever has a terminal open is found, whatever its environment says.
func TestHoldersOfATerminal(t *testing.T) {
	t.Parallel()
	term, err := Start(t, Options{Argv: []string{"sh", "-c", "exec env -i sleep 1000"}})
	if err != nil {
		t.Fatal(err)
	}
	n, err := slaveNumber(term.pty)
	if err != nil {
		t.Fatal(err)
	}
	want := strconv.Itoa(term.PID()) + " (sleep)"
	for late := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		holders := holdersOf(n)
		if slices.ContainsFunc(holders, func(h string) bool { return strings.HasPrefix(h, want) }) {
			break
		}
		if time.Now().After(late) {
			t.Fatalf("terminal %d is open in %v, want %s", n, holders, want)
		}
	}
	if err := term.unended(); !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "run: answer, await the exit, draw, feed, queue the answers, read") {
		t.Errorf("of one that runs it is said: %v", err)
	}
}
