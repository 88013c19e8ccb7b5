//go:build unix

package cli

import (
	"os"
	"os/signal"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// unechoed is a state of the terminal in which it does not show what is typed, and hands
// it on by lines.
func unechoed(s term.State) *term.State {
	s.Lflag = s.Lflag&^unix.ECHO | unix.ICANON | unix.ISIG
	s.Iflag |= unix.ICRNL
	return &s
}

// notifyResumed has c told when belay goes on after it was stopped.
func notifyResumed(c chan<- os.Signal) { signal.Notify(c, unix.SIGCONT) }
