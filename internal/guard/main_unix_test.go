//go:build unix

package guard

import (
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	if Is(os.Args) {
		os.Exit(Main())
	}
	os.Exit(m.Run())
}

func TestWhatAGuardIsTold(t *testing.T) {
	left := newRemains()
	left.listen(strings.NewReader(`{"modes":{"Lflag":7},"held":true,"undoes":"\u001b[?25h"}
{"group":41,"lives":true}
{"group":42,"lives":true}
no JSON
{"group":1,"lives":true}
{"group":-7,"lives":true}
{"group":41}
{"held":true}
{"gro`))
	if len(left.groups) != 1 || !left.groups[42] || !left.held || left.undoes != "\x1b[?25h" || left.modes == nil || left.modes.Lflag != 7 {
		t.Errorf("%+v, %+v", left, left.modes)
	}
	left = newRemains()
	if left.listen(strings.NewReader(`{"held":true}` + "\n" + `{"held":false}` + "\n")); left.held {
		t.Error("what was given back is held")
	}
}

// A shell that reads a line has modes of its own, which are not those of a screen.
func TestModesOfAScreen(t *testing.T) {
	raw := unix.Termios{}
	for name, tt := range map[string]struct {
		change func(*unix.Termios)
		want   bool
	}{
		"a screen":              {func(*unix.Termios) {}, true},
		"a shell":               {func(m *unix.Termios) { m.Lflag, m.Oflag = unix.ICANON|unix.ISIG|unix.ECHO, unix.OPOST }, false},
		"a shell at its line":   {func(m *unix.Termios) { m.Lflag, m.Oflag = unix.ISIG, unix.OPOST }, false},
		"one that takes ctrl+c": {func(m *unix.Termios) { m.Oflag = unix.OPOST }, false},
	} {
		m := raw
		if tt.change(&m); isRaw(&m) != tt.want {
			t.Errorf("%s: %v", name, isRaw(&m))
		}
	}
}

// A terminal that hides a line is given back by the guard of that line alone, and not when
// the shell has it already.
func TestALineThatIsNotShownIsGivenBack(t *testing.T) {
	for name, tt := range map[string]struct {
		hides bool
		now   func(*unix.Termios)
		given bool
	}{
		"hidden":                 {true, func(m *unix.Termios) { m.Lflag &^= unix.ECHO }, true},
		"raw":                    {true, func(m *unix.Termios) { m.Lflag, m.Oflag = 0, 0 }, true},
		"a shell has it":         {true, func(m *unix.Termios) { m.Lflag &^= unix.ICANON | unix.ECHO }, false},
		"hidden by another":      {false, func(m *unix.Termios) { m.Lflag &^= unix.ECHO }, false},
		"lines of a later shell": {true, func(m *unix.Termios) { m.Cc[unix.VINTR] = 7 }, false},
	} {
		master, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		before, err := term.GetState(tty.Fd())
		if err != nil {
			t.Fatal(err)
		}
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		g := New(tty, tty, "")
		if g.Hold(); tt.hides {
			g.Hide()
		}
		g.pipe = w
		g.tellAll()
		_ = w.Close()
		now := *before
		tt.now(&now.Termios)
		if err := term.SetState(tty.Fd(), &now); err != nil {
			t.Fatal(err)
		}
		left := newRemains()
		left.listen(r)
		left.restore(tty)
		if after, err := term.GetState(tty.Fd()); err != nil || (after.Termios == before.Termios) != tt.given {
			t.Errorf("%s: %+v, %v", name, after, err)
		}
		if left.prints && tt.hides {
			t.Errorf("%s: what the runtime says is written twice", name)
		}
		_, _, _ = master.Close(), tty.Close(), r.Close()
	}
}

