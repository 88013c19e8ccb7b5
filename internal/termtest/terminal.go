package termtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"
)

// TB is the part of [testing.TB] that is used here, so that a program that is
// no test does not link the testing package.
type TB interface {
	Helper()
	Cleanup(func())
	Failed() bool
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Terminal is a program running in a pseudo-terminal. Its methods may be called
// from several goroutines.
type Terminal struct {
	opts   Options
	cmd    *exec.Cmd
	pty    *os.File
	marker string

	input *inputQueue
	tasks tasks // the goroutines, which end at Close

	mu      sync.Mutex
	emu     *emulator
	raw     rawLog
	changed chan struct{} // closed and replaced at every change below
	paused  chan struct{} // open while the terminal does not read; nil otherwise
	pace    pace
	drained bool // the program's side is closed and all output is drawn
	exited  bool
	code    int // exit code, once exited
	closing bool

	closeOnce sync.Once
	left      Leftover
	closeErr  error
}

// Start starts a program in a new terminal, in a session of its own. Close ends
// it; with a t that is not nil Close also runs at the end of the test. The
// errors are those of a program that cannot be started and of a system without
// pseudo-terminals.
func Start(t TB, o Options) (*Terminal, error) {
	if len(o.Argv) == 0 {
		return nil, errors.New("termtest: Options.Argv names no program to start")
	}
	o = o.withDefaults()
	term := &Terminal{
		opts:    o,
		marker:  newMarker(),
		input:   newInputQueue(),
		emu:     newEmulator(o.Cols, o.Rows, *o.Theme, o.Plain),
		raw:     rawLog{limit: o.RawLimit},
		changed: make(chan struct{}),
	}
	term.cmd = exec.Command(o.Argv[0], o.Argv[1:]...)
	term.cmd.Dir = o.Dir
	term.cmd.Env = environment(os.Environ(), term.marker, o.Env)
	f, err := pty.StartWithSize(term.cmd, winsize(o.Cols, o.Rows))
	if err != nil {
		return nil, fmt.Errorf("termtest: cannot start %s in a terminal: %w", o.Argv[0], err)
	}
	term.pty = f
	term.run()
	if t != nil {
		t.Helper()
		t.Cleanup(func() {
			if _, err := term.Close(); err != nil {
				t.Errorf("%v", err)
			}
		})
	}
	return term, nil
}

func winsize(cols, rows int) *pty.Winsize {
	return &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)}
}

// PID is the process ID of the program, which is also its session and process
// group.
func (t *Terminal) PID() int { return t.cmd.Process.Pid }

// Screen is what the terminal shows now.
func (t *Terminal) Screen() Screen {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.emu.screen()
}

// RawOutput is a copy of the bytes that the program wrote, the newest
// Options.RawLimit of them. Compare its length with BytesWritten to know
// whether older ones are missing.
func (t *Terminal) RawOutput() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.raw.bytes()
}

// BytesWritten is how many bytes the program has written to the terminal in all.
func (t *Terminal) BytesWritten() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.raw.total
}

// Resize changes the size of the terminal; the program is told by SIGWINCH.
// What it wrote for the old size may still arrive afterwards, so wait for
// something that only the new size shows.
func (t *Terminal) Resize(cols, rows int) error {
	if cols < 1 || rows < 1 {
		return fmt.Errorf("termtest: a terminal cannot be %d×%d cells", cols, rows)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closing {
		return errClosed
	}
	t.emu.resize(cols, rows)
	t.announce()
	if err := pty.Setsize(t.pty, winsize(cols, rows)); err != nil {
		return fmt.Errorf("termtest: cannot resize the terminal: %w", err)
	}
	return nil
}

// StopReading makes the terminal stuck, like one on a dead connection: what the
// program writes stays in the kernel until its buffer is full, and then its
// writes block. At most one further read is drawn. Keys still reach it.
func (t *Terminal) StopReading() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.paused == nil && !t.closing {
		t.paused = make(chan struct{})
	}
}

// pace is how a terminal reads: at most so many bytes, and a pause behind them. With no bytes it
// reads what it can.
type pace struct {
	bytes int
	pause time.Duration
}

// ReadSlowly makes the terminal one on a slow line: after the read that is under way, a read takes at
// most so many bytes, and a pause follows it. Close ends that.
func (t *Terminal) ReadSlowly(bytes int, pause time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closing {
		t.pace = pace{bytes: max(bytes, 1), pause: pause}
	}
}

// StartReading ends what StopReading began.
func (t *Terminal) StartReading() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.startReading()
}

func (t *Terminal) startReading() {
	if t.paused != nil {
		close(t.paused)
		t.paused = nil
	}
}

// Leftover is what still ran when a terminal was closed.
type Leftover struct {
	Running   bool      // the program itself had not ended
	Processes []Process // others that it had started, directly or not
}

// Close kills the program and everything that it started, ends the terminal and
// says what was still running. On Linux a process is found even if it left the
// session and its parents are gone; elsewhere only descendants and the process
// group are. Closing again returns the same. It is an error if something keeps
// the terminal open all the same.
func (t *Terminal) Close() (Leftover, error) {
	t.closeOnce.Do(func() {
		t.mu.Lock()
		t.closing = true
		t.startReading()
		t.pace = pace{}
		t.mu.Unlock()
		t.left = t.kill()
		t.closeErr = t.shut()
	})
	return t.left, t.closeErr
}

// shut waits for the goroutines, which end when the last process that has the
// terminal open is gone.
func (t *Terminal) shut() error {
	t.input.close()
	t.emu.closeReplies()
	done := make(chan struct{})
	go func() {
		t.tasks.all.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		err := t.unended()
		_ = t.pty.Close()
		return err
	}
	if err := t.pty.Close(); err != nil {
		return fmt.Errorf("termtest: closing the terminal: %w", err)
	}
	return nil
}

// unended says what of the terminal has not ended, and who has it open.
func (t *Terminal) unended() error {
	who := "nobody that is found"
	if n, err := slaveNumber(t.pty); err != nil {
		who = err.Error()
	} else if holders := holdersOf(n); len(holders) > 0 {
		who = strings.Join(holders, ", ")
	}
	return fmt.Errorf("termtest: the terminal of %s does not end: it is open in %s, and of its goroutines run: %s", t.opts.Argv[0], who, strings.Join(t.tasks.running(), ", "))
}

var errClosed = errors.New("termtest: the terminal is closed")
