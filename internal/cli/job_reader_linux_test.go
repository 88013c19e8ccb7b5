package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/muesli/cancelreader"
	"golang.org/x/sys/unix"

	"belay/internal/termtest"
)

// refusing is a reader whose first reads fail as they do in the background of a terminal.
type refusing struct{ times int }

func (r *refusing) Read(b []byte) (int, error) {
	if r.times--; r.times >= 0 {
		return 0, &os.PathError{Op: "read", Path: "/dev/tty", Err: unix.EIO}
	}
	return copy(b, "x"), nil
}

// A read that was refused just before the terminal was the job's again is made once more; a terminal that refuses more
// than that is out of order, and one that is read no more has no error.
func TestAReadThatIsRefusedInTheForeground(t *testing.T) {
	tty, err := os.Open(os.DevNull) // nobody's background
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tty.Close() }()
	for name, tt := range map[string]struct {
		refused  int
		isPaused bool
		want     error
	}{
		"once":                          {1, false, nil},
		"twice":                         {2, false, unix.EIO},
		"the terminal is read no more":  {2, true, cancelreader.ErrCanceled},
		"and what is typed is read yet": {0, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var paused atomic.Bool
			paused.Store(tt.isPaused)
			n, err := ofJob(&refusing{tt.refused}, tty, &paused).Read(make([]byte, 1))
			if !errors.Is(err, tt.want) || (err == nil) != (n == 1) {
				t.Errorf("%d bytes, %v, want %v", n, err, tt.want)
			}
		})
	}
}

// shellWithoutWrapper runs belay as a program of a wrapper in one job, takes the terminal when the wrapper is gone, and
// lets belay alone read until the test says by a file that it has ended.
const shellWithoutWrapper = `set -m; sh -c '"$0" sh -c "$1"; :' "$0" "$1"; stty sane; printf '\030\n\n'; echo the shell has it
until test -e "$DONE"; do sleep 0.1; done; echo all is over`

// A belay whose wrapper was killed has no shell that could bring it back, and no terminal to read: it ends, and its
// server.
func TestABelayWithoutAShellEndsInTheBackground(t *testing.T) {
	dir := t.TempDir()
	log, done := filepath.Join(dir, "log"), filepath.Join(dir, "done")
	s := termtest.Tell(t, termtest.Options{
		Argv: []string{"/bin/sh", "-c", shellWithoutWrapper, os.Args[0], answersOnce}, Cols: 140, Rows: 60,
		Env: []string{childVar + "=stuck", "LOG=" + log, "DONE=" + done},
	})
	s.See("scripted")
	wrappers, err := termtest.ChildrenOf(s.PID())
	if err != nil || len(wrappers) != 1 {
		t.Fatalf("%v: %v", wrappers, err)
	}
	belays, err := termtest.ChildrenOf(wrappers[0].PID)
	if err != nil || len(belays) != 1 {
		t.Fatalf("%v: %v", belays, err)
	}
	if err := syscall.Kill(wrappers[0].PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s.See("the shell has it").Type("\n")
	if err := termtest.WaitProcessGone(belays[0].PID, time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(done, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.See("all is over").Exit(0)
	if text, err := os.ReadFile(log); err != nil || !strings.HasSuffix(string(text), "EOF\n") {
		t.Errorf("the server was not closed: %v: %s", err, text)
	}
}

// shellThatEndsAPrompt runs belay as a job, and ends the job when the job was stopped. The terminal stops whoever writes in
// the background by then.
const shellThatEndsAPrompt = `set -m; "$0" -s one --yes; stty sane tostop; echo the shell has it; read line; kill -TERM %1; kill -CONT %1
while kill -0 %1 2>/dev/null; do sleep 0.1; done; echo all is over`

// A belay that was stopped while it asked for what is not shown ends when the shell ends its job.
func TestAPromptIsEndedInTheBackground(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "mcp.json"), []byte(`{"inputs": [{"id": "k", "type": "promptString", "password": true}],
		"servers": {"one": {"command": "cat", "args": ["${input:k}"]}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 3 { // the read begins anew at the moment of the signal
		s := termtest.Tell(t, termtest.Options{
			Argv: []string{"/bin/sh", "-c", shellThatEndsAPrompt, os.Args[0]}, Dir: home,
			Env: []string{childVar + "=belay", "HOME=" + home, "XDG_CONFIG_HOME=" + home},
		})
		s.See("(not shown)").Press("ctrl+z").See("the shell has it").Type("\n").See("there was no answer", "all is over").Exit(0)
		if cooked, err := s.IsCooked(); err != nil || !cooked {
			t.Errorf("the shell's modes were changed: %v", err)
		}
	}
}