// The groups that belay leaves are ended, those that it has seen end are not
// touched, and the guard ends with the last of them.
func TestAGuardEndsWhatIsLeft(t *testing.T) {
	group := func() *exec.Cmd {
		c := exec.Command("sh", "-c", "sleep 1000 & wait")
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
			_ = c.Wait()
		})
		return c
	}
	early, late, other := group(), group(), group()
	g := New(os.Stdin, os.Stdout, "")
	g.Group(early.Process.Pid, true) // before it runs
	if err := g.Start(); err != nil {
		t.Fatal(err)
	}
	g.Group(late.Process.Pid, true)
	g.Group(other.Process.Pid, true)
	g.Group(other.Process.Pid, false)
	g.End()
	for _, c := range []*exec.Cmd{early, late} {
		giveUp := time.AfterFunc(time.Minute, func() { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) })
		state, err := c.Process.Wait()
		giveUp.Stop()
		if err != nil || state.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
			t.Errorf("%v, %v", state, err)
		}
	}
	select {
	case <-g.gone:
	case <-time.After(time.Minute):
		t.Error("the guard does not end")
	}
	if err := syscall.Kill(other.Process.Pid, 0); err != nil {
		t.Errorf("another one was ended: %v", err)
	}
}

// Where all was closed in order, the guard ends at once.
func TestAGuardThatIsNotNeeded(t *testing.T) {
	g := New(os.Stdin, os.Stdout, "")
	if err := g.Start(); err != nil {
		t.Fatal(err)
	}
	g.Hold()
	g.Release()
	g.End()
	select {
	case <-g.gone:
	case <-time.After(time.Minute):
		t.Error("it still runs")
	}
	g.Group(1<<22, true) // to nobody
	if g.Survives(0) {
		t.Error("it says that it runs")
	}
}

// What a guard must know is in its pipe before it runs, so that belay may be killed
// as soon as it does; and one that ends before belay is replaced, not without end.
func TestAGuardKnowsAllFromTheBeginning(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	g := New(os.Stdin, os.Stdout, "undoes")
	g.Hold()
	g.Group(41, true)
	g.pipe = w
	g.tellAll()
	_ = w.Close()
	left := newRemains()
	if left.listen(r); !left.groups[41] || !left.held || left.undoes != "undoes" {
		t.Errorf("%+v", left)
	}
	g.pipe = nil
	lost := make(chan string, 2)
	g.OnLost(func(sentence string) { lost <- sentence })
	if err := g.Start(); err != nil {
		t.Fatal(err)
	}
	g.Group(41, false)
	g.Release()
	for n := range maxRestarts + 1 {
		var gone chan struct{}
		for deadline := time.Now().Add(time.Minute); gone == nil; time.Sleep(time.Millisecond) {
			g.mu.Lock()
			if g.pipe != nil && g.restarts == n {
				_ = g.pipe.Close() // it ends, …
				g.hush()           // … as nothing more comes of a failure either
				gone = g.gone
			}
			g.mu.Unlock()
			if time.Now().After(deadline) {
				t.Fatalf("guard %d is not replaced", n)
			}
		}
		<-gone
	}
	if g.Survives(0) {
		t.Error("guards are started without end")
	}
	const want = "terminal-guard ended 4 times, and is not replaced any more: if belay is killed (kill -9) now, the terminal stays raw, which reset mends"
	select {
	case got := <-lost:
		if got != want {
			t.Errorf("%q", got)
		}
	case <-time.After(time.Minute):
		t.Error("nobody is told that there is no guard any more")
	}
	if err := g.Start(); err != nil || g.Survives(0) {
		t.Errorf("another one is started: %v", err)
	}
	g.End()
	if len(lost) > 0 {
		t.Errorf("it is told again: %q", <-lost)
	}
}

