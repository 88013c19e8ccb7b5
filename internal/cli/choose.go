package cli

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/guard"
	"belay/ui/chooser"
)

// quitMost is how long a list may take to end for a signal.
const quitMost = time.Second

// play shows a list until it is left. There is no session yet, and nothing that must
// not wait: so Bubble Tea has the terminal by itself. A signal ends belay as it would
// have done without the list, and ctrl+c is one; the terminal is given back before, and by
// the guard where no handler hears of belay's end.
func play(list *chooser.List, in, out *os.File, left *guard.Guard) error {
	if err := drawable(); err != nil {
		return err
	}
	program := tea.NewProgram(list, programOptions(in, out)...)
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
		if err != nil {
			return &exitError{code: ExitUsage, err: err, told: true}
		}
		if list.WasInterrupted() {
			left.Failing()
			die(os.Interrupt)
		}
	case sig := <-signals:
		go program.Quit() // it waits until nothing reads the terminal any more; Kill does not
		select {
		case <-ended:
		case <-time.After(quitMost):
			program.Kill()
			<-ended
		}
		_, _ = out.WriteString(givenBack) // a frame may have come after what a killed program undid
		left.Failing()
		die(sig)
	}
	return nil
}

// halt gives the terminal back to the shell, and stops belay until the shell goes on
// with it.
type halt struct{ left *guard.Guard }

func (h halt) Run() error {
	if h.left != nil {
		h.left.Release()
		defer h.left.Hold()
	}
	return stopSelf()
}
func (halt) SetStdin(io.Reader)  {}
func (halt) SetStdout(io.Writer) {}
func (halt) SetStderr(io.Writer) {}
