package cli

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"belay/internal/guard"
	"belay/ui/chooser"
)

// quitMost is how long a list may take to end for a signal: to quit, and then to be killed.
const quitMost = time.Second

// play shows a list until it is left. There is no session yet, and nothing that must
// not wait: so Bubble Tea reads the terminal by itself. A signal ends belay as it would
// have done without the list, and ctrl+c is one; the terminal is given back before, whether or not
// it reads, and by the guard where no handler hears of belay's end.
func play(list *chooser.List, in, out *os.File, left *guard.Guard) error {
	if err := drawable(); err != nil {
		return err
	}
	modes, _ := term.GetState(in.Fd())
	var program *tea.Program
	drawn := newScreen(out, func() { program.Send(tea.ClearScreen()) })
	defer drawn.end()
	program = tea.NewProgram(list, programOptions(in, drawn)...)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT)
	defer signal.Stop(signals)
	left.Hold()
	_ = left.Start() // belay asks on without it
	defer left.End()
	defer left.Release()
	var err error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, err = program.Run()
	}()
	select {
	case <-ended:
		if isWritable(out) && drawn.drainOrSkip(lastWords, givenBack) {
			drawn.drain(slowly)
		}
		if err != nil {
			return &exitError{code: ExitUsage, err: err, told: true}
		}
		if list.WasInterrupted() {
			left.Failing()
			die(os.Interrupt)
		}
	case sig := <-signals:
		if isForeground(in) { // else Bubble Tea would be stopped, and belay with it
			endBy(program, ended)
		}
		drawn.mute()
		if drawn.undoScreen() { // a frame may have come after what a killed program undid
			drawn.drainOrSkip(lastWords, givenBack)
			drawn.wait(lastWords / 2)
		}
		if modes != nil && isForeground(in) {
			_ = term.Restore(in.Fd(), modes)
		}
		left.Failing()
		die(sig)
	}
	return nil
}

// endBy ends a program, and does not wait for one that is stuck.
func endBy(program *tea.Program, ended <-chan struct{}) {
	go program.Quit() // it waits until nothing reads the terminal any more; Kill does not
	select {
	case <-ended:
		return
	case <-time.After(quitMost):
	}
	go program.Kill()
	select {
	case <-ended:
	case <-time.After(quitMost / 2):
	}
}

// halt gives the terminal back to the shell, and stops belay until the shell goes on
// with it.
type halt struct {
	tty  *os.File
	left *guard.Guard
	out  io.Writer
}

func (h *halt) Run() error {
	if drawn, ok := h.out.(*screen); ok {
		drawn.handOver()
	}
	if h.left != nil {
		h.left.Release()
		defer h.left.Hold()
	}
	return stopSelf(h.tty, nil)
}
func (h *halt) SetStdin(io.Reader)    {}
func (h *halt) SetStdout(w io.Writer) { h.out = w }
func (h *halt) SetStderr(io.Writer)   {}