// What does not hold without a guard depends on what there is; a guard that is let go is not
// lost.
func TestALostGuardIsToldOf(t *testing.T) {
	for _, tt := range []struct {
		undoes string
		groups []int
		want   string
		hides  bool
	}{
		{"undoes", []int{41}, "the terminal stays raw, which reset mends, and the server may go on", false},
		{"", []int{41}, "(kill -9) now, the server may go on", false},
		{"", nil, "nobody sees to what it leaves", false},
		{"", nil, "(kill -9) now, the terminal goes on to hide what is typed, which reset mends", true},
		{"undoes", nil, "(kill -9) now, the terminal stays raw, which reset mends", false},
	} {
		g := New(os.Stdin, os.Stdout, tt.undoes)
		lost := make(chan string, 1)
		g.OnLost(func(sentence string) { lost <- sentence })
		if tt.hides {
			g.Hide()
		}
		for _, id := range tt.groups {
			g.Group(id, true)
		}
		g.restarts, g.gone = maxRestarts, make(chan struct{})
		g.startAgain(make(chan struct{})) // of an earlier guard
		g.over = true
		g.startAgain(g.gone)
		if g.lost {
			t.Fatal("one that was let go is lost")
		}
		g.over = false
		g.startAgain(g.gone)
		if got := <-lost; !strings.HasSuffix(got, tt.want) {
			t.Errorf("%q, want %q", got, tt.want)
		}
		g.Group(41, false)
		g.Group(42, true)
		g.Group(43, true)
		const later = "terminal-guard ended 4 times, and is not replaced any more: if belay is killed (kill -9) now, the server may go on"
		if tt.groups == nil {
			select {
			case got := <-lost:
				if got != later {
					t.Errorf("of a server that comes later: %q, want %q", got, later)
				}
			case <-time.After(time.Minute):
				t.Error("nobody is told of a server that comes later")
			}
		}
		select {
		case got := <-lost:
			t.Errorf("it is told again: %q", got)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Where the runtime cannot take the crash pipe, as no file descriptor is left, a guard
// must not read the end of the pipe before belay's: the pipe stays open for as long as
// that guard or belay lives, and no longer.
func TestACrashPipeThatTheRuntimeCannotTake(t *testing.T) {
	g := New(os.Stdin, os.Stdout, "")
	pipes := make(chan *os.File, 2)
	g.setCrashOutput = func(f *os.File, _ debug.CrashOptions) error {
		if f != nil {
			pipes <- f
		}
		return syscall.EMFILE
	}
	isOpen := func(f *os.File) bool { _, err := f.Stat(); return err == nil }
	ends := func(gone chan struct{}) {
		t.Helper()
		select {
		case <-gone:
		case <-time.After(time.Minute):
			t.Error("a guard waits for more than the end of its pipes")
		}
	}
	if err := g.Start(); err != nil {
		t.Fatal(err)
	}
	first, gone := <-pipes, g.gone
	if !isOpen(first) {
		t.Error("the guard reads the end of the crash pipe while belay lives")
	}
	g.startAgain(gone) // as when it was killed
	second := <-pipes
	if isOpen(first) || !isOpen(second) {
		t.Fatalf("the writing end of the first guard's crash pipe is open: %v; of the second's: %v", isOpen(first), isOpen(second))
	}
	ends(gone)
	if g.End(); isOpen(second) {
		t.Error("the pipe outlives what it is for")
	}
	ends(g.gone)
}

// That a guard was killed is heard of later than it happens: it is waited for.
func TestAGuardThatWasKilledDoesNotSurvive(t *testing.T) {
	g := New(os.Stdin, os.Stdout, "")
	g.restarts = maxRestarts
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }() // the kernel has not closed what the guard read from
	g.pipe, g.gone = w, make(chan struct{})
	go func() {
		g.Hold()
		close(g.gone)
	}()
	if g.Survives(time.Minute) {
		t.Error("a guard that has ended survives")
	}
	g.End()
}

// With the first word of a failure the terminal has its modes again, while belay still
// lives: a shell that waits for its end takes over what it finds then. Before that, and
// while the terminal is not belay's, nobody touches it.
func TestAFailureGivesTheModesBackBeforeTheEnd(t *testing.T) {
	for _, held := range []bool{true, false} {
		master, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _, _ = master.Close(), tty.Close() }()
		before, err := term.GetState(tty.Fd())
		if err != nil {
			t.Fatal(err)
		}
		left := newRemains()
		left.note(message{Modes: modesOf(tty), Held: &held})
		if _, err := term.MakeRaw(tty.Fd()); err != nil {
			t.Fatal(err)
		}
		now := func() unix.Termios {
			state, err := term.GetState(tty.Fd())
			if err != nil {
				t.Fatal(err)
			}
			return state.Termios
		}
		r, w := io.Pipe()
		said := make(chan []byte)
		go func() { said <- left.hear(r, tty) }()
		if m := now(); !isRaw(&m) {
			t.Error("the modes were given back before anything failed")
		}
		_, _ = w.Write([]byte("f"))
		_, _ = w.Write([]byte("atal error")) // is read after what the first byte brings
		if m := now(); (m == before.Termios) != held {
			t.Errorf("held %v: %+v", held, m)
		}
		_ = w.Close()
		if words := string(<-said); words != "fatal error" {
			t.Errorf("%q", words)
		}
	}
}
