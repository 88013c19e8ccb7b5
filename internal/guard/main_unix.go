//go:build unix

package guard

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"

	"belay/internal/safe"
)

// The steps of closing what is left of a server, as belay has them.
const (
	afterStdin = 2 * time.Second // to SIGTERM
	afterTerm  = 2 * time.Second // to SIGKILL
	look       = 20 * time.Millisecond
)

// crashMost bounds what is shown of a failure of the runtime.
const crashMost = 64 << 10

// findWithin is how long a server is looked for that was being started when belay ended. It
// has its stdin before it runs, and its group before that.
const findWithin = time.Second

// The files that a guard has beside its input and its output.
const (
	ttyFile   = 3
	crashFile = 4
)

// Main is the guard: it returns when belay has ended and nothing of it is left.
func Main() int {
	// Where there is no such file, a process has the name that it was started with.
	_ = os.WriteFile("/proc/self/comm", []byte(name), 0)
	signal.Ignore(syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM) // it ends after belay
	tty, crash := os.NewFile(ttyFile, "terminal"), os.NewFile(crashFile, "crash")
	left := newRemains()
	var said []byte
	var read sync.WaitGroup
	read.Go(func() { said = left.hear(crash, tty) })
	left.listen(os.Stdin)
	left.restore(tty)
	read.Wait()
	_ = crash.Close()
	// A terminal that does not read must not hold up what follows.
	given := make(chan struct{})
	go func() {
		defer close(given)
		if left.held {
			left.giveBack(tty, os.Stdout, said)
		}
	}()
	select {
	case <-given:
		_, _ = tty.Close(), os.Stdout.Close()
	case <-time.After(patience): // what still writes to the terminal has it until the end
	}
	left.find(findWithin)
	end(left.groups)
	return 0
}

// remains are what belay has told of at its end.
type remains struct {
	mu     sync.Mutex
	held   bool
	hides  bool
	modes  *unix.Termios
	undoes string
	prints bool // what the runtime said of a failure is to be printed
	groups map[int]bool
	stdins map[string]bool // of servers that were being started
}

func newRemains() *remains { return &remains{groups: map[int]bool{}, stdins: map[string]bool{}} }

// listen reads what belay tells until its end.
func (left *remains) listen(r io.Reader) {
	for lines := bufio.NewScanner(r); lines.Scan(); {
		var m message
		if json.Unmarshal(lines.Bytes(), &m) == nil {
			left.note(m)
		}
	}
}

func (left *remains) note(m message) {
	left.mu.Lock()
	defer left.mu.Unlock()
	if m.Modes != nil {
		left.modes = new(unix.Termios)
		if json.Unmarshal(m.Modes, left.modes) != nil {
			left.modes = nil
		}
	}
	if m.Undoes != "" {
		left.undoes = m.Undoes
	}
	if m.Held != nil {
		left.held = *m.Held
	}
	left.prints = left.prints || m.Prints
	left.hides = left.hides || m.Hides
	switch {
	case m.Group > 1 && m.Lives:
		left.groups[m.Group] = true
	case m.Group > 1:
		delete(left.groups, m.Group)
	case m.Stdin != "" && m.Lives:
		left.stdins[m.Stdin] = true
	case m.Stdin != "":
		delete(left.stdins, m.Stdin)
	}
}

// hear reads the runtime's words about a failure, until belay's end. With the first
// byte of them the terminal gets its modes back: belay still lives then, and its end
// has a waiting shell take over the modes of that moment. Without a word, the quicker
// of the guard's two readers gives them back.
func (left *remains) hear(crash io.Reader, tty *os.File) []byte {
	first := make([]byte, 1)
	n, _ := io.ReadFull(crash, first)
	left.restore(tty)
	if n == 0 {
		return nil
	}
	rest, _ := io.ReadAll(io.LimitReader(crash, crashMost))
	_, _ = io.Copy(io.Discard, crash) // nobody must wait for a full pipe
	return append(first, rest...)
}

// restore gives a terminal that belay holds its modes back. Those that a quicker shell
// has set meanwhile are kept.
func (left *remains) restore(tty *os.File) {
	left.mu.Lock()
	defer left.mu.Unlock()
	if !left.held || left.modes == nil {
		return
	}
	if now, err := term.GetState(tty.Fd()); err == nil && (isRaw(&now.Termios) || left.hides && isHidden(&now.Termios)) {
		now.Termios = *left.modes
		_ = term.Restore(tty.Fd(), now)
	}
}

// giveBack restores the modes of a terminal and undoes what the screen did to it.
// The runtime's last words were written to the alternate screen and are gone.
func (left *remains) giveBack(in, out *os.File, said []byte) {
	left.restore(in)
	_, _ = io.WriteString(out, left.undoes)
	if len(said) == 0 || !left.prints {
		return
	}
	for _, line := range safe.Block(string(said), crashLines) {
		_, _ = io.WriteString(out, string(line)+"\r\n")
	}
}

const crashLines = 200

// isRaw reports whether a terminal is in the modes of a screen: it neither makes
// signals of keys nor changes what is written. A shell that edits its line does
// both.
func isRaw(t *unix.Termios) bool {
	return t.Lflag&(unix.ICANON|unix.ISIG) == 0 && t.Oflag&unix.OPOST == 0
}

// isHidden reports whether a terminal is in the modes of a line that is not shown. A shell
// that edits its line reads no lines from the terminal.
func isHidden(t *unix.Termios) bool {
	return t.Lflag&(unix.ICANON|unix.ECHO) == unix.ICANON
}

// end closes what is left of the servers. The stdin of each was closed with belay.
func end(groups map[int]bool) {
	for _, step := range []struct {
		wait time.Duration
		sig  syscall.Signal
	}{{afterStdin, syscall.SIGTERM}, {afterTerm, syscall.SIGKILL}} {
		for waited := time.Duration(0); waited < step.wait && anyLives(groups); waited += look {
			time.Sleep(look)
		}
		for id := range groups {
			_ = syscall.Kill(-id, step.sig)
		}
	}
}

// anyLives forgets the groups that are gone, and reports whether one is left.
func anyLives(groups map[int]bool) bool {
	for id := range groups {
		if errors.Is(syscall.Kill(-id, 0), syscall.ESRCH) {
			delete(groups, id)
		}
	}
	return len(groups) > 0
}
