package cli

import (
	"os"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/windows"
)

// unechoed is a state of the terminal in which it does not show what is typed.
func unechoed(s term.State) *term.State {
	s.Mode &^= windows.ENABLE_ECHO_INPUT
	return &s
}

// notifyResumed does nothing: nothing stops a program of a console.
func notifyResumed(chan<- os.Signal) {}
