//go:build unix

package cli

import (
	"os"
	"os/signal"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// isForeground reports whether belay may set the modes of a terminal: its job is the terminal's foreground job, or the
// terminal is not the one that controls its session. In the background the system stops whoever tries.
func isForeground(tty *os.File) bool {
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}

// isWritable reports whether belay may write to a terminal: in the background a mode of the terminal (tostop) has the
// system stop whoever tries.
func isWritable(tty *os.File) bool {
	if isForeground(tty) {
		return true
	}
	modes, err := term.GetState(tty.Fd())
	return err != nil || modes.Lflag&unix.TOSTOP == 0
}

// bearBackground has the system no longer stop belay for what it writes in the background of a terminal. It is for the
// last sentences on stderr, which would be lost otherwise, or keep belay from its end.
func bearBackground() { signal.Ignore(unix.SIGTTOU) }
