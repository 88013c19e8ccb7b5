//go:build unix

package cli

import (
	"os"
	"os/signal"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// unechoed is a terminal state with lines of input and no echo.
func unechoed(s term.State) *term.State {
	s.Lflag = s.Lflag&^unix.ECHO | unix.ICANON | unix.ISIG
	s.Iflag |= unix.ICRNL
	return &s
}

// notifyResumed has c told when belay goes on after it was stopped.
func notifyResumed(c chan<- os.Signal) { signal.Notify(c, unix.SIGCONT) }
