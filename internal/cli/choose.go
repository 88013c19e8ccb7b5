package cli

import (
	"io"
	"os"
	"os/signal"
	"syscall"

	tea "charm.land/bubbletea/v2"

	"belay/ui/chooser"
)

// play shows a list until it is left. There is no session yet, and nothing that must
// not wait: so Bubble Tea has the terminal by itself. A signal ends belay as it would
// have done without the list, and ctrl+c is one; the terminal is given back before.
func play(list *chooser.List, in, out *os.File) error {
	if err := drawable(); err != nil {
		return err
	}
	program := tea.NewProgram(list, programOptions(in, out)...)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT)
	defer signal.Stop(signals)
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
		if list.Interrupted() {
			die(os.Interrupt)
		}
	case sig := <-signals:
		program.Kill()
		<-ended
		die(sig)
	}
	return nil
}

// halt gives the terminal back to the shell, and stops belay until the shell goes on
// with it.
type halt struct{}

func (halt) Run() error          { return stopSelf() }
func (halt) SetStdin(io.Reader)  {}
func (halt) SetStdout(io.Writer) {}
func (halt) SetStderr(io.Writer) {}
