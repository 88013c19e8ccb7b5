package cli

import (
	"errors"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// hearing hears the signals that end belay.
type hearing struct {
	signals chan os.Signal
	begun   chan struct{} // closed when every signal is heard
}

// hear begins to hear signals. A thread of the runtime is told of one signal after the other, which
// takes a millisecond: the guard starts meanwhile.
func hear() *hearing {
	h := &hearing{make(chan os.Signal, 4), make(chan struct{})}
	go func() {
		defer close(h.begun)
		signal.Notify(h.signals, slices.Concat(fatal, []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP})...)
	}()
	return h
}

// stop hears no signal any more.
func (h *hearing) stop() {
	<-h.begun
	signal.Stop(h.signals)
}

var errEnded = errors.New("belay was told to end")

// await waits for the start of a server, before there is a screen. A signal ends belay as if
// nobody had heard the signal.
func (h *hearing) await(started <-chan error) error {
	select {
	case err := <-started:
		return err
	case sig := <-h.signals:
		die(sig)
		return errEnded
	}
}
