package cli

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"belay/internal/guard"
	"belay/internal/safe"
)

// editorSession is the terminal while an editor has it. Meanwhile nothing is drawn and no
// key is heard; the session goes on, and belay can be told to end.
type editorSession struct {
	signals chan os.Signal // what ends belay; nil where nobody listens
	keys    *keyboard      // of the screen
	left    *guard.Guard   // that gives the terminal back while no editor has it; nil: there is none

	mu      sync.Mutex
	process *os.Process   // the editor's, while it runs
	over    bool          // belay ends: no editor is begun any more
	ending  chan struct{} // closed when it does; nil: nobody waits for that
	kept    []string      // the files with what was not taken over
	atWork  chan struct{} // closed when what the last editor left was looked at; nil: there was none
}

// lentPatience is how long an editor may take to end when belay does.
const lentPatience = 2 * time.Second

var errEnding = errors.New("belay was told to end")

// run lends the terminal to a program until the program has ended, and then
// restores the terminal's modes.
func (l *editorSession) run(c *exec.Cmd) error {
	if f, ok := c.Stdin.(*os.File); ok {
		if state, err := term.GetState(f.Fd()); err == nil {
			defer func() {
				if isForeground(f) {
					_ = term.Restore(f.Fd(), state)
				}
			}()
		}
	}
	l.keys.pause()
	if l.left != nil {
		l.left.Release()
		defer l.left.Hold()
	}
	if err := l.start(c); err != nil {
		return err
	}
	// What is typed at the editor is for the editor: on a terminal that makes
	// signals of it, belay gets them, too. Before the start it would be the editor
	// that ignores them.
	signal.Ignore(os.Interrupt, syscall.SIGQUIT)
	err := c.Wait()
	l.hear(os.Interrupt)
	l.hear(syscall.SIGQUIT)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.process = nil
	if l.over {
		return errEnding
	}
	return err
}

// enter says that an editor is at work, until the function that it returns is
// called.
func (l *editorSession) enter() (leave func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	over := make(chan struct{})
	l.atWork = over
	return func() { close(over) }
}

// isLent reports whether somebody else has the terminal.
func (l *editorSession) isLent() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.atWork == nil {
		return false
	}
	select {
	case <-l.atWork:
		return false
	default:
		return true
	}
}

// idle waits until no editor is at work, for limit at most.
func (l *editorSession) idle(limit time.Duration) {
	l.mu.Lock()
	over := l.atWork
	l.mu.Unlock()
	if over == nil {
		return
	}
	select {
	case <-over:
	case <-time.After(limit):
	}
}

// start starts an editor outside of the lock: the system may take its time, and whoever ends belay waits for nothing.
// An editor that has begun when belay was told to end is killed.
func (l *editorSession) start(c *exec.Cmd) error {
	if l.isOver() {
		return errEnding
	}
	if err := c.Start(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.process = c.Process
	if l.over {
		_ = l.process.Kill()
	}
	return nil
}

func (l *editorSession) isOver() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.over
}

// end hands the signal that ends belay on to the editor, and ends it by force
// when that does not help.
func (l *editorSession) end(sig os.Signal) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.overNow()
	if l.process == nil {
		return
	}
	if err := l.tell(sig); err != nil {
		_ = l.process.Kill()
	}
	time.AfterFunc(lentPatience, l.kill)
}

// overNow says that belay ends, under the lock.
func (l *editorSession) overNow() {
	l.over = true
	if l.ending != nil {
		close(l.ending)
		l.ending = nil
	}
}

// ends is closed when belay ends.
func (l *editorSession) ends() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ending == nil {
		l.ending = make(chan struct{})
	}
	ends := l.ending
	if l.over {
		l.overNow()
	}
	return ends
}

// kill ends the editor at once.
func (l *editorSession) kill() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.overNow()
	if l.process != nil {
		_ = l.process.Kill()
	}
}

func (l *editorSession) keep(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = append(l.kept, path)
}

// farewell names the files that are still there.
func (l *editorSession) farewell() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var lines []string
	for _, path := range l.kept {
		if _, err := os.Stat(path); err == nil {
			lines = append(lines, "what the editor left is kept in "+string(safe.Line(path)))
		}
	}
	return lines
}

// hear has belay told of a signal again that it ignored. What came meanwhile is
// not told: while the main thread blocks its signals, as it does in the handler of
// the one before, an ignored signal is kept all the same. To ignore it once more
// drops it.
func (l *editorSession) hear(sig os.Signal) {
	signal.Ignore(sig)
	if l.signals == nil {
		signal.Reset(sig)
		return
	}
	signal.Notify(l.signals, sig)
}
