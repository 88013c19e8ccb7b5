package cli

import (
	"os"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/windows"
)

// unechoed is a state of the terminal in which it does not show what is typed, and hands
// it on by lines.
func unechoed(s term.State) *term.State {
	s.Mode = s.Mode&^windows.ENABLE_ECHO_INPUT | windows.ENABLE_PROCESSED_INPUT | windows.ENABLE_LINE_INPUT
	return &s
}

// notifyResumed does nothing: nothing stops a program of a console.
func notifyResumed(chan<- os.Signal) {}
